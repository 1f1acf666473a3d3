# SPDX-License-Identifier: GPL-3.0-or-later
"""The names and the text of a notebook's cells, as reports show them.

The kernel of IPython names the code of a cell by a hash, in a file that is not there.  Here a cell
has the name that the notebook shows, In[3], and its text is in a file where the analyzer finds it.
The files are removed when the kernel ends.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import shutil
import tempfile
from typing import Any

NAME = r"In\[\d+\]"  #: matches the name of a cell


def _remove(folder: str, owner: int) -> None:
    """A child of fork has the same folder, and leaves it."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _write(path: str, text: str) -> None:
    """The analyzer takes a file that was written during the run for another than the one that ran."""
    with contextlib.suppress(OSError):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.utime(path, (0, 0))


def name_cells(shell: Any) -> None:
    """From now on, code of a cell has the cell's number for a name."""
    try:
        folder = tempfile.mkdtemp(prefix="tprof-cells-")
    except OSError:
        return  # nothing can be written: the names stay those of IPython
    atexit.register(_remove, folder, os.getpid())

    def name(raw: str, transformed: str, number: int) -> str:
        path = os.path.join(folder, f"In[{number}]")
        _write(path, transformed)
        return path

    shell.compile.get_code_name = name


def as_shown(line: str, cell: str) -> str:
    """The cell of a magic, with a comment for the line of the magic: lines have the same numbers as
    in the notebook."""
    return cell if cell.lstrip().startswith("%%") else f"# %%tprof {line}\n{cell}"
