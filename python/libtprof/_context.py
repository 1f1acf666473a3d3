# SPDX-License-Identifier: GPL-3.0-or-later
"""ProfilerContext and Profiler: a part of the run with its report; profile: a decorator."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar, Union, overload

from . import _analyzer, _regions, _spans
from ._system import MIB
from ._timer import TimingStats

_Function = TypeVar("_Function", bound=Callable[..., Any])


@overload
def profile(name: _Function) -> _Function: ...
@overload
def profile(name: str) -> _regions.Region: ...
def profile(name: Union[str, Callable[..., Any]]) -> Any:
    """Make a function a region: ``@profile``, ``@profile("name")``, or ``with profile("name"):``."""
    if isinstance(name, str):
        return _regions.region(name)
    return _regions.region(getattr(name, "__qualname__", type(name).__name__))(name)


class Profiler:
    """``with Profiler() as profiler:`` ...: the figures of a block."""

    def __init__(self, name: str = "Profiler") -> None:
        self.name = name
        self._span = _spans.Span(name)

    def __enter__(self) -> "Profiler":
        self._span = _spans.Span(self.name).begin()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._span.end()

    def get_report(self) -> dict[str, Any]:
        """``tprof report --json`` of the block."""
        return self._span.report()

    def print_top_operations(self, n: int = 10) -> None:
        """Print what took the time, in ``n`` rows at most, by ``tprof top``.

        Shares are of the threads that compute: those that only wait for work are left out.
        """
        rows = [row for row in self._span.ask("top").get("rows") or [] if row["kind"] != "thread"]
        whole = sum(row["share"] or 0 for row in rows)
        for row in sorted(rows, key=lambda row: -(row["share"] or 0))[:n]:
            if (row["share"] or 0) >= 0.005 * whole > 0:
                print(f"{100 * row['share'] / whole:.0f}% - {row['name']}")


class ProfilerContext(Profiler):
    """``with ProfilerContext("MyModel") as profiler:``; at the end it prints its report.

    The report has the functions that :meth:`profile_function` called, and the first screen of
    ``tprof report`` about the block: times, memory, and what to do first.
    """

    def __init__(self, name: str = "ProfilerContext", prints: bool = True) -> None:
        super().__init__(name)
        self.prints = prints
        self._functions: list[str] = []

    def profile_function(self, function: Callable[..., Any], args: Sequence[Any] = (),
                         kwargs: Optional[Mapping[str, Any]] = None) -> Any:
        """Call a function as a region of its name.  Returns what it returns."""
        name = getattr(function, "__qualname__", type(function).__name__)
        if name not in self._functions:
            self._functions.append(name)
        with _regions.region(name):
            return function(*args, **(kwargs or {}))

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        super().__exit__(kind, error, trace)
        if self.prints:
            text = self.report()
            if text:
                print(text)

    def report(self) -> str:
        """The report of the block as text; empty where nothing was recorded."""
        report = self.get_report()
        if not report:
            return ""
        lines = [f"{self.name}: {report['timing']['wall_ns'] / 1e9:.3f} s, "
                 + _flops(report["compute"].get("flops"))]
        lines += [_line(name, _spans.find_region(report["regions"], name)) for name in self._functions]
        window, trace = self._span.window(), _analyzer.own_trace()
        screen = _analyzer.run("report", "--no-color", f"--window={window}", trace) if trace else ""
        return "\n".join(lines) + "\n\n" + screen.rstrip("\n")


def _flops(flops: Optional[float]) -> str:
    return "unknown FLOPs" if flops is None else f"{flops / 1e9:.3f} GFLOPs"


def _line(name: str, row: Mapping[str, Any]) -> str:
    if not row:
        return f"  {name}: not recorded"
    calls, peak = row["calls"], row.get("peak_heap_bytes")
    time = f"{TimingStats(row, 0.95)} a call" if row.get("samples") else f"{row['inclusive_ns'] / 1e6:.3f}ms"
    memory = "" if peak is None else f", heap peak {peak / MIB:.2f} MiB"
    return f"  {name}: {calls} call{'s' if calls != 1 else ''}, {time}, {_flops(row.get('flops'))}{memory}"
