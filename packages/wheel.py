#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Packs a folder with the package libtprof into a wheel, without any build system.

The folder libtprof has the Python module and, beside it, bin, lib, include and share of an
installation.  The wheel's one command is libtprof: a project of PyPI owns the name tprof, with a
module and a command, and both may be installed together.
Times, modes and order are fixed, so the same files make the same wheel.
Usage: wheel.py FOLDER VERSION TAG OUTPUT_FOLDER
"""

import base64
import hashlib
import os
import pathlib
import re
import sys
import time
import zipfile

SUMMARY = "Where a native program's time, memory and FLOPs went"

COMMAND = """#!python
import sys

from libtprof.__main__ import main

sys.exit(main(sys.argv[1:]))
"""

METADATA = """Metadata-Version: 2.4
Name: libtprof
Version: {version}
Summary: {summary}
License-Expression: GPL-3.0-or-later
License-File: COPYING
Requires-Python: >=3.9
Classifier: Development Status :: 4 - Beta
Classifier: Environment :: Console
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Debuggers
Description-Content-Type: text/markdown

{description}"""

WHEEL = """Wheel-Version: 1.0
Generator: tprof packages/wheel.py
Root-Is-Purelib: false
{tags}
"""


def tags(compressed):
    return "\n".join("Tag: py3-none-" + platform for platform in compressed.split("."))


def description_of(readme):
    """The README without its picture, which PyPI does not have."""
    return re.sub(r"!\[[^]]*\]\([^)]*\)\n\n", "", readme.read_text(encoding="utf-8"))


def is_wanted(path):
    """An installation's folders for other tools, and Python's caches, stay out."""
    parts = path.parts
    return "__pycache__" not in parts and parts[1:3] not in [
        ("share", "bash-completion"),
        ("share", "fish"),
        ("share", "zsh"),
        ("share", "tprof"),
        ("lib", "pkgconfig"),
    ]


class Wheel:
    def __init__(self, path, date):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9)
        self.date = time.gmtime(date)[:6]
        self.record = []

    def add(self, name, content, is_executable=False):
        info = zipfile.ZipInfo(name, self.date)
        info.external_attr = (0o100755 if is_executable else 0o100644) << 16
        info.compress_type = zipfile.ZIP_DEFLATED
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def close(self, name):
        lines = "\n".join([*self.record, name + ",,"]) + "\n"
        self.record = []
        self.add(name, lines.encode())
        self.zip.close()


def main(folder, version, platforms, output):
    root = pathlib.Path(folder)
    sources = pathlib.Path(output, "tprof-" + version)
    info = f"libtprof-{version}.dist-info"
    path = pathlib.Path(output, f"libtprof-{version}-py3-none-{platforms}.whl")
    wheel = Wheel(path, int(os.environ["SOURCE_DATE_EPOCH"]))
    for file in sorted(root.rglob("*")):
        name = file.relative_to(root)
        if file.is_file() and is_wanted(name):
            wheel.add(str(name), file.read_bytes(), name.parts[1] == "bin")
    wheel.add(f"libtprof-{version}.data/scripts/libtprof", COMMAND.encode(), True)
    description = description_of(sources / "README.md")
    wheel.add(
        info + "/METADATA",
        METADATA.format(version=version, summary=SUMMARY, description=description).encode(),
    )
    wheel.add(info + "/WHEEL", WHEEL.format(tags=tags(platforms)).encode())
    wheel.add(info + "/licenses/COPYING", (sources / "COPYING").read_bytes())
    wheel.close(info + "/RECORD")


if __name__ == "__main__":
    main(*sys.argv[1:])
