# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the implementation guide: a timer in a block, and architectures side by side."""

import math
import re

import numpy as np
from libtprof import ArchitectureProfiler, FLOPCounter, MemoryProfiler, Timer


class MLP:
    def __init__(self, *sizes):
        self.weights = [np.random.rand(a, b).astype(np.float32) for a, b in zip(sizes, sizes[1:])]

    def forward(self, x):
        for weight in self.weights:
            x = np.maximum(x @ weight, 0)
        return x

    def parameters(self):
        return self.weights


model = MLP(784, 512, 10)
x = np.random.rand(32, 784).astype(np.float32)

timer = Timer()
with timer:
    model.forward(x)
print(f"Time: {timer.mean:.3f}ms ± {timer.std:.3f}ms")
assert timer.mean > 0 and math.isnan(timer.std)  # of one run there is no deviation

# Multiple runs produce consistent results; warm-up runs are left out
timer = Timer(num_runs=10, warmup_runs=3)
for _ in range(timer.num_runs + timer.warmup_runs):
    with timer:
        model.forward(x)
ci = timer.confidence_interval()
assert len(timer.times) == 10 and ci[0] <= timer.mean <= ci[1]
print(timer.report())
assert re.match(r"\d+\.\d{3}ms ± \d+\.\d{3}ms \(95% CI: \[\d+\.\d{3}, \d+\.\d{3}\]\)$", timer.report())

# Snapshots capture memory; peak memory is tracked; growth is detected
mem = MemoryProfiler()
mem.snapshot("Before forward")
kept = np.ones(1 << 22)  # 32 MiB
mem.snapshot("After forward")
mem.report()
assert 31 < mem.snapshots[1]["rss"] - mem.snapshots[0]["rss"] < 40
assert mem.peak_memory >= mem.snapshots[1]["rss"] - 0.1

# Matmul FLOPs: 2*m*k*n verified; attention FLOPs match theoretical; breakdown correct
flops = FLOPCounter()
flops.count_matmul((32, 784), (784, 512))
flops.count_attention(1, 128, 512, 8)
assert flops.op_counts == {"matmul": 2 * 32 * 784 * 512, "attention": 301989888}
flops.report()

architectures = ArchitectureProfiler()
for name, each in (("MLP", model), ("Deep MLP", MLP(784, 1024, 1024, 10))):
    result = architectures.profile_model(each, x, name)
architectures.compare()
assert architectures.results["MLP"]["flops"]["total"] == 26017792
assert architectures.results["MLP"]["parameters"] == 784 * 512 + 512 * 10
assert result["flops"]["total"] == 2 * 32 * (784 * 1024 + 1024 * 1024 + 1024 * 10)
assert result["timing"]["forward"] > architectures.results["MLP"]["timing"]["forward"]
