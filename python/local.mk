# SPDX-License-Identifier: GPL-3.0-or-later
#
# The Python module libtprof: it works from any folder in PYTHONPATH, and from a wheel with the
# analyzer in libtprof/bin and the shim in libtprof/lib.

libtprof_modules = \
  python/libtprof/__init__.py \
  python/libtprof/__main__.py \
  python/libtprof/_analyzer.py \
  python/libtprof/_hint.py \
  python/libtprof/_marks.py \
  python/libtprof/_regions.py \
  python/libtprof/_report.py \
  python/libtprof/_shim.py \
  python/libtprof/_start.py \
  python/libtprof/_suspended.py \
  python/libtprof/py.typed

libtprof_pythondir = $(pkgdatadir)/python/libtprof
dist_libtprof_python_DATA = $(libtprof_modules)
