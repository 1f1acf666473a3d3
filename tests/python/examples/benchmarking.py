# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the benchmarking module: one call, bottlenecks, and models compared."""

import contextlib
import io
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
model = original_model = Model(4096)
quantized_model, pruned_model, cached_transformer = Model(256), Model(1024), Model(512)
model_forward(original_model, input)
assert count_flops(original_model, input) == 2 * 512 * 256 * 4096


def load(batches):
    for _ in range(batches):
        time.sleep(0.001)
        yield input


data_loader = load(20)

profiler = Profiler()
with profiler:
    model.train(data_loader)

# Find top time consumers
with contextlib.redirect_stdout(io.StringIO()) as told:
    profiler.print_top_operations(n=10)
print(told.getvalue(), end="")
shares = dict(reversed(line.split("% - ")) for line in told.getvalue().splitlines())
assert "matrix multiplication" in shares and 97 <= sum(map(int, shares.values())) <= 103, shares
assert not any("thread" in name for name in shares), shares  # those of BLAS wait for work

# Compare optimization techniques
baseline = measure_performance(original_model)
optimized = measure_performance(quantized_model)
improvement = {
    'speedup': baseline.time / optimized.time,
    'memory_reduction': baseline.memory / optimized.memory,
    'accuracy_delta': optimized.accuracy - baseline.accuracy
}
print(improvement)
assert improvement["speedup"] > 2
assert 15 < improvement["memory_reduction"] < 17  # results of 4096 and 256 columns
assert improvement["accuracy_delta"] != improvement["accuracy_delta"]  # nobody told it

# Profile your optimizations
models = {
    'baseline': original_model,
    'quantized': quantized_model,
    'pruned': pruned_model,
    'cached': cached_transformer
}

results = benchmark_suite(models, test_data)
plot_performance_comparison(results)
assert list(results) == list(models)
assert results["quantized"].memory < results["pruned"].memory < results["baseline"].memory

accuracies = {original_model: 0.75, quantized_model: 0.745, pruned_model: 0.738, cached_transformer: 0.75}
results = benchmark_suite(models, test_data, accuracy=accuracies.get)
plot_performance_comparison(results)
assert [each.accuracy for each in results.values()] == list(accuracies.values())
