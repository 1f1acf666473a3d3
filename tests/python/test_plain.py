# SPDX-License-Identifier: GPL-3.0-or-later
"""The module in a program that is not recorded."""

import contextlib
import io
import os
import pathlib
import subprocess
import sys
import timeit
import unittest

import libtprof
from libtprof import _analyzer, _shim

FOLDER = pathlib.Path(_shim.__file__).parents[1]
CALL_NS = 1000


def run(program, *arguments, **environment):
    """The standard output, the standard error and the status of a program without the shim."""
    plain = {"PATH": os.environ["PATH"], "PYTHONPATH": str(FOLDER), "HOME": os.environ.get("HOME", "/")}
    done = subprocess.run([sys.executable, *arguments, "-c", program], env={**plain, **environment},
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
    return done.stdout, done.stderr, done.returncode


class Plain(unittest.TestCase):
    def test_marks_do_nothing(self):
        with libtprof.region("r"), libtprof.request(1):
            libtprof.snapshot("s")
            libtprof.metric("m", 1)
            libtprof.items(2)
        self.assertFalse(libtprof.is_recording())

    def test_the_first_figure_says_once_how_to_start(self):
        out, err, status = run("import libtprof; print(libtprof.report(), libtprof.report())")
        self.assertEqual((out, status), ("None None\n", 0))
        self.assertEqual(err.count("\n"), 1)
        self.assertIn("python3 -m libtprof run", err)

    def test_a_closed_standard_error_is_no_failure(self):
        out, err, status = run("import os, libtprof; os.close(2); print(libtprof.report())")
        self.assertEqual((out, status), ("None\n", 0))

    def test_a_call_takes_less_than_a_microsecond(self):
        region = libtprof.region("r")

        def block():
            with region:
                pass

        for call in (block, lambda: libtprof.items(1), lambda: libtprof.metric("m", 0.5),
                     lambda: libtprof.snapshot("s")):
            best = min(timeit.repeat(call, number=2000, repeat=50)) / 2000
            self.assertLess(best * 1e9, CALL_NS)

    @unittest.skipIf(sys.implementation.name != "cpython", "the ctypes of PyPy loads more")
    def test_a_program_that_sets_marks_loads_nothing_more(self):
        out, _, _ = run("import sys; before = set(sys.modules); import libtprof\n"
                        "with libtprof.region('r'): pass\n"
                        "print(*sorted(set(sys.modules) - before))")
        for heavy in ("json", "subprocess", "typing", "asyncio", "inspect", "re", "threading", "sysconfig", "ctypes"):
            self.assertNotIn(heavy, out.split())

    def test_every_public_name_is_there_and_documented(self):
        for name in libtprof.__all__:
            self.assertTrue(getattr(libtprof, name).__doc__, name)
        self.assertLessEqual(set(libtprof.__all__), set(dir(libtprof)))
        self.assertRaises(AttributeError, getattr, libtprof, "no_such_name")

    def test_a_python_without_ctypes_runs_on(self):
        out, err, status = run("import sys; sys.modules['_ctypes'] = None; import libtprof\n"
                               "with libtprof.region('r'): print(libtprof.report())")
        self.assertEqual((out, status), ("None\n", 0))
        self.assertIn("no ctypes", err)

    def test_a_frozen_program_and_sudo_are_told_their_own_way(self):
        _, err, _ = run("import sys; sys.frozen = True; import libtprof; libtprof.report()")
        self.assertIn("tprof run -- " + sys.executable, err)
        _, err, _ = run("import libtprof; libtprof.report()", SUDO_COMMAND="/bin/x")
        self.assertIn("sudo python3 -m libtprof run", err)

    def test_the_other_tprof_is_not_taken_for_the_analyzer(self):
        with contextlib.ExitStack() as stack:
            folder = pathlib.Path("other")
            folder.mkdir(exist_ok=True)
            (folder / "tprof").write_text("#!/bin/sh\necho another profiler\n")
            (folder / "tprof").chmod(0o755)
            stack.callback(os.environ.__setitem__, "PATH", os.environ["PATH"])
            os.environ["PATH"] = f"{folder}:{os.environ['PATH']}"
            self.assertNotIn(str(folder), _analyzer.find())

    def test_without_the_analyzer_one_line_says_so(self):
        # The package may hold an analyzer of its own: then it is there.
        program = "import sys\nfrom libtprof.__main__ import main\nsys.exit(main(['report']))"
        out, err, status = run(program, PATH="/nonexistent")
        if not (FOLDER / "libtprof" / "bin").exists():
            self.assertEqual((out, status, err.count("\n")), ("", 2, 1))
            self.assertIn("install tprof", err)

    def test_a_session_and_a_foreign_shim_are_not_started_again(self):
        for preparation, said in (
            ("sys.argv = ['']", "a session cannot start again"),
            ("sys.modules['ipykernel'] = sys", "kernelspec"),
            ("_start._machine = lambda path: path", "another architecture"),
            ("_analyzer.find_shim = lambda: '/a b/libtprof.so'", "space or colon"),
        ):
            out, err, status = run("import sys, libtprof; from libtprof import _start, _analyzer; sys.argv = ['x.py']\n"
                                   + preparation + "; print(libtprof.start())")
            self.assertEqual((out, status), ("False\n", 0), err)
            self.assertIn(said, err)


if __name__ == "__main__":
    unittest.main()
