# SPDX-License-Identifier: GPL-3.0-or-later
#
# make fuzz: every parser against any bytes, for FUZZ_SECONDS each, by clang's
# libFuzzer (package libclang-rt-14-dev) under its sanitizers.

FUZZ_SECONDS = 60
FUZZ_TARGETS = catalog session machine packed baseline bench symbols stored map ranges names \
  onednn onnxruntime perf
FUZZ_FLAGS = -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -DFUZZ_LIBFUZZER \
  -DHAVE_CONFIG_H -I. -I$(top_srcdir)/shim -Ishim -I$(top_srcdir)/analyzer -Ianalyzer

EXTRA_DIST += \
  tests/fuzz/fuzz_baseline.c \
  tests/fuzz/fuzz_bench.c \
  tests/fuzz/fuzz_catalog.c \
  tests/fuzz/fuzz_machine.c \
  tests/fuzz/fuzz_map.c \
  tests/fuzz/fuzz_names.c \
  tests/fuzz/fuzz_onednn.c \
  tests/fuzz/fuzz_onnxruntime.c \
  tests/fuzz/fuzz_packed.c \
  tests/fuzz/fuzz_perf.c \
  tests/fuzz/fuzz_ranges.c \
  tests/fuzz/fuzz_session.c \
  tests/fuzz/fuzz_stored.c \
  tests/fuzz/fuzz_symbols.c \
  tests/fuzz/import_log.h

# What each is made of, beside itself.
fuzz_of = $(filter $(1),$(analyzer_libanalyzer_a_SOURCES))
fuzz_catalog_sources = $(catalog_sources)
fuzz_session_sources = $(call fuzz_of,analyzer/reader/%.c analyzer/model/%.c \
  analyzer/statistics/%.c analyzer/base/%.c) $(catalog_sources)
fuzz_packed_sources = $(call fuzz_of,analyzer/reader/%.c analyzer/base/%.c)
fuzz_machine_sources = $(call fuzz_of,analyzer/model/machine%.c analyzer/model/texts.c analyzer/base/%.c)
fuzz_baseline_sources = $(call fuzz_of,%.c) $(catalog_sources)
fuzz_bench_sources = $(fuzz_baseline_sources)
fuzz_symbols_sources = $(fuzz_session_sources)
fuzz_map_sources = $(fuzz_session_sources)
fuzz_ranges_sources = $(call fuzz_of,analyzer/symbols/function_ranges.c analyzer/symbols/intervals.c \
  analyzer/base/%.c)
fuzz_names_sources = $(call fuzz_of,analyzer/symbols/demangle.c analyzer/places/short_name.c \
  analyzer/base/%.c)
fuzz_stored_sources = $(call fuzz_of,analyzer/symbols/stored_symbols.c analyzer/symbols/storage.c \
  analyzer/base/%.c)

fuzz_onednn_sources = $(call fuzz_of,analyzer/import/%.c) $(fuzz_session_sources)
fuzz_onnxruntime_sources = $(fuzz_onednn_sources)
fuzz_perf_sources = $(fuzz_onednn_sources)

# And of what the build makes.
fuzz_baseline_built = $(filter %.c,$(nodist_analyzer_libanalyzer_a_SOURCES))
fuzz_bench_built = $(fuzz_baseline_built)

.PHONY: fuzz
fuzz:
	@for target in $(FUZZ_TARGETS); do $(MAKE) fuzz-$$target || exit; done

fuzz-%: FORCE shim/kernels.def
	$(MKDIR_P) tests/fuzz/corpus_$*
	test -z "$(fuzz_$*_built)" || $(MAKE) $(fuzz_$*_built)
	clang $(FUZZ_FLAGS) -o tests/fuzz/fuzz_$* $(top_srcdir)/tests/fuzz/fuzz_$*.c \
	  $(sort $(fuzz_$*_sources:%=$(top_srcdir)/%)) $(fuzz_$*_built) $(JANSSON_LIBS) $(GSL_LIBS) \
	  $(ELFUTILS_LIBS) $(IBERTY_LIBS) $(ZSTD_LIBS) $(ZLIB_LIBS) $(YAML_LIBS) $(UNWIND_LIBS) \
	  $(NCURSES_LIBS) -lm -lpthread -ldl
	cd tests/fuzz && ./fuzz_$* -max_len=65536 -max_total_time=$(FUZZ_SECONDS) corpus_$*

FORCE:

CLEANFILES += $(FUZZ_TARGETS:%=tests/fuzz/fuzz_%)

clean-local:
	rm -rf $(FUZZ_TARGETS:%=tests/fuzz/corpus_%)
