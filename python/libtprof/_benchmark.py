# SPDX-License-Identifier: GPL-3.0-or-later
"""Models compared in one process: time, memory and accuracy."""

from __future__ import annotations

from typing import Any, Callable, Mapping, Optional

from . import _memory, _models, _timer
from ._hint import UNKNOWN


class Performance:
    """Of one model: ``time`` of a call in milliseconds, with its ``stats``; ``memory``, the bytes
    that a call adds to the live heap at most, in MiB; ``accuracy`` from 0 to 1.  NaN: unknown."""

    def __init__(self, stats: _timer.TimingStats, memory: _memory.MemoryStats, accuracy: float) -> None:
        self.stats = stats
        self.time = stats.mean
        self.memory = memory.peak - memory.baseline
        self.accuracy = accuracy

    def __repr__(self) -> str:
        return f"Performance(time={self.stats}, memory={self.memory:.2f} MiB, accuracy={self.accuracy:.3f})"


def measure_performance(model: Any, *inputs: Any, accuracy: Optional[Callable[[Any], float]] = None,
                        warmup: int = 3, runs: int = 10) -> Performance:
    """Call a model with inputs; ``accuracy`` tells that of a model, which is else unknown."""
    forward = _models.forward_of(model)
    stats = _timer.Timer().measure(forward, warmup, runs, inputs)
    memory = _memory.MemoryProfiler().profile(forward, *inputs)
    return Performance(stats, memory, UNKNOWN if accuracy is None else accuracy(model))


def benchmark_suite(models: Mapping[str, Any], test_data: Any,
                    accuracy: Optional[Callable[[Any], float]] = None) -> dict[str, Performance]:
    """Each model on the same data.  ``tprof bench`` compares programs, in turn, and with intervals."""
    return {name: measure_performance(model, test_data, accuracy=accuracy) for name, model in models.items()}


def plot_performance_comparison(results: Mapping[str, Performance], width: int = 30) -> None:
    """Print a table with a bar of the time for each model."""
    longest = max((result.time for result in results.values() if result.time == result.time), default=0)
    print(f"{'Model':12s} {'Time':>12s} {'Memory':>12s} {'Accuracy':>9s}")
    for name, result in results.items():
        accuracy = "unknown" if result.accuracy != result.accuracy else f"{100 * result.accuracy:.1f}%"
        bar = "█" * round(width * result.time / longest) if longest and result.time == result.time else ""
        print(f"{name:12s} {result.time:10.3f}ms {result.memory:9.2f}MiB {accuracy:>9s}  {bar}".rstrip())
