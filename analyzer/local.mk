# SPDX-License-Identifier: GPL-3.0-or-later
#
# The analyzer: one library of its own, which the unit tests link too, and
# the program.

noinst_LIBRARIES += analyzer/libanalyzer.a
bin_PROGRAMS += analyzer/tprof

analyzer_libanalyzer_a_SOURCES = \
  analyzer/base/array.c analyzer/base/array.h analyzer/base/attributes.h analyzer/base/hash.h \
  analyzer/base/status.c analyzer/base/status.h analyzer/base/text.c analyzer/base/text.h \
  analyzer/base/text_list.c analyzer/base/text_list.h analyzer/base/units.c analyzer/base/units.h \
  analyzer/base/utf8.c analyzer/base/utf8.h \
  analyzer/reader/append.c analyzer/reader/append.h analyzer/reader/coding.h analyzer/reader/copy.c analyzer/reader/copy.h \
  analyzer/reader/cursor.c analyzer/reader/cursor.h analyzer/reader/index.c analyzer/reader/index.h \
  analyzer/reader/merge.c analyzer/reader/merge.h analyzer/reader/packed.c analyzer/reader/packed.h \
  analyzer/reader/packer.c analyzer/reader/packer.h analyzer/reader/reader.c analyzer/reader/reader.h \
  analyzer/model/chains.c analyzer/model/chains.h analyzer/model/mappings.c analyzer/model/mappings.h \
  analyzer/model/modules.c analyzer/model/modules.h analyzer/model/moments.c analyzer/model/moments.h \
  analyzer/model/sites.c analyzer/model/sites.h \
  analyzer/model/clock.c analyzer/model/clock.h analyzer/model/events.c analyzer/model/events.h \
  analyzer/model/debug_info.c analyzer/model/debug_info.h \
  analyzer/model/facts.c analyzer/model/facts.h analyzer/model/heap.c analyzer/model/heap.h \
  analyzer/model/id_map.c analyzer/model/id_map.h analyzer/model/losses.c analyzer/model/losses.h analyzer/model/peaks.c analyzer/model/peaks.h \
  analyzer/model/process.c analyzer/model/process.h analyzer/model/session.c analyzer/model/session.h analyzer/model/storage.c analyzer/model/storage.h \
  analyzer/model/intervals.c analyzer/model/intervals.h analyzer/model/module_file.c analyzer/model/module_file.h \
  analyzer/model/module_symbols.c analyzer/model/module_symbols.h \
  analyzer/model/symbol_table.c analyzer/model/symbol_table.h analyzer/model/symbols.c analyzer/model/symbols.h \
  analyzer/model/tallies.c analyzer/model/tallies.h \
  analyzer/analysis/by.def analyzer/analysis/measures.def analyzer/analysis/plumbing.def \
  analyzer/analysis/hiding.def analyzer/analysis/heap_course.c analyzer/analysis/heap_course.h \
  analyzer/analysis/heap_rows.c analyzer/analysis/heap_rows.h analyzer/analysis/heap_sums.c \
  analyzer/analysis/heap_sums.h analyzer/analysis/leak_sites.c analyzer/analysis/leak_steps.c \
  analyzer/analysis/leak_verdict.c analyzer/analysis/leak_verdict.h analyzer/analysis/leaks.c \
  analyzer/analysis/leaks_parts.h analyzer/analysis/memory_diff.c analyzer/analysis/memory_facts.c \
  analyzer/analysis/memory_head.c analyzer/analysis/memory_histograms.c \
  analyzer/analysis/memory_parts.h analyzer/analysis/memory_sites.c analyzer/analysis/memory_tables.c \
  analyzer/analysis/memory_timeline.c analyzer/analysis/memory_tree.c analyzer/analysis/places.c \
  analyzer/analysis/places.h analyzer/analysis/suppressions.c analyzer/analysis/suppressions.h \
  analyzer/analysis/trend.c analyzer/analysis/trend.h analyzer/analysis/wildcard.c \
  analyzer/analysis/wildcard.h \
  analyzer/analysis/analyses.def analyzer/analysis/analysis.c analyzer/analysis/analysis.h \
  analyzer/analysis/coverage.c analyzer/analysis/coverage_gather.c analyzer/analysis/coverage_names.c \
  analyzer/analysis/coverage_parts.h analyzer/analysis/libraries.def analyzer/analysis/document.c analyzer/analysis/document.h \
  analyzer/analysis/fields.c analyzer/analysis/fields.h analyzer/analysis/flops.c \
  analyzer/analysis/compute.c analyzer/analysis/compute.h analyzer/analysis/flops_insights.c \
  analyzer/analysis/flops_parts.h analyzer/analysis/flops_regions.c analyzer/analysis/flops_rows.c \
  analyzer/analysis/role_shapes.c analyzer/analysis/role_shapes.h analyzer/analysis/role_words.def \
  analyzer/analysis/roles.c analyzer/analysis/roles.def analyzer/analysis/roles.h \
  analyzer/analysis/slots.c analyzer/analysis/slots.h analyzer/analysis/top.c \
  analyzer/analysis/groups.c analyzer/analysis/groups.h analyzer/analysis/info.c \
  analyzer/analysis/kernel_rows.c analyzer/analysis/kernel_rows.h analyzer/analysis/memory.c \
  analyzer/analysis/plot.c analyzer/analysis/plot.h analyzer/analysis/regions.c analyzer/analysis/report.c analyzer/analysis/report.h \
  analyzer/analysis/report_facts.c analyzer/analysis/report_parts.h analyzer/analysis/report_screen.c \
  analyzer/analysis/statistics.c analyzer/analysis/statistics.h analyzer/analysis/table.c \
  analyzer/analysis/table.h analyzer/analysis/timing.c \
  analyzer/render/cell.c analyzer/render/cell.h analyzer/render/csv.c analyzer/render/display.c \
  analyzer/render/display.h analyzer/render/json.c analyzer/render/layout.c analyzer/render/layout.h \
  analyzer/render/markdown.c analyzer/render/plot.c analyzer/render/plot.h analyzer/render/plain.c analyzer/render/render.c analyzer/render/render.h \
  analyzer/render/renderers.def analyzer/render/terminal.c analyzer/render/terminal.h \
  analyzer/calc/attention.c analyzer/calc/calc.c analyzer/calc/calc.h analyzer/calc/convolution.c \
  analyzer/calc/document.c analyzer/calc/matmul.c analyzer/calc/mlp.c analyzer/calc/operations.def \
  analyzer/calc/parts.c analyzer/calc/parts.h analyzer/calc/recurrent.c analyzer/calc/transformer.c \
  analyzer/calc/types.def \
  analyzer/machine/calibrate.c analyzer/machine/calibrate.h analyzer/machine/gemm.c \
  analyzer/machine/gemm.h analyzer/machine/loop_set.h analyzer/machine/loops.c \
  analyzer/machine/loops.h analyzer/machine/processors.c analyzer/machine/processors.h \
  analyzer/machine/quiet.c analyzer/machine/quiet.h analyzer/machine/sets.def \
  analyzer/machine/team.c analyzer/machine/team.h analyzer/machine/trials.c analyzer/machine/trials.h \
  analyzer/model/machine.c analyzer/model/machine.h analyzer/model/machine_facts.def \
  analyzer/model/machine_file.c analyzer/model/machine_file.h analyzer/model/machine_store.c \
  analyzer/model/machine_streams.def \
  analyzer/model/precisions.def \
  analyzer/analysis/counter_rows.c analyzer/analysis/counter_rows.h analyzer/analysis/judge.c analyzer/analysis/judge.h analyzer/analysis/kernel_precision.c \
  analyzer/analysis/kernel_precision.h analyzer/analysis/kernel_prefixes.def \
  analyzer/analysis/machine_report.c analyzer/analysis/machine_report.h \
  analyzer/analysis/roofline.c analyzer/analysis/roofline_head.c analyzer/analysis/roofline_parts.h \
  analyzer/analysis/roofline_plot.c analyzer/analysis/utilization.c analyzer/analysis/utilization.h \
  analyzer/render/scatter.c analyzer/render/scatter.h \
  shim/cold/cpu.c shim/cold/cpu.h \
  $(catalog_sources) $(catalog_headers)

analyzer_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/analyzer $(JANSSON_CFLAGS) $(GSL_CFLAGS) \
  $(ELFUTILS_CFLAGS) $(ZSTD_CFLAGS)
analyzer_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
analyzer_libs = analyzer/libanalyzer.a $(JANSSON_LIBS) $(GSL_LIBS) $(ELFUTILS_LIBS) $(IBERTY_LIBS) \
  $(ZSTD_LIBS) -lm -lpthread -ldl

analyzer_libanalyzer_a_CPPFLAGS = $(analyzer_cppflags)
analyzer_libanalyzer_a_CFLAGS = $(analyzer_cflags)

analyzer_tprof_SOURCES = \
  analyzer/main.c analyzer/commands.def analyzer/cmd/cmd.h analyzer/cmd/analysis.c \
  analyzer/cmd/calibrate.c analyzer/cmd/counter_events.def analyzer/cmd/counters.c \
  analyzer/cmd/counters.h analyzer/cmd/dump.c analyzer/cmd/flops_calc.c analyzer/cmd/ending.c analyzer/cmd/ending.h \
  analyzer/cmd/kernels.c analyzer/cmd/list.c analyzer/cmd/machine.c analyzer/cmd/options.c analyzer/cmd/options.def \
  analyzer/cmd/output.c analyzer/cmd/pack.c analyzer/cmd/progress.c \
  analyzer/cmd/report.c analyzer/cmd/run.c analyzer/cmd/target.c analyzer/cmd/target.h analyzer/cmd/launch.c analyzer/cmd/launch.h \
  analyzer/cmd/trial.c analyzer/cmd/trial.h
analyzer_tprof_CPPFLAGS = $(analyzer_cppflags) -DLIBDIR='"$(libdir)"'
analyzer_tprof_CFLAGS = $(analyzer_cflags)
analyzer_tprof_LDADD = $(analyzer_libs)
