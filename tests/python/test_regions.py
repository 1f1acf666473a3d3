# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of blocks, functions, generators, coroutines and threads.  Runs under the shim."""

import asyncio
import contextlib
import functools
import inspect
import sys
import threading
import time
import unittest

import libtprof
from libtprof import _analyzer


def read_regions():
    """The regions of this process until now, by path."""
    return {row["path"]: row for row in _analyzer.rows("regions", "--warmup=0")}


def spin(seconds):
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pass


class Regions(unittest.TestCase):
    def calls(self, path):
        return read_regions()[path]["calls"]

    def test_regions_nest_in_blocks(self):
        for _ in range(3):
            with libtprof.region("outer"):
                with libtprof.region("inner"):
                    pass
        self.assertEqual((self.calls("outer"), self.calls("outer/inner")), (3, 3))

    def test_a_decorated_function_is_still_itself(self):
        @libtprof.region("decorated")
        def add(a, b=2):
            "Adds."
            return a + b

        self.assertEqual((add(1), add(1, b=5), add.__name__, add.__doc__), (3, 6, "add", "Adds."))
        self.assertEqual(str(inspect.signature(add)), "(a, b=2)")
        self.assertEqual(self.calls("decorated"), 2)

    def test_methods_of_each_kind_are_decorated(self):
        class Model:
            @libtprof.region("method")
            def own(self):
                return self

            @libtprof.region("method")
            @staticmethod
            def static(x):
                return x

            @classmethod
            @libtprof.region("method")
            def of_class(cls):
                return cls

        model = Model()
        self.assertEqual((model.own(), model.static(4), model.of_class()), (model, 4, Model))
        self.assertEqual(self.calls("method"), 3)

    def test_an_exception_closes_the_regions_that_it_leaves(self):
        for _ in range(2):
            with contextlib.suppress(KeyError), libtprof.region("failing"), libtprof.region("deep"):
                raise KeyError
        with libtprof.region("after failing"):
            pass
        self.assertEqual((self.calls("failing/deep"), self.calls("after failing")), (2, 1))

    def test_a_generator_is_open_only_while_it_runs(self):
        @libtprof.region("generator")
        def count():
            received = []
            try:
                for i in range(3):
                    received.append((yield i))
            except ValueError:
                yield "caught"
            return received

        generator = count()
        self.assertTrue(inspect.isgeneratorfunction(count))
        self.assertEqual([next(generator), generator.send("a"), generator.throw(ValueError)], [0, 1, "caught"])
        with libtprof.region("beside the generator"):
            generator.close()
        self.assertEqual(list(count()), [0, 1, 2])
        self.assertEqual(self.calls("beside the generator"), 1)

    def test_a_generator_may_end_on_another_thread(self):
        @libtprof.region("moving generator")
        def steps():
            yield 1
            yield 2

        generator = steps()
        next(generator)
        thread = threading.Thread(target=lambda: list(generator))
        thread.start()
        thread.join()
        row = read_regions()["moving generator"]
        self.assertEqual((row["calls"], row["threads"]), (3, 2))

    def test_a_region_that_ends_on_another_thread_closes_nothing_there(self):
        region = libtprof.region("begun elsewhere")

        def end():
            with libtprof.region("of the other thread"):
                region.__exit__(None, None, None)
                with libtprof.region("inner"):
                    pass

        region.__enter__()
        thread = threading.Thread(target=end)
        thread.start()
        thread.join()
        region.__exit__(None, None, None)
        rows = read_regions()
        self.assertEqual(rows["of the other thread/inner"]["calls"], 1)
        self.assertEqual(rows["begun elsewhere"]["calls"], 1)

    def test_coroutines_do_not_have_the_time_of_others(self):
        @libtprof.region("task")
        async def work(seconds):
            for _ in range(4):
                await asyncio.sleep(0)
                spin(seconds)
            return seconds

        @libtprof.region("idle task")
        async def idle():
            for _ in range(4):
                await asyncio.sleep(0)

        async def both():
            partial = libtprof.region("partial")(functools.partial(plain, 0.003))
            return await asyncio.gather(work(0.01), idle(), libtprof.region("wrapped")(work(0.005)), partial())

        async def plain(seconds):
            await asyncio.sleep(0)
            spin(seconds)

        self.assertTrue(inspect.iscoroutinefunction(work))
        self.assertEqual(asyncio.run(both()), [0.01, None, 0.005, None])
        rows = read_regions()
        self.assertGreater(rows["partial"]["inclusive_ns"], 2.9e6)
        self.assertGreater(rows["task"]["inclusive_ns"], 39e6)
        self.assertLess(rows["idle task"]["inclusive_ns"], rows["task"]["inclusive_ns"] / 4)
        self.assertGreater(rows["wrapped"]["inclusive_ns"], 19e6)

    def test_a_cancelled_task_closes_its_region(self):
        @libtprof.region("cancelled")
        async def wait():
            await asyncio.sleep(60)

        async def cancel():
            task = asyncio.ensure_future(wait())
            await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            with libtprof.region("after cancelling"):
                pass

        asyncio.run(cancel())
        self.assertEqual(self.calls("after cancelling"), 1)

    def test_an_asynchronous_generator_is_open_only_while_it_runs(self):
        @libtprof.region("asynchronous generator")
        async def numbers():
            try:
                for i in range(3):
                    await asyncio.sleep(0)
                    yield i
            finally:
                await asyncio.sleep(0)

        async def read():
            found = []
            async for i in numbers():
                with libtprof.region("reader"):
                    found.append(i)
            source = numbers()
            async for i in source:
                break
            await source.aclose()
            return found

        self.assertEqual(asyncio.run(read()), [0, 1, 2])
        self.assertEqual(self.calls("reader"), 3)

    @unittest.skipIf(sys.version_info < (3, 12), "sys.monitoring came with Python 3.12")
    def test_an_asynchronous_block_is_closed_while_others_run(self):
        async def block(name, seconds):
            async with libtprof.region(name):
                await asyncio.sleep(0.001)
                spin(seconds)
                with contextlib.suppress(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.sleep(1), 0.001)

        async def both():
            await asyncio.gather(block("busy block", 0.05), block("idle block", 0))

        asyncio.run(both())
        rows = read_regions()
        self.assertGreater(rows["busy block"]["inclusive_ns"], 49e6)
        self.assertLess(rows["idle block"]["inclusive_ns"], 20e6)

    def test_the_statistics_of_a_region_are_those_of_its_calls(self):
        for _ in range(12):
            with libtprof.region("spinning"):
                spin(0.001)
        row = {row["path"]: row for row in _analyzer.rows("regions", "--warmup=2")}["spinning"]
        self.assertEqual((row["calls"], row["samples"]), (12, 10))
        self.assertGreater(row["p50_ns"], 999_000)
        self.assertLessEqual(row["mean_ci_ns"][0], row["mean_ns"])
        self.assertLessEqual(row["p50_ns"], row["p95_ns"])
        self.assertEqual(row["p95_ci_ns"][1], None)


class Marks(unittest.TestCase):
    def test_numbers_and_snapshots_are_in_the_trace(self):
        libtprof.metric("accuracy", 0.75)
        with libtprof.region("items"):
            libtprof.items(30)
            libtprof.items()
        libtprof.snapshot("here")
        with libtprof.request(17), libtprof.request("by name"):
            pass
        told = libtprof.report("dict")
        self.assertIn("here", [row["label"] for row in _analyzer.ask("memory --timeline")["readings"]])
        self.assertIn(("accuracy", 0.75), [(row["name"], row["value"]) for row in told["metrics"]])
        self.assertEqual(read_regions()["items"]["items"], 31)
        self.assertEqual(told["compute"]["requests"], 2)

    def test_wrong_values_are_refused(self):
        self.assertRaises(ValueError, libtprof.items, -1)
        self.assertRaises(ValueError, libtprof.request, -1)
        self.assertRaises(ValueError, libtprof.report, "pdf")
        self.assertRaises(TypeError, libtprof.region, 3)

    def test_the_report_is_text_a_dict_or_a_page(self):
        self.assertIn("Wall time", libtprof.report())
        self.assertEqual(libtprof.report("dict")["schema_version"], 1)
        page = libtprof.report("html", "page.html")
        with open(page, encoding="utf-8") as file:
            self.assertIn("<!DOCTYPE html>", file.read(200))

    def test_the_program_knows_that_it_is_recorded(self):
        self.assertTrue(libtprof.is_recording())


if __name__ == "__main__":
    unittest.main()
