# SPDX-License-Identifier: GPL-3.0-or-later
"""Two small pictures of a span: its flame graph, and its memory over time."""

from __future__ import annotations

import html
import re

from . import _analyzer, _cells, _spans
from ._system import MIB

_RECT = r'<rect[^>]* x="([\d.]+)" y="(\d+)" width="([\d.]+)"'
_CELL = rf"<title>&lt;module> in (?:{_cells.NAME}|\d+\.py|&lt;ipython)[^<]*</title>{_RECT}"
_MOST_WIDTH, _MOST_HEIGHT = 900, 360
_LEAST_WIDTH, _MOST_SCALE, _ROW = 6, 2, 18
_WIDTH, _HEIGHT, _HEAD = 600, 120, 30


def of(span: _spans.Span) -> str:
    """HTML with what there is; empty where nothing was recorded."""
    window, trace = span.window(), _analyzer.own_trace()
    if window is None or trace is None:
        return ""
    flames = _analyzer.run("export", "--format=svg", f"--window={window}", trace)
    return (_frame(_cut_flames(flames)) if "<rect" in flames else "") + _memory(span, window)


def _frame(picture: str) -> str:
    return f'<div style="max-width:{_MOST_WIDTH}px;max-height:{_MOST_HEIGHT + 50}px;overflow:auto">{picture}</div>'


def _boxes(pattern: str, svg: str) -> list[tuple[float, int, float]]:
    """Left, top and width of boxes."""
    return [(float(x), int(y), float(width)) for x, y, width in re.findall(pattern, svg)]


def _cut_flames(svg: str) -> str:
    """From the cell's own function up, as far as there is room, without what stands below."""
    cells = sorted(_boxes(_CELL, svg), key=lambda box: (box[1], -box[2]))
    head = re.search(r'<text class="head"[^>]*>([^<]*)</text>', svg)
    if not cells or not head:
        return svg
    left, bottom, width = cells[0]
    tops = [y for x, y, wide in _boxes(_RECT, svg) if wide >= _LEAST_WIDTH and left <= x < left + width]
    scale = min(_MOST_WIDTH / width, _MOST_SCALE)
    top = max(min(tops, default=bottom) - 2, bottom + _ROW - _MOST_HEIGHT / scale)
    picture = re.sub(r'viewBox="[^"]*" width="\d+" height="\d+"',
                     f'viewBox="{left} {top:.0f} {width} {bottom + _ROW - top:.0f}" '
                     f'width="{100 * scale * width / _MOST_WIDTH:.0f}%"', svg, count=1)
    return f"<div>Flame graph of the cell. {head.group(1)} in all threads</div>{picture}"


def _memory(span: _spans.Span, window: str) -> str:
    """Resident memory at each reading."""
    timeline = _analyzer.ask("memory --timeline") or {}
    begin, end = (int(edge[:-2]) for edge in window.split(".."))
    points = [(reading["time_ns"] - begin, reading["rss_bytes"]) for reading in timeline.get("readings") or []
              if begin <= reading["time_ns"] <= end and reading["rss_bytes"] is not None]
    return _draw(points, end - begin, span.name) if len(points) > 1 else ""


def _draw(points: list[tuple[int, int]], length_ns: int, name: str) -> str:
    """A line from the lowest to the highest of the values, in bytes, below its title."""
    low, high = min(value for _, value in points), max(value for _, value in points)
    scale = (_HEIGHT - _HEAD) / (high - low or 1)
    line = " ".join(f"{_WIDTH * time / length_ns:.1f},{_HEIGHT - 5 - scale * (value - low):.1f}"
                    for time, value in points)
    title = html.escape(f"{name}: resident memory, {low / MIB:.1f} to {high / MIB:.1f} MiB, in {length_ns / 1e9:.3f} s")
    return f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" role="img">
<title>{title}</title><text y="14" font-size="12" fill="currentColor">{title}</text>
<polyline points="{line}" fill="none" stroke="#3b7dd8" stroke-width="1.5"/></svg>'''
