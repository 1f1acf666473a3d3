# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions of tprof.h in this process, over ctypes.

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


def _open() -> tuple[Any, Optional[str]]:
    """The symbols of this process, or why there are none of the shim."""
    try:
        import ctypes
    except ImportError:
        return None, "this Python has no ctypes"
    try:
        symbols = getattr(ctypes, "PyDLL", ctypes.CDLL)(None)  # PyPy has no PyDLL
        symbols.tprof_record_region_begin
    except (AttributeError, OSError, TypeError):
        return None, "libtprof.so is not loaded"
    return symbols, None


_symbols, missing = _open()  #: missing: why nothing can be recorded; None: the shim is loaded


def _function(name: str, *arguments: str, declared: bool = True, lets_go: bool = False) -> Callable[..., Any]:
    """A function of tprof.h, or one that does nothing: a shim may be older than this module.

    ``lets_go``: other threads run meanwhile, since it may take a millisecond.
    """
    if _symbols is None or not hasattr(_symbols, "tprof_record_" + name):
        return _nothing
    import ctypes

    function: Any = getattr(ctypes.CDLL(None) if lets_go else _symbols, "tprof_record_" + name)
    function.restype = None
    if declared or sys.implementation.name != "cpython":
        function.argtypes = [getattr(ctypes, argument) for argument in arguments]
    return function  # type: ignore[no-any-return]


region_begin = _function("region_begin", "c_char_p", declared=False)
region_end = _function("region_end", "c_char_p", declared=False)
snapshot = _function("snapshot", "c_char_p", lets_go=True)
metric = _function("metric", "c_char_p", "c_double")
items = _function("items", "c_uint64")
request_begin = _function("request_begin", "c_uint64")
request_end = _function("request_end", "c_uint64")
_trace = _function("trace")

if _trace is not _nothing:
    import ctypes

    _trace.restype = ctypes.c_char_p  # type: ignore[attr-defined]


def is_old() -> bool:
    """Is the shim older than this module?"""
    return _symbols is not None and _trace is _nothing


def trace() -> Optional[str]:
    """The path of this process's trace; None when nothing is recorded."""
    path = _trace()
    return os.fsdecode(path) if path else None


def is_recording() -> bool:
    """Is this process recorded now?"""
    if _trace is _nothing:
        return _symbols is not None
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
