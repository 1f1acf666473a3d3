# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs in Python, and their repaired twins.
#
# usage: copies.py NAME planted|repaired ROUNDS
import copy
import datetime
import fractions
import json
import os
import random
import re
import subprocess
import sys
import traceback

RECORD = {"a": [1, 2, 3], "b": {"c": [4, 5]}}


def deepcopy_planted():
    return copy.deepcopy(RECORD)


def deepcopy_repaired():
    return {"a": list(RECORD["a"]), "b": dict(RECORD["b"])}


def strptime_planted():
    return datetime.datetime.strptime("2026-11-29 07:30", "%Y-%m-%d %H:%M")


def strptime_repaired():
    return datetime.datetime.fromisoformat("2026-11-29 07:30")


def random_planted():
    return [random.randint(1, 6) for _ in range(10)]


def random_repaired():
    return random.choices(range(1, 7), k=10)


def fraction_planted():
    return fractions.Fraction(1, 3) + fractions.Fraction(1, 6)


def fraction_repaired():
    return (2 + 1, 6)


def stack_planted():
    return traceback.extract_stack()


def stack_repaired():
    return sys._getframe().f_code


def pattern_planted():
    re.purge()
    return re.compile("([a-z]+)[.]([a-z]+) at line ([0-9]+)")


def pattern_repaired():
    return PATTERN.match("alpha.beta at line 4711")


def encoder_planted():
    return json.dumps(RECORD, indent=1)


def encoder_repaired():
    return json.dumps(RECORD)


def walk_planted():
    return [name for _, _, names in os.walk("/usr/share/doc/base-files") for name in names]


def walk_repaired():
    return FILES


def output_planted():
    out = subprocess.run(["seq", "3000000"], stdout=subprocess.PIPE, text=True).stdout
    return out.count("7")


def output_repaired():
    with subprocess.Popen(["seq", "3000000"], stdout=subprocess.PIPE) as process:
        return sum(part.count(b"7") for part in iter(lambda: process.stdout.read1(65536), b""))


def process_planted():
    return subprocess.run(["true"], check=True).returncode


def process_repaired():
    return 0


FILES = [name for _, _, names in os.walk("/usr/share/doc/base-files") for name in names]
PATTERN = re.compile("([a-z]+)[.]([a-z]+) at line ([0-9]+)")
function = globals()[sys.argv[1] + "_" + sys.argv[2]]
for _ in range(int(sys.argv[3])):
    function()
