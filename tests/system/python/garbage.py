# SPDX-License-Identifier: GPL-3.0-or-later
"""Garbage, imports, loops and native code; thousandths of the processor time by its own clock."""
import gc
import sys
import time

spent = {"garbage": 0.0, "import": 0.0, "native": 0.0}
began = None


def note(phase, _):
    global began
    now = time.process_time()
    if phase == "start":
        began = now
    else:
        spent["garbage"] += now - began


class Node:
    pass


def make_cycles(n):
    for _ in range(n):
        a = Node()
        a.other = Node()
        a.other.other = a


def loop(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def import_work():
    before = time.process_time()
    sys.modules.pop("working", None)
    import working
    spent["import"] += time.process_time() - before
    return working


def call_native(data):
    before = time.process_time()
    zlib.compress(data, 6)
    spent["native"] += time.process_time() - before


with open("working.py", "w", encoding="utf-8") as file:
    file.write("import garbage\ngarbage.loop(400000)\n")
sys.modules["garbage"] = sys.modules["__main__"]
sys.path.insert(0, ".")
sys.dont_write_bytecode = True
import zlib

data = bytes(range(256)) * 16000
gc.callbacks.append(note)
kept = [[i] for i in range(200000)]
for k in range(12):
    make_cycles(20000)
    gc.collect()
    loop(600000)
    import_work()
    call_native(data)
whole = time.process_time()
for what, seconds in spent.items():
    print(what, round(seconds / whole * 1000))
