# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects whose memory goes a known way, a millisecond a round, until a normal exit.

usage: growing.py NAME ROUNDS
"""
import sys
import time

name, rounds = sys.argv[1], int(sys.argv[2])
kept = {"dict": {}, "list": [], "text": ""}.get(name, {})

for i in range(rounds):
    if name == "dict":
        for j in range(20):
            kept[20 * i + j] = "value %d" % (20 * i + j)
    elif name == "list":
        kept.extend(range(50 * i, 50 * i + 50))
    elif name == "text":
        kept += "line %d of a text that grows\n" % i
    elif name == "cache":
        kept[i % 100] = "x" * (3000 + i % 7)
    elif name == "steady":
        work = ["x" * (2000 + j) for j in range(10)]
    time.sleep(0.001)
print("truth: verdict", "leak" if name in ("dict", "list", "text") else "no leak seen")
