#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# The time of a page's scripts in Chromium, by its own count of the processor time of scripts (the
# domain Performance, in ticks of the page's thread), so that other programs matter little: until
# all charts are drawn, and for each step of a zoom through the timeline and the flame graph.
#
#   page_speed.py PAGE [RUNS]
#
# The timeline of the page is replaced by one of 100,000 marks, more than any page has.

import json
import pathlib
import re
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "system"))
import page as chromium

LANES, MARKS, STEPS = 20, 5000, 24


def make_lanes(data):
    """Lanes of calls that follow each other over the whole run."""
    step = max(2, data["wall"] // MARKS)
    lane = {"thread": 0, "kind": "kernels", "whole": MARKS, "step": [0] + [step] * (MARKS - 1),
            "length": [step * 7 // 10] * MARKS, "name": [i % len(data["names"]) for i in range(MARKS)],
            "count": [1] * MARKS, "busy": [0] * MARKS}
    return [lane] * LANES


def fill(page, folder):
    """Write the page with that timeline.  Data are no scripts, so that its policy allows them."""
    text = pathlib.Path(page).read_text()
    pattern = r'(<script type="application/json" id="lanes-data">)(.*?)(</script>)'
    data = json.loads(re.search(pattern, text, re.S).group(2))
    data["names"] = data["names"] or ["call"]
    data["lanes"] = make_lanes(data)
    filled = json.dumps(data).replace("<", "\\u003c")
    made = pathlib.Path(folder, "page.html")
    made.write_text(re.sub(pattern, lambda match: match.group(1) + filled + match.group(3), text, flags=re.S))
    return made


def script_ms(link):
    metrics = link.ask("Performance.getMetrics")["metrics"]
    return 1000 * next(metric["value"] for metric in metrics if metric["name"] == "ScriptDuration")


def press(link, chart, key):
    """Send a key to the canvas of a chart, and let the page draw.  Returns: the time of its scripts."""
    before = script_ms(link)
    link.value(f"""new Promise((done) => {{
        const canvas = document.querySelector("#{chart} canvas");
        canvas.dispatchEvent(new KeyboardEvent("keydown", {{ key: "{key}" }}));
        requestAnimationFrame(() => requestAnimationFrame(done));
    }})""")
    return script_ms(link) - before


def measure(page):
    with chromium.browser() as link:
        link.ask("Performance.enable", timeDomain="threadTicks")
        chromium.show(link, str(page))
        load = script_ms(link) + press(link, "flame", "ArrowDown")
        zoom = [press(link, "lanes", key) for key in ["+"] * (STEPS // 2) + ["-"] * (STEPS // 2)]
        flame = [press(link, "flame", key) for key in ["ArrowDown", "Enter", "Escape"] * (STEPS // 3)]
    return load, zoom, flame


def main():
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as folder:
        made = fill(sys.argv[1], folder)
        loads, zooms, flames = zip(*(measure(made) for _ in range(runs)))
    for name, values in (("to the first interaction", loads), ("a zoom step of the timeline", sum(zooms, [])),
                         ("a step of the flame graph", sum(flames, []))):
        print(f"{name}: {statistics.median(values):.1f} ms of script (median of {len(values)}, "
              f"{min(values):.1f} to {max(values):.1f})")


if __name__ == "__main__":
    main()
