# SPDX-License-Identifier: GPL-3.0-or-later
#
# Plants of well-known costs in Python, and their repaired twins.
#
# usage: costs.py NAME planted|repaired
import copy
import datetime
import random
import sys

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


function = globals()[sys.argv[1] + "_" + sys.argv[2]]
for _ in range(60000):
    function()
