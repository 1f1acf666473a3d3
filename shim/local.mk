# SPDX-License-Identifier: GPL-3.0-or-later

include_HEADERS += shim/tprof.h

# The catalog: text to tables, by a program of the building machine.

catalog_sources = \
  shim/spec/arena.c \
  shim/spec/catalog_later.c \
  shim/spec/catalog_read.c \
  shim/spec/evaluate.c \
  shim/spec/formula.c \
  shim/spec/line.c \
  shim/spec/paragraph.c \
  shim/spec/property.c \
  shim/spec/prototype.c \
  shim/spec/reader.c \
  shim/spec/shape.c \
  shim/spec/symbols.c
catalog_headers = \
  shim/spec/arena.h \
  shim/spec/catalog.h \
  shim/spec/catalog_later.h \
  shim/spec/catalog_read.h \
  shim/spec/decimal.h \
  shim/spec/formula.h \
  shim/spec/line.h \
  shim/spec/paragraph.h \
  shim/spec/plan.def \
  shim/spec/plan.h \
  shim/spec/precisions.def \
  shim/spec/property.h \
  shim/spec/prototype.h \
  shim/spec/reader.h \
  shim/spec/symbols.h
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
EXTRA_DIST += shim/spec/generate.c shim/spec/kernels.spec

# Libtprof.so.

lib_LTLIBRARIES += shim/libtprof.la

shim_libtprof_la_SOURCES = \
  shim/adapter/adapter.c \
  shim/adapter/adapter.h \
  shim/adapter/fftw.c \
  shim/adapter/gpu_fft.c \
  shim/adapter/lightweight.c \
  shim/adapter/nccl.c \
  shim/adapter/onednn.c \
  shim/adapter/onednn.def \
  shim/adapter/onednn_layers.c \
  shim/adapter/onednn_layers.h \
  shim/adapter/onednn_library.c \
  shim/adapter/onednn_library.h \
  shim/adapter/onednn_products.c \
  shim/adapter/onednn_products.h \
  shim/adapter/onednn_shape.c \
  shim/adapter/onednn_shape.h \
  shim/adapter/onnxruntime.c \
  shim/call/adapter_call.c \
  shim/call/adapter_call.h \
  shim/call/awaited.c \
  shim/call/awaited.h \
  shim/call/binding.h \
  shim/call/entry.c \
  shim/call/entry.h \
  shim/call/entry_aarch64.S \
  shim/call/entry_layout.h \
  shim/call/entry_x86_64.S \
  shim/call/library.c \
  shim/call/library.h \
  shim/call/object.c \
  shim/call/object.h \
  shim/call/object_facts.c \
  shim/call/object_facts.h \
  shim/call/probe.c \
  shim/call/probe.h \
  shim/call/requested.c \
  shim/call/requested.h \
  shim/call/shape.h \
  shim/call/tls.c \
  shim/call/tls.def \
  shim/call/tls.h \
  shim/call/wait.c \
  shim/call/wait.h \
  shim/call/wait_arguments.h \
  shim/call/wait_owner.c \
  shim/call/wait_owner.h \
  shim/call/wait_pools.c \
  shim/call/wait_pools.h \
  shim/call/wait_row.h \
  shim/call/wait_rows.c \
  shim/call/waited.c \
  shim/call/waited.h \
  shim/call/wake.c \
  shim/call/wake.h \
  shim/chain/callchain.c \
  shim/chain/callchain.h \
  shim/chain/join.c \
  shim/chain/join.h \
  shim/chain/lane_chain.h \
  shim/chain/mixed.c \
  shim/chain/mixed.h \
  shim/chain/row.c \
  shim/chain/row.h \
  shim/chain/step.h \
  shim/chain/successors.c \
  shim/chain/successors.h \
  shim/chain/tree.c \
  shim/chain/tree.h \
  shim/chain/walk.c \
  shim/chain/walk_clock.c \
  shim/chain/walk_clock.h \
  shim/chain/walk.h \
  shim/cuda/cuda.h \
  shim/cuda/cuda_api.h \
  shim/cuda/cuda_call.c \
  shim/cuda/cuda_driver.def \
  shim/cuda/cuda_entry.c \
  shim/cuda/cuda_parts.h \
  shim/cuda/cuda_queue.c \
  shim/cuda/cuda_runtime.def \
  shim/cuda/cuda_readings.c \
  shim/cuda/cuda_readings.h \
  shim/cuda/cuda_times.c \
  shim/cuda/cuda_times.h \
  shim/cuda/cupti.def \
  shim/cuda/nvml.def \
  shim/cuda/nvml_api.h \
  shim/device/blocks.c \
  shim/device/blocks.h \
  shim/device/clock_join.c \
  shim/device/clock_join.h \
  shim/device/command.c \
  shim/device/command.h \
  shim/device/device.c \
  shim/device/device.h \
  shim/device/handles.c \
  shim/device/handles.h \
  shim/device/pending.c \
  shim/device/pending.h \
  shim/device/readings.c \
  shim/device/readings.h \
  shim/device/state.c \
  shim/device/state.h \
  shim/device/streams.c \
  shim/device/streams.h \
  shim/device/streams_table.h \
  shim/device/streams_queue.c \
  shim/device/words.h \
  shim/hip/hip.def \
  shim/hip/hip.h \
  shim/hip/hip_api.h \
  shim/hip/hip_call.c \
  shim/hip/hip_parts.h \
  shim/hip/hip_queue.c \
  shim/hook/bindings.c \
  shim/hook/bindings.h \
  shim/hook/catalog.c \
  shim/hook/catalog.h \
  shim/hook/contexts.c \
  shim/hook/contexts.h \
  shim/hook/deep.c \
  shim/hook/deep.h \
  shim/hook/hook.c \
  shim/hook/hook.h \
  shim/hook/hook_facts.c \
  shim/hook/hook_facts.h \
  shim/hook/libraries.c \
  shim/hook/libraries.h \
  shim/hook/linker.c \
  shim/hook/linker.h \
  shim/hook/load_map.c \
  shim/hook/load_map.h \
  shim/hook/names.c \
  shim/hook/names.h \
  shim/hook/python.c \
  shim/hook/python.h \
  shim/hook/python_objects.c \
  shim/hook/python_objects.h \
  shim/hook/scope.c \
  shim/hook/scope.h \
  shim/hook/torch.c \
  shim/hook/torch.h \
  shim/hook/user_files.c \
  shim/hook/user_files.h \
  shim/hook/waits.c \
  shim/hook/waits.h \
  shim/interpose/alloc.c \
  shim/interpose/alloc.h \
  shim/interpose/alloc_drawn.c \
  shim/interpose/alloc_parts.h \
  shim/interpose/dl.c \
  shim/interpose/dropping.c \
  shim/interpose/dropping.h \
  shim/interpose/joining.c \
  shim/interpose/joining.h \
  shim/interpose/leaving.c \
  shim/interpose/locking.c \
  shim/interpose/mapping.c \
  shim/interpose/preload.c \
  shim/interpose/preload.h \
  shim/interpose/region.c \
  shim/interpose/region.h \
  shim/interpose/sandbox.c \
  shim/interpose/sandbox.h \
  shim/interpose/signal_waits.c \
  shim/interpose/signal_waits.h \
  shim/interpose/signals.c \
  shim/interpose/syscalls.c \
  shim/interpose/threads.c \
  shim/interpose/yielding.c \
  shim/interpose/yielding.h \
  shim/opencl/opencl.c \
  shim/opencl/opencl.def \
  shim/opencl/opencl.h \
  shim/opencl/opencl_api.h \
  shim/opencl/opencl_command.c \
  shim/opencl/opencl_memory.c \
  shim/opencl/opencl_parts.h \
  shim/opencl/opencl_program.c \
  shim/opencl/opencl_queue.c \
  shim/platform/aside.c \
  shim/platform/aside.h \
  shim/platform/attributes.h \
  shim/platform/calls.h \
  shim/platform/clock.c \
  shim/platform/clock.h \
  shim/platform/clock_aarch64.h \
  shim/platform/clock_x86_64.h \
  shim/platform/cpu.c \
  shim/platform/cpu.h \
  shim/platform/draw.h \
  shim/platform/elf.c \
  shim/platform/elf.h \
  shim/platform/environment.c \
  shim/platform/environment.h \
  shim/platform/estimate.h \
  shim/platform/fixed.h \
  shim/platform/hash.h \
  shim/platform/interrupted.h \
  shim/platform/cpu_leaf.c \
  shim/platform/cpu_leaf.h \
  shim/platform/keys.c \
  shim/platform/keys.h \
  shim/platform/link_list.c \
  shim/platform/link_list.h \
  shim/platform/lock.c \
  shim/platform/lock.h \
  shim/platform/median.h \
  shim/platform/memory.c \
  shim/platform/memory.h \
  shim/platform/memory_kept.c \
  shim/platform/musl.c \
  shim/platform/musl.h \
  shim/platform/next.def \
  shim/platform/next.h \
  shim/platform/next_find.c \
  shim/platform/next_find.h \
  shim/platform/notice.c \
  shim/platform/notice.h \
  shim/platform/other_stack.h \
  shim/platform/own_stack.c \
  shim/platform/own_stack.h \
  shim/platform/program_file.c \
  shim/platform/program_file.h \
  shim/platform/quote.c \
  shim/platform/quote.h \
  shim/platform/range.c \
  shim/platform/range.h \
  shim/platform/readable.c \
  shim/platform/readable.h \
  shim/platform/relocation.h \
  shim/platform/sanitizer.c \
  shim/platform/sanitizer.h \
  shim/platform/signal_action.h \
  shim/platform/single_add.h \
  shim/platform/slot.c \
  shim/platform/slot.h \
  shim/platform/small_file.c \
  shim/platform/small_file.h \
  shim/platform/syscall_aarch64.S \
  shim/platform/syscall_futex.h \
  shim/platform/syscall_taken.h \
  shim/platform/syscall_x86_64.S \
  shim/platform/unwinder.c \
  shim/platform/unwinder.h \
  shim/platform/vectors.h \
  shim/python/codes.c \
  shim/python/codes.h \
  shim/python/frames.c \
  shim/python/frames.h \
  shim/python/holder.c \
  shim/python/holder.h \
  shim/python/passing.def \
  shim/python/runtime.c \
  shim/python/runtime.h \
  shim/python/sites.c \
  shim/python/sites.h \
  shim/ranges/collector.c \
  shim/ranges/itt.c \
  shim/ranges/itt.def \
  shim/ranges/itt.h \
  shim/ranges/nvtx.c \
  shim/ranges/nvtx.def \
  shim/ranges/nvtx.h \
  shim/ranges/ranges.c \
  shim/ranges/ranges.h \
  shim/ranges/spans.c \
  shim/ranges/spans.h \
  shim/record/budget.c \
  shim/record/budget.h \
  shim/record/budget_look.c \
  shim/record/budget_look.h \
  shim/record/call_draws.c \
  shim/record/call_draws.h \
  shim/record/expense.c \
  shim/record/expense.h \
  shim/record/extended.c \
  shim/record/extended.h \
  shim/record/facts.c \
  shim/record/facts.h \
  shim/record/guard.c \
  shim/record/guard.h \
  shim/record/incidents.c \
  shim/record/incidents.h \
  shim/record/lane.h \
  shim/record/lane_budget.c \
  shim/record/lane_budget.h \
  shim/record/lane_chunks.c \
  shim/record/lane_chunks.h \
  shim/record/lane_parts.h \
  shim/record/lanes.c \
  shim/record/lanes.h \
  shim/record/live_heap.c \
  shim/record/live_heap.h \
  shim/record/mean_cost.h \
  shim/record/ops.c \
  shim/record/ops.h \
  shim/record/pace.c \
  shim/record/pace.h \
  shim/record/passed.h \
  shim/record/path.c \
  shim/record/path.h \
  shim/record/process.c \
  shim/record/process.h \
  shim/record/process_end.c \
  shim/record/process_end.h \
  shim/record/process_facts.c \
  shim/record/process_facts.h \
  shim/record/process_keep.c \
  shim/record/process_keep.h \
  shim/record/process_parts.h \
  shim/record/process_start.c \
  shim/record/process_start.h \
  shim/record/region_clock.c \
  shim/record/region_clock.h \
  shim/record/region_stack.h \
  shim/record/resident.c \
  shim/record/resident.h \
  shim/record/room.h \
  shim/record/samples.c \
  shim/record/samples.h \
  shim/record/settings.c \
  shim/record/settings.h \
  shim/record/settings_keep.c \
  shim/record/settings_parts.h \
  shim/record/slow.c \
  shim/record/slow.h \
  shim/record/stages.c \
  shim/record/stages.h \
  shim/record/stages_change.c \
  shim/record/stages_change.h \
  shim/record/strings.c \
  shim/record/strings.h \
  shim/record/surroundings.c \
  shim/record/surroundings.h \
  shim/record/tally.c \
  shim/record/thread_context.c \
  shim/record/thread_context.h \
  shim/record/tally.h \
  shim/record/tally_key.h \
  shim/record/usage.c \
  shim/record/usage.h \
  shim/record/wait_cells.c \
  shim/record/deferral.c \
  shim/record/deferral.h \
  shim/record/deferred_block.h \
  shim/record/wait_cells.h \
  shim/request/answers.c \
  shim/request/answers.h \
  shim/request/asking.c \
  shim/request/asking.h \
  shim/request/connections.c \
  shim/request/connections.h \
  shim/request/endpoint_name.c \
  shim/request/endpoint_name.h \
  shim/request/endpoints.c \
  shim/request/endpoints.h \
  shim/request/first_bytes.c \
  shim/request/first_bytes.h \
  shim/request/functions.c \
  shim/request/functions.h \
  shim/request/proxy_start.c \
  shim/request/proxy_start.h \
  shim/request/roles.c \
  shim/request/socket_calls.def \
  shim/request/sessions.c \
  shim/request/sessions.h \
  shim/request/sums.c \
  shim/request/sums.h \
  shim/sampler/cpu_linux.c \
  shim/sampler/cpu_linux.h \
  shim/sampler/cpu_obstacles.c \
  shim/sampler/cpu_obstacles.h \
  shim/sampler/cpu_sample.c \
  shim/sampler/cpu_sample.h \
  shim/sampler/cpu_timers.c \
  shim/sampler/cpu_timers.h \
  shim/sampler/cpu_timers_parts.h \
  shim/sampler/cpu_timers_pauses.c \
  shim/sampler/own_signal.c \
  shim/sampler/own_signal.h \
  shim/sampler/reading.c \
  shim/sampler/reading.h \
  shim/sampler/sampled_threads.c \
  shim/sampler/sampled_threads.h \
  shim/sampler/signal_stack.c \
  shim/sampler/signal_stack.h \
  shim/sampler/snapshot.c \
  shim/sampler/snapshot.h \
  shim/sampler/stack_handlers.c \
  shim/sampler/stack_handlers.h \
  shim/spec/arena.c \
  shim/spec/catalog_read.c \
  shim/spec/chain_ends.def \
  shim/spec/conditions.def \
  shim/spec/counters.def \
  shim/spec/drawn_calls.h \
  shim/spec/environment.def \
  shim/spec/event_words.h \
  shim/spec/events.def \
  shim/spec/extended.def \
  shim/spec/facts.def \
  shim/spec/incident_causes.def \
  shim/spec/keep_obstacles.def \
  shim/spec/line.c \
  shim/spec/ops_off.def \
  shim/spec/options.def \
  shim/spec/outcomes.def \
  shim/spec/payloads.def \
  shim/spec/paragraph.c \
  shim/spec/protocols.def \
  shim/spec/python_code.c \
  shim/spec/python_code.h \
  shim/spec/python_layout.c \
  shim/spec/python_layout.def \
  shim/spec/python_layout.h \
  shim/spec/python_loop.c \
  shim/spec/python_loop.h \
  shim/spec/python_objects.def \
  shim/spec/python_off.def \
  shim/spec/ranks.def \
  shim/spec/reader.c \
  shim/spec/readings.def \
  shim/spec/resident.def \
  shim/spec/sampling_off.def \
  shim/spec/sanitizers.def \
  shim/spec/shape.c \
  shim/spec/stage_causes.def \
  shim/spec/stages.def \
  shim/spec/step_words.def \
  shim/spec/streams.def \
  shim/spec/surrounding_sources.def \
  shim/spec/surroundings.def \
  shim/spec/symbols.c \
  shim/spec/device_latest.h \
  shim/spec/trace.h \
  shim/spec/versions.def \
  shim/spec/commands.def \
  shim/spec/device_apis.def \
  shim/spec/device_kinds.def \
  shim/spec/device_numbers.def \
  shim/spec/device_places.def \
  shim/spec/device_readings.def \
  shim/spec/wait_classes.def \
  shim/spec/waited.def \
  shim/spec/waits.def \
  shim/start/overhead.c \
  shim/start/overhead.h \
  shim/start/rooms.c \
  shim/start/shim.c \
  shim/torch/attributes.c \
  shim/torch/attributes.h \
  shim/torch/devices.def \
  shim/torch/inputs.c \
  shim/torch/inputs.h \
  shim/torch/layers.c \
  shim/torch/layers.h \
  shim/torch/layout.def \
  shim/torch/library.def \
  shim/torch/places.c \
  shim/torch/places.h \
  shim/torch/torch.c \
  shim/torch/torch.h \
  shim/torch/types.def \
  shim/tprof.h \
  shim/trace/family.c \
  shim/trace/family.h \
  shim/trace/file.c \
  shim/trace/file.h \
  shim/unwind/cfi.c \
  shim/unwind/cfi.h \
  shim/unwind/cfi_result.h \
  shim/unwind/description.c \
  shim/unwind/description.h \
  shim/unwind/dwarf.c \
  shim/unwind/dwarf.def \
  shim/unwind/dwarf.h \
  shim/unwind/frame_row.c \
  shim/unwind/frame_row.h \
  shim/unwind/machine.h \
  shim/unwind/machine_aarch64.h \
  shim/unwind/machine_x86_64.h \
  shim/unwind/objects.c \
  shim/unwind/objects.h \
  shim/unwind/rule.h \
  shim/unwind/rules.c \
  shim/unwind/rules.h \
  $(catalog_headers)

nodist_shim_libtprof_la_SOURCES = shim/kernels.def

# -fexceptions: a throw or a thread's exit runs the cleanup in a wrapper.
# -fno-builtin-malloc …: ours must not be compiled as if it were libc's.
# NO_PARTITION_CFLAGS: gcc takes the wrappers' hot half for cold.
# LARGE_SOURCES_CFLAGS: else gcc says of the catalog's tables that they are large.
# -fno-tree-slp-vectorize: two words that were stored apart are slow to load as one.
# -O2 last: a call in tail position must be a jump (interpose/dl.c).
# NO_AVX_CFLAGS: AVX would clear what platform/vectors.h leaves in the registers.
# STACK_CFLAGS: a caller's stack may be misaligned, which aligned vectors do not bear.
shim_cflags = $(STRICT_CFLAGS) -fvisibility=hidden -fexceptions -O2 \
  -fno-tree-slp-vectorize -fdata-sections \
  $(NO_PARTITION_CFLAGS) $(LARGE_SOURCES_CFLAGS) $(NO_AVX_CFLAGS) \
  -fno-builtin-malloc -fno-builtin-calloc -fno-builtin-realloc -fno-builtin-free
shim_libtprof_la_CPPFLAGS = $(plain_cppflags)
shim_libtprof_la_CFLAGS = $(shim_cflags) $(STACK_CFLAGS)
shim_libtprof_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,defs -Wl,-z,now -Wl,-z,relro \
  $(SORTED_LDFLAGS)
# Behind the user's CFLAGS; see m4/tprof.m4.  __memcpy_chk and its like are glibc's alone.
shim/%: CFLAGS += -Wp,-U_FORTIFY_SOURCE $(SHIM_OPTIMIZED_CFLAGS)

# What leaves the floating registers of a call alone.
noinst_LTLIBRARIES += shim/libplain.la
shim_libplain_la_SOURCES = shim/call/entry_plain.c
shim_libplain_la_CPPFLAGS = $(plain_cppflags)
shim_libplain_la_CFLAGS = $(shim_cflags) -mgeneral-regs-only

# What passes floating-point numbers, computes with them, or names their registers.
# NO_IMPLICIT_CFLAGS: clang clears a structure with a vector register where it has any.
noinst_LTLIBRARIES += shim/libreal.la
shim_libreal_la_SOURCES = \
  shim/call/wrappers.c \
  shim/interpose/metric.c \
  shim/platform/vectors.c \
  shim/ranges/counters.c \
  shim/spec/formula.c \
  shim/spec/plan.c \
  shim/spec/property.c \
  shim/spec/prototype.c
shim_libreal_la_CPPFLAGS = $(plain_cppflags)
shim_libreal_la_CFLAGS = $(shim_cflags) $(NO_IMPLICIT_CFLAGS)

shim_libtprof_la_LIBADD = shim/libplain.la shim/libreal.la
