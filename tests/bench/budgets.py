#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The cost of recording within the default budgets for programs of some length, and tprof's own
# figure for it.  Each program runs plain and under the shim in turn, and the processor times are
# compared.
#
#   budgets.py TPROF LIBTPROF PAIRS SECONDS [NAME...]
#
# The programs are rows of budgets/programs.table; missing ones are left out.  For each, it prints
# the median ratio of the pairs with a distribution-free interval, and the reports' figure divided
# by the measured one.

import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent / "budgets"
least_confidence = 0.9
length_of_table_s = 20
threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OMP_THREAD_LIMIT", "MKL_NUM_THREADS")


def scaled(text, scale):
    """A field of the table for this length."""
    counted = re.sub(r"\{([0-9]+)\}", lambda found: str(max(1, round(int(found[1]) * scale))), text)
    return counted.replace("\\|", "|")


def read_table(names):
    """Name, package, preparation and command of each program that is wanted."""
    for line in (here / "programs.table").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, *rest = (field.strip() for field in re.split(r"(?<!\\)\|", line))
        if not names or name in names:
            yield name, *rest


def is_installed(package):
    return subprocess.run(["dpkg-query", "-W", package], capture_output=True).returncode == 0


def environment(more):
    alone = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    return alone | {name: "1" for name in threads} | {"here": str(here)} | more


def processor_s(command, more):
    """Processor time of a command, which a shell becomes."""
    settings = " ".join(f"{name}='{value}'" for name, value in more.items())
    child = subprocess.Popen(
        ["sh", "-c", f"exec env {settings} {command}"],
        env=environment({}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        sys.exit(f"budgets.py: status {child.returncode}: {command}")
    return usage.ru_utime + usage.ru_stime


def told_s(tprof, trace):
    report = subprocess.run([tprof, "report", "--format", "json", trace], capture_output=True)
    return json.loads(report.stdout)["overhead"]["total_ns"] / 1e9


def measure(tprof, shim, command, pairs):
    """Of each pair: plain, recorded and told seconds; every other pair begins with the shim."""
    trace = pathlib.Path("trace")
    recorded = {"LD_PRELOAD": shim, "TPROF_OUTPUT": str(trace), "TPROF_QUIET": "yes"}
    for pair in range(pairs):
        ways = [{}, recorded]
        took = [processor_s(command, way) for way in (ways if pair % 2 == 0 else ways[::-1])]
        plain, shimmed = took if pair % 2 == 0 else took[::-1]
        yield plain, shimmed, told_s(tprof, trace)
        trace.unlink()


def interval(values):
    """The narrowest pair of order statistics that holds the median often enough, and how often:
    a value is below the median or above it like a coin (Conover, Practical Nonparametric
    Statistics, 3.2)."""
    count = len(values)
    outside = 0
    best = (0, 0.0)
    for left_out in range((count + 1) // 2):
        outside += 2 * math.comb(count, left_out) / 2**count
        if left_out == 0 or 1 - outside >= least_confidence:
            best = (left_out, 1 - outside)
    ordered = sorted(values)
    return ordered[best[0]], ordered[count - 1 - best[0]], best[1]


def tell(name, seconds, measured):
    plain, shimmed, told = (statistics.median(column) for column in zip(*measured))
    ratios = [recorded / alone for alone, recorded, _ in measured]
    low, high, confidence = interval(ratios)
    took = shimmed - plain
    print(
        f"{name:10} {seconds:4.0f} s: plain {plain:6.2f} s, {statistics.median(ratios):.3f} of it"
        f" ({low:.3f} to {high:.3f}, {100 * confidence:.0f} %);"
        f" told {told:.2f} s, measured {took:.2f} s: {told / (took or math.nan):.2f}",
        flush=True,
    )


def main(tprof, shim, pairs, seconds, *names):
    scale = float(seconds) / length_of_table_s
    tprof, shim = os.path.realpath(tprof), os.path.realpath(shim)
    for name, package, prepare, command in read_table(names):
        if not is_installed(package):
            print(f"{name:10} left out: apt-get install {package}", flush=True)
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            subprocess.run(["sh", "-c", scaled(prepare, scale) or ":"], env=environment({}), capture_output=True)
            tell(name, float(seconds), list(measure(tprof, shim, scaled(command, scale), int(pairs))))
            os.chdir("/")


if len(sys.argv) < 5:
    sys.exit("usage: budgets.py TPROF LIBTPROF PAIRS SECONDS [NAME...]")
main(*sys.argv[1:])
