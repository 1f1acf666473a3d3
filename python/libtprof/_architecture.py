# SPDX-License-Identifier: GPL-3.0-or-later
"""ArchitectureProfiler: models side by side."""

from __future__ import annotations

from typing import Any

from . import _analyzer, _flops, _memory, _models, _timer


class ArchitectureProfiler:
    """Times, memory and FLOPs of the forward passes of several models.

    ``results`` has, by model: ``parameters``, a count; ``timing``, whose ``forward`` is in
    milliseconds and whose ``stats`` have the intervals; ``memory``, whose ``peak`` is the highest
    live heap in a forward pass, in MiB; and ``flops``, whose ``total`` is of one forward pass.
    Unknown numbers are NaN.
    """

    def __init__(self, num_runs: int = 10, warmup_runs: int = 3) -> None:
        self.num_runs = num_runs
        self.warmup_runs = warmup_runs
        self.results: dict[str, dict[str, Any]] = {}

    def profile_model(self, model: Any, input_data: Any, model_name: str) -> dict[str, Any]:
        """Call a model with an input, and keep what is found under a name."""
        forward = _models.forward_of(model)
        stats = _timer.Timer(name=model_name).measure(forward, self.warmup_runs, self.num_runs, (input_data,))
        memory = _memory.MemoryProfiler().profile(forward, input_data)
        self.results[model_name] = {
            "model_name": model_name,
            "parameters": _models.count_parameters(model),
            "timing": {"forward": stats.mean, "stats": stats},
            "memory": {"peak": memory.peak, "stats": memory},
            "flops": {"total": _flops.count_flops(forward, input_data)},
        }
        return self.results[model_name]

    def compare(self) -> None:
        """Print the models, one below the other."""
        print("\nArchitecture Comparison")
        print("=" * 80)
        for name, result in self.results.items():
            print(f"\n{name}:")
            print(f"  Parameters: {result['parameters'] / 1e6:.2f}M")
            print(f"  Forward time: {result['timing']['stats']}")
            print(f"  Peak memory: {result['memory']['peak']:.2f}MiB")
            print(f"  FLOPs: {_analyzer.number(result['flops']['total'], 1e9):.2f}GFLOPs")
