# SPDX-License-Identifier: GPL-3.0-or-later
"""The analyzer tprof: where it is, and what it says of this process's own trace."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import tempfile
from typing import Any, Iterator, Optional

from . import _hint, _shim

OWN_NAME = _shim.label("libtprof: reading the trace")  #: known to the analyzer, too
_ACCEPTED = (0, 1, 4)  # 1: a policy failed; 4: too few data. Both come with their reasons.


class AnalyzerError(RuntimeError):
    """The analyzer is missing, or refused what it was asked.  The text is its own line."""


def _is_analyzer(path: str) -> bool:
    """The tprof of PyPI is another profiler, and a script: ours is a program for the processor."""
    try:
        with open(path, "rb") as file:
            return file.read(4) == b"\x7fELF" and os.access(path, os.X_OK)
    except OSError:
        return False


def _preloaded() -> list[str]:
    """The names in LD_PRELOAD."""
    return [name for name in re.split("[ :]", os.environ.get("LD_PRELOAD", "")) if name]


def _is_shim(path: str) -> bool:
    return os.path.basename(path) == "libtprof.so"


def _folders() -> Iterator[str]:
    """Where the analyzer may be: beside the loaded shim, whose traces it knows, in this package or its
    prefix, in PATH."""
    for shim in (name for name in _preloaded() if _is_shim(name) and "/" in name):
        for way in (".", "../bin", "../../bin", "../../analyzer"):
            yield os.path.join(os.path.dirname(shim), way)
    own = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(own, "bin")
    yield os.path.join(own, "../../../../bin")  # PREFIX/share/tprof/python/libtprof
    yield from os.environ.get("PATH", os.defpath).split(os.pathsep)


def find() -> str:
    """The path of the analyzer."""
    for folder in _folders():
        path = os.path.join(folder or ".", "tprof")
        if _is_analyzer(path):
            return os.path.abspath(path)
    raise AnalyzerError("the analyzer tprof is not in this package, beside libtprof.so or in PATH; install "
                        "tprof")


def find_shim() -> str:
    """The path of libtprof.so, beside the analyzer or in the lib folder beside its folder."""
    own = os.path.dirname(os.path.realpath(find()))
    folders = [".", "../shim/.libs", "../../shim/.libs", "../lib", "../lib64"]
    folders += [f"../lib/{name}-linux-{libc}" for name in (os.uname().machine,) for libc in ("gnu", "musl")]
    for folder in folders:
        path = os.path.realpath(os.path.join(own, folder, "libtprof.so"))
        if os.access(path, os.R_OK):
            return path
    raise AnalyzerError(f"libtprof.so is not beside {find()}; install it there")


def _environment() -> dict[str, str]:
    """That of this process without the shim: the analyzer is not to be profiled."""
    plain = dict(os.environ)
    others = [name for name in _preloaded() if not _is_shim(name)]
    plain.pop("LD_PRELOAD", None)
    return {**plain, "LD_PRELOAD": ":".join(others)} if others else plain


@contextlib.contextmanager
def _reading(*arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    """The analyzer at work.  The time that this takes is a region of its own."""
    command = [find(), *arguments]
    _shim.region_begin(OWN_NAME)
    try:
        with tempfile.TemporaryFile() as said, subprocess.Popen(
                command, env=_environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=said) as process:
            yield process
            if process.wait() not in _ACCEPTED:
                said.seek(0)
                lines = said.read().decode("utf-8", "replace").strip().splitlines()
                raise AnalyzerError(lines[-1] if lines else f"tprof ended with status {process.returncode}")
    except OSError as error:
        raise AnalyzerError(f"{command[0]} cannot be run: {error.strerror}") from error
    finally:
        _shim.region_end(OWN_NAME)


def run(*arguments: str) -> str:
    """What the analyzer prints, as text."""
    with _reading(*arguments) as process:
        assert process.stdout
        return process.stdout.read().decode("utf-8", "replace")


def laps(region: str) -> list[dict[str, Any]]:
    """The recorded calls of a region, by the end of its path, in the order of time."""
    trace, name = own_trace(), json.dumps(region, ensure_ascii=False).encode()
    if trace is None:
        return []
    with _reading("export", "--format=jsonl", trace) as process:
        assert process.stdout
        found = [json.loads(line) for line in process.stdout if name in line]
    return [lap for lap in found if lap["kind"] == "region" and lap["name"] == region]


def ask(command: str, *options: str) -> Optional[dict[str, Any]]:
    """The JSON of a command about the own trace; None where nothing is recorded, and a line says so."""
    path = own_trace()
    if path is None:
        return None
    told: Optional[dict[str, Any]] = json.loads(run(*command.split(), "--json", *options, path) or "null")
    return told


def calculate(operation: str, **sizes: object) -> dict[str, Any]:
    """``tprof flops calc``: needs no trace."""
    options = [f"--{name.replace('_', '-')}={value}" for name, value in sizes.items()]
    try:
        told: dict[str, Any] = json.loads(run("flops", "calc", operation, "--json", *options))
        return told
    except AnalyzerError as error:
        raise (ValueError(str(error)) if "flops calc" in str(error) else error) from None


def own_trace() -> Optional[str]:
    """The path of the own trace.  Where there is none, one line says how to start."""
    if _shim.is_old():
        _hint.tell("libtprof.so is older than this module: marks are recorded, but no figures can be "
                   "read while the program runs")
        return None
    path = _shim.trace()
    if path is None:
        _hint.say_how_to_start()
    return path


def rows(command: str, *options: str) -> list[dict[str, Any]]:
    """The rows of a table about the own trace; none where nothing is recorded."""
    return (ask(command, "-n", "0", *options) or {}).get("rows") or []


def number(value: Any, unit: float = 1.0) -> float:
    """A number in another unit; what is not known is NaN.  A count stays a whole number."""
    found: float = _hint.UNKNOWN if value is None else value if unit == 1 else value / unit
    return found
