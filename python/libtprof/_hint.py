# SPDX-License-Identifier: GPL-3.0-or-later
"""One line, once, for a figure that is asked for where nothing is recorded."""

from __future__ import annotations

import os
import sys

from . import _shim

UNKNOWN = float("nan")
"""A number that is not known.  It is never 0, and a comparison with it is false."""

_is_said = False


def how_to_start() -> str:
    """Why nothing is recorded, and what to do about it."""
    script = os.path.basename(sys.argv[0]) if sys.argv else ""
    script = script if script not in ("", "-", "-c", "-m") else "SCRIPT.py"
    if _shim.missing is None:
        return "recording has ended, or this process is not followed"
    if "SUDO_COMMAND" in os.environ:
        return f"sudo dropped LD_PRELOAD. Run: sudo python3 -m libtprof run {script}"
    if "no ctypes" in _shim.missing:
        return f"{_shim.missing}. tprof run records the program, but marks and figures need ctypes"
    if getattr(sys, "frozen", False):
        return f"{_shim.missing}. Run: tprof run -- {sys.executable}"
    return f"{_shim.missing}. Run: python3 -m libtprof run {script}, or call libtprof.start() first"


def say_how_to_start() -> None:
    """Say it on standard error, the first time."""
    global _is_said
    if not _is_said:
        _is_said = True
        tell(f"nothing is recorded: {how_to_start()}")


def tell(line: str) -> None:
    """Write a line to standard error.  Where that fails, the exit status stays the program's own."""
    text, stream = f"libtprof: {line}\n", sys.stderr
    try:
        if stream is not sys.__stderr__ or stream is None:  # a notebook shows it below the cell
            stream.write(text)
            return
        stream.flush()
        os.write(stream.fileno(), text.encode("utf-8", "replace"))  # what the buffer kept would fail again
    except (OSError, ValueError, AttributeError):
        pass
