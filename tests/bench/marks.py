# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of the module libtprof: its import, and a region.

Each figure is the least of many, and the ways are measured in turn.  An empty with block of Python is
beside them, since its cost is in each figure.
Usage: marks.py TPROF [PYTHON...]
"""

import os
import subprocess
import sys

CALLS, ROUNDS, STARTS = 2000, 60, 30

IMPORT = "import time; begin = time.perf_counter_ns(); import libtprof; print(time.perf_counter_ns() - begin)"

REGIONS = f"""
import sys, time, libtprof

class Empty:
    def __enter__(self): return self
    def __exit__(self, kind, error, trace): pass

def repeat(block):
    code = "def run(kept, name):\\n for _ in range({CALLS}):\\n  " + block
    space = {{"region": libtprof.region, "decorated": libtprof.region("d")(lambda: None)}}
    exec(code, space)
    return space["run"]

kept = libtprof.region("kept")
ways = {{"empty block": (repeat("with kept: pass"), Empty()), "with kept": (repeat("with kept: pass"), kept),
        "with region(name)": (repeat("with region(name): pass"), kept), "decorated": (repeat("decorated()"), kept)}}
least = dict.fromkeys(ways, float("inf"))
for _ in range({ROUNDS}):
    for way, (run, block) in ways.items():
        begin = time.perf_counter_ns()
        run(block, "named")
        least[way] = min(least[way], (time.perf_counter_ns() - begin) / {CALLS})
print(", ".join(f"{{way}} {{ns:.0f}} ns" for way, ns in least.items()))
"""


def ask(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def main(tprof, *pythons):
    os.environ["PYTHONPATH"] = os.path.join(os.path.dirname(__file__), "../../python")
    for python in pythons or (sys.executable,):
        version = ask(python, "-c", "import sys; print(sys.implementation.name, sys.version.split()[0])")
        imported = min(int(ask(python, "-c", IMPORT)) for _ in range(STARTS))
        print(f"{version}: import {imported / 1e6:.2f} ms")
        print("  not recorded:", ask(python, "-c", REGIONS))
        print("  recorded:    ", ask(tprof, "run", "-f", "--quiet", "yes", "-o", "/dev/shm/marks.tprof", "--",
                                     python, "-c", REGIONS))
    os.remove("/dev/shm/marks.tprof")


main(*sys.argv[1:])
