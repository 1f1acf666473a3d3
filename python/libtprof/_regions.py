# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions: parts of a program that it names.

A region is a with block, a decorator, or a wrapper of a coroutine.  Those of generators and
coroutines are open only while these run, on whichever thread that is: the time while they are
suspended belongs to others.
"""

from __future__ import annotations

import types

from . import _shim
from ._shim import region_begin as _begin
from ._shim import region_end as _end

TYPE_CHECKING = False  # importing typing takes longer than all the rest
if TYPE_CHECKING:
    from typing import Any, Callable, TypeVar

    _Function = TypeVar("_Function", bound=Callable[..., Any])

_suspended: Any = None  # the module; loaded at its first use, as nothing can be at the program's end
_GENERATOR, _COROUTINE, _ASYNC_GENERATOR = 0x20, 0x80, 0x200  # co_flags, as in inspect


class Region:
    """A name for a part of the program; :func:`region` makes one.

    It holds no state of a call, so one object serves any thread and any depth.
    """

    __slots__ = ("name", "_label")

    def __init__(self, name: str) -> None:
        self.name = name
        self._label = _shim.label(name)

    def __enter__(self) -> "Region":
        _begin(self._label)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        _end(self._label)

    async def __aenter__(self) -> "Region":
        global _suspended
        if _shim.missing is None:
            if _suspended is None:
                from . import _suspended
            _suspended.enter(self._label)
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        if _suspended is not None:
            _suspended.leave(self._label)

    def __call__(self, function: _Function) -> _Function:
        """Decorate a function, a coroutine function or a generator function; or wrap a coroutine."""
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(self(function.__func__))
        if isinstance(function, types.CoroutineType):
            return _drive(self._label, function)
        from functools import update_wrapper

        return update_wrapper(_wrap(self, function), function)  # type: ignore[return-value]

    def __repr__(self) -> str:
        return f"libtprof.region({self.name!r})"


_regions: dict[str, Region] = {}
_REGIONS_MAX = 4096


def region(name: str) -> Region:
    """Name a part of the program.

    ``with region("load"):``, ``@region("load")`` over a function, a coroutine function or a
    generator function, ``async with region("load"):``, or ``await region("load")(coroutine)``.

    Regions nest in each thread.  ``tprof regions`` has their times, FLOPs and memory.
    """
    found = _regions.get(name)
    if found is None:
        found = Region(name)
        if len(_regions) >= _REGIONS_MAX:
            _regions.clear()
        _regions[name] = found
    return found


def _wrap(of: Region, function: Callable[..., Any]) -> Callable[..., Any]:
    code = getattr(getattr(function, "func", function), "__code__", None)  # func: of a partial
    flags = getattr(code, "co_flags", 0)
    if flags & _COROUTINE:
        return _wrap_coroutine(of._label, function)
    if flags & _ASYNC_GENERATOR:
        return _wrap_async_generator(of._label, function)
    if flags & _GENERATOR:
        return _wrap_generator(of._label, function)

    def call(*arguments: Any, **options: Any) -> Any:
        _begin(of._label)
        try:
            return function(*arguments, **options)
        finally:
            _end(of._label)

    return call


def _wrap_coroutine(label: bytes, function: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*arguments: Any, **options: Any) -> Any:
        return await _drive(label, function(*arguments, **options))

    return call


def _wrap_generator(label: bytes, function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **options: Any) -> Any:
        return (yield from _drive(label, function(*arguments, **options)))

    return call


def _wrap_async_generator(label: bytes, function: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*arguments: Any, **options: Any) -> Any:
        source = function(*arguments, **options)
        step, value = source.asend, None
        while True:
            try:
                item = await _drive(label, step(value))
            except StopAsyncIteration:
                return
            try:
                value, step = (yield item), source.asend
            except GeneratorExit:
                await _drive(label, source.aclose())
                raise
            except BaseException as error:
                value, step = error, source.athrow

    return call


@types.coroutine
def _drive(label: bytes, source: Any) -> Any:
    """Run a generator or an awaitable, with the region open in each of its steps."""
    step, value = source.send, None
    while True:
        _begin(label)
        try:
            item = step(value)
        except StopIteration as stop:
            return stop.value
        finally:
            _end(label)
        try:
            value, step = (yield item), source.send
        except GeneratorExit:
            _close(label, source)
            raise
        except BaseException as error:
            value, step = error, source.throw


def _close(label: bytes, source: Any) -> None:
    _begin(label)
    try:
        source.close()
    finally:
        _end(label)
