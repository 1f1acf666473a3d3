# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of tprof.h in this process, as ctypes calls them.

They are those of the shim, libtprof.so, if it was preloaded.  Without it each one does nothing.
A region is on the hot path: its functions are called with the GIL held and without declared
arguments, which is the cheapest call that ctypes has.

Decision: doc/decisions/python-marks.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing typing takes longer than all the rest
if TYPE_CHECKING:
    from typing import Any, Callable, Optional


def _nothing(*_: object) -> None:
    """Stands in for each function where nothing is recorded."""


class _Process:
    """The functions of this process, by the module that ctypes is made of.

    All of ctypes takes ten times as long to import: from Python 3.14 on it loads sysconfig and
    threading.
    """

    def __init__(self) -> None:
        import _ctypes

        class Kept(_ctypes.CFuncPtr):  # type: ignore[misc,name-defined]
            _flags_ = _ctypes.FUNCFLAG_CDECL | _ctypes.FUNCFLAG_PYTHONAPI
            _restype_ = None

        class Released(_ctypes.CFuncPtr):  # type: ignore[misc,name-defined]
            _flags_ = _ctypes.FUNCFLAG_CDECL
            _restype_ = None

        class Text(_ctypes._SimpleCData):  # type: ignore[type-arg]
            _type_ = "z"

        class Double(_ctypes._SimpleCData):  # type: ignore[type-arg]
            _type_ = "d"

        class Number(_ctypes._SimpleCData):  # type: ignore[type-arg]
            _type_ = "Q"

        self.text, self.double, self.number = Text, Double, Number
        self._kinds = (Kept, Released)
        self._symbol = _ctypes.dlsym
        self._handle = _ctypes.dlopen(None, os.RTLD_NOW)

    def find(self, name: str, lets_go: bool = False) -> Any:
        """A function without a result; OSError if there is none."""
        return self._kinds[lets_go](self._symbol(self._handle, name))


class _ProcessOfCtypes:
    """The same by ctypes, for a Python whose ctypes is made of something else."""

    def __init__(self) -> None:
        import ctypes

        self.text, self.double, self.number = ctypes.c_char_p, ctypes.c_double, ctypes.c_uint64
        self._kinds = (getattr(ctypes, "PyDLL", ctypes.CDLL)(None), ctypes.CDLL(None))  # PyPy has no PyDLL

    def find(self, name: str, lets_go: bool = False) -> Any:
        function = getattr(self._kinds[lets_go], name)
        function.restype = None
        return function


_is_cpython = sys.implementation.name == "cpython"


def _open() -> tuple[Any, Optional[str]]:
    """The functions of this process, or why there are none of the shim."""
    try:
        process = _Process() if _is_cpython else _ProcessOfCtypes()
    except ImportError:
        return None, "this Python has no ctypes"
    except (AttributeError, OSError, TypeError):
        return None, "libtprof.so is not loaded"
    try:
        process.find("tprof_record_region_begin")
    except (AttributeError, OSError):
        return None, "libtprof.so is not loaded"
    return process, None


_process, missing = _open()  #: missing: why nothing can be recorded; None: the shim is loaded


def _function(name: str, *arguments: str, declared: bool = True, lets_go: bool = False) -> Callable[..., Any]:
    """A function of tprof.h, or one that does nothing: a shim may be older than this module.

    ``lets_go``: other threads run meanwhile, since it may take a millisecond.
    """
    if _process is None:
        return _nothing
    try:
        function = _process.find("tprof_record_" + name, lets_go)
    except (AttributeError, OSError):
        return _nothing
    if declared or not _is_cpython:
        function.argtypes = [getattr(_process, argument) for argument in arguments]
    return function  # type: ignore[no-any-return]


region_begin = _function("region_begin", "text", declared=False)
region_end = _function("region_end", "text", declared=False)
snapshot = _function("snapshot", "text", lets_go=True)
metric = _function("metric", "text", "double")
items = _function("items", "number")
request_begin = _function("request_begin", "number")
request_end = _function("request_end", "number")
_trace = _function("trace")

if _trace is not _nothing:
    _trace.restype = _process.text  # type: ignore[attr-defined]


def is_old() -> bool:
    """Is the shim older than this module?"""
    return _process is not None and _trace is _nothing


def trace() -> Optional[str]:
    """The path of this process's trace; None when nothing is recorded."""
    path = _trace()
    return os.fsdecode(path) if path else None


def is_recording() -> bool:
    """Is this process recorded now?"""
    if _trace is _nothing:
        return _process is not None
    return _trace() is not None


_labels: dict[str, bytes] = {}
_LABELS_MAX = 4096  # a program may make names without end


def label(name: str) -> bytes:
    """A name as the shim reads it: one bytes object for each name, since it knows the pointer."""
    found = _labels.get(name)
    if found is None:
        if not isinstance(name, str):
            raise TypeError(f"a name must be a str, not {type(name).__name__}")
        if len(_labels) >= _LABELS_MAX:
            _labels.clear()
        found = _labels[name] = name.encode("utf-8", "replace")
    return found
