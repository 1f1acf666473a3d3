# SPDX-License-Identifier: GPL-3.0-or-later
#
# The analyzer: one library of its own, which the unit tests link too, and
# the program.

noinst_LIBRARIES += analyzer/libanalyzer.a
bin_PROGRAMS += analyzer/tprof

# The shim's catalog and what it knows of the processor.
analyzer_libanalyzer_a_SOURCES = \
  shim/platform/cpu.c shim/platform/cpu.h $(catalog_headers) $(catalog_sources)

# base/: nothing of tprof.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/base/array.c analyzer/base/array.h analyzer/base/attributes.h analyzer/base/hash.h \
  analyzer/base/nearest.c analyzer/base/nearest.h analyzer/base/status.c \
  analyzer/base/status.h analyzer/base/text.c analyzer/base/text.h analyzer/base/text_index.c \
  analyzer/base/text_index.h analyzer/base/text_list.c analyzer/base/text_list.h \
  analyzer/base/units.c analyzer/base/units.h analyzer/base/utf8.c analyzer/base/utf8.h \
  analyzer/base/whole_file.c analyzer/base/whole_file.h

# statistics/: samples, their comparison and their growth.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/statistics/batches.c analyzer/statistics/batches.h \
  analyzer/statistics/differences.c analyzer/statistics/differences.h \
  analyzer/statistics/fit.c analyzer/statistics/fit.h analyzer/statistics/histogram.c \
  analyzer/statistics/histogram.h analyzer/statistics/interval.h analyzer/statistics/modes.c \
  analyzer/statistics/modes.h analyzer/statistics/multiple.c analyzer/statistics/multiple.h \
  analyzer/statistics/orders.def analyzer/statistics/partial.c \
  analyzer/statistics/partial.h analyzer/statistics/percentile.c \
  analyzer/statistics/percentile.h analyzer/statistics/percentiles.def \
  analyzer/statistics/rank_sums.c analyzer/statistics/rank_sums.h analyzer/statistics/ranks.c \
  analyzer/statistics/ranks.h analyzer/statistics/selection.c analyzer/statistics/selection.h \
  analyzer/statistics/steadiness.c analyzer/statistics/steadiness.h \
  analyzer/statistics/summary.c analyzer/statistics/summary.h analyzer/statistics/trend.c \
  analyzer/statistics/trend.h analyzer/statistics/two_means.c \
  analyzer/statistics/two_samples.c analyzer/statistics/two_samples.h

# reader/: bytes to events.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/reader/append.c analyzer/reader/append.h analyzer/reader/coding.h \
  analyzer/reader/copy.c analyzer/reader/copy.h analyzer/reader/cursor.c \
  analyzer/reader/cursor.h analyzer/reader/index.c analyzer/reader/index.h \
  analyzer/reader/merge.c analyzer/reader/merge.h analyzer/reader/packed.c \
  analyzer/reader/packed.h analyzer/reader/packer.c analyzer/reader/packer.h \
  analyzer/reader/reader.c analyzer/reader/reader.h

# model/: events to a session; machines.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/model/chains.c analyzer/model/chains.h analyzer/model/clock.c \
  analyzer/model/clock.h analyzer/model/course.c analyzer/model/course.h \
  analyzer/model/debug_info.c analyzer/model/debug_info.h analyzer/model/estimates.c \
  analyzer/model/estimates.h analyzer/model/events.c analyzer/model/events.h \
  analyzer/model/region_cpu.c analyzer/model/region_cpu.h \
  analyzer/model/facts.c analyzer/model/facts.h analyzer/model/heap.c analyzer/model/heap.h \
  analyzer/model/id_map.c analyzer/model/id_map.h analyzer/model/intervals.c \
  analyzer/model/intervals.h analyzer/model/known_machines.c analyzer/model/known_machines.def \
  analyzer/model/known_machines.h analyzer/model/losses.c analyzer/model/losses.h \
  analyzer/model/machine.c analyzer/model/machine.h analyzer/model/machine_facts.def \
  analyzer/model/machine_file.c analyzer/model/machine_file.h analyzer/model/machine_store.c \
  analyzer/model/machine_streams.def analyzer/model/mappings.c analyzer/model/mappings.h \
  analyzer/model/marks.c analyzer/model/marks.h analyzer/model/module_file.c \
  analyzer/model/module_file.h analyzer/model/module_symbols.c analyzer/model/module_symbols.h \
  analyzer/model/modules.c analyzer/model/modules.h analyzer/model/moments.c \
  analyzer/model/moments.h analyzer/model/peaks.c analyzer/model/peaks.h \
  analyzer/model/process.c analyzer/model/process.h analyzer/model/session.c \
  analyzer/model/session.h analyzer/model/sites.c analyzer/model/sites.h \
  analyzer/model/storage.c analyzer/model/storage.h analyzer/model/stored_symbols.c \
  analyzer/model/stored_symbols.h analyzer/model/symbol_table.c analyzer/model/symbol_table.h \
  analyzer/model/symbols.c analyzer/model/symbols.h analyzer/model/tallies.c \
  analyzer/model/tallies.h analyzer/model/wrap_list.c analyzer/model/wrap_list.h

# machine/: measuring this machine.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/machine/calibrate.c analyzer/machine/calibrate.h analyzer/machine/conditions.c \
  analyzer/machine/conditions.h analyzer/machine/control_groups.c \
  analyzer/machine/control_groups.h analyzer/machine/dot_loop.h analyzer/machine/dots.def \
  analyzer/machine/gemm.c analyzer/machine/gemm.h analyzer/machine/loop_set.h \
  analyzer/machine/loops.c analyzer/machine/loops.h analyzer/machine/meters.c \
  analyzer/machine/meters.h analyzer/machine/processors.c analyzer/machine/processors.h \
  analyzer/machine/quiet.c analyzer/machine/quiet.h analyzer/machine/sets.def \
  analyzer/machine/team.c analyzer/machine/team.h analyzer/machine/trials.c \
  analyzer/machine/trials.h

# calc/: FLOPs without a trace.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/calc/attention.c analyzer/calc/calc.c analyzer/calc/calc.h \
  analyzer/calc/convolution.c analyzer/calc/document.c analyzer/calc/matmul.c \
  analyzer/calc/mlp.c analyzer/calc/operations.def analyzer/calc/parts.c analyzer/calc/parts.h \
  analyzer/calc/recurrent.c analyzer/calc/taps.c analyzer/calc/taps.h \
  analyzer/calc/transformer.c analyzer/calc/types.def

# analysis/: a session to tables.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/analyses.def analyzer/analysis/analysis.c analyzer/analysis/analysis.h \
  analyzer/analysis/by.def analyzer/analysis/checks.c analyzer/analysis/checks.def \
  analyzer/analysis/checks.h analyzer/analysis/checks_trace.c analyzer/analysis/counter_rows.c \
  analyzer/analysis/counter_rows.h analyzer/analysis/document.c analyzer/analysis/document.h \
  analyzer/analysis/fields.c analyzer/analysis/fields.h analyzer/analysis/info.c \
  analyzer/analysis/loss_words.c analyzer/analysis/loss_words.h analyzer/analysis/name_notes.c \
  analyzer/analysis/name_notes.h analyzer/analysis/plot.c analyzer/analysis/plot.h \
  analyzer/analysis/regions.c analyzer/analysis/report.c analyzer/analysis/report.h \
  analyzer/analysis/report_facts.c analyzer/analysis/report_parts.h \
  analyzer/analysis/report_screen.c analyzer/analysis/report_sums.c \
  analyzer/analysis/runtimes.c analyzer/analysis/runtimes.def analyzer/analysis/runtimes.h \
  analyzer/analysis/table.c analyzer/analysis/table.h analyzer/analysis/wildcard.c \
  analyzer/analysis/wildcard.h

# analysis/kernels/: time, FLOPs, roofs, coverage.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/kernels/blas_products.def analyzer/analysis/kernels/calls.c \
  analyzer/analysis/kernels/calls.h analyzer/analysis/kernels/compute.c \
  analyzer/analysis/kernels/compute.h analyzer/analysis/kernels/coverage.c \
  analyzer/analysis/kernels/coverage_gather.c analyzer/analysis/kernels/coverage_names.c \
  analyzer/analysis/kernels/coverage_parts.h analyzer/analysis/kernels/flops.c \
  analyzer/analysis/kernels/flops_insights.c analyzer/analysis/kernels/flops_parts.h \
  analyzer/analysis/kernels/flops_regions.c analyzer/analysis/kernels/flops_rows.c \
  analyzer/analysis/kernels/group_samples.c analyzer/analysis/kernels/group_samples.h \
  analyzer/analysis/kernels/groups.c analyzer/analysis/kernels/groups.h \
  analyzer/analysis/kernels/inner.c analyzer/analysis/kernels/inner.h \
  analyzer/analysis/kernels/judge.c analyzer/analysis/kernels/judge.h \
  analyzer/analysis/kernels/kernel_precision.c analyzer/analysis/kernels/kernel_precision.h \
  analyzer/analysis/kernels/kernel_prefixes.def analyzer/analysis/kernels/kernel_rows.c \
  analyzer/analysis/kernels/kernel_rows.h analyzer/analysis/kernels/lapack.c \
  analyzer/analysis/kernels/lapack.h analyzer/analysis/kernels/libraries.def \
  analyzer/analysis/kernels/machine_report.c analyzer/analysis/kernels/machine_report.h \
  analyzer/analysis/kernels/makers.c analyzer/analysis/kernels/makers.def \
  analyzer/analysis/kernels/makers.h analyzer/analysis/kernels/recompute_words.def \
  analyzer/analysis/kernels/moves.c analyzer/analysis/kernels/moves.def \
  analyzer/analysis/kernels/moves.h \
  analyzer/analysis/kernels/padding.c analyzer/analysis/kernels/padding.def \
  analyzer/analysis/kernels/padding.h \
  analyzer/analysis/kernels/role_batches.c analyzer/analysis/kernels/role_batches.h \
  analyzer/analysis/kernels/role_convolved.c analyzer/analysis/kernels/role_convolved.h \
  analyzer/analysis/kernels/role_families.c analyzer/analysis/kernels/role_families.h \
  analyzer/analysis/kernels/role_shapes.c analyzer/analysis/kernels/role_shapes.h \
  analyzer/analysis/kernels/role_splits.c analyzer/analysis/kernels/role_splits.h \
  analyzer/analysis/kernels/role_stages.c analyzer/analysis/kernels/role_stages.h \
  analyzer/analysis/kernels/role_words.def analyzer/analysis/kernels/roles.c \
  analyzer/analysis/kernels/roles.def analyzer/analysis/kernels/roles.h \
  analyzer/analysis/kernels/roofline.c analyzer/analysis/kernels/roofline_head.c \
  analyzer/analysis/kernels/roofline_parts.h analyzer/analysis/kernels/roofline_plot.c \
  analyzer/analysis/kernels/slots.c analyzer/analysis/kernels/slots.h \
  analyzer/analysis/kernels/slowest.c analyzer/analysis/kernels/slowest.h \
  analyzer/analysis/kernels/timing.c analyzer/analysis/kernels/timing.def \
  analyzer/analysis/kernels/timing_detail.c analyzer/analysis/kernels/timing_parts.h \
  analyzer/analysis/kernels/timing_row.c analyzer/analysis/kernels/top.c \
  analyzer/analysis/kernels/utilization.c analyzer/analysis/kernels/utilization.h

# analysis/time/: steps, threads, Amdahl.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/time/amdahl.c analyzer/analysis/time/amdahl.h \
  analyzer/analysis/time/amdahl_find.c analyzer/analysis/time/period.c \
  analyzer/analysis/time/period.h analyzer/analysis/time/step_memory.c \
  analyzer/analysis/time/step_memory.h analyzer/analysis/time/step_parts.c \
  analyzer/analysis/time/step_parts.h analyzer/analysis/time/step_sizes.c \
  analyzer/analysis/time/step_sizes.h analyzer/analysis/time/step_words.def \
  analyzer/analysis/time/room.c analyzer/analysis/time/room.h \
  analyzer/analysis/time/steps.c analyzer/analysis/time/steps.h \
  analyzer/analysis/time/steps_report.c analyzer/analysis/time/sweep.c \
  analyzer/analysis/time/sweep.h analyzer/analysis/time/threads.c \
  analyzer/analysis/time/together.c analyzer/analysis/time/together.h \
  analyzer/analysis/time/waiting.c analyzer/analysis/time/waiting.h \
  analyzer/analysis/time/wall.c analyzer/analysis/time/wall.h

# analysis/memory/: the heap and its leaks.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/memory/chain_rows.c analyzer/analysis/memory/chain_rows.h \
  analyzer/analysis/memory/heap_course.c analyzer/analysis/memory/heap_course.h \
  analyzer/analysis/memory/heap_jumps.c analyzer/analysis/memory/heap_jumps.h \
  analyzer/analysis/memory/heap_rows.c analyzer/analysis/memory/heap_rows.h \
  analyzer/analysis/memory/heap_sums.c analyzer/analysis/memory/heap_sums.h \
  analyzer/analysis/memory/hiding.def analyzer/analysis/memory/leak_mappings.c \
  analyzer/analysis/memory/leak_growers.c analyzer/analysis/memory/leak_growers.h \
  analyzer/analysis/memory/leak_outside.c analyzer/analysis/memory/leak_outside.h \
  analyzer/analysis/memory/leak_sites.c analyzer/analysis/memory/leak_steps.c \
  analyzer/analysis/memory/leak_verdict.c analyzer/analysis/memory/leak_verdict.h \
  analyzer/analysis/memory/leaks.c analyzer/analysis/memory/leaks_parts.h \
  analyzer/analysis/memory/measures.def analyzer/analysis/memory/memory.c \
  analyzer/analysis/memory/memory_diff.c analyzer/analysis/memory/memory_facts.c \
  analyzer/analysis/memory/memory_head.c analyzer/analysis/memory/memory_histograms.c \
  analyzer/analysis/memory/memory_mappings.c analyzer/analysis/memory/memory_parts.h \
  analyzer/analysis/memory/memory_sites.c analyzer/analysis/memory/memory_tables.c \
  analyzer/analysis/memory/memory_timeline.c analyzer/analysis/memory/memory_tree.c \
  analyzer/analysis/memory/place_rows.c analyzer/analysis/memory/place_rows.h \
  analyzer/analysis/memory/places.c analyzer/analysis/memory/places.h \
  analyzer/analysis/memory/plumbing.def analyzer/analysis/memory/suppressions.c \
  analyzer/analysis/memory/suppressions.h analyzer/analysis/memory/suppressor.c \
  analyzer/analysis/memory/suppressor.h analyzer/analysis/memory/tree.c \
  analyzer/analysis/memory/tree.h

# analysis/findings/: what slows a program down.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/findings/attention.c analyzer/analysis/findings/blas_code.c \
  analyzer/analysis/findings/blas_code.h analyzer/analysis/findings/bottlenecks.c \
  analyzer/analysis/findings/context.c analyzer/analysis/findings/context.h \
  analyzer/analysis/findings/decompositions.c analyzer/analysis/findings/evaluate.c \
  analyzer/analysis/findings/evenness.c analyzer/analysis/findings/finding.c \
  analyzer/analysis/findings/finding.h analyzer/analysis/findings/growing_rows.c \
  analyzer/analysis/findings/inverses.c analyzer/analysis/findings/kernel_bounds.c \
  analyzer/analysis/findings/kernel_shapes.c analyzer/analysis/findings/kernel_share.c \
  analyzer/analysis/findings/kernel_types.c analyzer/analysis/findings/library_calls.c \
  analyzer/analysis/findings/memory_rules.c analyzer/analysis/findings/openblas_cores.def \
  analyzer/analysis/findings/outside.c analyzer/analysis/findings/outside.h \
  analyzer/analysis/findings/page_faults.c analyzer/analysis/findings/product_order.c \
  analyzer/analysis/findings/rates.c analyzer/analysis/findings/rates.h \
  analyzer/analysis/findings/reference_blas.c analyzer/analysis/findings/reference_blas.def \
  analyzer/analysis/findings/reference_blas.h analyzer/analysis/findings/routines.c \
  analyzer/analysis/findings/routines.def analyzer/analysis/findings/vectors.def analyzer/analysis/findings/routines.h \
  analyzer/analysis/findings/rows.c analyzer/analysis/findings/rows.h \
  analyzer/analysis/findings/rules.def analyzer/analysis/findings/sentences.c \
  analyzer/analysis/findings/small_calls.c \
  analyzer/analysis/findings/succession.c analyzer/analysis/findings/succession.h \
  analyzer/analysis/findings/system_rules.c analyzer/analysis/findings/targets.c \
  analyzer/analysis/findings/targets.h analyzer/analysis/findings/texts.def \
  analyzer/analysis/findings/thinned.c analyzer/analysis/findings/thinned.h \
  analyzer/analysis/findings/thread_rules.c analyzer/analysis/findings/transforms.c \
  analyzer/analysis/findings/trust.c analyzer/analysis/findings/whereabouts.c \
  analyzer/analysis/findings/whereabouts.h

# analysis/money/: costs and other machines.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/money/cost.c analyzer/analysis/money/cost.h \
  analyzer/analysis/money/cost_report.c analyzer/analysis/money/crossover.c \
  analyzer/analysis/money/crossover.h analyzer/analysis/money/reference.c \
  analyzer/analysis/money/reference.h analyzer/analysis/money/whatif.c \
  analyzer/analysis/money/whatif.h analyzer/analysis/money/whatif_report.c \
  analyzer/analysis/money/whatif_report.h

# runs/: what runs measured.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/runs/baseline.h analyzer/runs/baseline_read.c analyzer/runs/baseline_write.c \
  analyzer/runs/processes.c analyzer/runs/processes.h analyzer/runs/quantities.def \
  analyzer/runs/run.c analyzer/runs/run.h analyzer/runs/run_session.c

# compare/: comparing runs.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/compare/cells.c analyzer/compare/cells.h analyzer/compare/compared.c \
  analyzer/compare/derive.c analyzer/compare/derive.h analyzer/compare/doubts.c \
  analyzer/compare/doubts.h analyzer/compare/endings.c analyzer/compare/endings.h \
  analyzer/compare/figure.c analyzer/compare/figure.h analyzer/compare/gate.c \
  analyzer/compare/gate.h analyzer/compare/gate_reduce.c analyzer/compare/gate_report.c \
  analyzer/compare/gate_report.h analyzer/compare/gate_results.def analyzer/compare/pair.c \
  analyzer/compare/pair.h analyzer/compare/report.c analyzer/compare/report.h \
  analyzer/compare/report_head.c analyzer/compare/report_parts.h \
  analyzer/compare/report_sides.c analyzer/compare/report_tables.c analyzer/compare/words.c \
  analyzer/compare/words.h

# render/: tables to bytes.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/render/cell.c analyzer/render/cell.h analyzer/render/csv.c \
  analyzer/render/display.c analyzer/render/display.h analyzer/render/json.c \
  analyzer/render/junit.c analyzer/render/layout.c analyzer/render/layout.h \
  analyzer/render/markdown.c analyzer/render/plain.c analyzer/render/plot.c \
  analyzer/render/plot.h analyzer/render/render.c analyzer/render/render.h \
  analyzer/render/renderers.def analyzer/render/scatter.c analyzer/render/scatter.h \
  analyzer/render/terminal.c analyzer/render/terminal.h

# bench/: what to run again and again, and what comes of it; cmd/ starts the programs.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/bench/expression.c analyzer/bench/expression.h analyzer/bench/metric.c \
  analyzer/bench/metric.h analyzer/bench/noise.c analyzer/bench/noise.h \
  analyzer/bench/parameter.c analyzer/bench/parameter.h analyzer/bench/plan.c \
  analyzer/bench/plan.h analyzer/bench/report.c analyzer/bench/report.h \
  analyzer/bench/report_parts.c analyzer/bench/report_parts.h analyzer/bench/report_points.c \
  analyzer/bench/report_scaling.c analyzer/bench/report_sweep.c \
  analyzer/bench/result_columns.def analyzer/bench/results.c analyzer/bench/results.h \
  analyzer/bench/sample.c analyzer/bench/sample.h analyzer/bench/scaling.c \
  analyzer/bench/scaling.h analyzer/bench/schedule.c analyzer/bench/schedule.h \
  analyzer/bench/suite.c analyzer/bench/suite.h analyzer/bench/sweep.c analyzer/bench/sweep.h

analyzer_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/analyzer $(JANSSON_CFLAGS) $(GSL_CFLAGS) \
  $(ELFUTILS_CFLAGS) $(ZSTD_CFLAGS) $(YAML_CFLAGS)
analyzer_cflags = $(AM_CFLAGS) $(SANITIZE_CFLAGS)
analyzer_libs = analyzer/libanalyzer.a $(JANSSON_LIBS) $(GSL_LIBS) $(ELFUTILS_LIBS) $(IBERTY_LIBS) \
  $(ZSTD_LIBS) $(YAML_LIBS) -lm -lpthread -ldl

analyzer_libanalyzer_a_CPPFLAGS = $(analyzer_cppflags)
analyzer_libanalyzer_a_CFLAGS = $(analyzer_cflags)

# cmd/: one verb a file.
analyzer_tprof_SOURCES = \
  analyzer/cmd/advice.c analyzer/cmd/advice.h analyzer/cmd/amdahl.c \
  analyzer/cmd/amdahl_options.def analyzer/cmd/analysis.c \
  analyzer/cmd/baseline.c analyzer/cmd/calibrate.c analyzer/cmd/calibrate_options.def \
  analyzer/cmd/checkup.c analyzer/cmd/checkup.h analyzer/cmd/cmd.h analyzer/cmd/compare.c \
  analyzer/cmd/compare_options.def analyzer/cmd/cost.c analyzer/cmd/cost_options.def \
  analyzer/cmd/counter_events.def analyzer/cmd/counters.c analyzer/cmd/counters.h \
  analyzer/cmd/cut.c analyzer/cmd/cut.h \
  analyzer/cmd/destination.c analyzer/cmd/destination.h analyzer/cmd/doctor.c \
  analyzer/cmd/dump.c analyzer/cmd/ending.c analyzer/cmd/ending.h analyzer/cmd/excluding.def \
  analyzer/cmd/flops_calc.c analyzer/cmd/gate.c analyzer/cmd/kernels.c analyzer/cmd/launch.c \
  analyzer/cmd/launch.h analyzer/cmd/list.c analyzer/cmd/machine.c analyzer/cmd/newest.c \
  analyzer/cmd/newest.h analyzer/cmd/options.c analyzer/cmd/options.def \
  analyzer/cmd/other_words.def analyzer/cmd/output.c \
  analyzer/cmd/own_options.c analyzer/cmd/own_options.h analyzer/cmd/pack.c \
  analyzer/cmd/pack_options.def analyzer/cmd/pack_symbols.c analyzer/cmd/pack_symbols.h \
  analyzer/cmd/plain_options.c analyzer/cmd/plain_options.h analyzer/cmd/processes.c \
  analyzer/cmd/progress.c analyzer/cmd/report.c analyzer/cmd/run.c \
  analyzer/cmd/run_output.c analyzer/cmd/run_output.h analyzer/cmd/run_values.c \
  analyzer/cmd/run_values.h analyzer/cmd/sides.c analyzer/cmd/sides.h \
  analyzer/cmd/status_line.c analyzer/cmd/status_line.h analyzer/cmd/stop.c \
  analyzer/cmd/stop.h analyzer/cmd/target.c analyzer/cmd/target.h analyzer/cmd/tell.c \
  analyzer/cmd/trial.c analyzer/cmd/trial.h analyzer/cmd/whatif.c \
  analyzer/cmd/whatif_options.def analyzer/commands.def analyzer/main.c \
  shim/platform/environment.h shim/platform/quote.c shim/platform/quote.h shim/record/settings.c \
  shim/record/settings.h
analyzer_tprof_SOURCES += \
  analyzer/cmd/bench.c analyzer/cmd/bench_export.c analyzer/cmd/bench_options.c \
  analyzer/cmd/bench_options.def analyzer/cmd/bench_parts.h analyzer/cmd/bench_runner.c \
  analyzer/cmd/bench_runner.h analyzer/cmd/execute.c analyzer/cmd/execute.h \
  analyzer/cmd/scaling.c
analyzer_tprof_CPPFLAGS = $(analyzer_cppflags) -DLIBDIR='"$(libdir)"' -DBINDIR='"$(bindir)"'
analyzer_tprof_CFLAGS = $(analyzer_cflags)
analyzer_tprof_LDADD = $(analyzer_libs)
