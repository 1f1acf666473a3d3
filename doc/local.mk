# SPDX-License-Identifier: GPL-3.0-or-later
#
# Manual pages: templates, filled in from the program's own tables by a
# program of the building machine.

manual_tables = \
  analyzer/bench/result_columns.def \
  analyzer/cmd/amdahl_options.def \
  analyzer/cmd/bench_options.def \
  analyzer/cmd/calibrate_options.def \
  analyzer/cmd/commands.def \
  analyzer/cmd/compare_options.def \
  analyzer/cmd/cost_options.def \
  analyzer/cmd/export_options.def \
  analyzer/cmd/flame_options.def \
  analyzer/cmd/gate_options.def \
  analyzer/cmd/html_options.def \
  analyzer/cmd/list_options.def \
  analyzer/cmd/options.def \
  analyzer/cmd/live_options.def \
  analyzer/cmd/pack_options.def \
  analyzer/cmd/sla_options.def \
  analyzer/cmd/watch_options.def \
  analyzer/cmd/whatif_options.def \
  analyzer/cmd/where_options.def \
  analyzer/compare/gate_results.def \
  analyzer/export/formats.def \
  analyzer/alerts/alerts_options.def \
  analyzer/alerts/rules.def \
  analyzer/analysis/analyses.def \
  analyzer/analysis/by.def \
  analyzer/findings/rules.def \
  analyzer/kernels/flops_options.def \
  analyzer/kernels/timing_options.def \
  analyzer/heap/leaks_options.def \
  analyzer/heap/memory_options.def \
  analyzer/runs/quantities.def \
  analyzer/view/keys.def \
  doc/layout.def \
  shim/spec/chain_ends.def \
  shim/spec/conditions.def \
  shim/spec/counters.def \
  shim/spec/environment.def \
  shim/spec/events.def \
  shim/spec/extended.def \
  shim/spec/facts.def \
  shim/spec/incident_causes.def \
  shim/spec/keep_obstacles.def \
  shim/spec/options.def \
  shim/spec/outcomes.def \
  shim/spec/protocols.def \
  shim/spec/readings.def \
  shim/spec/surroundings.def \
  shim/spec/stage_causes.def \
  shim/spec/stages.def \
  shim/spec/streams.def \
  shim/spec/trace.h \
  shim/spec/versions.def

manual_pages = \
  doc/libtprof-python.7 \
  doc/libtprof.7 \
  doc/tprof-kernels.5 \
  doc/tprof-trace.5
if BUILD_ANALYZER
manual_pages += doc/tprof.1 doc/tprof-costs.7
endif

doc/manual: doc/manual.c $(manual_tables)
	$(AM_V_GEN)$(MKDIR_P) doc && $(CC_FOR_BUILD) -std=gnu11 -O1 -I$(top_srcdir)/shim \
	  -I$(top_srcdir)/analyzer -I$(top_srcdir)/doc -o $@ $(top_srcdir)/doc/manual.c

fill_in = $(SED) -e 's|@VERSION[@]|$(VERSION)|' -e 's|@DATE[@]|$(PACKAGE_DATE)|' \
  $(top_srcdir)/$@.in | doc/manual $(top_srcdir)/shim/spec/kernels.spec > $@.new && mv $@.new $@

doc/tprof.1: doc/tprof.1.in doc/manual
	$(AM_V_GEN)$(fill_in)
doc/libtprof.7: doc/libtprof.7.in doc/manual
	$(AM_V_GEN)$(fill_in)
doc/libtprof-python.7: doc/libtprof-python.7.in doc/manual
	$(AM_V_GEN)$(fill_in)
doc/tprof-trace.5: doc/tprof-trace.5.in doc/manual
	$(AM_V_GEN)$(fill_in)
doc/tprof-kernels.5: doc/tprof-kernels.5.in doc/manual shim/spec/kernels.spec
	$(AM_V_GEN)$(fill_in)

doc/tprof-costs.7: doc/tprof-costs.7.in doc/costs.awk $(cost_specs)
	$(AM_V_GEN)$(MKDIR_P) doc && { $(SED) -e 's|@VERSION[@]|$(VERSION)|' \
	  -e 's|@DATE[@]|$(PACKAGE_DATE)|' $(top_srcdir)/$@.in && \
	  cat $(cost_specs) | $(AWK) -f $(top_srcdir)/doc/costs.awk; } > $@.new && mv $@.new $@

man_MANS += $(manual_pages)
CLEANFILES += doc/manual $(manual_pages)
EXTRA_DIST += \
  doc/costs.awk \
  doc/decisions \
  doc/layout.def \
  doc/libtprof-python.7.in \
  doc/libtprof.7.in \
  doc/manual.c \
  doc/recipes.md \
  doc/watch/compose.yaml \
  doc/watch/kubernetes.yaml \
  doc/watch/tprof-watch.service \
  doc/tprof-costs.7.in \
  doc/tprof-kernels.5.in \
  doc/tprof-trace.5.in \
  doc/tprof.1.in \
  doc/transformer.svg \
  doc/wheels.md
