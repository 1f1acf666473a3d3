# SPDX-License-Identifier: GPL-3.0-or-later
"""Spans: parts of the run whose figures a class of this module asks the analyzer for.

A span is a region between two snapshots.  The region has its time and its FLOPs; the snapshots
tell from when to when the whole process is looked at.
"""

from __future__ import annotations

import itertools
import os
import time
from typing import Any, Iterator, Optional

from . import _analyzer, _shim

_numbers: Iterator[int] = itertools.count(1)


def own_label(name: str) -> str:
    """A label that no other part of the run has."""
    return f"{name} #{next(_numbers)}"


def _read_start_ns() -> Optional[int]:
    """When recording began, on the monotonic clock; the analyzer is asked once a process."""
    process = (_analyzer.ask("report", "--window=0ns..1ns") or {}).get("process") or {}
    return process.get("start_monotonic_ns")


_starts: dict[int, Optional[int]] = {}  # by process: a forked child has a trace of its own


def start_ns() -> Optional[int]:
    """When recording began; None where nothing is recorded."""
    own = os.getpid()
    if _starts.get(own) is None:
        _starts[own] = _read_start_ns()
    return _starts[own]


def _read(name: str) -> None:
    """A snapshot.  With a thousand mappings it takes 20 ms: the time is no part's own."""
    _shim.region_begin(_analyzer.OWN_NAME)
    _shim.snapshot(_shim.label(name))
    _shim.region_end(_analyzer.OWN_NAME)


class Span:
    """One part of the run, from :meth:`begin` to :meth:`end`, or until now."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._region = _shim.label(name)
        self._begin_ns: Optional[int] = None
        self._end_ns: Optional[int] = None
        self._report: Optional[dict[str, Any]] = None

    @property
    def is_open(self) -> bool:
        return self._begin_ns is not None and self._end_ns is None

    def mark(self) -> None:
        """Begin without a region."""
        _read(self.name + " begins")
        self._begin_ns, self._end_ns, self._report = time.monotonic_ns(), None, None

    def begin(self) -> "Span":
        self.mark()
        _shim.region_begin(self._region)
        return self

    def end(self) -> None:
        if not self.is_open:
            return
        _shim.region_end(self._region)
        _read(self.name + " ends")
        self._end_ns = time.monotonic_ns()

    def window(self, to_now: bool = False) -> Optional[str]:
        """The span as the analyzer's option --window; None where nothing was recorded."""
        start = start_ns() if self._begin_ns is not None else None
        if start is None or self._begin_ns is None:
            return None
        if self.is_open:
            _read(self.name)
        end_ns = self._end_ns if self._end_ns and not to_now else time.monotonic_ns()
        return f"{max(self._begin_ns - start, 0)}ns..{end_ns - start}ns"

    def ask(self, command: str, *options: str) -> dict[str, Any]:
        """The JSON of a command about this span; empty where nothing was recorded."""
        window = self.window()
        return (_analyzer.ask(command, f"--window={window}", *options) or {}) if window else {}

    def report(self) -> dict[str, Any]:
        """``tprof report --json`` about this span."""
        if self._report is None or self.is_open:
            self._report = self.ask("report")
        return self._report

    def figure(self, group: str, name: str, unit: float = 1.0) -> float:
        """A number of the report in a unit; NaN: unknown."""
        return _analyzer.number((self.report().get(group) or {}).get(name), unit)

    def region(self) -> dict[str, Any]:
        """The row of its region; empty where there is none."""
        return find_region(self.report().get("regions") or [], self.name)


def find_region(rows: list[dict[str, Any]], name: str, most: str = "calls") -> dict[str, Any]:
    """The row of a region by the end of its path; of several, that with the most calls."""
    found = [row for row in rows if row["path"] == name or row["path"].endswith("/" + name)]
    return max(found, key=lambda row: row[most] or 0, default={})
