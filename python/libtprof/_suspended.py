# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions of ``async with``: closed while their coroutine is suspended.

Python 3.12 and later tell when the frame of the block is suspended and resumed (sys.monitoring).
Before, or where no tool number is free, such a region stays open while others run on its thread.
"""

from __future__ import annotations

import sys

from ._shim import region_begin as _begin
from ._shim import region_end as _end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Optional

_NAME = "libtprof"
_open: dict[Any, list[bytes]] = {}  # by frame: its regions, the innermost last
_asleep: set[Any] = set()  # frames whose regions are closed
_tool: Optional[int] = None


def _take_tool() -> Optional[int]:
    """A number of sys.monitoring that no debugger, coverage or profiler uses."""
    global _tool
    monitoring = getattr(sys, "monitoring", None)
    if _tool is None and monitoring:
        for number in (4, 3):
            if monitoring.get_tool(number) is None:
                monitoring.use_tool_id(number, _NAME)
                monitoring.register_callback(number, monitoring.events.PY_YIELD, _suspend)
                monitoring.register_callback(number, monitoring.events.PY_RESUME, _resume)
                _tool = number
                break
    return _tool


def _suspend(code: object, offset: int, value: object) -> None:
    frame = sys._getframe(1)
    if frame in _open and frame not in _asleep:
        _asleep.add(frame)
        for label in reversed(_open[frame]):
            _end(label)


def _resume(code: object, offset: int) -> None:
    frame = sys._getframe(1)
    if frame in _asleep:
        _wake(frame)


def _wake(frame: Any) -> None:
    _asleep.discard(frame)
    for label in _open[frame]:
        _begin(label)


def enter(label: bytes) -> None:
    """Open a region of the coroutine that awaits ``__aenter__``."""
    frame = sys._getframe(2)
    tool = _take_tool()
    is_lasting = frame.f_globals.get("__name__") != "contextlib"  # the frame of an AsyncExitStack ends
    if tool is not None and is_lasting:
        monitoring = sys.monitoring  # type: ignore[attr-defined]
        events = monitoring.events.PY_YIELD | monitoring.events.PY_RESUME
        monitoring.set_local_events(tool, frame.f_code, events)
        _open.setdefault(frame, []).append(label)
    _begin(label)


def leave(label: bytes) -> None:
    """Close it.  A coroutine that an exception was thrown into was not resumed before."""
    frame = sys._getframe(2)
    labels = _open.get(frame)
    if labels:
        if frame in _asleep:
            _wake(frame)
        labels.pop()
        if not labels:
            del _open[frame]
    _end(label)
