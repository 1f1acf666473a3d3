# SPDX-License-Identifier: GPL-3.0-or-later
"""``%load_ext libtprof``: the magics of notebooks.

``%%tprof`` runs a cell and shows its first screen and pictures; ``%tprof ops --by module`` shows any
table of tprof about the latest such cell.
"""

from __future__ import annotations

import re
import shlex
from typing import Any, Optional

from . import _analyzer, _cells, _hint, _pictures, _shim, _spans

_latest: Optional[_spans.Span] = None


def load_ipython_extension(ipython: Any) -> None:
    """Called by ``%load_ext libtprof``."""
    ipython.register_magic_function(_Magics(ipython).tprof, "line_cell", "tprof")
    if _shim.is_recording():
        _cells.name_cells(ipython)
    else:
        _hint.tell(f"nothing is recorded: {_how()}")


def _how() -> str:
    return ("run  python3 -m libtprof kernelspec  once, and take the kernel \"Python 3 (tprof)\""
            if _shim.missing else _hint.how_to_start())


class _Magics:
    def __init__(self, shell: Any) -> None:
        self.shell = shell

    def tprof(self, line: str, cell: Optional[str] = None) -> None:
        """%%tprof runs the cell and shows where its time and memory went; ``%%tprof -q`` only runs it.

        %tprof TABLE [OPTION...] shows a table of tprof about the latest cell of %%tprof: time,
        lines, ops, memory, flops, waits, bottlenecks ...; without a TABLE, its first screen.
        """
        if cell is None:
            self._show_table(shlex.split(line) or ["report"])
        elif line.split() in ([], ["-q"]):
            self._run(_cells.as_shown(line, cell), is_quiet=bool(line.split()))
        else:
            _hint.tell(f"%%tprof takes -q or nothing, and not {line!r}; the cell was not run")

    def _run(self, cell: str, is_quiet: bool) -> None:
        global _latest
        span = _spans.Span(f"cell {self.shell.execution_count}").begin()
        try:
            result = self.shell.run_cell(cell, store_history=False)
        finally:
            span.end()
        _latest = span
        if not is_quiet:
            self._show(span)
        error = result.error_before_exec or result.error_in_exec
        if error is not None:  # so that the notebook stops; its traceback was shown
            error._render_traceback_ = lambda: []
            raise error

    def _show(self, span: _spans.Span) -> None:
        self._show_table(["report"])
        pictures = _pictures.of(span)
        if pictures:
            from IPython import display

            display.display(display.HTML(pictures))  # type: ignore[no-untyped-call]

    def _show_table(self, words: list[str]) -> None:
        trace = _analyzer.own_trace()
        if trace is None:
            return
        window = _latest.window() if _latest else None
        try:
            print(_ask(words, window, trace).rstrip("\n"))
        except _analyzer.AnalyzerError as error:
            _hint.tell(re.sub("^tprof: ", "", str(error)))


def _ask(words: list[str], window: Optional[str], trace: str) -> str:
    """A table as text: of the latest cell, if the command can tell of a part of the run."""
    if window is None:
        return _analyzer.run(*words, "--no-color", trace)
    try:
        return _analyzer.run(*words, "--no-color", f"--window={window}", trace)
    except _analyzer.AnalyzerError as error:
        if "--window is an option" not in str(error):
            raise
        return "Of the whole session:\n" + _analyzer.run(*words, "--no-color", trace)
