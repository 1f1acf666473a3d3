# SPDX-License-Identifier: GPL-3.0-or-later
"""The classes that the examples write themselves, over the classes of the module."""

import contextlib
import json
import time
from datetime import datetime, timedelta

import numpy as np
from libtprof import FLOPCounter, MemoryProfiler, PerformanceProfiler, Timer

# ---- models side by side


def count_parameters(model):
    return sum(weight.size for weight in model.weights)


class ArchitectureProfiler:
    """Compare performance across different architectures.

    Profiles MLP, CNN, and Transformer on same task to understand
    compute/memory trade-offs.
    """
    def __init__(self):
        self.results = {}

    def profile_model(self, model, input_data, model_name):
        """Profile a model comprehensively."""
        result = {
            'model_name': model_name,
            'parameters': count_parameters(model),
            'timing': {},
            'memory': {},
            'flops': {}
        }

        # Timing profile
        timer = Timer(num_runs=10)
        for _ in range(timer.num_runs + timer.warmup_runs):
            with timer:
                output = model.forward(input_data)
        result['timing']['forward'] = timer.mean

        # Memory profile
        mem = MemoryProfiler()
        mem.snapshot("Before forward")
        output = model.forward(input_data)
        mem.snapshot("After forward")
        result['memory']['peak'] = mem.peak_memory

        # FLOP count
        flop_counter = FLOPCounter()
        # Count FLOPs based on model architecture
        with flop_counter:
            model.forward(input_data)
        result['flops']['total'] = flop_counter.total_flops

        self.results[model_name] = result
        return result

    def compare(self):
        """Generate comparative report."""
        print("\nArchitecture Comparison")
        print("=" * 80)

        for name, result in self.results.items():
            print(f"\n{name}:")
            print(f"  Parameters: {result['parameters']/1e6:.2f}M")
            print(f"  Forward time: {result['timing']['forward']:.3f}ms")
            print(f"  Peak memory: {result['memory']['peak']:.2f}MB")
            print(f"  FLOPs: {result['flops']['total']/1e9:.2f}GFLOPs")


class Network:
    """Products with 784 and 10 columns at its ends."""

    def __init__(self, *sizes):
        self.weights = [np.random.rand(a, b).astype(np.float32) for a, b in zip(sizes, sizes[1:])]

    def forward(self, x):
        for weight in self.weights:
            x = x @ weight
        return x


architectures = ArchitectureProfiler()
x = np.random.rand(32, 784).astype(np.float32)
for name, sizes in (("MLP", (784, 512, 10)), ("Transformer", (784, 2048, 2048, 10))):
    architectures.profile_model(Network(*sizes), x, name)
architectures.compare()
small, large = architectures.results["MLP"], architectures.results["Transformer"]
assert small["flops"]["total"] == 2 * 32 * small["parameters"] == 26017792
assert large["flops"]["total"] == 2 * 32 * large["parameters"]
assert 0 < small["timing"]["forward"] < large["timing"]["forward"]
assert small["memory"]["peak"] > 10

# ---- a detector of regressions: as a context manager, and with the functions that it calls


class PerformanceRegressionDetector:
    def __init__(self, baseline_metrics_path):
        self.baseline = self.load_baseline(baseline_metrics_path)
        self.profiler = PerformanceProfiler()
        self.alerts = []

    def load_baseline(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def alert_regression(self, *told):
        self.alerts.append(told)

    @contextlib.contextmanager
    def check_regression(self, operation_name, threshold=0.2):
        with self.profiler.profile(operation_name):
            # Run the operation
            yield

        current_metrics = self.profiler.get_metrics()
        baseline_time = self.baseline[operation_name]["wall_time_s"]

        if current_metrics.timing.wall_time_s > baseline_time * (1 + threshold):
            self.alert_regression(operation_name, baseline_time, current_metrics.timing.wall_time_s)


def train_model():
    time.sleep(0.05)


with open("baseline_metrics.json", "w", encoding="utf-8") as file:
    json.dump({"model_training": {"wall_time_s": 0.03}, "other_training": {"wall_time_s": 10}}, file)

# Usage in CI/CD
detector = PerformanceRegressionDetector("baseline_metrics.json")

with detector.check_regression("model_training"):
    train_model()
with detector.check_regression("other_training"):
    train_model()

assert [alert[:2] for alert in detector.alerts] == [("model_training", 0.03)]
assert 0.05 <= detector.alerts[0][2] < 0.5

# ---- the log of a service


class ProductionProfiler:
    def __init__(self):
        self.profiler = PerformanceProfiler()
        self.metrics_log = []
        self.alerts = []

    def profile_request(self, request_id):
        return self.profiler.profile(f"request_{request_id}")

    def alert_sla_violation(self, log_entry):
        self.alerts.append(log_entry["request_id"])

    def log_metrics(self, request_id, user_facing_latency):
        metrics = self.profiler.get_metrics()

        log_entry = {
            "timestamp": datetime.now().isoformat(),
            "request_id": request_id,
            "internal_latency": metrics.timing.wall_time_s,
            "user_facing_latency": user_facing_latency,
            "memory_mb": metrics.memory.peak_ram_mb,
            "cpu_percent": metrics.system.cpu_percent if hasattr(metrics, 'system') else None
        }

        self.metrics_log.append(log_entry)

        # Check SLA compliance
        if user_facing_latency > 2.0:  # 2 second SLA
            self.alert_sla_violation(log_entry)

    def generate_hourly_report(self):
        # Generate performance report for last hour
        cutoff = datetime.now() - timedelta(hours=1)
        recent_metrics = [m for m in self.metrics_log
                         if datetime.fromisoformat(m["timestamp"]) > cutoff]

        if recent_metrics:
            avg_latency = sum(m["user_facing_latency"] for m in recent_metrics) / len(recent_metrics)
            p95_latency = sorted([m["user_facing_latency"] for m in recent_metrics])[int(0.95 * len(recent_metrics))]

            return {
                "requests_processed": len(recent_metrics),
                "average_latency": avg_latency,
                "p95_latency": p95_latency,
                "sla_violations": sum(1 for m in recent_metrics if m["user_facing_latency"] > 2.0)
            }


prod_profiler = ProductionProfiler()
slept = (0.01, 0.06, 2.05)
for request_id, seconds in enumerate(slept):
    start_time = time.time()
    with prod_profiler.profile_request(request_id):
        time.sleep(seconds)
    end_time = time.time()
    prod_profiler.log_metrics(request_id, end_time - start_time)
report = prod_profiler.generate_hourly_report()
print(report)
assert report["requests_processed"] == 3 and report["sla_violations"] == 1
assert prod_profiler.alerts == [2]
for entry, seconds in zip(prod_profiler.metrics_log, slept):
    assert seconds <= entry["internal_latency"] <= entry["user_facing_latency"], entry
    assert entry["memory_mb"] > 10, entry

# ---- issues


def diagnose_performance_issues(profiler_results):
    issues = []

    # Check for memory issues
    if profiler_results.memory.peak_ram_mb > 16000:  # >16GB
        issues.append("High memory usage - consider reducing batch size or model size")

    # Check for CPU bottlenecks
    if profiler_results.system.cpu_percent > 95:
        issues.append("CPU bottleneck - consider data loading optimization or distributed training")

    # Check for GPU underutilization
    if profiler_results.compute.gpu_utilization_percent < 70:
        issues.append("GPU underutilized - increase batch size or improve data loading")

    # Check for I/O bottlenecks
    if profiler_results.system.disk_io_wait_percent > 20:
        issues.append("I/O bottleneck - optimize data loading or use faster storage")

    return issues


profiler = PerformanceProfiler()
with profiler.profile("sleeping"):
    time.sleep(0.1)

# Usage after profiling
metrics = profiler.get_metrics()
issues = diagnose_performance_issues(metrics)
for issue in issues:
    print(f"⚠️ {issue}")
assert [issue for issue in issues if not issue.startswith("I/O")] == [], issues  # others may use the disk
