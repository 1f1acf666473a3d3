# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of each class against clocks, counts and tracemalloc.  Runs under the shim."""

import contextlib
import gc
import io
import json
import math
import statistics
import sys
import threading
import time
import unittest

import libtprof
from libtprof import _analyzer, _timer

try:
    import tracemalloc
except ImportError:  # PyPy has none
    tracemalloc = None

MIB = 1 << 20


def printed(call, *arguments):
    """What a call prints on standard output."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        call(*arguments)
    return out.getvalue()


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Clocks(unittest.TestCase):
    def test_a_timer_agrees_with_the_clock_of_python(self):
        own, timer = [], libtprof.Timer(num_runs=10)
        for i in range(13):
            with timer:
                begin = time.perf_counter_ns()
                spin(0.002 + 0.0002 * (i % 4))
                own.append((time.perf_counter_ns() - begin) / 1e6)
        stats = timer.stats()
        self.assertEqual((stats.n, len(timer.times)), (10, 10))
        for found, expected in zip(timer.times, own[3:]):
            self.assertAlmostEqual(found, expected, delta=0.05 + expected / 20)
        self.assertAlmostEqual(timer.mean, statistics.fmean(timer.times), places=3)
        self.assertAlmostEqual(timer.std, statistics.stdev(timer.times), places=3)
        self.assertAlmostEqual(timer.p50, statistics.median(timer.times), places=3)
        p95 = statistics.quantiles(timer.times, n=20, method="inclusive")[18]
        self.assertAlmostEqual(timer.p95, p95, places=3)
        self.assertAlmostEqual(timer.elapsed, own[-1], delta=0.05 + own[-1] / 20)
        low, high = timer.confidence_interval()
        self.assertTrue(low <= timer.mean <= high)
        wide = timer.confidence_interval(confidence=0.99)
        self.assertLess(high - low, wide[1] - wide[0])
        self.assertRegex(timer.report(), r"^\d+\.\d{3}ms ± \d+\.\d{3}ms \(95% CI: \[\d+\.\d{3}, \d+\.\d{3}\]\)$")

    def test_measure_leaves_the_warm_up_out(self):
        calls = []

        def work(x, y=0):
            calls.append(x + y)
            spin(0.02 if len(calls) <= 3 else 0.001)

        stats = libtprof.Timer().measure(work, warmup=3, runs=20, args=(1,), kwargs={"y": 2})
        self.assertEqual((calls, stats.n), ([3] * 23, 20))
        self.assertGreaterEqual(stats.p50, 0.999)
        self.assertLess(stats.p50, 15)
        self.assertLessEqual(stats.p50, stats.p99)
        self.assertTrue(math.isnan(stats.p99_ci[1]))  # 20 calls do not bound it
        self.assertRaises(ValueError, libtprof.Timer().measure, work, runs=0)

    def test_one_run_has_no_interval(self):
        with libtprof.Timer() as timer:
            spin(0.001)
        self.assertTrue(timer.mean >= 0.999 and math.isnan(timer.std))
        self.assertIn("(n=1, no interval)", timer.report())
        self.assertTrue(math.isnan(timer.confidence_interval()[0]))

    def test_an_exception_ends_a_run(self):
        timer = libtprof.Timer()
        with contextlib.suppress(KeyError), timer:
            raise KeyError
        self.assertEqual(len(timer.times), 1)

    def test_shares_of_a_breakdown_sum_to_the_whole(self):
        profiler, own = libtprof.PerformanceProfiler(), {}
        with profiler.profile("complete_pipeline"):
            for name, seconds in (("data_loading", 0.02), ("training", 0.06)):
                with profiler.profile(name):
                    begin = time.perf_counter()
                    spin(seconds)
                    own[name] = time.perf_counter() - begin
        times = profiler.get_timing_breakdown()
        self.assertEqual(list(times), ["complete_pipeline", "data_loading", "training"])
        for name, seconds in own.items():
            self.assertGreater(times[name], seconds - 0.0001)
        whole = profiler.get_metrics("complete_pipeline").timing.wall_time_s
        readings = sum(row["inclusive_ns"] for row in _analyzer.rows("regions")
                       if row["path"].startswith("complete_pipeline/libtprof: ")) / 1e9
        self.assertAlmostEqual(sum(times.values()) + readings, whole, delta=whole / 50)
        self.assertLess(times["complete_pipeline"], times["data_loading"])

    def test_each_thread_has_its_own_metrics(self):
        profiler, found = libtprof.PerformanceProfiler(), {}

        def work(name, seconds):
            with profiler.profile(name):
                spin(seconds)
            barrier.wait()
            found[name] = profiler.get_metrics()

        barrier = threading.Barrier(2)
        threads = [threading.Thread(target=work, args=each) for each in (("short", 0.01), ("long", 0.05))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([(name, found[name].name) for name in sorted(found)],
                         [("long", "long"), ("short", "short")])
        self.assertGreaterEqual(found["long"].timing.wall_time_s, 0.05)


class Memory(unittest.TestCase):
    @unittest.skipIf(tracemalloc is None, "this Python has no tracemalloc")
    def test_memory_agrees_with_tracemalloc(self):
        kept = []

        def work():
            for size in (3, 5, 2):
                bytearray(size * MIB)
            kept.append(bytearray(4 * MIB))
            return 42

        tracemalloc.start()
        work()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        stats = libtprof.MemoryProfiler().profile(work)
        self.assertEqual(stats.result, 42)
        self.assertAlmostEqual(stats.peak - stats.baseline, peak / MIB, delta=0.2)
        self.assertAlmostEqual(stats.allocated, 14, delta=0.2)
        self.assertGreaterEqual(stats.baseline_bytes, 4 * MIB)

    @unittest.skipIf(sys.implementation.name == "pypy", "PyPy makes a bytearray twice")
    def test_the_peak_of_a_tracker_is_that_of_its_block(self):
        with libtprof.MemoryTracker() as inner:
            block = bytearray(20 * MIB)
        del block
        with libtprof.MemoryTracker() as after:
            pass
        self.assertAlmostEqual(inner.peak_usage - after.peak_usage, 20, delta=0.5)

    def test_the_timeline_has_what_happened_between_snapshots(self):
        profiler = libtprof.MemoryProfiler()
        profiler.snapshot("before")
        block = bytearray(b"x" * (48 * MIB))
        time.sleep(0.15)
        libtprof.snapshot("full")
        del block
        gc.collect()  # PyPy frees nothing before
        after = profiler.snapshot("after")
        self.assertEqual(sorted(after), ["label", "rss", "timestamp", "vms"])
        self.assertGreater(profiler.peak_memory, max(each["rss"] for each in profiler.snapshots) + 40)
        text = printed(profiler.report)
        self.assertRegex(text, r"Peak Memory: +\d+\.\d\d MiB\n\nMemory Timeline:\n  before {24}: +\d+\.\d\d MiB\n")
        self.assertRegex(text, r"Total Growth: [+-]\d+\.\d\d MiB\nLeak: (cannot tell|no leak seen)\. ")


class Flops(unittest.TestCase):
    def test_each_operation_counts_once(self):
        counter = libtprof.FLOPCounter()
        self.assertEqual(counter.count_attention(seq_len=128, d_model=512), 301_989_888)
        self.assertEqual(counter.count_attention(1, 128, 512, 8), 301_989_888)
        self.assertEqual(counter.count_matmul((32, 784), (784, 512)), 2 * 32 * 784 * 512)
        # The first convolution of ResNet: 118,013,952 multiply-adds.
        resnet = counter.count_convolution((1, 3, 224, 224), 64, (7, 7), stride=2, padding=3)
        self.assertEqual(resnet, 2 * 118_013_952)
        self.assertEqual(counter.total_flops, sum(counter.op_counts.values()))
        lines = printed(counter.report).splitlines()[3:]
        shares = [float(line.rpartition("(")[2].rstrip("%)")) for line in lines]
        self.assertAlmostEqual(sum(shares), 100, delta=0.2)

    def test_wrong_sizes_are_refused(self):
        counter = libtprof.FLOPCounter()
        self.assertRaises(ValueError, counter.count_matmul, (2, 3), (4, 5))
        self.assertRaisesRegex(ValueError, "not divisible", counter.count_attention, 1, 128, 512, 7)
        self.assertEqual(counter.total_flops, 0)

    def test_what_was_not_counted_is_unknown(self):
        self.assertTrue(math.isnan(libtprof.count_flops(lambda: None)))


class Contexts(unittest.TestCase):
    def test_a_context_reports_itself(self):
        def add(a, b=1):
            spin(0.01)
            return a + b

        def run():
            with libtprof.ProfilerContext("MyModel") as profiler:
                self.assertEqual(profiler.profile_function(add, args=(1,), kwargs={"b": 3}), 4)

        text = printed(run)
        self.assertRegex(text, r"^MyModel: 0\.\d+ s, ")
        self.assertRegex(text, r"add: 1 call, [\d.]+ms")
        self.assertIn("Wall time", text)

    def test_profile_is_a_decorator_and_a_block(self):
        @libtprof.profile
        def bare():
            return 1

        @libtprof.profile("named")
        def named():
            return 2

        with libtprof.profile("block"):
            self.assertEqual((bare(), named()), (1, 2))
        paths = [row["path"] for row in libtprof.report("dict")["regions"]]
        self.assertIn("block/named", paths)
        self.assertIn(f"block/{bare.__qualname__}", paths)

    @unittest.skipIf(sys.version_info < (3, 11), "lines are known from Python 3.11 on")
    def test_a_line_that_takes_the_time_is_found(self):
        profiler = libtprof.PerformanceProfiler(enable_line_profiling=True)
        with profiler.profile("lines"):
            spin(0.3)
        top = profiler.get_line_profile()[0]
        self.assertEqual((top.function, top.source), ("spin", "while time.perf_counter() < end:"))
        self.assertGreater(top.time_percent, 20)

    def test_a_service_has_its_requests(self):
        profiler = libtprof.ProductionProfiler()
        alerts = []
        profiler.alert_sla_violation = alerts.append
        for i, latency in enumerate((0.5, 1.0, 1.5, 3.0)):
            with profiler.profile_request(f"id {i}"):
                spin(0.002)
            profiler.log_metrics(f"id {i}", latency)
        report = profiler.generate_hourly_report()
        self.assertEqual((report["requests_processed"], report["average_latency"]), (4, 1.5))
        self.assertEqual(report["sla_violations"], 1)
        self.assertAlmostEqual(report["p95_latency"], 2.775)
        self.assertEqual([entry["request_id"] for entry in alerts], ["id 3"])
        self.assertGreaterEqual(profiler.metrics_log[0]["internal_latency"], 0.002)

    def test_a_slower_block_is_a_regression(self):
        with open("baseline_metrics.json", "w", encoding="utf-8") as file:
            json.dump({"fast": {"wall_time_s": 10}, "slow": {"wall_time_s": 0.01}}, file)
        detector = libtprof.PerformanceRegressionDetector("baseline_metrics.json")
        alerts = []
        detector.alert_regression = lambda *told: alerts.append(told)
        for name in ("fast", "slow"):
            with detector.check_regression(name):
                spin(0.03)
        self.assertEqual([(name, base) for name, base, _ in alerts], [("slow", 0.01)])
        with contextlib.suppress(KeyError), detector.check_regression("slow"):
            raise KeyError
        self.assertEqual(len(alerts), 1)

    def test_issues_are_found_and_the_unknown_is_none(self):
        profiler = libtprof.PerformanceProfiler()
        with profiler.profile("part"):
            libtprof.items(5)
        metrics = profiler.get_metrics()
        self.assertEqual(libtprof.diagnose_performance_issues(metrics), [])
        self.assertGreater(metrics.throughput, 0)
        metrics.memory.peak_ram_mb = 20_000
        metrics.compute.gpu_utilization_percent = 30
        self.assertEqual(len(libtprof.diagnose_performance_issues(metrics)), 2)
        self.assertRaises(KeyError, profiler.get_metrics, "no such part")

    def test_the_system_is_read(self):
        profiler = libtprof.PerformanceProfiler(track_system=True, system_interval=1.0)
        with profiler.profile("monitored"):
            spin(0.05)
            stats = profiler.get_current_system_stats()
        self.assertTrue(0 < stats.cpu_percent <= 110 and 0 < stats.memory_percent < 100)
        report = profiler.get_system_report()
        self.assertTrue(report.avg_cpu_percent > 0 and 0 < report.peak_memory_percent < 100)
        self.assertGreater(profiler.get_current_memory(), 1)


if __name__ == "__main__":
    unittest.main()
