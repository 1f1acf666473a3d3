# SPDX-License-Identifier: GPL-3.0-or-later
"""MemoryProfiler and MemoryTracker: what a part of the program allocates and keeps."""

from __future__ import annotations

import time
from typing import Any, Callable, Optional

from . import _analyzer, _shim, _spans, _system
from ._system import MIB


class MemoryStats:
    """Memory of a part of the run: whole bytes, None where unknown; without the suffix, MiB.

    ``baseline_bytes`` was live on the heap at its start, ``peak_bytes`` at most.
    ``allocated_bytes`` and ``freed_bytes`` are sums, and ``allocations`` and ``frees`` counts, of
    all threads.  ``pattern`` is the heap's course, such as flat, linear or saw-tooth.
    ``is_exact``: no block was left to chance.  ``owners`` are rows of ``tprof memory``.
    """

    def __init__(self, span: _spans.Span) -> None:
        memory = span.ask("memory")
        summary = memory.get("summary") or {}
        rows = span.ask("memory --by region").get("rows") or []
        region = _spans.find_region(rows, span.name, most="allocations")
        self.baseline_bytes: Optional[int] = region.get("begin_heap_bytes")
        self.peak_bytes: Optional[int] = summary.get("peak_heap_bytes")
        self.allocated_bytes: Optional[int] = summary.get("allocated_bytes")
        self.freed_bytes: Optional[int] = summary.get("freed_bytes")
        self.peak_rss_bytes: Optional[int] = summary.get("peak_ram_bytes")
        self.allocations: Optional[int] = summary.get("allocations")
        self.frees: Optional[int] = summary.get("frees")
        self.pattern: Optional[str] = summary.get("pattern")
        self.is_exact: bool = bool(summary.get("exact"))
        self.owners: list[dict[str, Any]] = memory.get("owners") or []
        self.result: Any = None  #: what the function returned

    @property
    def baseline(self) -> float:
        """In MiB."""
        return _analyzer.number(self.baseline_bytes, MIB)

    @property
    def peak(self) -> float:
        """In MiB."""
        return _analyzer.number(self.peak_bytes, MIB)

    @property
    def allocated(self) -> float:
        """In MiB."""
        return _analyzer.number(self.allocated_bytes, MIB)

    def __repr__(self) -> str:
        return (f"MemoryStats(baseline={self.baseline:.2f} MiB, peak={self.peak:.2f} MiB, "
                f"allocated={self.allocated:.2f} MiB, pattern={self.pattern})")


class MemoryProfiler:
    """Memory at points that the program names, and of functions.

    Units: MiB (1024 * 1024 bytes).  A snapshot is also in the trace, so ``tprof memory
    --timeline`` and the page show it.
    """

    def __init__(self) -> None:
        self.snapshots: list[dict[str, Any]] = []
        self._span = _spans.Span("MemoryProfiler")

    def snapshot(self, label: str = "") -> dict[str, Any]:
        """Read the resident and the mapped memory now: ``label``, ``rss``, ``vms``, ``timestamp``."""
        if not self.snapshots:
            self._span.mark()
        _shim.snapshot(_shim.label(label))
        memory = _system.read_memory()
        self.snapshots.append({"label": label, "rss": memory.rss / MIB, "vms": memory.vms / MIB,
                               "timestamp": time.time()})
        return self.snapshots[-1]

    def profile(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> MemoryStats:
        """Call a function, and tell its baseline, peak, sums and pattern."""
        span = _spans.Span(getattr(function, "__qualname__", "MemoryProfiler.profile")).begin()
        try:
            result = function(*args, **kwargs)
        finally:
            span.end()
        stats = MemoryStats(span)
        stats.result = result
        return stats

    @property
    def peak_memory(self) -> float:
        """The highest resident memory since the first snapshot, also between snapshots, in MiB."""
        summary = self._span.ask("memory").get("summary") or {}
        return _analyzer.number(summary.get("peak_ram_bytes"), MIB)

    def leak_verdict(self) -> tuple[str, str]:
        """The verdict of ``tprof leaks`` since the first snapshot, and its reason."""
        verdict = self._span.ask("leaks").get("verdict") or {}
        return verdict.get("verdict") or "unknown", verdict.get("reason") or "nothing is recorded"

    def report(self) -> None:
        """Print the peak, the snapshots, the growth and the verdict."""
        print(f"Peak Memory: {self.peak_memory:.2f} MiB")
        print("\nMemory Timeline:")
        for snapshot in self.snapshots:
            print(f"  {snapshot['label']:30s}: {snapshot['rss']:8.2f} MiB")
        if len(self.snapshots) < 2:
            return
        print(f"\nTotal Growth: {self.snapshots[-1]['rss'] - self.snapshots[0]['rss']:+.2f} MiB")
        verdict, reason = self.leak_verdict()
        if verdict == "leak":
            print(f"⚠️  Potential memory leak detected! {reason}")
        else:
            print(f"Leak: {verdict}. {reason}")


class MemoryTracker:
    """``with MemoryTracker() as m:`` ...; ``m.peak_usage`` is the block's peak heap, in MiB."""

    def __init__(self, name: str = "MemoryTracker") -> None:
        self._span = _spans.Span(name)

    def __enter__(self) -> "MemoryTracker":
        self._span.begin()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._span.end()

    @property
    def stats(self) -> MemoryStats:
        """Baseline, peak, sums and pattern of the block."""
        return MemoryStats(self._span)

    @property
    def peak_usage(self) -> float:
        """The highest live heap of the process during the block, in MiB."""
        return self.stats.peak
