# SPDX-License-Identifier: GPL-3.0-or-later
"""ProductionProfiler: requests of a service.  PerformanceRegressionDetector: parts against a baseline.

A request costs some readings of clocks: the analyzer does not run while a service serves.
"""

from __future__ import annotations

import collections
import contextlib
import json
import statistics
import time
from datetime import datetime, timedelta
from typing import Any, Deque, Hashable, Iterator, Optional, Union

from . import _hint, _marks, _regions, _system
from ._performance import PerformanceProfiler
from ._system import MIB

_LOG_MAX = 100_000
_OPEN_MAX = 10_000


class ProductionProfiler:
    """``with profiler.profile_request(id):`` ..., then :meth:`log_metrics`.

    ``metrics_log`` has the latest requests: ``timestamp`` (ISO 8601), ``request_id``,
    ``internal_latency`` and ``user_facing_latency`` in seconds, ``memory_mb`` (the highest resident
    memory so far, MiB) and ``cpu_percent`` (of this process during the request, on the processors
    that it may use).  A request is also in the trace, as a region and by its id.
    """

    def __init__(self, sla_s: float = 2.0) -> None:
        self.sla_s = sla_s
        self.metrics_log: Deque[dict[str, Any]] = collections.deque(maxlen=_LOG_MAX)
        self._ended: "collections.OrderedDict[object, dict[str, float]]" = collections.OrderedDict()

    @contextlib.contextmanager
    def profile_request(self, request_id: Hashable) -> Iterator[None]:
        """The serving of one request; others may be served at the same time."""
        clocks, begin_ns = _system.Clocks(), time.perf_counter_ns()
        try:
            with _marks.request(_recorded(request_id)), _regions.region("request"):
                yield
        finally:
            self._ended[request_id] = {"internal_latency": (time.perf_counter_ns() - begin_ns) / 1e9,
                                       "cpu_percent": clocks.cpu_percent()}
            if len(self._ended) > _OPEN_MAX:  # of requests that nobody logged
                self._ended.popitem(last=False)

    def log_metrics(self, request_id: Hashable, user_facing_latency: float) -> dict[str, Any]:
        """Log a request that was profiled, with the latency that its user saw, in seconds."""
        own = self._ended.pop(request_id, {})
        entry = {
            "timestamp": datetime.now().isoformat(),
            "request_id": request_id,
            "internal_latency": own.get("internal_latency"),
            "user_facing_latency": user_facing_latency,
            "memory_mb": _system.read_peak_rss() / MIB,
            "cpu_percent": own.get("cpu_percent"),
        }
        self.metrics_log.append(entry)
        if user_facing_latency > self.sla_s:
            self.alert_sla_violation(entry)
        return entry

    def alert_sla_violation(self, entry: dict[str, Any]) -> None:
        """Called for a request that took longer than ``sla_s``; writes a line to standard error."""
        _hint.tell(f"request {entry['request_id']} took {entry['user_facing_latency']:.3f} s, "
                   f"more than {self.sla_s:g} s")

    def generate_hourly_report(self) -> Optional[dict[str, Any]]:
        """The requests logged in the last hour, latencies in seconds; None without any.

        ``p95_latency`` is interpolated (type 7).
        """
        cutoff = datetime.now() - timedelta(hours=1)
        latencies = [entry["user_facing_latency"] for entry in self.metrics_log
                     if datetime.fromisoformat(entry["timestamp"]) > cutoff]
        if not latencies:
            return None
        return {
            "requests_processed": len(latencies),
            "average_latency": statistics.fmean(latencies),
            "p95_latency": _percentile_95(latencies),
            "sla_violations": sum(latency > self.sla_s for latency in latencies),
        }


def _recorded(request_id: Hashable) -> Union[int, str]:
    """The id in the trace: a number that fits, or a text."""
    if isinstance(request_id, int) and 0 <= request_id < 1 << 64:
        return request_id
    return str(request_id)


def _percentile_95(values: list[float]) -> float:
    if len(values) == 1:
        return values[0]
    return statistics.quantiles(values, n=100, method="inclusive")[94]


class PerformanceRegressionDetector:
    """``with detector.check_regression("model_training"):`` compares a part with its baseline.

    The baseline is a file ``{"model_training": {"wall_time_s": 1.25}}``, of one call.  It allows no
    statistics: ``tprof gate`` compares several runs, and tells how sure it is.
    """

    def __init__(self, baseline_metrics_path: str) -> None:
        self.baseline = self.load_baseline(baseline_metrics_path)
        self.profiler = PerformanceProfiler()
        self.regressions: list[dict[str, Any]] = []

    @staticmethod
    def load_baseline(path: str) -> dict[str, dict[str, float]]:
        """The baseline by operation."""
        with open(path, encoding="utf-8") as file:
            baseline = json.load(file)
        if not isinstance(baseline, dict) or not all(isinstance(row, dict) and "wall_time_s" in row
                                                     for row in baseline.values()):
            raise ValueError(f'{path}: expected {{"OPERATION": {{"wall_time_s": SECONDS}}}}')
        return baseline

    @contextlib.contextmanager
    def check_regression(self, operation_name: str, threshold: float = 0.2) -> Iterator[None]:
        """Alert if the block takes longer than its baseline by more than the threshold, a fraction.

        A block that an exception leaves is not judged.
        """
        if operation_name not in self.baseline:
            raise KeyError(f"the baseline has no operation {operation_name!r}")
        baseline_s = self.baseline[operation_name]["wall_time_s"]
        with self.profiler.profile(operation_name):
            yield
        current_s = self.profiler.get_metrics().timing.wall_time_s
        if current_s > baseline_s * (1 + threshold):
            self.regressions.append({"operation": operation_name, "baseline_s": baseline_s,
                                     "current_s": current_s})
            self.alert_regression(operation_name, baseline_s, current_s)

    def alert_regression(self, operation_name: str, baseline_s: float, current_s: float) -> None:
        """Called for a block that took too long; writes a line to standard error."""
        _hint.tell(f"{operation_name} took {current_s:.3f} s, {current_s / baseline_s:.2f}x its baseline of "
                   f"{baseline_s:.3f} s")
