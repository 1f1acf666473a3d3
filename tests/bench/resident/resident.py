#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Resident memory by part against what programs know of themselves, at ten moments each.

    resident.py TPROF CASES CONTAINERS [--wheels=PYTHON] [--run=OPTION...] [CASE...]

Each program takes a snapshot and prints its truth: the whole by /proc/self/statm, and the
bytes of the parts that it can know.  A figure is right within 3 % of the resident memory, or
within 1 MiB.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

MIB = 1 << 20
SHARE = 0.03
HERE = os.path.dirname(os.path.abspath(__file__))
C_CASES = ("small big fragments arenas stacks file copied shm shared populate sparse trim own "
           "generated data untouched grown forked ended").split()
PYTHON_CASES = "lists arrays memmap training loader database segments".split()
WHEEL_CASES = "frames polars jitted".split()
ALLOCATORS = {"jemalloc": "libjemalloc.so.2", "tcmalloc": "libtcmalloc_minimal.so.4"}


def find_library(name):
    found = glob.glob("/usr/lib/*/" + name)
    return found[0] if found else None


def commands(cases, containers, wheels):
    rows = {case: ([cases, case], None) for case in C_CASES}
    rows["containers"] = ([containers], None)
    program = os.path.join(HERE, "cases.py")
    rows.update({case: (["/usr/bin/python3", program, case], None) for case in PYTHON_CASES})
    if wheels:
        rows.update({case: ([wheels, program, case], None) for case in WHEEL_CASES})
    for name, library in ALLOCATORS.items():
        path = find_library(library)
        if path:
            rows[name] = ([cases, "big"], path)
    return rows


def read_moments(tprof, pid, folder):
    trace = glob.glob(os.path.join(folder, "*.%d.tprof" % pid))
    if not trace:
        return {}
    text = subprocess.run([tprof, "memory", "--json", trace[0]], stdout=subprocess.PIPE, check=True).stdout
    moments = json.loads(text)["resident_moments"]
    return {row["label"]: row for row in moments if row["label"]}


def distance(told, true, rss):
    """In units of what is allowed."""
    return abs(told - true) / max(SHARE * rss, MIB)


def compare(truth, told, is_glibc):
    """Returns: part -> (distance, told, true)."""
    rows = {"rss": (distance(told["resident_bytes"], truth["rss"], truth["rss"]),
                    told["resident_bytes"], truth["rss"])}
    parts = sum(value for key, value in told.items()
                if key.endswith("_bytes") and key != "resident_bytes")
    rows["sum"] = (distance(parts, told["resident_bytes"], truth["rss"]), parts,
                   told["resident_bytes"])
    for part, true in truth.items():
        if part in ("label", "pid", "rss", "heap_usable") or not is_glibc and "malloc" in part:
            continue
        if part == "heap" and told["heap_unit"] == "usable":
            true = truth.get("heap_usable", true)
        if part.endswith("_least"):
            value = told[part[:-len("_least")] + "_bytes"]
            rows[part] = (0 if value >= true - MIB else distance(value, true, truth["rss"]), value, true)
            continue
        value = told[part + "_bytes"]
        rows[part] = (distance(value, true, truth["rss"]), value, true)
    return rows


def run(tprof, command, preload, options):
    folder = tempfile.mkdtemp(prefix="resident.")
    environment = dict(os.environ, TPROF_QUIET="yes")
    if preload:
        environment["LD_PRELOAD"] = preload
    done = subprocess.run([tprof, "run", *options, "--", *command], cwd=folder, env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    truths = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    traces = {}
    for truth in truths:
        if truth["pid"] not in traces:
            traces[truth["pid"]] = read_moments(tprof, truth["pid"], folder)
    shutil.rmtree(folder)
    return [(truth, traces[truth["pid"]].get(truth["label"])) for truth in truths]


def report(name, pairs, is_glibc):
    worst, told_rest, missing = {}, 0, 0
    for truth, told in pairs:
        if not told:
            missing += 1
            continue
        told_rest = max(told_rest, told["rest_bytes"] / told["resident_bytes"])
        for part, row in compare(truth, told, is_glibc).items():
            if part not in worst or row[0] > worst[part][0]:
                worst[part] = row
    words = ["%s %.2f%s" % (part, row[0], "" if row[0] <= 1 else "! (%.2f of %.2f MiB)" %
                            (row[1] / MIB, row[2] / MIB)) for part, row in worst.items()]
    print("%-20s %2d moments, %d missing, rest %.1f %%: %s" %
          (name, len(pairs), missing, 100 * told_rest, ", ".join(words)), flush=True)
    return missing == 0 and len(pairs) >= 10 and all(row[0] <= 1 for row in worst.values())


def main():
    options = [word[len("--run="):] for word in sys.argv if word.startswith("--run=")]
    wheels = [word[len("--wheels="):] for word in sys.argv if word.startswith("--wheels=")]
    tprof, cases, containers, *wanted = [os.path.abspath(word) if "/" in word else word
                                         for word in sys.argv[1:] if not word.startswith("--")]
    rows = commands(cases, containers, wheels[0] if wheels else None)
    right = count = 0
    for name, (command, preload) in rows.items():
        if wanted and name not in wanted:
            continue
        pairs = run(tprof, command, preload, options)
        right += report(name, pairs, not preload)
        count += 1
    print("%d of %d programs right" % (right, count))


main()
