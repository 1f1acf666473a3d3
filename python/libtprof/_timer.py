# SPDX-License-Identifier: GPL-3.0-or-later
"""Timer: the durations of a block or a function, with their statistics by the analyzer."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence

from . import _analyzer, _shim, _spans
from ._hint import UNKNOWN

MS = 1e6  # nanoseconds of a millisecond


class TimingStats:
    """Statistics of some calls, in milliseconds; NaN is unknown.

    ``n`` calls after the warm-up; ``mean`` and ``std`` (of the sample, n-1); ``p50``, ``p90``,
    ``p95`` and ``p99`` (interpolated, type 7); and their intervals ``mean_ci``, ``p50_ci`` ... as
    pairs, of the probability ``confidence``.
    """

    def __init__(self, row: Mapping[str, Any], confidence: float) -> None:
        self.confidence = confidence
        self.n: int = row.get("samples") or 0
        self.mean = _analyzer.number(row.get("mean_ns"), MS)
        self.std = _analyzer.number(row.get("sd_ns"), MS)
        self.mean_ci = _pair(row.get("mean_ci_ns"))
        for name in ("p50", "p90", "p95", "p99"):
            setattr(self, name, _analyzer.number(row.get(name + "_ns"), MS))
            setattr(self, name + "_ci", _pair(row.get(name + "_ci_ns")))

    p50: float
    p90: float
    p95: float
    p99: float
    p50_ci: tuple[float, float]
    p90_ci: tuple[float, float]
    p95_ci: tuple[float, float]
    p99_ci: tuple[float, float]

    def __str__(self) -> str:
        if self.n == 0:
            return "unknown: no call was recorded"
        low, high = self.mean_ci
        if low != low:  # of one run, or of runs that depend on each other
            return f"{self.mean:.3f}ms (n={self.n}, no interval)"
        return (f"{self.mean:.3f}ms ± {self.std:.3f}ms "
                f"({self.confidence * 100:g}% CI: [{low:.3f}, {high:.3f}])")

    __repr__ = __str__


def _pair(interval: Optional[Sequence[Optional[float]]]) -> tuple[float, float]:
    low, high = interval or (None, None)
    return _analyzer.number(low, MS), _analyzer.number(high, MS)


class Timer:
    """Durations of a block, ``with timer:``, or of a function, :meth:`measure`.

    Each run is a region; its times are those of the trace, in milliseconds.  The first
    ``warmup_runs`` runs are left out of the statistics, unless there are no others.
    ``num_runs`` later runs count at most, 0 for all.
    """

    def __init__(self, num_runs: int = 0, warmup_runs: int = 3, name: str = "Timer") -> None:
        self.num_runs = num_runs
        self.warmup_runs = warmup_runs
        self.runs = 0
        self._label = _spans.own_label(name)

    def __enter__(self) -> "Timer":
        _shim.region_begin(_shim.label(self._label))
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        _shim.region_end(_shim.label(self._label))
        self.runs += 1

    def measure(self, function: Callable[..., Any], warmup: int = 3, runs: int = 100,
                args: Sequence[Any] = (), kwargs: Optional[Mapping[str, Any]] = None) -> TimingStats:
        """Call a function ``warmup`` and then ``runs`` times, and describe these ``runs`` calls."""
        if warmup < 0 or runs < 1:
            raise ValueError(f"measure: warmup={warmup} and runs={runs}; expected 0 and 1 or more")
        self._label = _spans.own_label(getattr(function, "__qualname__", type(function).__name__))
        self.warmup_runs, self.num_runs, self.runs = warmup, runs, 0
        for _ in range(warmup + runs):
            with self:
                function(*args, **(kwargs or {}))
        return self.stats()

    @property
    def _warmup(self) -> int:
        return self.warmup_runs if self.runs > self.warmup_runs else 0

    def stats(self, confidence: float = 0.95) -> TimingStats:
        """The statistics of the runs after the warm-up."""
        rows = _analyzer.rows("regions", f"--warmup={self._warmup}", f"--runs={self.num_runs}",
                              f"--confidence={confidence}")
        return TimingStats(_spans.find_region(rows, self._label), confidence)

    @property
    def times(self) -> list[float]:
        """The durations of the runs after the warm-up, in milliseconds, in their order."""
        laps = [lap["duration_ns"] / MS for lap in _analyzer.laps(self._label)]
        return laps[self._warmup:][:self.num_runs or None]

    @property
    def elapsed(self) -> float:
        """The duration of the latest run, in milliseconds."""
        laps = _analyzer.laps(self._label)
        return laps[-1]["duration_ns"] / MS if laps else UNKNOWN

    @property
    def mean(self) -> float:
        """Their mean, in milliseconds."""
        return self.stats().mean

    @property
    def std(self) -> float:
        """Their standard deviation, of the sample (n-1), in milliseconds."""
        return self.stats().std

    @property
    def p50(self) -> float:
        """Their median, in milliseconds."""
        return self.stats().p50

    @property
    def p95(self) -> float:
        """Their 95th percentile, in milliseconds."""
        return self.stats().p95

    @property
    def p99(self) -> float:
        """Their 99th percentile, in milliseconds."""
        return self.stats().p99

    def confidence_interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """The t interval of the mean, in milliseconds; NaN for fewer than two runs."""
        return self.stats(confidence).mean_ci

    def report(self) -> str:
        """Mean, deviation and interval in one line."""
        return str(self.stats())
