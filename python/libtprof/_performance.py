# SPDX-License-Identifier: GPL-3.0-or-later
"""PerformanceProfiler: named parts of a run, their metrics, and what is wrong with them."""

from __future__ import annotations

import collections
import contextlib
import contextvars
from types import SimpleNamespace
from typing import Any, Deque, Iterator, NamedTuple, Optional

from . import _analyzer, _marks, _models, _spans, _system
from ._hint import UNKNOWN
from ._system import MIB

RAM_MIB = 16000
CPU_PERCENT = 95
GPU_PERCENT = 70
IO_PERCENT = 20

_PARTS_MAX = 10_000
_NS = 1e9
_LEAST_NS = 10_000_000  # the snapshots around a part take up to 1 ms of processor time


class Line(NamedTuple):
    """A line of Python, with its share of the processor time: its own and that of native code that
    it calls.  ``total_percent`` has the Python functions that it calls, too."""

    line_number: int
    time_percent: float
    total_percent: float
    file: Optional[str]
    function: Optional[str]
    source: Optional[str]


class Metrics:
    """Figures of one part of a run.  NaN: unknown.

    ``timing``: ``wall_time_s``, ``cpu_time_s``.  ``memory``, of the process in that time:
    ``peak_ram_mb``, ``peak_heap_mb``, ``peak_gpu_mb`` (MiB), and ``peak_ram_bytes``,
    ``peak_heap_bytes``, ``gpu_capacity_bytes``.  ``compute``: ``estimated_flops``, a count,
    ``flops_per_param``, ``gpu_utilization_percent``.  ``system``: ``cpu_percent`` of all
    processors, ``memory_percent``, ``disk_io_wait_percent``.  ``throughput``: items by the
    second, counted by ``libtprof.items``.
    """

    def __init__(self, part: "_Part") -> None:
        span, region = part.span, part.span.region()
        number, gpu = _analyzer.number, part.gpu
        ram, heap = span.figure("memory", "peak_ram_bytes"), span.figure("memory", "peak_heap_bytes")
        self.name = span.name
        self.timing = SimpleNamespace(wall_time_s=number(region.get("inclusive_ns"), _NS),
                                      cpu_time_s=number(region.get("cpu_ns"), _NS))
        self.memory = SimpleNamespace(peak_ram_mb=ram / MIB, peak_heap_mb=heap / MIB,
                                      peak_gpu_mb=gpu.peak / MIB, peak_ram_bytes=ram,
                                      peak_heap_bytes=heap, gpu_capacity_bytes=gpu.capacity)
        self.compute = SimpleNamespace(estimated_flops=number(region.get("flops")),
                                       flops_per_param=span.figure("compute", "flops_per_param"),
                                       gpu_utilization_percent=UNKNOWN)
        self.system = SimpleNamespace(cpu_percent=_cpu_percent(span.report()),
                                      memory_percent=100 * ram / _system.memory_total(),
                                      disk_io_wait_percent=part.disk_io_percent)
        self.throughput = number(region.get("items_per_second"))


def _cpu_percent(report: dict[str, Any]) -> float:
    """Of a program that still runs; the analyzer has it of one that ended."""
    timing, number = report.get("timing") or {}, _analyzer.number
    user, system, wall = (number(timing.get(name)) for name in ("cpu_user_ns", "cpu_sys_ns", "wall_ns"))
    processors = number((report.get("process") or {}).get("cpu_count"))
    return 100 * (user + system) / (wall * processors) if wall >= _LEAST_NS else UNKNOWN


class _Part:
    """A block of a profiler: its span, and what only this moment knows."""

    def __init__(self, name: str, estimate_flops: bool) -> None:
        self.span = _spans.Span(name)
        self.gpu = _system.Gpu(UNKNOWN, UNKNOWN, UNKNOWN)
        self.disk_io_percent = UNKNOWN
        self._clocks = _system.Clocks()
        self._parameters = _models.UsedParameters() if estimate_flops else None

    def begin(self) -> None:
        if self._parameters:
            self._parameters.begin()
        self.span.begin()

    def end(self) -> None:
        self.disk_io_percent = self._clocks.disk_io_percent()
        if self._parameters:
            count = self._parameters.end()
            if count == count:
                _marks.metric("parameters", count)  # the analyzer divides the FLOPs by it
        self.span.end()
        self.gpu = _system.read_gpu()


class PerformanceProfiler:
    """``with profiler.profile("training"):`` ..., then :meth:`get_metrics`.

    What is tracked is what the shim records, always: the arguments of the constructor are
    accepted for programs that pass them.  ``estimate_flops=True`` also counts the parameters of
    the modules of PyTorch that compute in a part.  A part may contain others, and threads and
    tasks may have parts at the same time.
    """

    def __init__(self, estimate_flops: bool = False, **options: object) -> None:
        self.options = options
        self._estimates = estimate_flops
        self._parts: Deque[_Part] = collections.deque(maxlen=_PARTS_MAX)
        self._latest: contextvars.ContextVar[Optional[_Part]] = contextvars.ContextVar("latest", default=None)
        self._clocks = _system.Clocks()

    @contextlib.contextmanager
    def profile(self, name: str) -> Iterator["PerformanceProfiler"]:
        """A part of the run, by a name."""
        part = _Part(name, self._estimates)
        self._parts.append(part)
        part.begin()
        try:
            yield self
        finally:
            part.end()
            self._latest.set(part)

    def _part(self, name: Optional[str]) -> Optional[_Part]:
        """The latest part of a name; without one, the part that this thread or task ended last."""
        named = [part for part in self._parts if name in (None, part.span.name)]
        if name is not None and not named:
            raise KeyError(f"no part was profiled under the name {name!r}")
        return (self._latest.get() if name is None else None) or (named[-1] if named else None)

    def get_metrics(self, name: Optional[str] = None) -> Metrics:
        """The figures of a part."""
        part = self._part(name)
        if part is None:
            raise LookupError("nothing was profiled: with profiler.profile(name) comes first")
        return Metrics(part)

    def get_timing_breakdown(self) -> dict[str, float]:
        """Seconds in each part, without the parts inside: their sum is that of the outer ones."""
        times = dict.fromkeys((part.span.name for part in self._parts), 0.0)
        window = self._parts[0].span.window(to_now=True) if self._parts else None
        if window is None:
            return dict.fromkeys(times, UNKNOWN)
        for row in _analyzer.rows("regions", f"--window={window}"):
            name = row["path"].rpartition("/")[2]
            if name in times:
                times[name] += row["exclusive_ns"] / _NS
        return times

    def get_line_profile(self, name: Optional[str] = None) -> list[Line]:
        """Lines of Python by their share of the processor time of a part, the largest first."""
        part = self._part(name)
        rows = (part.span.ask("lines").get("rows") or []) if part else []
        lines = [Line(row["line"], 100 * row["self_share"], 100 * row["total_share"], row["file"],
                      row["function"], row["source"])
                 for row in rows if row["self_share"] and (row["file"] or "").endswith(".py")]
        return sorted(lines, key=lambda line: -line.time_percent)

    def get_current_memory(self) -> float:
        """Resident memory now, in MiB; also a snapshot in the trace."""
        _marks.snapshot("get_current_memory")
        return _system.read_memory().rss / MIB

    def get_current_gpu_memory(self) -> float:
        """The used share of the memory of PyTorch's device now, from 0 to 1."""
        gpu = _system.read_gpu()
        return gpu.used / gpu.capacity

    def get_current_system_stats(self) -> SimpleNamespace:
        """Percentages since the call before: ``cpu_percent`` of this process on the processors that
        it may use, ``memory_percent`` of the machine, ``disk_io_percent`` of the time."""
        clocks, self._clocks = self._clocks, _system.Clocks()
        return SimpleNamespace(cpu_percent=clocks.cpu_percent(), memory_percent=_system.memory_percent(),
                               disk_io_percent=clocks.disk_io_percent())

    def get_system_report(self, name: Optional[str] = None) -> SimpleNamespace:
        """Of a part: ``avg_cpu_percent`` of all processors, ``peak_memory_percent`` of the machine."""
        system = self.get_metrics(name).system
        return SimpleNamespace(avg_cpu_percent=system.cpu_percent, peak_memory_percent=system.memory_percent)


def diagnose_performance_issues(profiler_results: Any) -> list[str]:
    """What is wrong with a part, from its metrics.  What is unknown is no issue."""
    def value(group: str, name: str) -> float:
        found = getattr(getattr(profiler_results, group, None), name, None)
        return UNKNOWN if found is None else found

    issues = []
    if value("memory", "peak_ram_mb") > RAM_MIB:
        issues.append("High memory usage - consider reducing batch size or model size")
    if value("system", "cpu_percent") > CPU_PERCENT:
        issues.append("CPU bottleneck - consider data loading optimization or distributed training")
    if value("compute", "gpu_utilization_percent") < GPU_PERCENT:
        issues.append("GPU underutilized - increase batch size or improve data loading")
    if value("system", "disk_io_wait_percent") > IO_PERCENT:
        issues.append("I/O bottleneck - optimize data loading or use faster storage")
    return issues
