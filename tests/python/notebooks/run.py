# SPDX-License-Identifier: GPL-3.0-or-later
"""Notebooks in a real Jupyter: run.py numpy|pandas|torch, with the kernel "Python 3 (tprof)"."""

import re
import sys

import nbclient
import nbformat

KERNEL = "python3-tprof"
SETUP = {
    "numpy": ("import numpy as np\na = np.random.rand(800, 800)",
              "for _ in range(20): b = a @ a\nround(b.shape[0] / 100)", "flops", "FLOPs"),
    "pandas": ("import numpy as np, pandas as pd\ndf = pd.DataFrame({'k': np.arange(300000) % 7, 'v': 1.5})",
               "total = 0\nfor _ in range(5): total += df.groupby('k').v.sum().sum()\nlen(df.columns) + 6", "lines", "Lines"),
    "torch": ("import torch\nlayer = torch.nn.Linear(512, 512)",
              "for _ in range(30): layer(torch.ones(256, 512)).sum().backward()\nlayer.in_features // 64",
              "ops --by module", "Linear"),
}


def shown(cell, kind):
    """All that a cell shows of a kind, as text."""
    texts = {"stream": lambda out: out.text, "execute_result": lambda out: out.data["text/plain"],
             "display_data": lambda out: out.data.get("text/html", ""), "error": lambda out: out.ename}
    return "".join(texts[kind](out) for out in cell.outputs if out.output_type == kind)


def main(package):
    first, work, table, word = SETUP[package]
    sources = ("%load_ext libtprof", first, f"%%tprof\n{work}", f"%tprof {table}", "%%tprof -q\nquiet = 5",
               "%tprof no-such-table", "%%tprof\n1 / 0", "print(quiet)", "%%tprof --bogus\nquiet = 6", "quiet")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbclient.NotebookClient(notebook, kernel_name=KERNEL, timeout=300, allow_errors=True).execute()
    _, _, cell, other, quiet, unknown, failing, last, refused, same = notebook.cells
    assert shown(cell, "execute_result") == "8", cell.outputs
    screen = shown(cell, "stream")
    assert "Wall time" in screen and "Served" not in screen, screen
    assert re.search(r"%  In\[3\]:[23] .*(for _ in range|total \+=)", screen), screen
    picture = shown(cell, "display_data")
    assert "<svg" in picture and "resident memory" in picture and "Flame graph" in picture, cell.outputs
    assert word in shown(other, "stream"), other.outputs
    assert quiet.outputs == [], quiet.outputs
    assert "there is no command" in shown(unknown, "stream"), unknown.outputs
    assert "ZeroDivisionError" in shown(failing, "error"), failing.outputs
    assert "serving" not in shown(failing, "stream"), failing.outputs
    assert shown(last, "stream") == "5\n", last.outputs
    assert "takes -q" in shown(refused, "stream") and shown(same, "execute_result") == "5", refused.outputs


main(sys.argv[1])
