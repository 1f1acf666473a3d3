# SPDX-License-Identifier: GPL-3.0-or-later

include_HEADERS += shim/tprof.h

# ---- the catalog: text to tables, by a program of the building machine ------

catalog_sources = shim/spec/catalog.c shim/spec/reader.c shim/spec/prototype.c shim/spec/shape.c shim/spec/formula.c shim/spec/evaluate.c
catalog_headers = shim/spec/catalog.h shim/spec/precisions.def shim/spec/reader.h shim/spec/decimal.h shim/spec/formula.h shim/spec/plan.h
generate_sources = shim/spec/generate.c shim/spec/plan.c $(catalog_sources)

# Packed where the building machine has what the analyzer needs.
if PACKS_CATALOG
catalog_packing = -DWITH_ZSTD $(ZSTD_CFLAGS)
catalog_packing_libs = $(ZSTD_LIBS)
endif

shim/spec/generate: $(generate_sources) $(catalog_headers)
	$(AM_V_GEN)$(MKDIR_P) shim/spec && $(CC_FOR_BUILD) -std=gnu11 -O1 -I$(top_srcdir)/shim \
	  $(catalog_packing) -o $@ $(generate_sources:%=$(top_srcdir)/%) -lm $(catalog_packing_libs)

shim/kernels.def: shim/spec/generate $(top_srcdir)/shim/spec/kernels.spec
	$(AM_V_GEN)shim/spec/generate $(top_srcdir)/shim/spec/kernels.spec > $@.new && mv $@.new $@

BUILT_SOURCES += shim/kernels.def
CLEANFILES += shim/kernels.def shim/spec/generate
EXTRA_DIST += shim/spec/kernels.spec shim/spec/generate.c

# ---- libtprof.so --------------------------------------------------------------

lib_LTLIBRARIES += shim/libtprof.la

shim_libtprof_la_SOURCES = \
  shim/adapter/adapter.c shim/adapter/adapter.h shim/adapter/fftw.c shim/adapter/object.c \
  shim/adapter/object.h shim/adapter/onednn.c shim/adapter/onednn.def \
  shim/adapter/onednn_library.c shim/adapter/onednn_library.h shim/adapter/onnxruntime.c \
  shim/cold/budget.c shim/cold/budget.h shim/cold/calls.h shim/cold/cpu.c shim/cold/cpu.h \
  shim/cold/environment.c shim/cold/environment.h shim/cold/facts.c shim/cold/facts.h \
  shim/cold/family.c shim/cold/family.h shim/cold/file.c shim/cold/file.h shim/cold/lanes.c \
  shim/cold/lanes.h shim/cold/leaving.c shim/cold/lock.c shim/cold/lock.h shim/cold/memory.c \
  shim/cold/memory.h shim/cold/notice.c shim/cold/notice.h shim/cold/path.c shim/cold/path.h \
  shim/cold/process.c shim/cold/process.h shim/cold/quote.c shim/cold/quote.h \
  shim/cold/sandbox.c shim/cold/sanitizer.c shim/cold/sanitizer.h shim/cold/settings.c \
  shim/cold/settings.h shim/cold/strings.c shim/cold/strings.h shim/cold/syscall_aarch64.S \
  shim/cold/syscall_x86_64.S shim/cold/threads.c shim/hook/bindings.c shim/hook/bindings.h \
  shim/hook/catalog.c shim/hook/catalog.h shim/hook/deep.c shim/hook/deep.h shim/hook/dl.c \
  shim/hook/elf.c shim/hook/elf.h shim/hook/hook.c shim/hook/hook.h shim/hook/load_map.c \
  shim/hook/load_map.h shim/hook/names.c shim/hook/names.h shim/hook/scope.c shim/hook/scope.h \
  shim/hook/slot.c shim/hook/slot.h shim/hot/alloc.c shim/hot/alloc.h shim/hot/attributes.h \
  shim/hot/binding.h shim/hot/callchain.c shim/hot/callchain.h shim/hot/clock.c \
  shim/hot/clock.h shim/hot/clock_aarch64.h shim/hot/clock_x86_64.h shim/hot/entry.c \
  shim/hot/entry.h shim/hot/entry_aarch64.S shim/hot/entry_layout.h shim/hot/entry_x86_64.S \
  shim/hot/estimate.h shim/hot/extended.c shim/hot/extended.h shim/hot/fixed.h shim/hot/hash.h \
  shim/hot/lane.h shim/hot/mapping.c shim/hot/musl.c shim/hot/musl.h shim/hot/next.c \
  shim/hot/next.def shim/hot/next.h shim/hot/overhead.c shim/hot/overhead.h shim/hot/probe.c \
  shim/hot/probe.h shim/hot/region.c shim/hot/region.h shim/hot/region_clock.c shim/hot/region_clock.h shim/hot/draw.h shim/hot/samples.c shim/hot/samples.h \
  shim/hot/shape.h shim/hot/successors.c shim/hot/successors.h shim/hot/tally.c \
  shim/hot/tally.h shim/hot/unwinder.c shim/hot/unwinder.h shim/hot/vectors.c \
  shim/hot/vectors.h shim/hot/wrappers.c shim/sampler/reading.c shim/sampler/reading.h \
  shim/sampler/snapshot.c shim/sampler/snapshot.h shim/shim.c shim/spec/catalog.c \
  shim/spec/chain_ends.def shim/spec/conditions.def shim/spec/counters.def \
  shim/spec/environment.def shim/spec/event_words.h shim/spec/events.def \
  shim/spec/extended.def shim/spec/facts.def \
  shim/spec/formula.c shim/spec/options.def shim/spec/outcomes.def shim/spec/plan.c \
  shim/spec/prototype.c shim/spec/reader.c shim/spec/readings.def shim/spec/sanitizers.def \
  shim/spec/shape.c shim/spec/streams.def shim/spec/trace.h shim/spec/versions.def \
  shim/tprof.h shim/unwind/cfi.c shim/unwind/cfi.h shim/unwind/machine.h \
  shim/unwind/machine_aarch64.h shim/unwind/machine_x86_64.h shim/unwind/readable.c \
  shim/unwind/readable.h shim/unwind/rule.h shim/unwind/rules.c shim/unwind/rules.h \
  $(catalog_headers)

nodist_shim_libtprof_la_SOURCES = shim/kernels.def

# -fexceptions: a throw or a thread's exit runs the cleanup in a wrapper.
# -fno-builtin-malloc …: ours must not be compiled as if it were libc's.
# NO_PARTITION_CFLAGS: gcc takes the wrappers' hot half for cold.
# LARGE_SOURCES_CFLAGS: else gcc says of the catalog's tables that they are large.
# -fno-tree-slp-vectorize: two words that were stored apart are slow to load as one.
# -O2 last: a call in tail position must be a jump (hook/dl.c).
# NO_AVX_CFLAGS: AVX would clear what hot/vectors.h leaves in the registers.
shim_libtprof_la_CFLAGS = $(AM_CFLAGS) -fvisibility=hidden -fexceptions -O2 -fno-tree-slp-vectorize \
  $(NO_PARTITION_CFLAGS) $(LARGE_SOURCES_CFLAGS) $(NO_AVX_CFLAGS) \
  -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free
shim_libtprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,defs -Wl,-z,now -Wl,-z,relro
# Behind the user's CFLAGS; see m4/tprof.m4.  __memcpy_chk and its like are glibc's alone.
shim/%: CFLAGS += -Wp,-U_FORTIFY_SOURCE $(SHIM_OPTIMIZED_CFLAGS)

# What leaves the floating registers of a call alone.
noinst_LTLIBRARIES += shim/libplain.la
shim_libplain_la_SOURCES = shim/hot/entry_plain.c
shim_libplain_la_CFLAGS = $(shim_libtprof_la_CFLAGS) -mgeneral-regs-only
shim_libtprof_la_LIBADD = shim/libplain.la
