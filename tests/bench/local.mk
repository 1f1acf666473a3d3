# SPDX-License-Identifier: GPL-3.0-or-later
#
# make bench: what recording costs on this machine, as ratios, and how fast
# traces are read.

check_LTLIBRARIES += \
  tests/bench/libkernel.la \
  tests/bench/libplanted.la \
  tests/bench/libwide.la
EXTRA_PROGRAMS = \
  tests/bench/bench_alloc \
  tests/bench/bench_calls \
  tests/bench/bench_probe \
  tests/bench/bench_ranges \
  tests/bench/draws \
  tests/bench/live_frames \
  tests/bench/long_run \
  tests/bench/make_trace \
  tests/bench/planted \
  tests/bench/wide
CLEANFILES += \
  tests/bench/bench_alloc \
  tests/bench/bench_calls \
  tests/bench/bench_gemm \
  tests/bench/bench_probe \
  tests/bench/bench_ranges \
  tests/bench/draws \
  tests/bench/live_frames \
  tests/bench/long_run \
  tests/bench/make_trace \
  tests/bench/planted \
  tests/bench/wide
EXTRA_DIST += \
  tests/bench/bench.kernels \
  tests/bench/budgets.py \
  tests/bench/budgets/classes.awk \
  tests/bench/budgets/objects.py \
  tests/bench/budgets/programs.table \
  tests/bench/budgets/resnet.py \
  tests/bench/budgets/training.py \
  tests/bench/covered.sh \
  tests/bench/diagnose.sh \
  tests/bench/export.sh \
  tests/bench/drawn_leaks.py \
  tests/bench/gate.sh \
  tests/bench/live.sh \
  tests/bench/long.sh \
  tests/bench/memory.sh \
  tests/bench/named.sh \
  tests/bench/named/arrays.py \
  tests/bench/named/learning.py \
  tests/bench/named/lstm.py \
  tests/bench/named/model.R \
  tests/bench/named/model.m \
  tests/bench/named/programs.table \
  tests/bench/named/resnet.py \
  tests/bench/named/science.py \
  tests/bench/named/transformer.py \
  tests/bench/named/vision.py \
  tests/bench/resident/cases.c \
  tests/bench/resident/cases.py \
  tests/bench/resident/containers.cc \
  tests/bench/resident/moment.h \
  tests/bench/resident/resident.py \
  tests/bench/marks.py \
  tests/bench/page_speed.py \
  tests/bench/planted.kernels \
  tests/bench/ratio.sh \
  tests/bench/replay.sh \
  tests/bench/report.sh \
  tests/bench/scale.sh

tests_bench_libkernel_la_SOURCES = tests/bench/bench_kernel.c tests/bench/bench_kernel.h
tests_bench_libkernel_la_CFLAGS = $(STRICT_CFLAGS)
tests_bench_libkernel_la_LDFLAGS = -avoid-version -shared -rpath /nowhere

tests_bench_bench_probe_SOURCES = tests/bench/bench_kernel.h tests/bench/bench_probe.c
tests_bench_bench_probe_CFLAGS = $(STRICT_CFLAGS) -O2
tests_bench_bench_probe_LDADD = tests/bench/libkernel.la
tests_bench_bench_probe_LDFLAGS = -no-install

tests_bench_bench_ranges_SOURCES = tests/bench/bench_ranges.c
tests_bench_bench_ranges_CFLAGS = -std=gnu11 -O2
tests_bench_bench_ranges_LDADD = -ldl

tests_bench_libplanted_la_SOURCES = tests/bench/planted.h tests/bench/planted_kernels.c
tests_bench_libplanted_la_CFLAGS = $(STRICT_CFLAGS) -O2
tests_bench_libplanted_la_LDFLAGS = -avoid-version -shared -rpath /nowhere

tests_bench_planted_SOURCES = tests/bench/planted.c tests/bench/planted.h
tests_bench_planted_CFLAGS = $(STRICT_CFLAGS) -O2
tests_bench_planted_LDADD = tests/bench/libplanted.la
tests_bench_planted_LDFLAGS = -no-install

tests_bench_libwide_la_SOURCES = tests/bench/bench_kernel.h tests/bench/wide_library.c
tests_bench_libwide_la_CFLAGS = $(STRICT_CFLAGS)
# A library that needs one by its .la cannot be built in a folder with a space in its name.
tests_bench_libwide_la_LDFLAGS = -avoid-version -shared -rpath /nowhere \
  -Wl,tests/bench/.libs/libkernel.so
tests_bench_libwide_la_DEPENDENCIES = tests/bench/libkernel.la

tests_bench_wide_SOURCES = tests/bench/bench_kernel.h tests/bench/wide.c
tests_bench_wide_CFLAGS = $(STRICT_CFLAGS) -O1 -fno-builtin -fno-optimize-sibling-calls
tests_bench_wide_LDADD = tests/bench/libkernel.la -lpthread -ldl
tests_bench_wide_LDFLAGS = -no-install

tests_bench_bench_calls_SOURCES = tests/bench/bench_calls.c tests/bench/bench_kernel.h
tests_bench_bench_calls_CFLAGS = $(STRICT_CFLAGS) -O2
tests_bench_bench_calls_LDADD = tests/bench/libkernel.la
tests_bench_bench_calls_LDFLAGS = -no-install

tests_bench_live_frames_SOURCES = tests/bench/live_frames.c
tests_bench_live_frames_CFLAGS = $(STRICT_CFLAGS)
tests_bench_live_frames_LDADD = $(analyzer_libs)
tests_bench_make_trace_SOURCES = tests/bench/make_trace.c
tests_bench_make_trace_CFLAGS = $(STRICT_CFLAGS) -O2

tests_bench_draws_SOURCES = \
  tests/bench/draws.c \
  tests/bench/thinner.c \
  tests/bench/thinner.h
tests_bench_draws_LDADD = $(analyzer_libs)

tests_bench_long_run_SOURCES = tests/bench/long_run.c
tests_bench_long_run_CFLAGS = $(STRICT_CFLAGS) -O1 -fno-builtin -fno-optimize-sibling-calls

tests_bench_bench_alloc_SOURCES = tests/bench/bench_alloc.c
tests_bench_bench_alloc_CFLAGS = $(STRICT_CFLAGS) -O2 -fno-builtin -fno-optimize-sibling-calls
tests_bench_bench_alloc_LDADD = -lpthread

bench_programs = tests/bench/bench_probe tests/bench/bench_ranges
bench_shim = TPROF_OUTPUT=tests/bench/bench.tprof TPROF_QUIET=yes \
  TPROF_KERNELS=$(abs_top_srcdir)/tests/bench/bench.kernels \
  LD_PRELOAD=$(abs_top_builddir)/shim/.libs/libtprof.so

if HAVE_CBLAS
EXTRA_PROGRAMS += tests/bench/bench_gemm
bench_programs += tests/bench/bench_gemm
tests_bench_bench_gemm_SOURCES = tests/bench/bench_gemm.c
tests_bench_bench_gemm_CPPFLAGS = $(plain_cppflags) $(BLAS_CFLAGS)
tests_bench_bench_gemm_CFLAGS = $(STRICT_CFLAGS) -O2
tests_bench_bench_gemm_LDADD = $(BLAS_LIBS)
endif

# The programs run alone: without the shim, and with it.
if BUILD_ANALYZER
bench_analyzer = bench-replay
endif

.PHONY: bench bench-live bench-programs bench-replay
bench: bench-programs $(bench_analyzer)

bench-programs: $(bench_programs) shim/libtprof.la samples/transformer
	@echo "without the shim"; tests/bench/bench_probe
	@for program in $(bench_programs); do \
	  echo; echo "with the shim: $$program"; \
	  env OPENBLAS_NUM_THREADS=1 $(bench_shim) $$program; done
	@rm -f tests/bench/bench.tprof*
	@echo; echo "the Transformer, whole runs"
	@OPENBLAS_NUM_THREADS=1 sh $(top_srcdir)/tests/bench/ratio.sh 11 \
	  $(abs_top_builddir)/shim/.libs/libtprof.so samples/transformer

# FRAMES of a trace that reuses its chunks: none is torn.
bench-live: tests/bench/live_frames tests/system/watched shim/libtprof.la
	@sh $(top_srcdir)/tests/bench/live.sh $(abs_top_builddir)/shim/.libs/libtprof.so \
	  tests/system/watched tests/bench/live_frames $(or $(FRAMES),100000)

bench-replay: tests/bench/make_trace tests/bench/bench_calls shim/libtprof.la analyzer/tprof
	@echo; echo "the analyzer: from the trace to the session"
	@sh $(top_srcdir)/tests/bench/replay.sh 7 tests/bench/make_trace analyzer/tprof
	@$(bench_shim) tests/bench/bench_calls 10000000
	@sh $(top_srcdir)/tests/bench/report.sh 7 analyzer/tprof tests/bench/bench.tprof
	@rm -f tests/bench/bench.tprof

# Each of 10^7 calls in each format of tprof export.
.PHONY: bench-export
bench-export: tests/bench/bench_calls shim/libtprof.la analyzer/tprof
	@env TPROF_OVERHEAD=none TPROF_DISK=none $(bench_shim) tests/bench/bench_calls 10000000
	@sh $(top_srcdir)/tests/bench/export.sh 3 analyzer/tprof tests/bench/bench.tprof
	@rm -f tests/bench/bench.tprof

# Scripts of a page in Chromium: make bench-page PAGE=run.html, or the page of a sample.
.PHONY: bench-page
bench-page: shim/libtprof.la analyzer/tprof samples/transformer_annotated
	@test -n "$(PAGE)" || { TPROF_SAMPLE=on $(bench_shim) samples/transformer_annotated --steps 50 \
	  >/dev/null && analyzer/tprof html -f -o tests/bench/page.html tests/bench/bench.tprof; }
	@python3 $(top_srcdir)/tests/bench/page_speed.py $(or $(PAGE),tests/bench/page.html)
	@rm -f tests/bench/page.html tests/bench/bench.tprof

# Resident memory by part, against 32 programs that know theirs:
# make bench-resident RESIDENT_OPTIONS="--wheels=PYTHON --run=--exact fragments"
.PHONY: bench-resident
bench-resident: analyzer/tprof shim/libtprof.la
	@$(CC) -O1 -I$(top_srcdir)/shim -o tests/bench/resident_cases \
	  $(top_srcdir)/tests/bench/resident/cases.c -lpthread
	@$(CXX) -O1 -I$(top_srcdir)/shim -o tests/bench/resident_containers \
	  $(top_srcdir)/tests/bench/resident/containers.cc
	@python3 $(top_srcdir)/tests/bench/resident/resident.py analyzer/tprof \
	  tests/bench/resident_cases tests/bench/resident_containers $(RESIDENT_OPTIONS)
	@rm -f tests/bench/resident_cases tests/bench/resident_containers

# Allocations: pairs of malloc and free, and real programs that are installed.
.PHONY: bench-memory
bench-memory: tests/bench/bench_alloc shim/libtprof.la
	@sh $(top_srcdir)/tests/bench/memory.sh 7 $(abs_top_builddir)/shim/.libs/libtprof.so \
	  $(abs_top_builddir)/tests/bench/bench_alloc $(CASES)

# The Python module, its import and its regions: make bench-marks PYTHONS="python3.9 python3.13"
.PHONY: bench-marks
bench-marks: shim/libtprof.la analyzer/tprof
	@python3 $(top_srcdir)/tests/bench/marks.py analyzer/tprof $(PYTHONS)

# Whether the intervals of sampled time hold the truth: make bench-covered RUNS=60
RUNS = 60
.PHONY: bench-covered
bench-covered: tests/system/time_shares shim/libtprof.la analyzer/tprof
	@sh $(top_srcdir)/tests/bench/covered.sh $(RUNS) analyzer/tprof \
	  $(abs_top_builddir)/shim/.libs/libtprof.so tests/system/time_shares

# How much of the processor time of other people's programs has a name: make bench-named CASES=r
.PHONY: bench-named
bench-named: shim/libtprof.la analyzer/tprof
	@sh $(top_srcdir)/tests/bench/named.sh analyzer/tprof $(CASES)

# How the time of the analyzer's commands grows with what a trace has very many of.
.PHONY: bench-scale
bench-scale: tests/bench/wide tests/bench/libwide.la shim/libtprof.la analyzer/tprof
	@sh $(top_srcdir)/tests/bench/scale.sh $(abs_top_builddir)/shim/.libs/libtprof.so \
	  $(abs_top_builddir)/tests/bench/wide $(abs_top_builddir)/tests/bench/.libs/libwide.so \
	  $(abs_top_builddir)/analyzer/tprof

# What the gate catches: make bench-gate ROUNDS=1000 GATES=100
.PHONY: bench-gate
ROUNDS = 200
GATES = 100
bench-gate: tests/bench/planted shim/libtprof.la analyzer/tprof
	@sh $(top_srcdir)/tests/bench/gate.sh $(ROUNDS) $(GATES) \
	  $(abs_top_builddir)/shim/.libs/libtprof.so $(abs_top_builddir)/tests/bench/planted \
	  $(abs_top_builddir)/analyzer/tprof

# Findings against what is planted and repaired: MACHINE=FILE is a calibration, else this
# machine is measured first; ROWS is a pattern of findings.  BY=processor where other programs run.
.PHONY: bench-diagnose
bench-diagnose: all tests/system/phenomena
	@TPROF=$(abs_top_builddir)/analyzer/tprof SAMPLES=$(abs_top_builddir)/samples \
	  PROGRAMS=$(abs_top_builddir)/tests/system srcdir=$(top_srcdir) CC='$(CC)' \
	  bash $(top_srcdir)/tests/bench/diagnose.sh 9 $(top_srcdir)/tests/system/plants.table '$(MACHINE)' '$(ROWS)'

# A long run within the budgets: make bench-long RUN='pairs 5e9', 'leak 65536 2e8 1800'
.PHONY: bench-long
RUN = pairs 1e8
bench-long: tests/bench/long_run shim/libtprof.la analyzer/tprof
	@bash $(top_srcdir)/tests/bench/long.sh $(abs_top_builddir)/analyzer/tprof \
	  $(abs_top_builddir)/shim/.libs/libtprof.so $(abs_top_builddir)/tests/bench/long_run $(RUN)

# What the default budgets leave of the time of real programs, and what is told of it:
# make bench-budgets PAIRS=5 LENGTHS="20 60" CASES="training objects"
.PHONY: bench-budgets
PAIRS = 5
LENGTHS = 20 60
bench-budgets: shim/libtprof.la analyzer/tprof
	@for seconds in $(LENGTHS); do \
	  python3 $(top_srcdir)/tests/bench/budgets.py analyzer/tprof \
	    $(abs_top_builddir)/shim/.libs/libtprof.so $(PAIRS) $$seconds $(CASES) || exit 1; done
