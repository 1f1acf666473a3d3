# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the benchmarking module: one call, bottlenecks, and models compared."""

import time

import numpy as np
from libtprof import (MemoryTracker, Profiler, Timer, benchmark_suite, count_flops,
                      measure_performance, plot_performance_comparison, profile)


@profile
def model_forward(model, input):
    with Timer() as t:
        with MemoryTracker() as m:
            output = model(input)

    print(f"Time: {t.elapsed}ms")
    print(f"Memory: {m.peak_usage}MB")
    print(f"FLOPs: {count_flops(model, input)}")
    assert t.elapsed > 0 and m.peak_usage > 1
    return output


class Model:
    def __init__(self, width):
        self.weights = np.random.rand(256, width).astype(np.float32)

    def __call__(self, x=None):
        return (test_data if x is None else x) @ self.weights

    def train(self, data_loader):
        for x in data_loader:
            self(x)


test_data = input = np.random.rand(512, 256).astype(np.float32)
original_model, quantized_model = Model(4096), Model(256)
model_forward(original_model, input)
assert count_flops(original_model, input) == 2 * 512 * 256 * 4096


def data_loader():
    for _ in range(20):
        time.sleep(0.001)
        yield input


profiler = Profiler()
with profiler:
    original_model.train(data_loader())

# Find top time consumers
profiler.print_top_operations(n=10)

# Compare optimization techniques
baseline = measure_performance(original_model)
optimized = measure_performance(quantized_model)
improvement = {
    "speedup": baseline.time / optimized.time,
    "memory_reduction": baseline.memory / optimized.memory,
    "accuracy_delta": optimized.accuracy - baseline.accuracy,
}
print(improvement)
assert improvement["speedup"] > 2
assert 15 < improvement["memory_reduction"] < 17  # results of 4096 and 256 columns
assert improvement["accuracy_delta"] != improvement["accuracy_delta"]  # nobody told it

models = {"baseline": original_model, "quantized": quantized_model}
results = benchmark_suite(models, test_data, accuracy={original_model: 0.75, quantized_model: 0.745}.get)
plot_performance_comparison(results)
