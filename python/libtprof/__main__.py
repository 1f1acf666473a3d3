# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 -m libtprof VERB``: that of tprof, with this Python for a script.

``run train.py`` is ``tprof run -- python3 train.py``, and ``run ./model`` runs a program that is no
script of Python; ``kernelspec`` installs a kernel for notebooks; every other verb is the analyzer's.
"""

from __future__ import annotations

import os
import sys

from . import _analyzer

USAGE = """\
Usage: python3 -m libtprof run [OPTIONS] [--] SCRIPT.py|-m MODULE|-c CODE [ARGUMENT...]
       python3 -m libtprof run [OPTIONS] [--] PROGRAM [ARGUMENT...]
       python3 -m libtprof kernelspec [--user | --prefix DIR]
       python3 -m libtprof VERB [ARGUMENT...]    as tprof VERB, such as report, lines or memory

run starts this Python under the shim; options are those of tprof run.
kernelspec installs the kernel "Python 3 (tprof)" for notebooks.
"""


def _takes_value(word: str) -> bool:
    """Is the next word the value of this option?  Those of tprof run take one, but for three."""
    return "=" not in word and word not in ("--force", "-f", "--exact", "--help", "-h")


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Options of tprof run, and the words for Python: from --, -m, -c or the script on."""
    i = 0
    while i < len(words) and words[i].startswith("-") and words[i] not in ("-", "-m", "-c", "--"):
        i += 2 if _takes_value(words[i]) else 1
    rest = words[i:]
    return words[:i], rest[1:] if rest[:1] == ["--"] else rest


def _is_python(word: str) -> bool:
    """Is it a Python to run, as in ``run -- python3 train.py``, and no script?"""
    name = os.path.basename(word)
    return name.startswith(("python", "pypy")) and not name.endswith(".py") and not os.path.isdir(word)


def _is_executable(path: str) -> bool:
    """Can Linux run it: an ELF file, or a script that names its interpreter?"""
    try:
        with open(path, "rb") as file:
            return os.access(path, os.X_OK) and file.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:
        return False


def _is_program(word: str) -> bool:
    """Is it a program to run as it is, as in ``run -- ./model``, and no script for this Python?"""
    if word.startswith("-") or word.endswith((".py", ".pyc", ".pyw", ".pyz")):
        return False
    if "/" in word or os.path.exists(word):
        return _is_executable(word)
    return any(_is_executable(os.path.join(folder, word)) for folder in os.get_exec_path())


def _command(verb: str, words: list[str]) -> list[str]:
    if verb != "run":
        return [verb, *words]
    options, program = _split(words)
    if not program:
        return ["run", *options]  # which refuses it, or helps
    own = [] if (_is_python(program[0]) or _is_program(program[0])) else [sys.executable]
    return ["run", *options, "--", *own, *program]


def main(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        print(USAGE, end="")
        return 0 if words else 2
    if words[0] == "kernelspec":
        from . import _kernelspec

        return _kernelspec.main(words[1:])
    try:
        tprof = _analyzer.find()
    except _analyzer.AnalyzerError as error:
        print(f"libtprof: {error}", file=sys.stderr)
        return 125 if words[0] == "run" else 2
    os.execv(tprof, ["tprof", *_command(words[0], words[1:])])
    return 126


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
