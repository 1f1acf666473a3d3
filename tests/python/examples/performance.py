# SPDX-License-Identifier: GPL-3.0-or-later
"""The examples of the performance profiler: parts of a training, and what is asked of them."""

import time

import torch
import torch.nn as nn
from libtprof import PerformanceProfiler, diagnose_performance_issues, items

torch.manual_seed(1)
torch.set_num_threads(1)
leaked = []


def train(model, x, y, epochs):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(epochs):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()


class Model(nn.Sequential):
    def __init__(self, *sizes):
        super().__init__(*[layer for a, b in zip(sizes, sizes[1:]) for layer in (nn.Linear(a, b), nn.ReLU())])

    def fit(self, x, y):
        train(self, x, y, 3)


def SimpleMLPModel():
    return Model(784, 64, 10)


def DeepMLPModel():
    return Model(784, 1024, 512, 10)


def CNNModel():
    return nn.Sequential(nn.Unflatten(1, (1, 28, 28)), nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Flatten(),
                         nn.Linear(8 * 28 * 28, 10))


def MyModel():
    return Model(784, 10)


def train_epoch():
    leaked.append(torch.ones(3 << 20))  # 12 MiB


def load_data():
    time.sleep(0.05)
    return torch.randn(32, 784)


def preprocess(data):
    return (data - data.mean()) / data.std()


def train_model(data):
    trained = SimpleMLPModel()
    trained.fit(data, torch.zeros(32, 10))
    return trained


def evaluate(model):
    return model(torch.randn(32, 784))


def slow_function():
    total = 0
    for i in range(3_000_000):
        total += i * i
    return total


model = Model(784, 10)
X_train, y_train = torch.randn(32, 784), torch.zeros(32, 10)
dataloader, criterion, target = [X_train], nn.functional.mse_loss, y_train

# ---- basic usage

profiler = PerformanceProfiler()

before = time.perf_counter()
with profiler.profile("training_loop"):
    # Your ML code here
    begin = time.perf_counter()
    model.fit(X_train, y_train)
    inner_s = time.perf_counter() - begin
outer_s = time.perf_counter() - before

# Get comprehensive metrics
metrics = profiler.get_metrics()
print(f"Peak RAM: {metrics.memory.peak_ram_mb:.1f} MB")
print(f"Wall Time: {metrics.timing.wall_time_s:.3f}s")
assert inner_s - 1e-6 <= metrics.timing.wall_time_s <= outer_s + 1e-6 and metrics.memory.peak_ram_mb > 50

profiler = PerformanceProfiler(
    track_gpu=True,           # Enable GPU monitoring
    track_carbon=False,       # Disable carbon tracking for pure performance
    detailed_memory=True,     # Detailed memory analysis
    memory_interval=0.1,      # Sample memory every 100ms
    track_cpu_temp=True,      # Monitor CPU temperature
    track_network=False       # Disable network monitoring
)

# ---- memory leak detection

profiler = PerformanceProfiler(detailed_memory=True)

# Monitor memory over time
memory_snapshots = []

with profiler.profile("potential_memory_leak"):
    for epoch in range(10):
        # Training code that might leak memory
        train_epoch()

        # Take memory snapshot
        current_memory = profiler.get_current_memory()
        memory_snapshots.append(current_memory)

# Analyze memory growth
memory_growth = memory_snapshots[-1] - memory_snapshots[0]
if memory_growth > 100:  # More than 100MB growth
    print(f"⚠️ Potential memory leak: {memory_growth:.1f}MB growth")
assert 107 < memory_growth < 112  # 9 blocks of 12 MiB

# ---- GPU memory, which is unknown without a GPU

profiler = PerformanceProfiler(track_gpu=True)

if torch.cuda.is_available():
    with profiler.profile("gpu_training"):
        model = MyModel().cuda()

        for batch in dataloader:
            output = model(batch.cuda())
            loss = criterion(output, target.cuda())

            # Check GPU memory at critical points
            gpu_memory = profiler.get_current_gpu_memory()
            if gpu_memory > 0.9:  # >90% GPU memory usage
                print("⚠️ High GPU memory usage, consider reducing batch size")
else:
    with profiler.profile("gpu_training"):
        gpu_memory = profiler.get_current_gpu_memory()
        assert not gpu_memory > 0.9 and gpu_memory != 0

metrics = profiler.get_metrics()
print(f"Peak GPU Memory: {metrics.memory.peak_gpu_mb:.1f} MB")
print(f"GPU Utilization: {metrics.compute.gpu_utilization_percent:.1f}%")

# ---- detailed timing breakdown

profiler = PerformanceProfiler()

with profiler.profile("complete_pipeline"):
    # Profile individual components
    with profiler.profile("data_loading"):
        data = load_data()

    with profiler.profile("preprocessing"):
        data = preprocess(data)

    with profiler.profile("training"):
        model = train_model(data)

    with profiler.profile("evaluation"):
        results = evaluate(model)

# Get timing breakdown
timing_report = profiler.get_timing_breakdown()
for operation, timing in timing_report.items():
    print(f"{operation}: {timing:.3f}s ({timing/sum(timing_report.values())*100:.1f}%)")
assert list(timing_report) == ["complete_pipeline", "data_loading", "preprocessing", "training", "evaluation"]
whole = profiler.get_metrics("complete_pipeline").timing.wall_time_s
assert sum(timing_report.values()) <= whole  # without the readings of memory between the parts
assert timing_report["data_loading"] >= max(0.05, timing_report["complete_pipeline"])

# ---- performance bottleneck detection

profiler = PerformanceProfiler(enable_line_profiling=True)

with profiler.profile("bottleneck_detection"):
    # Code with potential bottlenecks
    slow_function()

# Get line-by-line timing
line_profile = profiler.get_line_profile()
bottlenecks = [line for line in line_profile if line.time_percent > 10]

for bottleneck in bottlenecks:
    print(f"Bottleneck at line {bottleneck.line_number}: {bottleneck.time_percent:.1f}% of time")
assert {"slow_function"} == {line.function for line in bottlenecks}

# ---- model complexity analysis

profiler = PerformanceProfiler(estimate_flops=True)

model = nn.Sequential(
    nn.Linear(784, 512),
    nn.ReLU(),
    nn.Linear(512, 10)
)

with profiler.profile("model_complexity"):
    # Forward pass for FLOPS estimation
    x = torch.randn(32, 784)
    output = model(x)

metrics = profiler.get_metrics()
print(f"Estimated FLOPs: {metrics.compute.estimated_flops:,}")
print(f"FLOPs per parameter: {metrics.compute.flops_per_param:.2f}")
assert f"{metrics.compute.estimated_flops:,}" == "26,017,792"
assert abs(metrics.compute.flops_per_param - 26017792 / 407050) < 0.001

# ---- throughput analysis

profiler = PerformanceProfiler()

batch_sizes = [16, 32, 64, 128]
throughput_results = {}

for batch_size in batch_sizes:
    with profiler.profile(f"batch_size_{batch_size}"):
        # Process multiple batches
        for _ in range(10):
            x = torch.randn(batch_size, 784)
            output = model(x)
            items(batch_size)

    metrics = profiler.get_metrics()
    samples_per_second = (10 * batch_size) / metrics.timing.wall_time_s
    throughput_results[batch_size] = samples_per_second
    assert abs(metrics.throughput / samples_per_second - 1) < 0.01

# Find optimal batch size
optimal_batch = max(throughput_results, key=throughput_results.get)
print(f"Optimal batch size: {optimal_batch} ({throughput_results[optimal_batch]:.1f} samples/s)")

# ---- model architecture comparison

profiler = PerformanceProfiler()
train_data = X_train, y_train


def train_model(model, data, epochs):
    train(model, *data, epochs)


architectures = {
    "simple_mlp": SimpleMLPModel(),
    "deep_mlp": DeepMLPModel(),
    "cnn": CNNModel()
}

results = {}

for name, model in architectures.items():
    with profiler.profile(f"{name}_training"):
        # Standardized training loop
        train_model(model, train_data, epochs=5)

    metrics = profiler.get_metrics()
    results[name] = {
        "memory": metrics.memory.peak_ram_mb,
        "time": metrics.timing.wall_time_s,
        "flops": metrics.compute.estimated_flops
    }

try:
    import pandas as pd
except ImportError:
    print(results)
else:
    comparison_df = pd.DataFrame(results).T
    print(comparison_df)
# Of each layer: forward, gradients of the weights, and of the inputs but for the first layer
forward = [2 * 32 * a * b for a, b in ((784, 64), (64, 10))]
assert results["simple_mlp"]["flops"] == 5 * (3 * sum(forward) - forward[0])
assert results["deep_mlp"]["flops"] > 10 * results["simple_mlp"]["flops"]
convolution, linear = 2 * 32 * 28 * 28 * 8 * 9, 2 * 32 * 8 * 28 * 28 * 10
assert results["cnn"]["flops"] == 5 * (2 * convolution + 3 * linear), results["cnn"]

# ---- hyperparameter impact analysis

profiler = PerformanceProfiler()
model = SimpleMLPModel()

learning_rates = [0.001, 0.01, 0.1]
performance_impact = {}


def train_with_optimizer(model, optimizer):
    optimizer.zero_grad()
    nn.functional.mse_loss(model(X_train), y_train).backward()
    optimizer.step()


def get_final_accuracy():
    return 0.9


for lr in learning_rates:
    with profiler.profile(f"lr_{lr}"):
        optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        train_with_optimizer(model, optimizer)

    metrics = profiler.get_metrics()
    performance_impact[lr] = {
        "convergence_time": metrics.timing.wall_time_s,
        "memory_usage": metrics.memory.peak_ram_mb,
        "final_accuracy": get_final_accuracy()
    }

# Analyze efficiency vs accuracy tradeoff
for lr, impact in performance_impact.items():
    efficiency = impact["final_accuracy"] / impact["convergence_time"]
    print(f"LR {lr}: Efficiency = {efficiency:.4f} acc/second")
    assert efficiency > 0

# ---- resource utilization tracking


def train_epoch():
    train_with_optimizer(model, optimizer)


profiler = PerformanceProfiler(
    track_system=True,
    system_interval=1.0  # Sample system metrics every second
)

with profiler.profile("resource_monitoring"):
    # Long-running training process
    for epoch in range(100):
        train_epoch()

        # Get real-time system stats
        system_stats = profiler.get_current_system_stats()

        # Alert if system under stress
        if system_stats.cpu_percent > 90:
            print("⚠️ High CPU usage")
        if system_stats.memory_percent > 85:
            print("⚠️ High memory usage")
        if system_stats.disk_io_percent > 80:
            print("⚠️ High disk I/O")
    slow_function()

# Get comprehensive system report
system_report = profiler.get_system_report()
print(f"Average CPU usage: {system_report.avg_cpu_percent:.1f}%")
print(f"Peak memory usage: {system_report.peak_memory_percent:.1f}%")
assert 0 < system_report.avg_cpu_percent <= 100 and 0 < system_report.peak_memory_percent < 100

# ---- best practices: representative workloads

profiler = PerformanceProfiler()
sample_input = X_train
train_loader = test_loader = [X_train]


def load_production_sample():
    return torch.randn(512, 784)


# Profile with production-like data
with profiler.profile("realistic_workload"):
    production_batch = load_production_sample()
    model(production_batch)
assert profiler.get_metrics().compute.estimated_flops == 512 / 32 * sum(forward)

# ---- best practices: warm-up runs

profiler = PerformanceProfiler()

# Warm up the model (compilation, cache loading, etc.)
for _ in range(3):
    model(sample_input)

# Now profile the actual performance
with profiler.profile("warmed_up_inference"):
    for _ in range(100):
        model(sample_input)
assert profiler.get_metrics().compute.estimated_flops == 100 * sum(forward)

# ---- best practices: training and inference


def train_one_epoch(model, loader):
    for batch in loader:
        train_with_optimizer(model, optimizer)
        items(len(batch))


def evaluate_model(model, loader):
    for batch in loader:
        model(batch)
        items(len(batch))


profiler = PerformanceProfiler()

# Profile training
with profiler.profile("training_performance"):
    model.train()
    train_one_epoch(model, train_loader)

# Profile inference
with profiler.profile("inference_performance"):
    model.eval()
    with torch.no_grad():
        evaluate_model(model, test_loader)

# Compare training vs inference efficiency
training_metrics = profiler.get_metrics("training_performance")
inference_metrics = profiler.get_metrics("inference_performance")

print(f"Training throughput: {training_metrics.throughput} samples/s")
print(f"Inference throughput: {inference_metrics.throughput} samples/s")
assert training_metrics.throughput > 0 and inference_metrics.throughput > 0

# ---- troubleshooting: usage after profiling
metrics = profiler.get_metrics()
issues = diagnose_performance_issues(metrics)
for issue in issues:
    print(f"⚠️ {issue}")
