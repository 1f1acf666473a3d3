# SPDX-License-Identifier: GPL-3.0-or-later
"""tprof for Python: marks for the profiler, and its figures while the program runs.

    import libtprof

    with libtprof.region("forward"):
        model(x)
    print(libtprof.report())

Start the program with ``python3 -m libtprof run train.py``, with ``tprof run -- python3 train.py``,
or call ``libtprof.start()`` first.  Without that the program runs on, marks do nothing, and the
first figure that is asked for says so in one line on standard error.  A figure that is not known
is NaN or None, never 0.

All figures are those of the shim, libtprof.so, and of the analyzer, tprof: see ``pydoc`` of each
class for its units.
"""

from __future__ import annotations

from ._marks import items, metric, request, snapshot
from ._regions import Region, region
from ._shim import is_recording

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._analyzer import AnalyzerError
    from ._architecture import ArchitectureProfiler
    from ._benchmark import benchmark_suite, measure_performance, plot_performance_comparison
    from ._context import Profiler, ProfilerContext, profile
    from ._flops import FLOPCounter, count_flops
    from ._memory import MemoryProfiler, MemoryTracker
    from ._notebook import load_ipython_extension
    from ._performance import PerformanceProfiler, diagnose_performance_issues
    from ._production import PerformanceRegressionDetector, ProductionProfiler
    from ._report import report
    from ._start import start
    from ._timer import Timer

__version__ = "0.1.0"

# The rest is loaded at its first use: a program that only sets marks starts at once.
_LATER = {
    "AnalyzerError": "_analyzer",
    "ArchitectureProfiler": "_architecture",
    "FLOPCounter": "_flops",
    "MemoryProfiler": "_memory",
    "MemoryTracker": "_memory",
    "PerformanceProfiler": "_performance",
    "PerformanceRegressionDetector": "_production",
    "ProductionProfiler": "_production",
    "Profiler": "_context",
    "ProfilerContext": "_context",
    "Timer": "_timer",
    "benchmark_suite": "_benchmark",
    "count_flops": "_flops",
    "diagnose_performance_issues": "_performance",
    "measure_performance": "_benchmark",
    "plot_performance_comparison": "_benchmark",
    "load_ipython_extension": "_notebook",
    "profile": "_context",
    "report": "_report",
    "start": "_start",
}

__all__ = ["Region", "is_recording", "items", "metric", "region", "request", "snapshot", *_LATER]
__all__.remove("load_ipython_extension")


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module 'libtprof' has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module("." + _LATER[name], __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(set(globals()) | set(_LATER))
