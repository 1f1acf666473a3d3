# SPDX-License-Identifier: GPL-3.0-or-later
#
# make fuzz: every parser against any bytes, for FUZZ_SECONDS each, by clang's
# libFuzzer (package libclang-rt-14-dev) under its sanitizers.

FUZZ_SECONDS = 60
FUZZ_FLAGS = -std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -DFUZZ_LIBFUZZER \
  -I$(top_srcdir)/shim -I$(top_srcdir)/analyzer

EXTRA_DIST += tests/fuzz/fuzz_catalog.c tests/fuzz/fuzz_machine.c tests/fuzz/fuzz_packed.c tests/fuzz/fuzz_session.c

fuzz_session_sources = tests/fuzz/fuzz_session.c $(filter analyzer/reader/%.c analyzer/model/%.c \
  analyzer/base/%.c,$(analyzer_libanalyzer_a_SOURCES)) $(catalog_sources)
fuzz_packed_sources = tests/fuzz/fuzz_packed.c $(filter analyzer/reader/%.c analyzer/base/%.c, \
  $(analyzer_libanalyzer_a_SOURCES))
fuzz_machine_sources = tests/fuzz/fuzz_machine.c $(filter analyzer/model/machine%.c analyzer/base/%.c, \
  $(analyzer_libanalyzer_a_SOURCES))
fuzz_catalog_sources = tests/fuzz/fuzz_catalog.c $(catalog_sources)

.PHONY: fuzz
fuzz:
	$(MKDIR_P) tests/fuzz/corpus_session tests/fuzz/corpus_catalog tests/fuzz/corpus_packed tests/fuzz/corpus_machine
	clang $(FUZZ_FLAGS) -o tests/fuzz/fuzz_catalog $(fuzz_catalog_sources:%=$(top_srcdir)/%) -lm
	clang $(FUZZ_FLAGS) -o tests/fuzz/fuzz_session $(fuzz_session_sources:%=$(top_srcdir)/%) \
	  $(JANSSON_LIBS) $(ELFUTILS_LIBS) $(IBERTY_LIBS) $(ZSTD_LIBS) -lm
	clang $(FUZZ_FLAGS) -o tests/fuzz/fuzz_packed $(fuzz_packed_sources:%=$(top_srcdir)/%) $(ZSTD_LIBS)
	clang $(FUZZ_FLAGS) -o tests/fuzz/fuzz_machine $(fuzz_machine_sources:%=$(top_srcdir)/%) $(JANSSON_LIBS) -lm
	cd tests/fuzz && ./fuzz_catalog -max_total_time=$(FUZZ_SECONDS) corpus_catalog
	cd tests/fuzz && ./fuzz_session -max_total_time=$(FUZZ_SECONDS) corpus_session
	cd tests/fuzz && ./fuzz_machine -max_total_time=$(FUZZ_SECONDS) corpus_machine
	cd tests/fuzz && ./fuzz_packed -max_len=65536 -max_total_time=$(FUZZ_SECONDS) corpus_packed

CLEANFILES += tests/fuzz/fuzz_catalog tests/fuzz/fuzz_machine tests/fuzz/fuzz_packed tests/fuzz/fuzz_session

clean-local:
	rm -rf tests/fuzz/corpus_session tests/fuzz/corpus_catalog tests/fuzz/corpus_packed tests/fuzz/corpus_machine
