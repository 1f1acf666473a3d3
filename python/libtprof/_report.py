# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of the own trace until now."""

from __future__ import annotations

import json
import os
from typing import Any, Optional, Union

from . import _analyzer


def report(format: str = "text", path: Optional[str] = None) -> Union[str, dict[str, Any], None]:
    """The first screen of ``tprof report`` of this process until now.

    ``format`` is ``"text"``; or ``"dict"``, with whole numbers of nanoseconds and bytes as in
    ``tprof report --json``; or ``"html"``, which writes a page to ``path`` and returns its name.
    Where nothing is recorded, the report is None and one line on standard error says how to start.
    """
    trace = _analyzer.own_trace()
    if trace is None:
        return None
    if format == "text":
        return _analyzer.run("report", "--no-color", trace)
    if format == "dict":
        told: dict[str, Any] = json.loads(_analyzer.run("report", "--json", trace))
        return told
    if format == "html":
        page = os.path.abspath(path or os.path.splitext(os.path.basename(trace))[0] + ".html")
        _analyzer.run("html", "--force", "--output", page, trace)
        return page
    raise ValueError(f'report: the format is "text", "dict" or "html", not {format!r}')
