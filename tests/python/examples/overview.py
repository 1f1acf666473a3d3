# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the overview: a timer, memory, FLOPs, and a context with its report."""

import numpy as np
from libtprof import FLOPCounter, MemoryProfiler, ProfilerContext, Timer


class Transformer:
    """One layer of attention over 128 tokens of 64 numbers."""

    def __init__(self, tokens=128, width=64):
        generator = np.random.default_rng(1)
        self.weights = [generator.random((width, width), dtype=np.float32) / width for _ in range(4)]

    def forward(self, x=None):
        x = input if x is None else x
        queries, keys, values = (x @ weight for weight in self.weights[:3])
        scores = queries @ keys.T
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (scores / scores.sum(axis=1, keepdims=True)) @ values @ self.weights[3]


def expensive_operation():
    return [np.ones(1 << 18) for _ in range(10)]  # 10 blocks of 2 MiB


model = transformer = Transformer()
input = tokens = np.random.default_rng(2).random((128, 64), dtype=np.float32)

timer = Timer()
stats = timer.measure(model.forward, warmup=3, runs=100)
# Returns: mean, std, p50, p95, p99 with confidence intervals
assert stats.n == 100 and 0 < stats.p50 <= stats.p95 <= stats.p99
assert stats.mean_ci[0] <= stats.mean <= stats.mean_ci[1]

profiler = MemoryProfiler()
stats = profiler.profile(expensive_operation)
# Tracks: baseline, peak, allocated, memory patterns
assert 20 <= stats.peak - stats.baseline < 21 and 20 <= stats.allocated < 21, stats

counter = FLOPCounter()
flops = counter.count_attention(seq_len=128, d_model=512)
# Reveals: O(n²) scaling, computational bottlenecks
assert flops == 301989888

with ProfilerContext("MyModel") as profiler:
    result = profiler.profile_function(model.forward, args=(input,))
# Automatic report: timing + memory + FLOPs + insights
assert np.allclose(result, model.forward(input))
# 8bnd^2 + 4bn^2d
assert profiler.get_report()["compute"]["matmul_flops"] == 8 * 128 * 64**2 + 4 * 128**2 * 64

with ProfilerContext("Transformer Analysis") as profiler:
    output = profiler.profile_function(transformer.forward, args=(tokens,))
