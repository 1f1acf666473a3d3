#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# usage: planted_waste cycles|imports|sources|unseen|polls planted|repaired SIZE
#
# Objects in cycles next to many that stay: collected again and again, or frozen first.  Modules
# that only one call in a thousand needs: imported at the start, or where they are needed.
# Modules whose sources are compiled when they are imported, or were compiled before.  An
# installed module that nothing uses: imported, or not.  An event that comes within milliseconds:
# polled now and then, or waited for.
import gc
import os
import subprocess
import sys
import tempfile
import threading
import time


class Node:
    pass


def make_cycles(n):
    for _ in range(n):
        node = Node()
        node.self = node


def count(rounds):
    total = 0
    for i in range(rounds):
        total += i * i
    return total


def import_all():
    for k in range(40):
        name = "wasted_%d" % k
        code = "\n".join("def f%d(a, b=%d):\n    return [a, b, {a: b}]" % (i, i) for i in range(600))
        module = importlib.util.module_from_spec(importlib.machinery.ModuleSpec(name, Source(code)))
        sys.modules[name] = module
        del sys.modules[name]
        Finder.code[name] = code
        __import__(name)


class Source:
    def __init__(self, code):
        self.code = code

    def create_module(self, _):
        return None

    def exec_module(self, module):
        exec(compile(self.code, module.__name__ + ".py", "exec"), module.__dict__)


class Finder:
    code = {}

    @classmethod
    def find_spec(cls, name, *_):
        if name in cls.code:
            return importlib.machinery.ModuleSpec(name, Source(cls.code[name]))
        return None


WASTED = """import time
end = time.process_time() + 0.4
while time.process_time() < end:
    sum(range(1000))
"""


def import_unseen():
    with tempfile.TemporaryDirectory() as folder:
        installed = os.path.join(folder, "site-packages")
        os.makedirs(os.path.join(installed, "wasted"))
        with open(os.path.join(installed, "wasted", "__init__.py"), "w") as file:
            file.write(WASTED)
        sys.path.insert(0, installed)
        import wasted


def import_sources(is_compiled):
    with tempfile.TemporaryDirectory() as folder:
        names = ["wasted_%d" % k for k in range(40)]
        for name in names:
            with open(os.path.join(folder, name + ".py"), "w") as file:
                file.write("\n".join("def f%d(a, b=%d):\n    return [a, b, {a: b}]" % (i, i)
                                     for i in range(600)))
        if is_compiled:
            subprocess.run([sys.executable, "-m", "compileall", "-q", folder], env={}, check=True)
        sys.path.insert(0, folder)
        for name in names:
            __import__(name)


def await_event(is_polled):
    event = threading.Event()
    threading.Timer(0.001, event.set).start()
    while is_polled and not event.is_set():
        time.sleep(0.02)
    event.wait()


what, how, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
if what == "cycles":
    if how == "repaired":
        gc.disable()
    kept = [[i] for i in range(100000)]
    if how == "repaired":
        gc.freeze()
        gc.set_threshold(100000, 50, 1000)
        gc.enable()
    for _ in range(size):
        make_cycles(10000)
        if how == "planted":
            gc.collect()
        count(20000)
elif what == "polls":
    for _ in range(size):
        await_event(how == "planted")
elif what == "sources":
    import_sources(how == "repaired")
    count(size * 10000)
elif what == "unseen":
    if how == "planted":
        import_unseen()
    count(size * 10000)
else:
    import importlib.machinery
    import importlib.util
    sys.meta_path.insert(0, Finder)
    if how == "planted":
        import_all()
    count(size * 10000)
print(what)
