# SPDX-License-Identifier: GPL-3.0-or-later
"""Readings of the operating system at this moment, from the files that the shim reads, too."""

from __future__ import annotations

import os
import resource
import sys
import time
from typing import NamedTuple, Optional

from ._hint import UNKNOWN

MIB = 1 << 20


class Memory(NamedTuple):
    """Resident and mapped memory of this process, in bytes."""

    rss: int
    vms: int


def read_memory() -> Memory:
    """From /proc/self/statm."""
    with open("/proc/self/statm", "rb", buffering=0) as file:
        pages = file.read().split()
    size = resource.getpagesize()
    return Memory(int(pages[1]) * size, int(pages[0]) * size)


def read_peak_rss() -> int:
    """The highest resident memory so far, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _read_fields(path: str) -> dict[str, int]:
    """The numbers of a file of lines such as ``MemTotal: 16 kB``; empty if it cannot be read."""
    try:
        with open(path, encoding="ascii") as file:
            rows = [line.split() for line in file]
    except OSError:
        return {}
    return {row[0].rstrip(":"): int(row[1]) for row in rows if len(row) > 1 and row[1].isdigit()}


def memory_total() -> float:
    """The memory of the machine, in bytes."""
    return _read_fields("/proc/meminfo").get("MemTotal", UNKNOWN) * 1024


def memory_percent() -> float:
    """The memory of the machine that programs cannot have now, of all of it."""
    fields = _read_fields("/proc/meminfo")
    total = fields.get("MemTotal", 0)
    return 100 * (1 - fields.get("MemAvailable", UNKNOWN) / total) if total else UNKNOWN


def _io_pressure_s() -> float:
    """The time in which some task of the machine waited for a disk, in seconds."""
    try:
        with open("/proc/pressure/io", encoding="ascii") as file:
            return int(file.readline().rpartition("total=")[2]) / 1e6
    except (OSError, ValueError):
        return UNKNOWN


def _processors() -> int:
    """How many this process may use.  PyPy has no sched_getaffinity."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Clocks:
    """Shares since a moment: of the processors that this process may use, and of disk waiting."""

    def __init__(self) -> None:
        self._wall, self._cpu, self._io = time.monotonic(), time.process_time(), _io_pressure_s()

    def cpu_percent(self) -> float:
        """Processor time of this process, of all its processors."""
        capacity = (time.monotonic() - self._wall) * _processors()
        return 100 * (time.process_time() - self._cpu) / capacity if capacity > 0 else UNKNOWN

    def disk_io_percent(self) -> float:
        """Time in which some task of the machine waited for a disk."""
        wall = time.monotonic() - self._wall
        return 100 * (_io_pressure_s() - self._io) / wall if wall > 0 else UNKNOWN


class Gpu(NamedTuple):
    """Memory of the current device of PyTorch, in bytes."""

    used: float
    capacity: float
    peak: float  # what PyTorch itself had


def read_gpu() -> Gpu:
    """From PyTorch, if the program uses it with a device; else unknown."""
    torch = sys.modules.get("torch")
    cuda: Optional[object] = getattr(torch, "cuda", None)
    if cuda is None or not cuda.is_available():  # type: ignore[attr-defined]
        return Gpu(UNKNOWN, UNKNOWN, UNKNOWN)
    free, capacity = cuda.mem_get_info()  # type: ignore[attr-defined]
    return Gpu(capacity - free, capacity, cuda.max_memory_allocated())  # type: ignore[attr-defined]
