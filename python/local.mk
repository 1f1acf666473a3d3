# SPDX-License-Identifier: GPL-3.0-or-later
#
# The Python module libtprof: it works from any folder in PYTHONPATH, and from a wheel with the
# analyzer in libtprof/bin and the shim in libtprof/lib.

libtprof_modules = \
  python/libtprof/__init__.py \
  python/libtprof/__main__.py \
  python/libtprof/_analyzer.py \
  python/libtprof/_architecture.py \
  python/libtprof/_benchmark.py \
  python/libtprof/_cells.py \
  python/libtprof/_context.py \
  python/libtprof/_flops.py \
  python/libtprof/_hint.py \
  python/libtprof/_kernelspec.py \
  python/libtprof/_marks.py \
  python/libtprof/_memory.py \
  python/libtprof/_models.py \
  python/libtprof/_notebook.py \
  python/libtprof/_performance.py \
  python/libtprof/_pictures.py \
  python/libtprof/_production.py \
  python/libtprof/_regions.py \
  python/libtprof/_report.py \
  python/libtprof/_shim.py \
  python/libtprof/_spans.py \
  python/libtprof/_start.py \
  python/libtprof/_suspended.py \
  python/libtprof/_system.py \
  python/libtprof/_timer.py \
  python/libtprof/py.typed

libtprof_pythondir = $(pkgdatadir)/python/libtprof
dist_libtprof_python_DATA = $(libtprof_modules)
