# SPDX-License-Identifier: GPL-3.0-or-later
"""Starting a program again under the shim, in the same process."""

from __future__ import annotations

import os
import struct
import sys
import threading
from typing import Mapping, Optional

from . import _analyzer, _hint, _shim

_TRIED = "LIBTPROF_STARTED"
_MACHINE = struct.Struct("<4sB13xH")  # of the head of an ELF file: its magic, class and machine


def _machine(path: str) -> tuple[int, int]:
    with open(path, "rb") as file:
        magic, bits, machine = _MACHINE.unpack(file.read(_MACHINE.size))
    if magic != b"\x7fELF":
        raise ValueError("no ELF file")
    return bits, machine


def _own_command() -> list[str]:
    """The words that started this process."""
    words = getattr(sys, "orig_argv", None)
    if words:
        return list(words)
    with open("/proc/self/cmdline", "rb") as file:
        return [os.fsdecode(word) for word in file.read().split(b"\0")[:-1]]


def _obstacle(shim: str) -> Optional[str]:
    """Why this process cannot be started again under the shim; None: it can."""
    if " " in shim or ":" in shim:
        return f"the dynamic linker ends a name at the space or colon in {shim}; move tprof"
    try:
        if _machine("/proc/self/exe") != _machine(shim):
            return f"this Python is of another architecture than {shim}"
    except (OSError, ValueError, struct.error) as error:
        return f"{shim} cannot be judged: {error}"
    if os.environ.get(_TRIED) == str(os.getpid()):
        return "the shim was preloaded, and is not there: is Python linked statically or set-user-ID?"
    if "ipykernel" in sys.modules:
        return "a notebook cannot start again. Run: python3 -m libtprof kernelspec, and take its kernel"
    if hasattr(sys, "ps1") or not sys.argv or sys.argv[0] in ("", "-"):
        return "a session cannot start again. Run: python3 -m libtprof run"
    if threading.active_count() > 1:
        return "the program has threads already; call libtprof.start() first"
    return None


def _variables(options: Mapping[str, object]) -> dict[str, str]:
    """Options of ``tprof run`` as the shim's variables."""
    rest = dict(options)
    found = {"TPROF_OVERHEAD": "none", "TPROF_DISK": "none"} if rest.pop("exact", False) else {}
    for name, value in rest.items():
        words = {True: "yes", False: "no"} if isinstance(value, bool) else {}
        found["TPROF_" + name.upper()] = words.get(bool(value), str(value))
    return found


def preload(shim: str) -> None:
    """Put the shim before the other names of LD_PRELOAD."""
    others = os.environ.get("LD_PRELOAD")
    os.environ["LD_PRELOAD"] = f"{shim}:{others}" if others else shim


def start(**options: object) -> bool:
    """Record this program: run it again from its first line, under the shim, in this process.

    Call it first: what the program did before is done again.  Options are those of ``tprof run``,
    such as ``output="train.tprof"``, ``quiet=True`` or ``exact=True``.

    Returns True where the program is recorded already, and False, with one line on standard
    error, where it cannot be; else it does not return.
    """
    if _shim.is_recording():
        return True
    try:
        shim = _analyzer.find_shim()
    except _analyzer.AnalyzerError as error:
        _hint.tell(str(error))
        return False
    obstacle = _obstacle(shim)
    if obstacle:
        _hint.tell(f"not started: {obstacle}")
        return False
    os.environ.update(_variables(options))
    preload(shim)
    os.environ[_TRIED] = str(os.getpid())
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os.execv(sys.executable or "/proc/self/exe", _own_command())
