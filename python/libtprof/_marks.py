# SPDX-License-Identifier: GPL-3.0-or-later
"""What a program tells about itself: snapshots, metrics, items and requests."""

from __future__ import annotations

from . import _shim
from ._shim import request_begin as _begin
from ._shim import request_end as _end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union


def snapshot(label: str = "") -> None:
    """Read the memory of the process now, under this label; ``tprof memory --timeline`` lists it."""
    _shim.snapshot(_shim.label(label))


def metric(name: str, value: float) -> None:
    """State a number that only the program knows, such as its accuracy.  The last one counts."""
    _shim.metric(_shim.label(name), float(value))


def items(count: int = 1) -> None:
    """Count finished items, such as samples or tokens, for rates by the second."""
    if count < 0:
        raise ValueError(f"items: {count} is negative")
    _shim.items(count)


class request:
    """The serving of one request: ``with request(id):``, which tasks and threads may overlap.

    The id is a whole number from 0 to 2**64 - 1, or a text, which is recorded by its hash.
    """

    __slots__ = ("id",)

    def __init__(self, id: Union[int, str]) -> None:
        if id.__class__ is not int:
            id = _hash(id) if isinstance(id, str) else int(id)
        if not 0 <= id < 1 << 64:  # type: ignore[operator]
            raise ValueError(f"request: {id} is not between 0 and 2**64 - 1")
        self.id = id

    def __enter__(self) -> "request":
        _begin(self.id)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        _end(self.id)

    async def __aenter__(self) -> "request":
        return self.__enter__()

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        _end(self.id)


def _hash(text: str) -> int:
    """The same number in each process, by FNV-1a of 64 bits."""
    number = 0xCBF29CE484222325
    for byte in text.encode("utf-8", "replace"):
        number = (number ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return number
