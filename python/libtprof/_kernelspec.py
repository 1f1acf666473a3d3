# SPDX-License-Identifier: GPL-3.0-or-later
"""``python3 -m libtprof kernelspec``: the kernel "Python 3 (tprof)" for notebooks.

It is the kernel of this Python, with the shim preloaded.  Its traces are in the folder for
temporary files.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile

from . import _analyzer, _hint

NAME = "python3-tprof"


def specification(shim: str) -> dict[str, object]:
    """The text of kernel.json."""
    return {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": "Python 3 (tprof)",
        "language": "python",
        "interrupt_mode": "signal",
        "metadata": {"debugger": False},  # it knows cells by other names: see _cells.py
        "env": {
            "LD_PRELOAD": shim,
            "TPROF_OUTPUT": os.path.join(tempfile.gettempdir(), "notebook.%p.tprof"),
            "TPROF_FOLLOW": "no",
            "TPROF_REQUESTS": "off",  # the notebook's own messages
            "TPROF_QUIET": "yes",
        },
    }


def install(prefix: str) -> str:
    """Write it below ``prefix``, or for this user if that is empty.  Returns its folder."""
    from jupyter_client.kernelspec import KernelSpecManager

    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(specification(_analyzer.find_shim()), file, indent=1)
        return KernelSpecManager().install_kernel_spec(folder, NAME, user=not prefix, prefix=prefix or None)


def main(words: list[str]) -> int:
    """The verb kernelspec."""
    parser = argparse.ArgumentParser(prog="python3 -m libtprof kernelspec", allow_abbrev=False,
                                     description='Install the kernel "Python 3 (tprof)" for notebooks.')
    parser.add_argument("--user", action="store_true", help="for this user (the default)")
    parser.add_argument("--prefix", default="", metavar="DIR",
                        help="below DIR, such as that of a virtual environment")
    parser.add_argument("--sys-prefix", action="store_const", const=sys.prefix, dest="prefix",
                        help="below that of this Python")
    arguments = parser.parse_args(words)
    try:
        print(f"installed: {install(arguments.prefix)}")
    except ImportError as error:
        _hint.tell(f"{error.name} is missing: python3 -m pip install ipykernel")
        return 2
    except (OSError, _analyzer.AnalyzerError) as error:
        _hint.tell(f"the kernel cannot be installed: {error}. Try --sys-prefix or --prefix DIR")
        return 3
    return 0
