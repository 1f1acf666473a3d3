# SPDX-License-Identifier: GPL-3.0-or-later
#
# Tests: unit/ holds a Check suite a module of the analyzer; system/ runs
# programs under the shim and compares with the truth they print.  All speak
# TAP, so that the totals of `make check` count single test cases.
#
# `make check` needs the analyzer and the samples, and skips what was left out.
# PROGRAM_TESTS need large packages (numpy, torch, a cross compiler) and run by
# `make check-programs`; wheels.test runs the small wheels of PyPI there, and all of them by
# `make check-wheels`.

unit_suite_sources = \
  tests/unit/check_alerts.c \
  tests/unit/check_analysis.c \
  tests/unit/check_array.c \
  tests/unit/check_beats.c \
  tests/unit/check_bench.c \
  tests/unit/check_calc.c \
  tests/unit/check_catalog.c \
  tests/unit/check_chains.c \
  tests/unit/check_compare.c \
  tests/unit/check_conditions.c \
  tests/unit/check_counters.c \
  tests/unit/check_course.c \
  tests/unit/check_coverage.c \
  tests/unit/check_cpu_samples.c \
  tests/unit/check_cpu_time.c \
  tests/unit/check_device_model.c \
  tests/unit/check_devices.c \
  tests/unit/check_doctor.c \
  tests/unit/check_drawn_calls.c \
  tests/unit/check_estimate.c \
  tests/unit/check_export.c \
  tests/unit/check_findings.c \
  tests/unit/check_flops.c \
  tests/unit/check_function_ranges.c \
  tests/unit/check_gate.c \
  tests/unit/check_heap.c \
  tests/unit/check_intervals.c \
  tests/unit/check_kernels.c \
  tests/unit/check_leaks.c \
  tests/unit/check_lines.c \
  tests/unit/check_live.c \
  tests/unit/check_machine.c \
  tests/unit/check_mappings.c \
  tests/unit/check_memory.c \
  tests/unit/check_money.c \
  tests/unit/check_names.c \
  tests/unit/check_op_flops.c \
  tests/unit/check_op_growth.c \
  tests/unit/check_op_laps.c \
  tests/unit/check_op_roles.c \
  tests/unit/check_options.c \
  tests/unit/check_packed.c \
  tests/unit/check_pool.c \
  tests/unit/check_python.c \
  tests/unit/check_reader.c \
  tests/unit/check_region_cpu.c \
  tests/unit/check_render.c \
  tests/unit/check_roofline.c \
  tests/unit/check_rows.c \
  tests/unit/check_runs.c \
  tests/unit/check_requests.c \
  tests/unit/check_service.c \
  tests/unit/check_session.c \
  tests/unit/check_stacks.c \
  tests/unit/check_stage_rows.c \
  tests/unit/check_stage_words.c \
  tests/unit/check_statistics.c \
  tests/unit/check_steps.c \
  tests/unit/check_summary.c \
  tests/unit/check_symbols.c \
  tests/unit/check_system_rules.c \
  tests/unit/check_table.c \
  tests/unit/check_text.c \
  tests/unit/check_timing.c \
  tests/unit/check_units.c \
  tests/unit/check_untimed.c \
  tests/unit/check_view.c \
  tests/unit/check_waits.c \
  tests/unit/check_wakers.c \
  tests/unit/check_watch.c \
  tests/unit/check_where.c
unit_suites = $(unit_suite_sources:.c=)

# Programs of their own: modules of the shim, with stand-ins in the test for what they need of the
# rest; check_target changes bytes of its own program.
unit_programs = \
  tests/unit/check_cfi \
  tests/unit/check_clock \
  tests/unit/check_elf \
  tests/unit/check_endpoints \
  tests/unit/check_file \
  tests/unit/check_frames \
  tests/unit/check_inputs \
  tests/unit/check_object \
  tests/unit/check_own_memory \
  tests/unit/check_pace \
  tests/unit/check_passed \
  tests/unit/check_readable \
  tests/unit/check_rules \
  tests/unit/check_samples \
  tests/unit/check_stages \
  tests/unit/check_successors \
  tests/unit/check_target

# The longest first, in the order of their length: none of them is left to run alone.
# --disable-long-tests leaves them out.
long_tests = \
  tests/system/torture.test \
  tests/system/diagnose.test \
  tests/system/costs.test \
  tests/system/cuda.test \
  tests/system/cuda_bad.test \
  tests/system/device_findings.test \
  tests/system/gpu_libraries.test \
  tests/system/gpu_readings.test \
  tests/system/hip.test \
  tests/system/pack.test \
  tests/system/time.test \
  tests/system/survive.test \
  tests/system/html.test \
  tests/system/python_lines.test \
  tests/system/badinput.test \
  tests/system/dropped.test \
  tests/system/kill.test \
  tests/system/clocks.test \
  tests/system/sampling.test \
  tests/system/commands.test \
  tests/system/leaks.test \
  tests/system/unreadable.test \
  tests/system/ranges.test \
  tests/system/run.test \
  tests/system/turns.test \
  tests/system/users.test \
  tests/system/scale.test \
  tests/system/process.test \
  tests/system/start_leaks.test \
  tests/system/jobs.test \
  tests/system/exactness.test \
  tests/system/limits.test \
  tests/system/wear.test \
  tests/system/stages.test \
  tests/system/routes.test \
  tests/system/bindings.test \
  tests/system/windows.test \
  tests/system/export.test \
  tests/system/first_screen.test \
  tests/system/budget.test \
  tests/system/phases.test \
  tests/system/odd.test \
  tests/system/signals.test \
  tests/system/small_children.test \
  tests/system/where.test \
  tests/system/alerts.test \
  tests/system/incidents.test \
  tests/system/live.test \
  tests/system/watch.test \
  tests/system/python_where.test \
  tests/system/bench.test \
  tests/system/names.test

# The others, by name.
system_tests = \
  tests/system/action.test \
  tests/system/addresses.test \
  tests/system/askew.test \
  tests/system/bottlenecks.test \
  tests/system/calibrate.test \
  tests/system/called.test \
  tests/system/chains.test \
  tests/system/children.test \
  tests/system/compare.test \
  tests/system/compiled.test \
  tests/system/completion.test \
  tests/system/deep.test \
  tests/system/dimensions.test \
  tests/system/endings.test \
  tests/system/flops.test \
  tests/system/harmless.test \
  tests/system/holders.test \
  tests/system/import.test \
  tests/system/imports.test \
  tests/system/install.test \
  tests/system/library.test \
  tests/system/manual.test \
  tests/system/mapper.test \
  tests/system/memory.test \
  tests/system/own_product.test \
  tests/system/round_trips.test \
  tests/system/peak_line.test \
  tests/system/money.test \
  tests/system/musl.test \
  tests/system/onnxruntime.test \
  tests/system/places.test \
  tests/system/preloads.test \
  tests/system/processors.test \
  tests/system/python_module.test \
  tests/system/request_findings.test \
  tests/system/requests.test \
  tests/system/samples.test \
  tests/system/short_calls.test \
  tests/system/stacks.test \
  tests/system/steps.test \
  tests/system/sums.test \
  tests/system/timing.test \
  tests/system/totals.test \
  tests/system/view.test \
  tests/system/main_waits.test \
  tests/system/waits.test \
  tests/system/wakes.test

PROGRAM_TESTS = \
  tests/system/aarch64.test \
  tests/system/allocators.test \
  tests/system/blas.test \
  tests/system/costs_libraries.test \
  tests/system/fftw.test \
  tests/system/layers.test \
  tests/system/libtorch.test \
  tests/system/models.test \
  tests/system/notebooks.test \
  tests/system/numpy.test \
  tests/system/onednn.test \
  tests/system/opencl.test \
  tests/system/opencl_bad.test \
  tests/system/clblast.test \
  tests/system/ops.test \
  tests/system/page.test \
  tests/system/python_examples.test \
  tests/system/runtimes.test \
  tests/system/real_servers.test \
  tests/system/contexts.test \
  tests/system/servers.test \
  tests/system/tools.test \
  tests/system/torch.test \
  tests/system/torch_findings.test \
  tests/system/torch_steps.test \
  tests/system/unoptimized.test \
  tests/system/wheels.test

# The packages that ./bootstrap packages made.
PACKAGE_TESTS = tests/system/packages.test

dist_check_SCRIPTS += \
  tests/left_out.test \
  tests/lint/arrows.py \
  tests/lint/arrows.test \
  tests/lint/packed.test \
  tests/lint/texts.py \
  tests/lint/texts.test \
  $(long_tests) \
  $(system_tests) \
  $(PROGRAM_TESTS) \
  $(PACKAGE_TESTS)
EXTRA_DIST += \
  tests/cases/compare.case \
  tests/cases/compare_chain.case \
  tests/cases/compare_doubtful.case \
  tests/cases/compare_estimates.case \
  tests/cases/compare_single.case \
  tests/cases/cost.case \
  tests/cases/export.case \
  tests/cases/findings.case \
  tests/cases/flops_calc.cases \
  tests/cases/gate.case \
  tests/cases/roofline.case \
  tests/cases/system_rules.case \
  tests/cases/time.case \
  tests/cases/timing.case \
  tests/cases/whatif.case \
  tests/costs \
  tests/lint/arrows.table \
  tests/lint/phrases.table \
  tests/models \
  tests/python \
  tests/system/askew.awk \
  tests/system/backtrace/libunwind.h \
  tests/system/bindings/blocks.c \
  tests/system/bindings/choices.c \
  tests/system/bindings/compare.awk \
  tests/system/bindings/names.awk \
  tests/system/bindings/opens.c \
  tests/system/children/environment.c \
  tests/system/children/small.c \
  tests/system/children/starts.c \
  tests/system/compiled/program.c \
  tests/system/completion.zsh \
  tests/system/convolution.c \
  tests/system/deep/needed.c \
  tests/system/deep/own.c \
  tests/system/deep/plugin.c \
  tests/system/deep/program.c \
  tests/system/dimensions/main.c \
  tests/system/dimensions/other.c \
  tests/system/dimensions/work.h \
  tests/system/exactness.jq \
  tests/system/exactness_sites.jq \
  tests/system/exported.golden \
  tests/system/fftw.c \
  tests/system/harness.sh \
  tests/system/itt_client.h \
  tests/system/nvtx_client.h \
  tests/system/nvtx_layout.c \
  tests/system/ranges_itt.c \
  tests/system/ranges_nvtx.c \
  tests/system/ranges_tool.c \
  tests/system/imported/onnxruntime-1.17-loop.json \
  tests/system/imported/onnxruntime-1.32-conv.json \
  tests/system/imported/onnxruntime-1.32-quantized.json \
  tests/system/imported/perf.txt \
  tests/system/kernels.cases \
  tests/system/contexts/publisher.c \
  tests/system/contexts/server.c \
  tests/system/leaks/containers.cc \
  tests/system/leaks/growing.py \
  tests/system/libtorch/program.cc \
  tests/system/loops.c \
  tests/system/musl/handler.c \
  tests/system/musl/library.c \
  tests/system/musl/program.c \
  tests/system/musl/turning.c \
  tests/system/names/spin.c \
  tests/system/names/spin.cc \
  tests/system/names/spin.rs \
  tests/system/onednn.c \
  tests/system/opencl.c \
  tests/system/opencl_bad.c \
  tests/system/clblast.c \
  tests/system/cuda/cublas.c \
  tests/system/cuda/cudart.c \
  tests/system/cuda/cupti.c \
  tests/system/cuda/device.h \
  tests/system/cuda/driver.c \
  tests/system/cuda/layouts.c \
  tests/system/cuda/habits.c \
  tests/system/cuda/libraries.c \
  tests/system/cuda/linked.c \
  tests/system/cuda/nvml.c \
  tests/system/cuda/nvml_layouts.c \
  tests/system/cuda/products.c \
  tests/system/cuda/profiler.c \
  tests/system/cuda/program.c \
  tests/system/cuda/stand_ins.sh \
  tests/system/hip/amdhip.c \
  tests/system/hip/hip.h \
  tests/system/hip/layouts.c \
  tests/system/hip/products.c \
  tests/system/hip/program.c \
  tests/system/hip/rocblas.c \
  tests/system/hip/stand_ins.sh \
  tests/system/onnxruntime/early.c \
  tests/system/onnxruntime/library.c \
  tests/system/onnxruntime/models.c \
  tests/system/onnxruntime/program.c \
  tests/system/onnxruntime/table.h \
  tests/system/action.py \
  tests/system/devtools.mjs \
  tests/system/page.py \
  tests/system/perfetto.py \
  tests/system/pprof.py \
  tests/system/wire.py \
  tests/system/places/host.c \
  tests/system/places/library.c \
  tests/system/plants.table \
  tests/system/plants/activations.py \
  tests/system/plants/arrays.py \
  tests/system/plants/blas.c \
  tests/system/plants/build.sh \
  tests/system/plants/fftw.c \
  tests/system/plants/layers.py \
  tests/system/plants/kept.c \
  tests/system/plants/memory.c \
  tests/system/plants/odd_ops.py \
  tests/system/plants/onednn.c \
  tests/system/plants/openmp.c \
  tests/system/plants/ops.py \
  tests/system/plants/plants.c \
  tests/system/plants/plants.h \
  tests/system/plants/products.c \
  tests/system/plants/small.py \
  tests/system/plants/steps.py \
  tests/system/plants/systems.c \
  tests/system/plants/turns.py \
  tests/system/plants/waits.c \
  tests/system/plants/waste.py \
  tests/system/preloads/answers.c \
  tests/system/preloads/asks.c \
  tests/system/preloads/naps.c \
  tests/system/python/blocks.py \
  tests/system/python/garbage.py \
  tests/system/python/looked.py \
  tests/system/python/objects.py \
  tests/system/python/shares.py \
  tests/system/remap/library.c \
  tests/system/remap/program.c \
  tests/system/routes/blas.c \
  tests/system/routes/blas.h \
  tests/system/routes/cblas.h \
  tests/system/routes/direct.c \
  tests/system/routes/inside.c \
  tests/system/routes/jumps.c \
  tests/system/routes/jumps_blas.c \
  tests/system/routes/loader.c \
  tests/system/routes/loader.h \
  tests/system/routes/lookup.c \
  tests/system/routes/odd.c \
  tests/system/routes/odd.h \
  tests/system/routes/odd.kernels \
  tests/system/routes/odd_prototypes.c \
  tests/system/routes/odd_throw.cc \
  tests/system/routes/odd_ways.c \
  tests/system/routes/pointer.c \
  tests/system/routes/tail.c \
  tests/system/routes/user.c \
  tests/system/routes/user.h \
  tests/system/routes/versions.c \
  tests/system/runtimes/Work.java \
  tests/system/runtimes/work.go \
  tests/system/runtimes/work.js \
  tests/system/runtimes/work.rs \
  tests/system/survive.sh \
  tests/system/survive/alternate.c \
  tests/system/survive/askew.c \
  tests/system/survive/askew_kernels.c \
  tests/system/survive/bootstrap.c \
  tests/system/survive/bump.c \
  tests/system/survive/callback.c \
  tests/system/survive/dispatched.c \
  tests/system/survive/doze.c \
  tests/system/survive/early.c \
  tests/system/survive/ending.c \
  tests/system/survive/ends.c \
  tests/system/survive/filtered.c \
  tests/system/survive/floats.c \
  tests/system/survive/forbidden.c \
  tests/system/survive/frames.c \
  tests/system/survive/generated.c \
  tests/system/survive/library.c \
  tests/system/survive/looks_up.c \
  tests/system/survive/plain_threads.c \
  tests/system/survive/priority.c \
  tests/system/survive/race.c \
  tests/system/survive/raw_exit.c \
  tests/system/survive/sandbox.c \
  tests/system/survive/sanitized.c \
  tests/system/survive/small_default.c \
  tests/system/survive/strict.c \
  tests/system/survive/system_calls.c \
  tests/system/survive/throw.cc \
  tests/system/survive/traced.c \
  tests/system/timing/library.c \
  tests/system/timing/program.c \
  tests/system/timing/spin.h \
  tests/system/timing/starts.c \
  tests/system/totals.jq \
  tests/system/unreadable/heap.py \
  tests/system/unreadable/library.c \
  tests/system/unreadable/program.c \
  tests/system/called/called.kernels \
  tests/system/called/handler.c \
  tests/system/called/handler.h \
  tests/system/called/odd.c \
  tests/system/called/server.c \
  tests/system/turns.py \
  tests/system/users/handler.c \
  tests/system/users/library.c \
  tests/system/users/library.h \
  tests/system/users/program.c \
  tests/system/users/throw.cc \
  tests/system/users/unwind.c \
  tests/system/users/users.kernels \
  tests/system/live.py \
  tests/system/view.py \
  tests/unit/suite.h \
  tests/wheels

CLEANFILES += \
  cost.case.out \
  findings.case.out \
  roofline.case.out \
  system_rules.case.out \
  time.case.out \
  timing.case.out \
  whatif.case.out
.PHONY: exactness

# ---- how they run ---------------------------------------------------------------

TEST_EXTENSIONS = .test
TEST_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TEST_LOG_DRIVER)

AM_TESTS_ENVIRONMENT = \
  TPROF='$(abs_top_builddir)/analyzer/tprof'; export TPROF; \
  LIBTPROF='$(abs_top_builddir)/shim/.libs/libtprof.so'; export LIBTPROF; \
  SAMPLES='$(abs_top_builddir)/samples'; export SAMPLES; \
  PROGRAMS='$(abs_top_builddir)/tests/system'; export PROGRAMS; \
  srcdir='$(top_srcdir)'; export srcdir; \
  CC='$(CC)'; export CC; \
  LEFT_OUT='$(LEFT_OUT)'; export LEFT_OUT; \
  CK_VERBOSITY=silent; export CK_VERBOSITY; \
  CK_TIMEOUT_MULTIPLIER=8; export CK_TIMEOUT_MULTIPLIER; \
  CK_TAP_LOG_FILE_NAME=-; export CK_TAP_LOG_FILE_NAME;

# What configure left out is skipped in the open.
if LEAVES_OUT
TESTS += tests/left_out.test
endif

# The arrows between folders, what is packed, and the sentences.
TESTS += tests/lint/arrows.test tests/lint/packed.test tests/lint/texts.test

# ---- unit tests -----------------------------------------------------------------

if BUILD_ANALYZER
if HAVE_CHECK

check_PROGRAMS += tests/unit/check $(unit_programs)
check_SCRIPTS = $(unit_suites)
TESTS += $(unit_suites) $(unit_programs)

AM_CPPFLAGS += $(CHECK_CFLAGS)
unit_libs = tests/unit/libunit.a $(analyzer_libs) $(CHECK_LIBS)

# Made sessions, runs, traces and pages, for all of them.
check_LIBRARIES += tests/unit/libunit.a
tests_unit_libunit_a_SOURCES = \
  tests/unit/made_kernels.c \
  tests/unit/made_kernels.h \
  tests/unit/made_runs.c \
  tests/unit/made_runs.h \
  tests/unit/made_session.c \
  tests/unit/made_session.h \
  tests/unit/page.c \
  tests/unit/page.h \
  tests/unit/trace_builder.c \
  tests/unit/trace_builder.h \
  tests/unit/tree_fixture.c \
  tests/unit/tree_fixture.h

tests_unit_check_SOURCES = \
  analyzer/cmd/checkup.c \
  tests/unit/check.c \
  tests/unit/suites.def \
  tests/unit/symbols_fixture.h \
  $(unit_suite_sources)
tests_unit_check_LDFLAGS = -no-install
tests_unit_check_LDADD = tests/unit/libsymbols_fixture.la $(unit_libs)

# The program runs the suite by whose name it is called.
$(unit_suites): tests/unit/check
	$(AM_V_GEN)rm -f $@ && $(LN_S) check $@
CLEANFILES += $(unit_suites)

unit_memory = \
  shim/platform/aside.c \
  shim/platform/memory.c \
  shim/platform/memory_kept.c \
  shim/platform/range.c
unit_readable = \
  shim/platform/clock.c \
  shim/platform/cpu_leaf.c \
  shim/platform/elf.c \
  shim/platform/keys.c \
  shim/platform/readable.c

tests_unit_check_clock_SOURCES = tests/unit/check_clock.c $(unit_readable)
tests_unit_check_clock_LDADD = $(unit_libs)

tests_unit_check_cfi_SOURCES = \
  shim/unwind/cfi.c \
  shim/unwind/description.c \
  shim/unwind/dwarf.c \
  shim/unwind/frame_row.c \
  shim/unwind/objects.c \
  tests/unit/check_cfi.c \
  $(unit_readable)
tests_unit_check_cfi_LDADD = $(unit_libs)
tests_unit_check_cfi_LDFLAGS = -Wl,--wrap=dl_iterate_phdr

tests_unit_check_elf_SOURCES = tests/unit/check_elf.c $(unit_readable)
tests_unit_check_elf_LDADD = $(unit_libs)

tests_unit_check_file_SOURCES = \
  shim/trace/file.c \
  tests/unit/check_file.c \
  $(unit_memory) \
  $(unit_readable)
tests_unit_check_file_LDADD = $(unit_libs)

tests_unit_check_readable_SOURCES = tests/unit/check_readable.c $(unit_readable)
tests_unit_check_readable_LDADD = $(unit_libs)

tests_unit_check_rules_SOURCES = \
  shim/unwind/objects.c \
  shim/unwind/rules.c \
  tests/unit/check_rules.c \
  $(unit_memory) \
  $(unit_readable)
tests_unit_check_rules_LDADD = $(unit_libs) -lpthread

tests_unit_check_frames_SOURCES = \
  shim/platform/own_stack.c \
  shim/python/frames.c \
  tests/unit/check_frames.c \
  $(unit_readable)
tests_unit_check_frames_LDADD = $(unit_libs)

tests_unit_check_samples_SOURCES = shim/record/samples.c tests/unit/check_samples.c $(unit_memory)
tests_unit_check_samples_LDADD = $(unit_libs)

tests_unit_check_inputs_SOURCES = shim/torch/inputs.c tests/unit/check_inputs.c $(unit_readable)
tests_unit_check_inputs_LDADD = $(unit_libs)

tests_unit_check_stages_SOURCES = \
  shim/record/stages.c \
  shim/record/stages_change.c \
  tests/unit/check_stages.c
tests_unit_check_stages_LDADD = $(unit_libs)

tests_unit_check_successors_SOURCES = \
  shim/chain/row.c \
  shim/chain/successors.c \
  tests/unit/check_successors.c
tests_unit_check_successors_LDADD = $(unit_libs)

tests_unit_check_object_SOURCES = \
  shim/call/object.c \
  shim/platform/lock.c \
  tests/unit/check_object.c \
  $(unit_memory)
tests_unit_check_object_LDADD = $(unit_libs) -lpthread

tests_unit_check_endpoints_SOURCES = shim/request/endpoint_name.c shim/request/first_bytes.c \
  shim/request/proxy_start.c \
  tests/unit/check_endpoints.c
tests_unit_check_endpoints_LDADD = $(unit_libs)

tests_unit_check_pace_SOURCES = shim/record/pace.c tests/unit/check_pace.c
tests_unit_check_pace_LDADD = $(unit_libs)

tests_unit_check_passed_SOURCES = tests/unit/check_passed.c
tests_unit_check_passed_LDADD = $(unit_libs)

tests_unit_check_own_memory_SOURCES = tests/unit/check_own_memory.c $(unit_memory)
tests_unit_check_own_memory_LDADD = $(unit_libs) -lpthread

# A shared library, though nothing installs it, of which the symbols are known.
check_LTLIBRARIES += tests/unit/libsymbols_fixture.la
tests_unit_libsymbols_fixture_la_SOURCES = tests/unit/symbols_fixture.c tests/unit/symbols_fixture.h
tests_unit_libsymbols_fixture_la_CFLAGS = $(STRICT_CFLAGS) -g -O1
tests_unit_libsymbols_fixture_la_LDFLAGS = -shared -avoid-version -rpath /nowhere -Wl,--build-id

tests_unit_check_target_SOURCES = tests/unit/check_target.c
tests_unit_check_target_LDADD = $(unit_libs)

endif

# ---- system tests ---------------------------------------------------------------

if HAVE_CBLAS

if LONG_TESTS
TESTS += $(long_tests)
endif
TESTS += $(system_tests)

check_PROGRAMS += \
  tests/system/alarm \
  tests/system/aligned \
  tests/system/chains \
  tests/system/chains_check \
  tests/system/chains_framed \
  tests/system/courses \
  tests/system/damaged \
  tests/system/descriptors \
  tests/system/foreign \
  tests/system/libraries \
  tests/system/limits \
  tests/system/lives \
  tests/system/loader \
  tests/system/locked \
  tests/system/lowest \
  tests/system/mapped_over \
  tests/system/mapper \
  tests/system/memory_calls \
  tests/system/odd_requests \
  tests/system/own_malloc \
  tests/system/phased \
  tests/system/phases \
  tests/system/phenomena \
  tests/system/processes \
  tests/system/random_memory \
  tests/system/refused \
  tests/system/region_clocks \
  tests/system/room_again \
  tests/system/sampling \
  tests/system/sender \
  tests/system/server \
  tests/system/short_calls \
  tests/system/signals \
  tests/system/sized \
  tests/system/spinning \
  tests/system/stacks \
  tests/system/stages \
  tests/system/stages_check \
  tests/system/threads \
  tests/system/time_builds \
  tests/system/time_shares \
  tests/system/values \
  tests/system/waiting \
  tests/system/dropped \
  tests/system/incidents \
  tests/system/watched \
  tests/system/waits \
  tests/system/wear \
  tests/system/work

# The compiler may leave out an allocation whose bytes nobody reads.
system_cflags = $(STRICT_CFLAGS) -fno-builtin

tests_system_alarm_SOURCES = tests/system/alarm.c
tests_system_alarm_CFLAGS = $(system_cflags)
tests_system_alarm_LDADD = -lpthread

tests_system_aligned_SOURCES = tests/system/aligned.c tests/system/survive.h
tests_system_aligned_CFLAGS = $(system_cflags)

tests_system_courses_SOURCES = tests/system/courses.c
tests_system_courses_CFLAGS = $(system_cflags)

# The whole of tprof, but its main.o: it includes main.c.
tests_system_damaged_SOURCES = tests/system/damaged.c
tests_system_damaged_LDADD = \
  $(filter-out analyzer/main.$(OBJEXT) analyzer/%-main.$(OBJEXT),$(analyzer_tprof_OBJECTS)) \
  $(analyzer_libs)

tests_system_descriptors_SOURCES = tests/system/descriptors.c tests/system/gemm.h
tests_system_descriptors_CFLAGS = $(system_cflags)
tests_system_descriptors_LDADD = $(BLAS_LIBS)

tests_system_libraries_SOURCES = tests/system/libraries.c tests/system/survive.h
tests_system_libraries_CFLAGS = $(system_cflags)
tests_system_libraries_LDADD = -ldl -lpthread

tests_system_room_again_SOURCES = tests/system/room_again.c
tests_system_room_again_CFLAGS = $(system_cflags)
tests_system_room_again_LDADD = -lpthread

tests_system_refused_SOURCES = tests/system/refused.c
tests_system_refused_CFLAGS = $(system_cflags)

tests_system_locked_SOURCES = tests/system/locked.c
tests_system_locked_CFLAGS = $(system_cflags)

tests_system_lowest_SOURCES = tests/system/lowest.c
tests_system_lowest_CFLAGS = $(system_cflags)
tests_system_lowest_LDADD = -lpthread

tests_system_mapped_over_SOURCES = tests/system/mapped_over.c
tests_system_mapped_over_CFLAGS = $(system_cflags)
tests_system_mapped_over_LDADD = -lpthread

tests_system_dropped_SOURCES = tests/system/dropped.c
tests_system_dropped_CFLAGS = $(system_cflags)
tests_system_dropped_LDADD = -lpthread

tests_system_wear_SOURCES = tests/system/wear.c
tests_system_wear_CFLAGS = $(system_cflags)
tests_system_wear_LDADD = -lpthread -ldl

tests_system_limits_SOURCES = tests/system/limits.c
tests_system_limits_CFLAGS = $(system_cflags)
tests_system_limits_LDADD = -lpthread

tests_system_waiting_SOURCES = tests/system/waiting.c
tests_system_waiting_CFLAGS = $(system_cflags) -O1 -fno-optimize-sibling-calls
tests_system_waiting_LDADD = -lpthread

tests_system_incidents_SOURCES = tests/system/incidents.c
tests_system_watched_SOURCES = tests/system/watched.c
tests_system_watched_CFLAGS = $(system_cflags)
tests_system_watched_LDADD = -lpthread

tests_system_lives_SOURCES = tests/system/lives.c tests/system/survive.h
tests_system_lives_CFLAGS = $(system_cflags)
tests_system_lives_LDADD = -lpthread

chains_cflags = $(system_cflags) $(UNWIND_CFLAGS) -fno-optimize-sibling-calls
tests_system_chains_SOURCES = tests/system/chains.c
tests_system_chains_CFLAGS = $(chains_cflags) -O2 -fomit-frame-pointer
tests_system_chains_LDADD = $(UNWIND_LIBS) -lpthread

tests_system_chains_framed_SOURCES = tests/system/chains.c
tests_system_chains_framed_CFLAGS = $(chains_cflags) -O1 -fno-omit-frame-pointer
tests_system_chains_framed_LDADD = $(UNWIND_LIBS) -lpthread

tests_system_chains_check_SOURCES = tests/system/chains_check.c
tests_system_chains_check_LDADD = $(analyzer_libs)

tests_system_loader_SOURCES = tests/system/gemm.h tests/system/loader.c
tests_system_loader_CFLAGS = $(system_cflags)
tests_system_loader_LDADD = $(BLAS_LIBS)

tests_system_mapper_SOURCES = tests/system/mapper.c
tests_system_mapper_CFLAGS = $(system_cflags)
tests_system_mapper_LDADD = -lpthread

tests_system_memory_calls_SOURCES = tests/system/memory_calls.c
tests_system_memory_calls_CFLAGS = $(system_cflags)

tests_system_own_malloc_SOURCES = tests/system/gemm.h tests/system/own_malloc.c
tests_system_own_malloc_CFLAGS = $(system_cflags)
tests_system_own_malloc_LDADD = $(BLAS_LIBS)

tests_system_phased_SOURCES = tests/system/phased.c
tests_system_phased_CFLAGS = $(system_cflags)
tests_system_phases_SOURCES = tests/system/gemm.h tests/system/phases.c
tests_system_phases_CFLAGS = $(system_cflags)
tests_system_phases_LDADD = $(BLAS_LIBS)

tests_system_phenomena_SOURCES = tests/system/phenomena.c
tests_system_phenomena_CFLAGS = $(system_cflags)
tests_system_phenomena_LDADD = $(BLAS_LIBS) -lpthread

tests_system_processes_SOURCES = tests/system/gemm.h tests/system/processes.c
tests_system_processes_CFLAGS = $(system_cflags)
tests_system_processes_LDADD = $(BLAS_LIBS) -lpthread

tests_system_random_memory_SOURCES = tests/system/random_memory.c
tests_system_random_memory_CFLAGS = $(system_cflags)
tests_system_random_memory_LDADD = -lpthread

tests_system_sampling_SOURCES = tests/system/sampling.c
tests_system_sampling_CFLAGS = $(system_cflags)
tests_system_sampling_LDADD = -lpthread

tests_system_foreign_SOURCES = tests/system/foreign.c
tests_system_foreign_CFLAGS = $(system_cflags) -Wno-deprecated-declarations
tests_system_foreign_LDADD = -lpthread

tests_system_signals_SOURCES = tests/system/signals.c tests/system/survive.h
tests_system_signals_CFLAGS = $(system_cflags)
tests_system_signals_LDADD = -lpthread

tests_system_stacks_SOURCES = tests/system/stacks.c tests/system/survive.h
tests_system_stacks_CFLAGS = $(system_cflags)
tests_system_stacks_LDADD = -lpthread

tests_system_sized_SOURCES = tests/system/sized.c
tests_system_sized_CFLAGS = $(system_cflags)

tests_system_stages_SOURCES = tests/system/stages.c
tests_system_stages_CFLAGS = $(system_cflags)
tests_system_stages_LDADD = -lpthread

tests_system_stages_check_SOURCES = tests/system/stages_check.c
tests_system_stages_check_LDADD = $(analyzer_libs)

tests_system_time_builds_SOURCES = tests/system/time_builds.c
tests_system_time_builds_CFLAGS = $(system_cflags)
tests_system_time_shares_SOURCES = tests/system/time_shares.c
tests_system_time_shares_CFLAGS = $(system_cflags) -g
tests_system_time_shares_LDADD = -lpthread

tests_system_region_clocks_SOURCES = tests/system/region_clocks.c
tests_system_region_clocks_CFLAGS = $(system_cflags)

tests_system_odd_requests_SOURCES = tests/system/odd_requests.c
tests_system_odd_requests_CFLAGS = $(system_cflags)
tests_system_sender_SOURCES = tests/system/sender.c
tests_system_sender_CFLAGS = $(system_cflags)
tests_system_sender_LDADD = -lpthread
tests_system_server_SOURCES = tests/system/server.c
tests_system_server_CFLAGS = $(system_cflags)
tests_system_server_LDADD = -lpthread

tests_system_values_SOURCES = tests/system/values.c
tests_system_values_LDADD = $(JANSSON_LIBS)

tests_system_waits_SOURCES = tests/system/waits.c
tests_system_waits_CFLAGS = $(system_cflags)
tests_system_waits_LDADD = -lpthread -ldl

tests_system_short_calls_SOURCES = tests/system/short_calls.c
tests_system_short_calls_CFLAGS = $(system_cflags)
tests_system_short_calls_LDADD = $(BLAS_LIBS)

tests_system_spinning_SOURCES = tests/system/gemm.h tests/system/spinning.c
tests_system_spinning_CFLAGS = $(system_cflags)
tests_system_spinning_LDADD = $(BLAS_LIBS) -lpthread

tests_system_threads_SOURCES = tests/system/gemm.h tests/system/threads.c
tests_system_threads_CFLAGS = $(system_cflags)
tests_system_threads_LDADD = $(BLAS_LIBS) -lpthread

tests_system_work_SOURCES = tests/system/work.c
tests_system_work_CFLAGS = $(system_cflags)
tests_system_work_LDADD = $(BLAS_LIBS) -lpthread

# Random allocation programs against their own truth: make exactness SEEDS=10000
SEEDS = 10000
exactness: all $(check_PROGRAMS)
	@$(AM_TESTS_ENVIRONMENT) SEEDS='$(SEEDS)'; export SEEDS; \
	$(SHELL) $(srcdir)/tests/system/exactness.test

endif
endif
