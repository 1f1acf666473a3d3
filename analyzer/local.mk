# SPDX-License-Identifier: GPL-3.0-or-later
#
# The analyzer: one library of its own, which the unit tests link too, and
# the program.

noinst_LIBRARIES += analyzer/libanalyzer.a
bin_PROGRAMS += analyzer/tprof

AM_CPPFLAGS += -I$(top_srcdir)/analyzer -Ianalyzer -DLIBDIR='"$(libdir)"' -DBINDIR='"$(bindir)"' \
  $(JANSSON_CFLAGS) $(GSL_CFLAGS) $(ELFUTILS_CFLAGS) $(ZSTD_CFLAGS) $(ZLIB_CFLAGS) $(YAML_CFLAGS) \
  $(UNWIND_CFLAGS) $(NCURSES_CFLAGS)

# The shim's catalog, and what it knows of the processor and of CPython.
analyzer_libanalyzer_a_SOURCES = \
  shim/platform/cpu.c \
  shim/platform/cpu.h \
  shim/spec/python_code.c \
  shim/spec/python_code.h \
  shim/spec/python_layout.c \
  shim/spec/python_layout.def \
  shim/spec/python_layout.h \
  shim/spec/python_loop.c \
  shim/spec/python_loop.h \
  $(catalog_headers) \
  $(catalog_sources)

# base/: nothing of tprof.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/base/array.c \
  analyzer/base/array.h \
  analyzer/base/attributes.h \
  analyzer/base/file_url.c \
  analyzer/base/file_url.h \
  analyzer/base/hash.h \
  analyzer/base/memory.c \
  analyzer/base/memory.h \
  analyzer/base/nearest.c \
  analyzer/base/nearest.h \
  analyzer/base/plain_path.c \
  analyzer/base/plain_path.h \
  analyzer/base/pool.c \
  analyzer/base/pool.h \
  analyzer/base/say.c \
  analyzer/base/say.h \
  analyzer/base/status.c \
  analyzer/base/status.h \
  analyzer/base/text.c \
  analyzer/base/text.h \
  analyzer/base/text_index.c \
  analyzer/base/text_index.h \
  analyzer/base/text_list.c \
  analyzer/base/text_list.h \
  analyzer/base/units.c \
  analyzer/base/units.h \
  analyzer/base/utf8.c \
  analyzer/base/utf8.h \
  analyzer/base/whole_file.c \
  analyzer/base/whole_file.h \
  analyzer/base/wildcard.c \
  analyzer/base/wildcard.h \
  analyzer/base/written.c \
  analyzer/base/written.h

# statistics/: samples, their comparison and their growth.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/statistics/batches.c \
  analyzer/statistics/batches.h \
  analyzer/statistics/differences.c \
  analyzer/statistics/differences.h \
  analyzer/statistics/fit.c \
  analyzer/statistics/fit.h \
  analyzer/statistics/histogram.c \
  analyzer/statistics/histogram.h \
  analyzer/statistics/interval.h \
  analyzer/statistics/limit.c \
  analyzer/statistics/limit.h \
  analyzer/statistics/modes.c \
  analyzer/statistics/modes.h \
  analyzer/statistics/multiple.c \
  analyzer/statistics/multiple.h \
  analyzer/statistics/orders.def \
  analyzer/statistics/partial.c \
  analyzer/statistics/partial.h \
  analyzer/statistics/percentile.c \
  analyzer/statistics/percentile.h \
  analyzer/statistics/percentiles.def \
  analyzer/statistics/rank_sums.c \
  analyzer/statistics/rank_sums.h \
  analyzer/statistics/ranks.c \
  analyzer/statistics/ranks.h \
  analyzer/statistics/selection.c \
  analyzer/statistics/selection.h \
  analyzer/statistics/steadiness.c \
  analyzer/statistics/steadiness.h \
  analyzer/statistics/summary.c \
  analyzer/statistics/summary.h \
  analyzer/statistics/trend.c \
  analyzer/statistics/trend.h \
  analyzer/statistics/two_means.c \
  analyzer/statistics/two_samples.c \
  analyzer/statistics/two_samples.h

# reader/: bytes to events.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/reader/append.c \
  analyzer/reader/append.h \
  analyzer/reader/coding.h \
  analyzer/reader/copy.c \
  analyzer/reader/copy.h \
  analyzer/reader/cursor.c \
  analyzer/reader/cursor.h \
  analyzer/reader/index.c \
  analyzer/reader/index.h \
  analyzer/reader/merge.c \
  analyzer/reader/merge.h \
  analyzer/reader/packed.c \
  analyzer/reader/packed.h \
  analyzer/reader/packer.c \
  analyzer/reader/packer.h \
  analyzer/reader/reader.c \
  analyzer/reader/reader.h \
  analyzer/reader/reader_chunks.c \
  analyzer/reader/reader_chunks.h

# symbols/: from addresses to names.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/symbols/chosen_functions.c \
  analyzer/symbols/chosen_functions.h \
  analyzer/symbols/code_pauses.c \
  analyzer/symbols/code_pauses.h \
  analyzer/symbols/code_targets.c \
  analyzer/symbols/code_targets.h \
  analyzer/symbols/debug_info.c \
  analyzer/symbols/debug_info.h \
  analyzer/symbols/demangle.c \
  analyzer/symbols/demangle.h \
  analyzer/symbols/function_ranges.c \
  analyzer/symbols/function_ranges.h \
  analyzer/symbols/intervals.c \
  analyzer/symbols/intervals.h \
  analyzer/symbols/module_file.c \
  analyzer/symbols/module_file.h \
  analyzer/symbols/go_program.c \
  analyzer/symbols/go_program.h \
  analyzer/symbols/module_symbols.c \
  analyzer/symbols/module_symbols.h \
  analyzer/symbols/packed_debug.c \
  analyzer/symbols/packed_debug.h \
  analyzer/symbols/storage.c \
  analyzer/symbols/storage.h \
  analyzer/symbols/stored_symbols.c \
  analyzer/symbols/stored_symbols.h \
  analyzer/symbols/symbol_table.c \
  analyzer/symbols/symbol_table.h \
  analyzer/symbols/symbols.c \
  analyzer/symbols/symbols.h \
  analyzer/symbols/symbols_causes.def \
  analyzer/symbols/symbols_files.c \
  analyzer/symbols/symbols_frame.h \
  analyzer/symbols/symbols_parts.h \
  analyzer/symbols/table_names.c \
  analyzer/symbols/table_names.h \
  analyzer/symbols/texts.c \
  analyzer/symbols/texts.def \
  analyzer/symbols/texts.h

# model/: events to a session; machines.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/model/beats.h \
  analyzer/model/busy.c \
  analyzer/model/busy.h \
  analyzer/model/chains.c \
  analyzer/model/chains.h \
  analyzer/model/chains_later.c \
  analyzer/model/chains_loads.c \
  analyzer/model/chains_parts.h \
  analyzer/model/chains_python.c \
  analyzer/model/chains_sites.c \
  analyzer/model/clock.c \
  analyzer/model/clock.h \
  analyzer/model/course.c \
  analyzer/model/course.h \
  analyzer/model/cpu_samples.c \
  analyzer/model/cpu_samples.h \
  analyzer/model/cpu_workers.c \
  analyzer/model/cpu_workers.h \
  analyzer/model/device_times.def \
  analyzer/model/devices.c \
  analyzer/model/devices.h \
  analyzer/model/estimates.c \
  analyzer/model/estimates.h \
  analyzer/model/events.c \
  analyzer/model/events.h \
  analyzer/model/events_beats.c \
  analyzer/model/events_devices.c \
  analyzer/model/events_draws.c \
  analyzer/model/events_kernels.c \
  analyzer/model/events_mappings.c \
  analyzer/model/events_metrics.c \
  analyzer/model/events_op_growth.c \
  analyzer/model/events_op_memory.c \
  analyzer/model/events_op_order.c \
  analyzer/model/events_ops.c \
  analyzer/model/events_parts.h \
  analyzer/model/events_readings.c \
  analyzer/model/events_regions.c \
  analyzer/model/events_requests.c \
  analyzer/model/events_resident.c \
  analyzer/model/events_threads.c \
  analyzer/model/events_samples.c \
  analyzer/model/events_spans.c \
  analyzer/model/events_stages.c \
  analyzer/model/events_waits.c \
  analyzer/model/events_window.c \
  analyzer/model/facts.c \
  analyzer/model/facts.h \
  analyzer/model/facts_catalog.c \
  analyzer/model/facts_incidents.c \
  analyzer/model/facts_parts.h \
  analyzer/model/facts_devices.c \
  analyzer/model/facts_properties.c \
  analyzer/model/heap.c \
  analyzer/model/heap.h \
  analyzer/model/heap_chunks.h \
  analyzer/model/heap_counts.c \
  analyzer/model/heap_course.c \
  analyzer/model/heap_drawn.c \
  analyzer/model/heap_drawn.h \
  analyzer/model/heap_map.c \
  analyzer/model/heap_map.h \
  analyzer/model/heap_options.h \
  analyzer/model/heap_parts.h \
  analyzer/model/heap_site.h \
  analyzer/model/heap_stages.c \
  analyzer/model/heap_weight.h \
  analyzer/model/heap_window.c \
  analyzer/model/holes.c \
  analyzer/model/holes.def \
  analyzer/model/holes.h \
  analyzer/model/id_map.c \
  analyzer/model/id_map.h \
  analyzer/model/known_machines.c \
  analyzer/model/known_machines.def \
  analyzer/model/known_machines.h \
  analyzer/model/loop_workers.c \
  analyzer/model/loop_workers.h \
  analyzer/model/library_domains.def \
  analyzer/model/losses.c \
  analyzer/model/losses.h \
  analyzer/model/machine.c \
  analyzer/model/machine.h \
  analyzer/model/machine_facts.def \
  analyzer/model/machine_file.c \
  analyzer/model/machine_file.h \
  analyzer/model/machine_file_store.c \
  analyzer/model/machine_streams.def \
  analyzer/model/mappings.c \
  analyzer/model/mappings.h \
  analyzer/model/marks.c \
  analyzer/model/marks.h \
  analyzer/model/modules.c \
  analyzer/model/modules.h \
  analyzer/model/moments.c \
  analyzer/model/moments.h \
  analyzer/model/op_groups.c \
  analyzer/model/op_groups.h \
  analyzer/model/op_growth.h \
  analyzer/model/op_kinds.def \
  analyzer/model/op_laps.c \
  analyzer/model/op_laps.h \
  analyzer/model/op_memory.h \
  analyzer/model/op_texts.c \
  analyzer/model/op_texts.h \
  analyzer/model/outline.c \
  analyzer/model/outline.h \
  analyzer/model/peaks.c \
  analyzer/model/peaks.h \
  analyzer/model/process.c \
  analyzer/model/process.h \
  analyzer/model/python.c \
  analyzer/model/python.h \
  analyzer/model/python_join.c \
  analyzer/model/python_join.h \
  analyzer/model/python_lines.c \
  analyzer/model/python_lines.h \
  analyzer/model/region_cpu.c \
  analyzer/model/region_cpu.h \
  analyzer/model/sample_split.c \
  analyzer/model/sample_split.h \
  analyzer/model/session.h \
  analyzer/model/session_beats.c \
  analyzer/model/session_beats.h \
  analyzer/model/session_chains.c \
  analyzer/model/session_chains.h \
  analyzer/model/session_devices.h \
  analyzer/model/session_growth.h \
  analyzer/model/session_heap.c \
  analyzer/model/session_heap.h \
  analyzer/model/session_holes.h \
  analyzer/model/session_incidents.h \
  analyzer/model/session_kernels.c \
  analyzer/model/session_kernels.h \
  analyzer/model/session_layers.c \
  analyzer/model/session_layers.h \
  analyzer/model/session_losses.h \
  analyzer/model/session_memo.c \
  analyzer/model/session_memo.h \
  analyzer/model/session_open.c \
  analyzer/model/session_open.h \
  analyzer/model/session_opened.c \
  analyzer/model/session_opened.h \
  analyzer/model/session_ops.h \
  analyzer/model/session_process.h \
  analyzer/model/session_requests.h \
  analyzer/model/session_resident.h \
  analyzer/model/session_samples.h \
  analyzer/model/session_spans.h \
  analyzer/model/session_stages.h \
  analyzer/model/session_threads.h \
  analyzer/model/session_unknown.h \
  analyzer/model/session_waits.h \
  analyzer/model/session_window.h \
  analyzer/model/shares.c \
  analyzer/model/shares.h \
  analyzer/model/sites.c \
  analyzer/model/sites.h \
  analyzer/model/sites_marks.c \
  analyzer/model/sites_parts.h \
  analyzer/model/sites_rows.c \
  analyzer/model/slots.c \
  analyzer/model/slots.h \
  analyzer/model/tallies.c \
  analyzer/model/tallies.h \
  analyzer/model/tallies_commands.c \
  analyzer/model/tallies_ops.c \
  analyzer/model/tallies_parts.h \
  analyzer/model/tallies_spans.c \
  analyzer/model/tallies_waits.c \
  analyzer/model/texts.c \
  analyzer/model/texts.def \
  analyzer/model/texts.h \
  analyzer/model/untimed.c \
  analyzer/model/untimed.h \
  analyzer/model/used_calls.c \
  analyzer/model/used_calls.h \
  analyzer/model/window.c \
  analyzer/model/window.h \
  analyzer/model/wrap_list.c \
  analyzer/model/wrap_list.h

# machine/: measuring this machine.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/machine/calibrate.c \
  analyzer/machine/calibrate.h \
  analyzer/machine/conditions.c \
  analyzer/machine/conditions.h \
  analyzer/machine/control_groups.c \
  analyzer/machine/control_groups.h \
  analyzer/machine/dot_loop.h \
  analyzer/machine/dots.def \
  analyzer/machine/first_line.c \
  analyzer/machine/first_line.h \
  analyzer/machine/gemm.c \
  analyzer/machine/gemm.h \
  analyzer/machine/loop_set.h \
  analyzer/machine/loops.c \
  analyzer/machine/loops.h \
  analyzer/machine/meters.c \
  analyzer/machine/meters.h \
  analyzer/machine/processors.c \
  analyzer/machine/processors.h \
  analyzer/machine/quiet.c \
  analyzer/machine/quiet.h \
  analyzer/machine/sets.def \
  analyzer/machine/small_file.c \
  analyzer/machine/team.c \
  analyzer/machine/team.h \
  analyzer/machine/texts.c \
  analyzer/machine/texts.def \
  analyzer/machine/texts.h \
  analyzer/machine/trials.c \
  analyzer/machine/trials.h

# live/: a running process.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/live/http.c \
  analyzer/live/http.h \
  analyzer/live/http_headers.def \
  analyzer/live/live.c \
  analyzer/live/live.h \
  analyzer/live/live_file.c \
  analyzer/live/live_file.h \
  analyzer/live/live_find.c \
  analyzer/live/live_find.h \
  analyzer/live/live_parts.c \
  analyzer/live/live_parts.h \
  analyzer/live/live_process.c \
  analyzer/live/live_process.h \
  analyzer/live/live_report.c \
  analyzer/live/live_report.h \
  analyzer/live/live_requests.c \
  analyzer/live/live_screen.c \
  analyzer/live/live_screen.h \
  analyzer/live/live_terminal.c \
  analyzer/live/live_terminal.h \
  analyzer/live/texts.c \
  analyzer/live/texts.def \
  analyzer/live/texts.h

# where/: a running process.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/where/calls.c \
  analyzer/where/calls.def \
  analyzer/where/calls.h \
  analyzer/where/capture.c \
  analyzer/where/capture.h \
  analyzer/where/code.c \
  analyzer/where/code.h \
  analyzer/where/dynamic.c \
  analyzer/where/dynamic.h \
  analyzer/where/frames.c \
  analyzer/where/frames.h \
  analyzer/where/image.c \
  analyzer/where/image.h \
  analyzer/where/interpreter.c \
  analyzer/where/interpreter.h \
  analyzer/where/look.c \
  analyzer/where/look.h \
  analyzer/where/mixed.c \
  analyzer/where/mixed.h \
  analyzer/where/proc_text.c \
  analyzer/where/proc_text.h \
  analyzer/where/python_names.c \
  analyzer/where/python_names.h \
  analyzer/where/registers.c \
  analyzer/where/registers.h \
  analyzer/where/report.c \
  analyzer/where/report.h \
  analyzer/where/stack_copy.h \
  analyzer/where/stacks.c \
  analyzer/where/stacks.h \
  analyzer/where/subject.c \
  analyzer/where/subject.h \
  analyzer/where/task.c \
  analyzer/where/task.h \
  analyzer/where/texts.c \
  analyzer/where/texts.def \
  analyzer/where/texts.h \
  analyzer/where/unwind.c \
  analyzer/where/unwind.h
nodist_analyzer_libanalyzer_a_SOURCES = analyzer/where/call_names.def

# The system calls of this machine, by the names of libc.
analyzer/where/call_names.def:
	$(AM_V_GEN)$(MKDIR_P) analyzer/where && echo '#include <sys/syscall.h>' | \
	  $(CC) -E -dM - | $(SED) -n 's/^#define SYS_\([a-z0-9_]*\) .*/CALL(\1)/p' | \
	  LC_ALL=C sort >$@.new && mv $@.new $@
BUILT_SOURCES += analyzer/where/call_names.def
CLEANFILES += analyzer/where/call_names.def

# calc/: FLOPs without a trace.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/calc/attention.c \
  analyzer/calc/calc.c \
  analyzer/calc/calc.h \
  analyzer/calc/convolution.c \
  analyzer/calc/document.c \
  analyzer/calc/matmul.c \
  analyzer/calc/mlp.c \
  analyzer/calc/operations.def \
  analyzer/calc/parts.c \
  analyzer/calc/parts.h \
  analyzer/calc/recurrent.c \
  analyzer/calc/texts.c \
  analyzer/calc/texts.def \
  analyzer/calc/texts.h \
  analyzer/calc/transformer.c \
  analyzer/calc/types.def

# document/: tables and documents: what an analysis hands over, whoever shows it.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/devices/block_rows.c \
  analyzer/devices/block_rows.h \
  analyzer/devices/command_rows.c \
  analyzer/devices/command_rows.h \
  analyzer/devices/device_numbers.c \
  analyzer/devices/device_numbers.h \
  analyzer/devices/device_statuses.def \
  analyzer/devices/device_time.c \
  analyzer/devices/device_time.h \
  analyzer/devices/devices.c \
  analyzer/devices/gap_causes.def \
  analyzer/devices/gaps.c \
  analyzer/devices/gaps.h \
  analyzer/devices/library_rows.c \
  analyzer/devices/library_rows.h \
  analyzer/devices/queue_tracks.c \
  analyzer/devices/queue_tracks.h \
  analyzer/devices/stretch.c \
  analyzer/devices/stretch.h \
  analyzer/devices/texts.c \
  analyzer/devices/texts.def \
  analyzer/devices/texts.h \
  analyzer/devices/throttles.def \
  analyzer/document/document.c \
  analyzer/document/document.h \
  analyzer/document/fields.c \
  analyzer/document/fields.h \
  analyzer/document/plot.c \
  analyzer/document/plot.h \
  analyzer/document/table.c \
  analyzer/document/table.h

# options/: rows, one parser, help.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/options/help.c \
  analyzer/options/help.h \
  analyzer/options/option.c \
  analyzer/options/option.h \
  analyzer/options/parse.c \
  analyzer/options/parse.h \
  analyzer/options/readers.c \
  analyzer/options/readers.h

# places/: where a call stands in the source, and what it is called.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/places/place_rows.c \
  analyzer/places/place_rows.h \
  analyzer/places/line_sums.c \
  analyzer/places/line_sums.h \
  analyzer/places/places.c \
  analyzer/places/places.h \
  analyzer/places/places_find.c \
  analyzer/places/places_words.c \
  analyzer/places/plain_name.c \
  analyzer/places/plain_name.h \
  analyzer/places/plumbing.def \
  analyzer/places/short_name.c \
  analyzer/places/short_name.h \
  analyzer/places/source_text.c \
  analyzer/places/source_text.h \
  analyzer/places/texts.c \
  analyzer/places/texts.def \
  analyzer/places/texts.h

# analysis/: what an analysis is, and what is asked of it.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/analysis/analyses.def \
  analyzer/analysis/analysis.c \
  analyzer/analysis/analysis.h \
  analyzer/analysis/by.def \
  analyzer/analysis/devices.c \
  analyzer/analysis/devices.h \
  analyzer/analysis/gaps.c \
  analyzer/analysis/gaps.h \
  analyzer/analysis/loss_words.c \
  analyzer/analysis/loss_words.h \
  analyzer/analysis/measures.def \
  analyzer/analysis/name_notes.c \
  analyzer/analysis/name_notes.h \
  analyzer/analysis/runtimes.c \
  analyzer/analysis/runtimes.def \
  analyzer/analysis/runtimes.h \
  analyzer/analysis/stage_words.c \
  analyzer/analysis/stage_words.h \
  analyzer/analysis/texts.c \
  analyzer/analysis/texts.def \
  analyzer/analysis/texts.h \
  analyzer/analysis/window_words.c \
  analyzer/analysis/window_words.h

# rows/: facts folded by a dimension.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/rows/dimensions.c \
  analyzer/rows/dimensions.h \
  analyzer/rows/fold.c \
  analyzer/rows/fold.h \
  analyzer/rows/site.c \
  analyzer/rows/site.h \
  analyzer/rows/texts.c \
  analyzer/rows/texts.def \
  analyzer/rows/texts.h

# stacks/: one tree of calls with weights.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/stacks/call_chains.c \
  analyzer/stacks/call_chains.h \
  analyzer/stacks/call_frame.c \
  analyzer/stacks/call_frame.h \
  analyzer/stacks/call_tree.c \
  analyzer/stacks/call_tree.h \
  analyzer/stacks/labels.def

# ops/: a framework's operations.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/ops/op_flops.c \
  analyzer/ops/op_flops.def \
  analyzer/ops/op_flops.h \
  analyzer/ops/op_flops_onnx.c \
  analyzer/ops/op_flops_parts.h \
  analyzer/ops/op_frames.c \
  analyzer/ops/op_frames.h \
  analyzer/ops/op_model.c \
  analyzer/ops/op_model.h \
  analyzer/ops/op_roles.c \
  analyzer/ops/op_roles.h \
  analyzer/ops/op_shapes.c \
  analyzer/ops/op_shapes.h \
  analyzer/ops/op_stages.c \
  analyzer/ops/op_stages.def \
  analyzer/ops/op_stages.h \
  analyzer/ops/op_sums.c \
  analyzer/ops/op_sums.h \
  analyzer/ops/ops.c \
  analyzer/ops/ops.h \
  analyzer/ops/ops_rows.c \
  analyzer/ops/ops_rows.h \
  analyzer/ops/role_names.c \
  analyzer/ops/role_names.h \
  analyzer/ops/role_words.def \
  analyzer/ops/roles.def \
  analyzer/ops/texts.c \
  analyzer/ops/texts.def \
  analyzer/ops/texts.h

# waits/: what threads wait for, and how many run at once.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/waits/answers.c \
  analyzer/waits/answers.h \
  analyzer/waits/concurrency.c \
  analyzer/waits/concurrency.h \
  analyzer/waits/sweep.c \
  analyzer/waits/sweep.h \
  analyzer/waits/texts.c \
  analyzer/waits/texts.def \
  analyzer/waits/texts.h \
  analyzer/waits/wait_holders.c \
  analyzer/waits/wait_holders.h \
  analyzer/waits/wait_lanes.c \
  analyzer/waits/wait_lanes.h \
  analyzer/waits/wait_place.c \
  analyzer/waits/wait_place.h \
  analyzer/waits/wait_row.h \
  analyzer/waits/wait_parts.c \
  analyzer/waits/wait_parts.h \
  analyzer/waits/wait_rows.c \
  analyzer/waits/wait_rows.h \
  analyzer/waits/wait_split.c \
  analyzer/waits/wait_split.h \
  analyzer/waits/wait_table.c \
  analyzer/waits/wait_table.h \
  analyzer/waits/waiting.c \
  analyzer/waits/waiting.h \
  analyzer/waits/waits.c \
  analyzer/waits/waits_options.def \
  analyzer/waits/waits_options.h \
  analyzer/waits/waker_table.c \
  analyzer/waits/waker_table.h \
  analyzer/waits/wakers.c \
  analyzer/waits/wakers.h \
  analyzer/waits/wall.c \
  analyzer/waits/wall.h

# requests/: requests by endpoint: latency, costs, limits.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/requests/request_costs.c \
  analyzer/requests/request_costs.h \
  analyzer/requests/request_load.c \
  analyzer/requests/request_load.h \
  analyzer/requests/request_rows.c \
  analyzer/requests/request_rows.h \
  analyzer/requests/request_table.c \
  analyzer/requests/request_table.h \
  analyzer/requests/request_tally.c \
  analyzer/requests/request_tally.h \
  analyzer/requests/requests.c \
  analyzer/requests/requests_options.def \
  analyzer/requests/requests_options.h \
  analyzer/requests/service_line.c \
  analyzer/requests/service_line.h \
  analyzer/requests/sla.c \
  analyzer/requests/sla.h \
  analyzer/requests/slowest_table.c \
  analyzer/requests/texts.c \
  analyzer/requests/texts.def \
  analyzer/requests/texts.h \
  analyzer/requests/turns.c \
  analyzer/requests/turns.h \
  analyzer/requests/turns_table.c \
  analyzer/requests/turns_table.h \
  analyzer/requests/windows.c \
  analyzer/requests/windows.h

# cpu/: processor time: samples to functions, lines, imports.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/cpu/cpu_errors.c \
  analyzer/cpu/cpu_errors.h \
  analyzer/cpu/cpu_kinds.def \
  analyzer/cpu/cpu_row.c \
  analyzer/cpu/cpu_row.h \
  analyzer/cpu/cpu_rows.c \
  analyzer/cpu/cpu_rows.h \
  analyzer/cpu/cpu_sort.c \
  analyzer/cpu/cpu_sort.h \
  analyzer/cpu/cpu_split.c \
  analyzer/cpu/cpu_split.h \
  analyzer/cpu/cpu_table.c \
  analyzer/cpu/cpu_table.h \
  analyzer/cpu/cpu_time.c \
  analyzer/cpu/cpu_time.h \
  analyzer/cpu/cpu_top.c \
  analyzer/cpu/cpu_top.h \
  analyzer/cpu/cpu_ways.c \
  analyzer/cpu/cpu_ways.h \
  analyzer/cpu/import_rows.c \
  analyzer/cpu/import_rows.h \
  analyzer/cpu/import_rows_words.c \
  analyzer/cpu/imports.c \
  analyzer/cpu/line_rows.c \
  analyzer/cpu/line_rows.h \
  analyzer/cpu/lines.c \
  analyzer/cpu/lines_options.def \
  analyzer/cpu/mostly.c \
  analyzer/cpu/mostly.h \
  analyzer/cpu/own_lines.c \
  analyzer/cpu/own_lines.h \
  analyzer/cpu/python_split.c \
  analyzer/cpu/python_split.h \
  analyzer/cpu/spinning.def \
  analyzer/cpu/starting.c \
  analyzer/cpu/starting.def \
  analyzer/cpu/starting.h \
  analyzer/cpu/task_cost.c \
  analyzer/cpu/task_cost.h \
  analyzer/cpu/texts.c \
  analyzer/cpu/texts.def \
  analyzer/cpu/texts.h \
  analyzer/cpu/threads.c \
  analyzer/cpu/time_options.def \
  analyzer/cpu/time_options.h \
  analyzer/cpu/time_table.c \
  analyzer/cpu/time_table.h \
  analyzer/cpu/time_tree.c \
  analyzer/cpu/time_tree.h \
  analyzer/cpu/unseen_imports.c \
  analyzer/cpu/unseen_imports.h

# kernels/: time, FLOPs, roofs, coverage.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/kernels/calls.c \
  analyzer/kernels/calls.h \
  analyzer/kernels/compute.c \
  analyzer/kernels/compute.h \
  analyzer/kernels/coverage.h \
  analyzer/kernels/coverage_gather.c \
  analyzer/kernels/coverage_libraries.c \
  analyzer/kernels/coverage_names.c \
  analyzer/kernels/coverage_report.c \
  analyzer/kernels/coverage_report.h \
  analyzer/kernels/coverage_report_head.c \
  analyzer/kernels/coverage_report_libraries.c \
  analyzer/kernels/coverage_report_parts.h \
  analyzer/kernels/coverage_time.c \
  analyzer/kernels/creators.c \
  analyzer/kernels/creators.def \
  analyzer/kernels/creators.h \
  analyzer/kernels/flops.c \
  analyzer/kernels/flops_insights.c \
  analyzer/kernels/flops_insights.h \
  analyzer/kernels/flops_mix.c \
  analyzer/kernels/flops_mix.h \
  analyzer/kernels/flops_model.c \
  analyzer/kernels/flops_options.def \
  analyzer/kernels/flops_options.h \
  analyzer/kernels/flops_parts.h \
  analyzer/kernels/flops_regions.c \
  analyzer/kernels/flops_rows.c \
  analyzer/kernels/group.c \
  analyzer/kernels/group.h \
  analyzer/kernels/group_samples.c \
  analyzer/kernels/group_samples.h \
  analyzer/kernels/groups.c \
  analyzer/kernels/groups.h \
  analyzer/kernels/groups_rest.c \
  analyzer/kernels/judge.c \
  analyzer/kernels/judge.h \
  analyzer/kernels/kernel_precision.c \
  analyzer/kernels/kernel_precision.h \
  analyzer/kernels/kernel_prefixes.def \
  analyzer/kernels/kernel_rows.c \
  analyzer/kernels/kernel_rows.h \
  analyzer/kernels/lapack.c \
  analyzer/kernels/lapack.h \
  analyzer/kernels/libraries.def \
  analyzer/kernels/machine_report.c \
  analyzer/kernels/machine_report.h \
  analyzer/kernels/nesting.c \
  analyzer/kernels/nesting.h \
  analyzer/kernels/padding.c \
  analyzer/kernels/padding.h \
  analyzer/kernels/role_families.c \
  analyzer/kernels/role_families.h \
  analyzer/kernels/role_shapes.c \
  analyzer/kernels/role_shapes.h \
  analyzer/kernels/roles.c \
  analyzer/kernels/roles.h \
  analyzer/kernels/roofline.c \
  analyzer/kernels/roofline_head.c \
  analyzer/kernels/roofline_parts.h \
  analyzer/kernels/roofline_plot.c \
  analyzer/kernels/slowest.c \
  analyzer/kernels/slowest.h \
  analyzer/kernels/taps.c \
  analyzer/kernels/taps.h \
  analyzer/kernels/texts.c \
  analyzer/kernels/texts.def \
  analyzer/kernels/texts.h \
  analyzer/kernels/timing.c \
  analyzer/kernels/timing.def \
  analyzer/kernels/timing_detail.c \
  analyzer/kernels/timing_options.def \
  analyzer/kernels/timing_options.h \
  analyzer/kernels/timing_parts.h \
  analyzer/kernels/timing_row.c \
  analyzer/kernels/timing_row.h \
  analyzer/kernels/top.c \
  analyzer/kernels/top.h \
  analyzer/kernels/traffic.c \
  analyzer/kernels/traffic.def \
  analyzer/kernels/traffic.h \
  analyzer/kernels/utilization.c \
  analyzer/kernels/utilization.h

# steps/: steps, phases, regions, Amdahl.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/steps/amdahl.c \
  analyzer/steps/amdahl.h \
  analyzer/steps/amdahl_find.c \
  analyzer/steps/look.c \
  analyzer/steps/look.h \
  analyzer/steps/period.c \
  analyzer/steps/period.h \
  analyzer/steps/phase_report.c \
  analyzer/steps/phase_sums.c \
  analyzer/steps/phase_sums.h \
  analyzer/steps/phase_words.def \
  analyzer/steps/phases.c \
  analyzer/steps/phases.h \
  analyzer/steps/region_times.c \
  analyzer/steps/region_times.h \
  analyzer/steps/regions.c \
  analyzer/steps/service.c \
  analyzer/steps/spans.c \
  analyzer/steps/service.h \
  analyzer/steps/service_pool.c \
  analyzer/steps/step_devices.c \
  analyzer/steps/step_devices.h \
  analyzer/steps/step_functions.c \
  analyzer/steps/step_functions.h \
  analyzer/steps/step_heap.c \
  analyzer/steps/step_heap.h \
  analyzer/steps/step_memory.c \
  analyzer/steps/step_memory.h \
  analyzer/steps/step_parts.c \
  analyzer/steps/step_parts.h \
  analyzer/steps/step_sizes.c \
  analyzer/steps/step_sizes.h \
  analyzer/steps/steps.c \
  analyzer/steps/steps.h \
  analyzer/steps/steps_ops.c \
  analyzer/steps/steps_parts.h \
  analyzer/steps/steps_report.c \
  analyzer/steps/steps_report.h \
  analyzer/steps/steps_report_head.c \
  analyzer/steps/texts.c \
  analyzer/steps/texts.def \
  analyzer/steps/texts.h \
  analyzer/steps/worker_loops.def

# alerts/: readings beyond their limits, and what ran then.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/alerts/alert_find.c \
  analyzer/alerts/alert_find.h \
  analyzer/alerts/alert_row.c \
  analyzer/alerts/alert_row.h \
  analyzer/alerts/alert_rules.c \
  analyzer/alerts/alert_rules.h \
  analyzer/alerts/alert_samples.c \
  analyzer/alerts/alert_samples.h \
  analyzer/alerts/alert_then.c \
  analyzer/alerts/alert_then.h \
  analyzer/alerts/alerts.c \
  analyzer/alerts/alerts_options.def \
  analyzer/alerts/alerts_options.h \
  analyzer/alerts/columns.def \
  analyzer/alerts/measures.def \
  analyzer/alerts/rules.def \
  analyzer/alerts/texts.c \
  analyzer/alerts/texts.def \
  analyzer/alerts/texts.h

# incidents/: moments that met a condition, and what differed then.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/incidents/differs.c \
  analyzer/incidents/differs.h \
  analyzer/incidents/incidents.c \
  analyzer/incidents/quiet.c \
  analyzer/incidents/quiet.h \
  analyzer/incidents/texts.c \
  analyzer/incidents/texts.def \
  analyzer/incidents/texts.h

# heap/: the replayed heap to peaks, owners, leaks.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/heap/chain_rows.c \
  analyzer/heap/chain_rows.h \
  analyzer/heap/growth_note.c \
  analyzer/heap/growth_note.h \
  analyzer/heap/heap_course.c \
  analyzer/heap/heap_course.h \
  analyzer/heap/heap_jumps.c \
  analyzer/heap/heap_jumps.h \
  analyzer/heap/heap_leak.c \
  analyzer/heap/heap_leak.h \
  analyzer/heap/heap_rows.c \
  analyzer/heap/heap_rows.h \
  analyzer/heap/heap_sums.c \
  analyzer/heap/heap_sums.def \
  analyzer/heap/heap_sums.h \
  analyzer/heap/hiding.def \
  analyzer/heap/leak_groups.c \
  analyzer/heap/leak_growers.c \
  analyzer/heap/leak_growers.h \
  analyzer/heap/leak_lines.c \
  analyzer/heap/leak_mappings.c \
  analyzer/heap/leak_outside.c \
  analyzer/heap/leak_outside.h \
  analyzer/heap/leak_points.c \
  analyzer/heap/leak_points.h \
  analyzer/heap/leak_sites.c \
  analyzer/heap/leak_start.c \
  analyzer/heap/leak_start.h \
  analyzer/heap/leak_steps.c \
  analyzer/heap/leak_verdict.c \
  analyzer/heap/leak_verdict.h \
  analyzer/heap/leak_words.c \
  analyzer/heap/leaks.c \
  analyzer/heap/leaks_options.def \
  analyzer/heap/leaks_options.h \
  analyzer/heap/leaks_parts.h \
  analyzer/heap/mapped_for.c \
  analyzer/heap/mapped_for.def \
  analyzer/heap/mapped_for.h \
  analyzer/heap/memory.c \
  analyzer/heap/memory.h \
  analyzer/heap/memory_diff.c \
  analyzer/heap/memory_facts.c \
  analyzer/heap/memory_facts.h \
  analyzer/heap/memory_groups.c \
  analyzer/heap/memory_head.c \
  analyzer/heap/memory_histograms.c \
  analyzer/heap/memory_lines.c \
  analyzer/heap/memory_mappings.c \
  analyzer/heap/memory_options.def \
  analyzer/heap/memory_options.h \
  analyzer/heap/memory_parts.h \
  analyzer/heap/memory_problems.c \
  analyzer/heap/memory_resident.c \
  analyzer/heap/memory_sites.c \
  analyzer/heap/memory_steps.c \
  analyzer/heap/memory_tables.c \
  analyzer/heap/memory_timeline.c \
  analyzer/heap/memory_tree.c \
  analyzer/heap/memory_work.c \
  analyzer/heap/memory_work.h \
  analyzer/heap/ranking.c \
  analyzer/heap/ranking.h \
  analyzer/heap/resident.c \
  analyzer/heap/resident.def \
  analyzer/heap/resident.h \
  analyzer/heap/site_tree.c \
  analyzer/heap/site_tree.h \
  analyzer/heap/suppressions.c \
  analyzer/heap/suppressions.h \
  analyzer/heap/suppressor.c \
  analyzer/heap/suppressor.h \
  analyzer/heap/texts.c \
  analyzer/heap/texts.def \
  analyzer/heap/texts.h

# export/: call stacks in the formats of other tools.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/export/benchdnn.def \
  analyzer/export/callgrind.c \
  analyzer/export/chrome.c \
  analyzer/export/cpuprofile.c \
  analyzer/export/export.h \
  analyzer/export/firefox.c \
  analyzer/export/firefox_tables.c \
  analyzer/export/firefox_tables.h \
  analyzer/export/folded.c \
  analyzer/export/formats.c \
  analyzer/export/formats.def \
  analyzer/export/gzip.c \
  analyzer/export/gzip.h \
  analyzer/export/heapprofile.c \
  analyzer/export/json_string.c \
  analyzer/export/json_string.h \
  analyzer/export/lines.c \
  analyzer/export/metrics.c \
  analyzer/export/metrics.def \
  analyzer/export/metrics.h \
  analyzer/export/perfetto.c \
  analyzer/export/pprof.c \
  analyzer/export/protobuf.c \
  analyzer/export/protobuf.h \
  analyzer/export/shapes.c \
  analyzer/export/shapes.h \
  analyzer/export/sink.c \
  analyzer/export/sink.h \
  analyzer/export/speedscope.c \
  analyzer/export/spill.c \
  analyzer/export/spill.h \
  analyzer/export/stacks.c \
  analyzer/export/stacks.h \
  analyzer/export/stacks_parts.h \
  analyzer/export/stacks_work.c \
  analyzer/export/svg.c \
  analyzer/export/timeline.c \
  analyzer/export/timeline.h \
  analyzer/export/timeline_kinds.def \
  analyzer/export/v8_frame.c \
  analyzer/export/v8_frame.h \
  analyzer/export/weights.def

# findings/: what slows a program down.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/findings/alloc_churn.c \
  analyzer/findings/amdahl.c \
  analyzer/findings/attention.c \
  analyzer/findings/backlog.c \
  analyzer/findings/blas_code.c \
  analyzer/findings/blas_code.h \
  analyzer/findings/bottlenecks.c \
  analyzer/findings/call_kinds.c \
  analyzer/findings/call_kinds.def \
  analyzer/findings/call_kinds.h \
  analyzer/findings/capacity.c \
  analyzer/findings/capacity.h \
  analyzer/findings/claim.c \
  analyzer/findings/context.c \
  analyzer/findings/context.h \
  analyzer/findings/conversions.c \
  analyzer/findings/conversions.def \
  analyzer/findings/copying.def \
  analyzer/findings/cost_catalog.c \
  analyzer/findings/cost_catalog.h \
  analyzer/findings/coverage_rule.c \
  analyzer/findings/decompositions.c \
  analyzer/findings/device_alloc_rule.c \
  analyzer/findings/device_judged.c \
  analyzer/findings/device_judged.h \
  analyzer/findings/device_place.c \
  analyzer/findings/device_place.h \
  analyzer/findings/device_rules.c \
  analyzer/findings/device_use_rules.c \
  analyzer/findings/dispatch.c \
  analyzer/findings/evaluate.c \
  analyzer/findings/evenness.c \
  analyzer/findings/evenness.h \
  analyzer/findings/finding.c \
  analyzer/findings/finding.h \
  analyzer/findings/first_touch.c \
  analyzer/findings/growing_rows.c \
  analyzer/findings/grown_blocks.c \
  analyzer/findings/grown_blocks.h \
  analyzer/findings/hot.c \
  analyzer/findings/huge_pages.c \
  analyzer/findings/hot_library.c \
  analyzer/findings/hot_places.c \
  analyzer/findings/hot_places.h \
  analyzer/findings/main_waits.c \
  analyzer/findings/main_waits.h \
  analyzer/findings/imbalance.c \
  analyzer/findings/input.c \
  analyzer/findings/inverses.c \
  analyzer/findings/fork_copies.c \
  analyzer/findings/fork_copies.h \
  analyzer/findings/freeing.def \
  analyzer/findings/full_pool.c \
  analyzer/findings/keepers.c \
  analyzer/findings/keepers.h \
  analyzer/findings/kernel_bounds.c \
  analyzer/findings/kernel_shapes.c \
  analyzer/findings/kernel_types.c \
  analyzer/findings/known_costs.c \
  analyzer/findings/known_costs.h \
  analyzer/findings/known_costs_meet.c \
  analyzer/findings/known_costs_parts.h \
  analyzer/findings/kv_cache.c \
  analyzer/findings/library_calls.c \
  analyzer/findings/line_called.c \
  analyzer/findings/line_called.h \
  analyzer/findings/line_phrases.c \
  analyzer/findings/line_phrases.h \
  analyzer/findings/listen_queue.c \
  analyzer/findings/memory_rules.c \
  analyzer/findings/unjoined.c \
  analyzer/findings/unjoined.h \
  analyzer/findings/network_rules.c \
  analyzer/findings/noise.c \
  analyzer/findings/numpy_lines.c \
  analyzer/findings/op_advice.c \
  analyzer/findings/op_advice.h \
  analyzer/findings/op_rules.c \
  analyzer/findings/ops_meant.c \
  analyzer/findings/ops_meant.h \
  analyzer/findings/outside.c \
  analyzer/findings/outside.h \
  analyzer/findings/overlap.c \
  analyzer/findings/overlap.def \
  analyzer/findings/overlap.h \
  analyzer/findings/known_waits.c \
  analyzer/findings/known_waits.h \
  analyzer/findings/library_keepers.c \
  analyzer/findings/library_keepers.def \
  analyzer/findings/library_keepers.h \
  analyzer/findings/library_path.c \
  analyzer/findings/library_path.h \
  analyzer/findings/own_place.c \
  analyzer/findings/own_place.h \
  analyzer/findings/own_product.c \
  analyzer/findings/page_faults.c \
  analyzer/findings/page_faults.h \
  analyzer/findings/page_faults_places.c \
  analyzer/findings/parts.def \
  analyzer/findings/passes.c \
  analyzer/findings/peak_line.c \
  analyzer/findings/product_order.c \
  analyzer/findings/python_code.c \
  analyzer/findings/python_loops.c \
  analyzer/findings/python_rules.c \
  analyzer/findings/rates.c \
  analyzer/findings/rates.h \
  analyzer/findings/reference_blas.c \
  analyzer/findings/reference_blas.def \
  analyzer/findings/reference_blas.h \
  analyzer/findings/request_rules.c \
  analyzer/findings/routines.c \
  analyzer/findings/routines.h \
  analyzer/findings/row_calls.c \
  analyzer/findings/row_calls.h \
  analyzer/findings/rows.c \
  analyzer/findings/rows.h \
  analyzer/findings/rules.def \
  analyzer/findings/sampled_time.c \
  analyzer/findings/sentences.c \
  analyzer/findings/small_calls.c \
  analyzer/findings/start_up.c \
  analyzer/findings/succession.c \
  analyzer/findings/succession.h \
  analyzer/findings/system_rules.c \
  analyzer/findings/targets.c \
  analyzer/findings/targets.h \
  analyzer/findings/texts.c \
  analyzer/findings/texts.def \
  analyzer/findings/texts.h \
  analyzer/findings/thinned.c \
  analyzer/findings/thinned.h \
  analyzer/findings/thread_rules.c \
  analyzer/findings/transforms.c \
  analyzer/findings/trust.c \
  analyzer/findings/unseen_imports.c \
  analyzer/findings/unanswered.c \
  analyzer/findings/wait_lines.c \
  analyzer/findings/wait_lines.h \
  analyzer/findings/wait_rules.c \
  analyzer/findings/whereabouts.c \
  analyzer/findings/whereabouts.h

# The order is that of the search: the first paragraph that matches a function is its cost.
cost_specs = \
  $(top_srcdir)/analyzer/findings/costs/cpp.spec \
  $(top_srcdir)/analyzer/findings/costs/c.spec \
  $(top_srcdir)/analyzer/findings/costs/python.spec \
  $(top_srcdir)/analyzer/findings/costs/numpy.spec \
  $(top_srcdir)/analyzer/findings/costs/pandas.spec \
  $(top_srcdir)/analyzer/findings/costs/torch.spec \
  $(top_srcdir)/analyzer/findings/costs/learning.spec

analyzer/findings/costs_spec.h: $(cost_specs)
	$(AM_V_GEN)$(MKDIR_P) analyzer/findings && cat $(cost_specs) | sed -e '/^#/d' -e '/^$$/d' \
	  -e 's/[\\"]/\\&/g' -e 's/.*/"&\\n"/' > $@.new && mv $@.new $@
BUILT_SOURCES += analyzer/findings/costs_spec.h
CLEANFILES += analyzer/findings/costs_spec.h
EXTRA_DIST += $(cost_specs)

# money/: costs and other machines.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/money/cost.c \
  analyzer/money/cost.h \
  analyzer/money/cost_columns.def \
  analyzer/money/cost_report.c \
  analyzer/money/crossover.c \
  analyzer/money/crossover.h \
  analyzer/money/kernel_columns.def \
  analyzer/money/machine_columns.def \
  analyzer/money/reference.c \
  analyzer/money/reference.h \
  analyzer/money/texts.c \
  analyzer/money/texts.def \
  analyzer/money/texts.h \
  analyzer/money/whatif.c \
  analyzer/money/whatif.h \
  analyzer/money/whatif_report.c \
  analyzer/money/whatif_report.h \
  analyzer/money/whatif_report_kernels.c \
  analyzer/money/whatif_report_machines.c \
  analyzer/money/whatif_report_parts.h

# screen/: which tables in which order: the report, what a trace holds, the checks.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/screen/checks.c \
  analyzer/screen/checks.def \
  analyzer/screen/checks.h \
  analyzer/screen/checks_trace.c \
  analyzer/screen/counter_rows.c \
  analyzer/screen/counter_rows.h \
  analyzer/screen/first_advice.c \
  analyzer/screen/first_devices.c \
  analyzer/screen/first_head.c \
  analyzer/screen/first_libraries.c \
  analyzer/screen/first_memory.c \
  analyzer/screen/first_op_time.c \
  analyzer/screen/first_ops.c \
  analyzer/screen/first_ops.h \
  analyzer/screen/first_own_lines.c \
  analyzer/screen/first_parts.h \
  analyzer/screen/first_requests.c \
  analyzer/screen/first_screen.c \
  analyzer/screen/first_screen.h \
  analyzer/screen/first_time.c \
  analyzer/screen/first_unknown.c \
  analyzer/screen/first_wall.c \
  analyzer/screen/info.c \
  analyzer/screen/ops.c \
  analyzer/screen/parts.def \
  analyzer/screen/report.c \
  analyzer/screen/report.h \
  analyzer/screen/report_facts.c \
  analyzer/screen/report_full.c \
  analyzer/screen/report_head.c \
  analyzer/screen/report_head.h \
  analyzer/screen/report_parts.h \
  analyzer/screen/report_summary.c \
  analyzer/screen/report_sums.c \
  analyzer/screen/report_sums.h \
  analyzer/screen/report_time.c \
  analyzer/screen/report_time.h \
  analyzer/screen/resident_line.c \
  analyzer/screen/resident_line.h \
  analyzer/screen/shown.c \
  analyzer/screen/shown.h \
  analyzer/screen/stage_rows.c \
  analyzer/screen/stage_rows.h \
  analyzer/screen/texts.c \
  analyzer/screen/texts.def \
  analyzer/screen/texts.h \
  analyzer/screen/time.c \
  analyzer/screen/timeline.c \
  analyzer/screen/timeline_gaps.c \
  analyzer/screen/timeline_gaps.h \
  analyzer/screen/timeline_queues.c \
  analyzer/screen/timeline_queues.h

# runs/: what runs measured.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/runs/baseline.h \
  analyzer/runs/baseline_read.c \
  analyzer/runs/baseline_write.c \
  analyzer/runs/job.c \
  analyzer/runs/job.h \
  analyzer/runs/job_advice.c \
  analyzer/runs/job_advice.h \
  analyzer/runs/job_lines.c \
  analyzer/runs/job_lines.h \
  analyzer/runs/job_links.c \
  analyzer/runs/job_links.h \
  analyzer/runs/job_links_parts.h \
  analyzer/runs/job_phases.c \
  analyzer/runs/job_phases.h \
  analyzer/runs/json_file.c \
  analyzer/runs/json_file.h \
  analyzer/runs/process_words.c \
  analyzer/runs/process_words.h \
  analyzer/runs/processes.c \
  analyzer/runs/processes.h \
  analyzer/runs/quantities.def \
  analyzer/runs/run.c \
  analyzer/runs/run.h \
  analyzer/runs/run_commands.c \
  analyzer/runs/run_commands.h \
  analyzer/runs/run_devices.c \
  analyzer/runs/run_devices.h \
  analyzer/runs/run_facts.c \
  analyzer/runs/run_facts.h \
  analyzer/runs/run_ops.c \
  analyzer/runs/run_ops.h \
  analyzer/runs/run_places.c \
  analyzer/runs/run_places.h \
  analyzer/runs/run_session.c \
  analyzer/runs/run_session.h \
  analyzer/runs/starters.c \
  analyzer/runs/starters.h \
  analyzer/runs/texts.c \
  analyzer/runs/texts.def \
  analyzer/runs/texts.h

# compare/: comparing runs.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/compare/cells.c \
  analyzer/compare/cells.h \
  analyzer/compare/compared.c \
  analyzer/compare/derive.c \
  analyzer/compare/derive.h \
  analyzer/compare/doubts.c \
  analyzer/compare/doubts.h \
  analyzer/compare/endings.c \
  analyzer/compare/endings.h \
  analyzer/compare/figure.c \
  analyzer/compare/figure.h \
  analyzer/compare/figure_errors.c \
  analyzer/compare/gate.c \
  analyzer/compare/gate.h \
  analyzer/compare/gate_reduce.c \
  analyzer/compare/gate_report.c \
  analyzer/compare/gate_report.h \
  analyzer/compare/gate_results.def \
  analyzer/compare/pair.c \
  analyzer/compare/pair.h \
  analyzer/compare/report.c \
  analyzer/compare/report.h \
  analyzer/compare/report_head.c \
  analyzer/compare/report_parts.h \
  analyzer/compare/report_sides.c \
  analyzer/compare/report_tables.c \
  analyzer/compare/texts.c \
  analyzer/compare/texts.def \
  analyzer/compare/texts.h \
  analyzer/compare/words.c \
  analyzer/compare/words.h

# render/: tables to bytes.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/render/cell.c \
  analyzer/render/cell.h \
  analyzer/render/checks.c \
  analyzer/render/checks.h \
  analyzer/render/codequality.c \
  analyzer/render/csv.c \
  analyzer/render/display.c \
  analyzer/render/display.h \
  analyzer/render/fit.c \
  analyzer/render/fit.h \
  analyzer/render/json.c \
  analyzer/render/json_values.c \
  analyzer/render/json_values.h \
  analyzer/render/jsonl.c \
  analyzer/render/github.c \
  analyzer/render/gitlab.c \
  analyzer/render/junit.c \
  analyzer/render/layout.c \
  analyzer/render/layout.h \
  analyzer/render/markdown.c \
  analyzer/render/plain.c \
  analyzer/render/plot.c \
  analyzer/render/plot.h \
  analyzer/render/render.c \
  analyzer/render/render.h \
  analyzer/render/renderers.def \
  analyzer/render/scatter.c \
  analyzer/render/scatter.h \
  analyzer/render/strips.c \
  analyzer/render/strips.h \
  analyzer/render/terminal.c \
  analyzer/render/terminal.h

# watch/: the traces of a folder, look after look.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/watch/columns.def \
  analyzer/watch/machine.def \
  analyzer/watch/texts.c \
  analyzer/watch/texts.def \
  analyzer/watch/texts.h \
  analyzer/watch/watch.c \
  analyzer/watch/watch.h \
  analyzer/watch/watch_alerts.c \
  analyzer/watch/watch_machine.c \
  analyzer/watch/watch_parts.h \
  analyzer/watch/watch_windows.c

# page/: a trace as one page of HTML.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/page/analyses.c \
  analyzer/page/analyses.h \
  analyzer/page/assets.h \
  analyzer/page/comparison.c \
  analyzer/page/comparison.h \
  analyzer/page/comparison_frames.c \
  analyzer/page/comparison_parts.h \
  analyzer/page/distribution.c \
  analyzer/page/distribution.h \
  analyzer/page/document_page.c \
  analyzer/page/document_page.h \
  analyzer/page/flame_data.c \
  analyzer/page/flame_data.h \
  analyzer/page/gaps.c \
  analyzer/page/gaps.h \
  analyzer/page/html.c \
  analyzer/page/html.h \
  analyzer/page/job_page.c \
  analyzer/page/job_page.h \
  analyzer/page/lane_marks.c \
  analyzer/page/lane_marks.h \
  analyzer/page/op_times.c \
  analyzer/page/op_times.h \
  analyzer/page/outline.c \
  analyzer/page/outline.h \
  analyzer/page/owners.c \
  analyzer/page/owners.h \
  analyzer/page/page.c \
  analyzer/page/page.h \
  analyzer/page/page_request.h \
  analyzer/page/plots.c \
  analyzer/page/plots.h \
  analyzer/page/redaction.c \
  analyzer/page/redaction.h \
  analyzer/page/sources.c \
  analyzer/page/sources.h \
  analyzer/page/stacks.c \
  analyzer/page/stacks.h \
  analyzer/page/tables.c \
  analyzer/page/tables.h \
  analyzer/page/texts.c \
  analyzer/page/texts.def \
  analyzer/page/texts.h \
  analyzer/page/timeline.c \
  analyzer/page/timeline.h \
  analyzer/page/verdicts.def
nodist_analyzer_libanalyzer_a_SOURCES += analyzer/page/assets.c

page_web = $(top_srcdir)/analyzer/page/web/page.css \
  $(top_srcdir)/analyzer/page/web/common.js $(top_srcdir)/analyzer/page/web/tables.js \
  $(top_srcdir)/analyzer/page/web/flame.js \
  $(top_srcdir)/analyzer/page/web/gaps.js \
  $(top_srcdir)/analyzer/page/web/timeline.js $(top_srcdir)/analyzer/page/web/job.js \
  $(top_srcdir)/analyzer/page/web/owners.js \
  $(top_srcdir)/analyzer/page/web/page.js
analyzer/page/assets.c: $(page_web) $(top_srcdir)/analyzer/page/web/embed.sh
	$(AM_V_GEN)$(MKDIR_P) analyzer/page && \
	  $(top_srcdir)/analyzer/page/web/embed.sh $(page_web) >$@.new && mv $@.new $@
CLEANFILES += analyzer/page/assets.c
EXTRA_DIST += analyzer/page/web

# import/: other tools' logs to traces.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/import/import.c \
  analyzer/import/import.h \
  analyzer/import/kinds.def \
  analyzer/import/onednn.c \
  analyzer/import/onednn.h \
  analyzer/import/onednn_catalog.c \
  analyzer/import/onednn_kinds.def \
  analyzer/import/onnx_types.def \
  analyzer/import/onnxruntime.c \
  analyzer/import/perf.c \
  analyzer/import/perf_events.def \
  analyzer/import/perf_line.c \
  analyzer/import/perf_line.h \
  analyzer/import/perf_places.c \
  analyzer/import/perf_places.h \
  analyzer/import/texts.c \
  analyzer/import/texts.def \
  analyzer/import/texts.h \
  analyzer/import/trace.c \
  analyzer/import/trace.h \
  analyzer/import/trace_parts.h \
  analyzer/import/trace_write.c

# view/: the tables of a trace on a terminal.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/view/behind.def \
  analyzer/view/keys.def \
  analyzer/view/page.c \
  analyzer/view/page.h \
  analyzer/view/row.c \
  analyzer/view/row.h \
  analyzer/view/tables.def \
  analyzer/view/terminal.h \
  analyzer/view/texts.c \
  analyzer/view/texts.def \
  analyzer/view/texts.h \
  analyzer/view/trace.c \
  analyzer/view/trace.h \
  analyzer/view/view.c \
  analyzer/view/view.h \
  analyzer/view/view_draw.c
if HAVE_NCURSES
analyzer_libanalyzer_a_SOURCES += analyzer/view/curses.c
else
analyzer_libanalyzer_a_SOURCES += analyzer/view/no_curses.c
endif

# bench/: what to run again and again, and what comes of it; cmd/ starts the programs.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/bench/expression.c \
  analyzer/bench/expression.h \
  analyzer/bench/metric.c \
  analyzer/bench/metric.h \
  analyzer/bench/noise.c \
  analyzer/bench/noise.h \
  analyzer/bench/parameter.c \
  analyzer/bench/parameter.h \
  analyzer/bench/plan.c \
  analyzer/bench/plan.h \
  analyzer/bench/report.c \
  analyzer/bench/report.h \
  analyzer/bench/report_curves.c \
  analyzer/bench/report_file.c \
  analyzer/bench/report_file.h \
  analyzer/bench/report_functions.c \
  analyzer/bench/report_parts.c \
  analyzer/bench/report_parts.h \
  analyzer/bench/report_points.c \
  analyzer/bench/report_scaling.c \
  analyzer/bench/report_sweep.c \
  analyzer/bench/result_columns.def \
  analyzer/bench/results.c \
  analyzer/bench/results.h \
  analyzer/bench/sample.c \
  analyzer/bench/sample.h \
  analyzer/bench/scaling.c \
  analyzer/bench/scaling.h \
  analyzer/bench/schedule.c \
  analyzer/bench/schedule.h \
  analyzer/bench/suite.c \
  analyzer/bench/suite.h \
  analyzer/bench/sweep.c \
  analyzer/bench/sweep.h \
  analyzer/bench/texts.c \
  analyzer/bench/texts.def \
  analyzer/bench/texts.h

analyzer_libs = analyzer/libanalyzer.a $(JANSSON_LIBS) $(GSL_LIBS) $(ELFUTILS_LIBS) $(IBERTY_LIBS) \
  $(ZSTD_LIBS) $(ZLIB_LIBS) $(YAML_LIBS) $(UNWIND_LIBS) $(NCURSES_LIBS) -lm -lpthread -ldl

# launch/: starting, watching, counting and ending a program.
analyzer_libanalyzer_a_SOURCES += \
  analyzer/launch/browser.c \
  analyzer/launch/browser.h \
  analyzer/launch/counter_events.def \
  analyzer/launch/counters.c \
  analyzer/launch/counters.h \
  analyzer/launch/ending.c \
  analyzer/launch/ending.h \
  analyzer/launch/execute.c \
  analyzer/launch/execute.h \
  analyzer/launch/launch.c \
  analyzer/launch/launch.h \
  analyzer/launch/package.c \
  analyzer/launch/package.h \
  analyzer/launch/run_output.c \
  analyzer/launch/run_output.h \
  analyzer/launch/run_values.c \
  analyzer/launch/run_values.h \
  analyzer/launch/status_line.c \
  analyzer/launch/status_line.h \
  analyzer/launch/stop.c \
  analyzer/launch/stop.h \
  analyzer/launch/target.c \
  analyzer/launch/target.h \
  analyzer/launch/trace_glob.c \
  analyzer/launch/trace_glob.h \
  analyzer/launch/workers.c \
  analyzer/launch/workers.h

# cmd/: one verb a file.
analyzer_tprof_SOURCES = \
  analyzer/cmd/advice.c \
  analyzer/cmd/advice.h \
  analyzer/cmd/amdahl.c \
  analyzer/cmd/amdahl_options.def \
  analyzer/cmd/analysis.c \
  analyzer/cmd/baseline.c \
  analyzer/cmd/bench.c \
  analyzer/cmd/bench_export.c \
  analyzer/cmd/bench_options.c \
  analyzer/cmd/bench_options.def \
  analyzer/cmd/bench_parts.h \
  analyzer/cmd/bench_runner.c \
  analyzer/cmd/bench_runner.h \
  analyzer/cmd/calibrate.c \
  analyzer/cmd/calibrate_options.def \
  analyzer/cmd/checkup.c \
  analyzer/cmd/checkup.h \
  analyzer/cmd/cmd.h \
  analyzer/cmd/commands.def \
  analyzer/cmd/compare.c \
  analyzer/cmd/compare_options.def \
  analyzer/cmd/completion.c \
  analyzer/cmd/completion.h \
  analyzer/cmd/completion_bash.c \
  analyzer/cmd/completion_fish.c \
  analyzer/cmd/completion_parts.h \
  analyzer/cmd/completion_zsh.c \
  analyzer/cmd/cost.c \
  analyzer/cmd/costs.c \
  analyzer/cmd/cost_options.def \
  analyzer/cmd/cut.c \
  analyzer/cmd/cut.h \
  analyzer/cmd/destination.c \
  analyzer/cmd/destination.h \
  analyzer/cmd/doctor.c \
  analyzer/cmd/dump.c \
  analyzer/cmd/export.c \
  analyzer/cmd/export_options.def \
  analyzer/cmd/flame.c \
  analyzer/cmd/flame_draw.c \
  analyzer/cmd/flame_draw.h \
  analyzer/cmd/flame_options.def \
  analyzer/cmd/flops_calc.c \
  analyzer/cmd/gate.c \
  analyzer/cmd/gate_options.def \
  analyzer/cmd/html.c \
  analyzer/cmd/html_compare.c \
  analyzer/cmd/html_compare.h \
  analyzer/cmd/html_curves.c \
  analyzer/cmd/html_curves.h \
  analyzer/cmd/html_job.c \
  analyzer/cmd/html_job.h \
  analyzer/cmd/html_options.def \
  analyzer/cmd/import.c \
  analyzer/cmd/incident.c \
  analyzer/cmd/incident.h \
  analyzer/cmd/import_options.def \
  analyzer/cmd/kernels.c \
  analyzer/cmd/list.c \
  analyzer/cmd/live.c \
  analyzer/cmd/live_options.def \
  analyzer/cmd/live_page.c \
  analyzer/cmd/live_page.h \
  analyzer/cmd/list_names.h \
  analyzer/cmd/list_options.def \
  analyzer/cmd/machine.c \
  analyzer/cmd/newest.c \
  analyzer/cmd/newest.h \
  analyzer/cmd/options.c \
  analyzer/cmd/options.def \
  analyzer/cmd/other_words.def \
  analyzer/cmd/output.c \
  analyzer/cmd/pack.c \
  analyzer/cmd/pack_options.def \
  analyzer/cmd/pack_symbols.c \
  analyzer/cmd/pack_symbols.h \
  analyzer/cmd/page_file.c \
  analyzer/cmd/page_file.h \
  analyzer/cmd/processes.c \
  analyzer/cmd/progress.c \
  analyzer/cmd/report.c \
  analyzer/cmd/run.c \
  analyzer/cmd/run_options.def \
  analyzer/cmd/run_traces.c \
  analyzer/cmd/run_traces.h \
  analyzer/cmd/scaling.c \
  analyzer/cmd/scaling.h \
  analyzer/cmd/scaling_options.def \
  analyzer/cmd/sides.c \
  analyzer/cmd/sides.h \
  analyzer/cmd/steady.c \
  analyzer/cmd/steady.h \
  analyzer/cmd/sla.c \
  analyzer/cmd/sla_options.def \
  analyzer/cmd/step_summary.c \
  analyzer/cmd/step_summary.h \
  analyzer/cmd/tell.c \
  analyzer/cmd/trial.c \
  analyzer/cmd/trial.h \
  analyzer/cmd/view.c \
  analyzer/cmd/watch.c \
  analyzer/cmd/watch_options.def \
  analyzer/cmd/weight.c \
  analyzer/cmd/weight.h \
  analyzer/cmd/whatif.c \
  analyzer/cmd/whatif_options.def \
  analyzer/cmd/where.c \
  analyzer/cmd/where_options.def \
  analyzer/main.c \
  shim/platform/environment.h \
  shim/platform/quote.c \
  shim/platform/quote.h \
  shim/record/settings.c \
  shim/record/settings_keep.c \
  shim/record/settings.h
analyzer_tprof_LDADD = $(analyzer_libs)

# make PACKAGED=TEXT names another package than configure did.
analyzer/launch/package.$(OBJEXT): CPPFLAGS += -DPACKAGED='"$(PACKAGED)"'
