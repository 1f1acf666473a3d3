# SPDX-License-Identifier: GPL-3.0-or-later
#
# Known numbers of objects from known lines, the program's view of its environment, and the
# actions of a child.  Prints its own line and the objects that it made.
import os
import subprocess
import sys


class Node:
    __slots__ = ("value",)


def make(count):
    kept = []
    for _ in range(count):
        node = Node()  # made here
        node.value = count
        kept.append(node)
    return kept


nodes = make(20000)
print(len(nodes), os.environ.get("PYTHONMALLOC"), nodes[-1].value)
print(subprocess.run([sys.executable, "-c", "import os; print(os.environ.get('PYTHONMALLOC'))"],
                     env={k: v for k, v in os.environ.items() if k != "LD_PRELOAD"},
                     capture_output=True, text=True).stdout, end="")
