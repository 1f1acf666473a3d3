/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a trace holds, before anything is made of it.
 */
#include "document/fields.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "screen/counter_rows.h"
#include "screen/report.h"
#include "screen/stage_rows.h"
#include "symbols/stored_symbols.h"

static const struct column trace_columns[] = {
    {"trace", "trace", NULL, UNIT_TEXT, 0},
    {"form", "form", "recorded, or packed by tprof pack", UNIT_TEXT, 0},
    {"name", "name", NULL, UNIT_TEXT, 0},
    {"command", "command", NULL, UNIT_TEXT, 0},
    {"pid", "pid", NULL, UNIT_REAL, 0},
    {"wall_ns", "wall time", NULL, UNIT_NS, 0},
    {"threads", "threads that recorded", NULL, UNIT_COUNT, 0},
    {"records", "records read", NULL, UNIT_COUNT, 0},
    {"lost_records", "records lost", NULL, UNIT_COUNT, 0},
    {"overwritten_records", "records overwritten", NULL, UNIT_COUNT, 0},
    {"lost_samples", "sampled blocks lost", NULL, UNIT_COUNT, 0},
    {"torn_chunks", "chunks unreadable", NULL, UNIT_COUNT, 0},
    {"call_chains", "call chains", NULL, UNIT_COUNT, 0},
    {"calls", "calls in them", NULL, UNIT_COUNT, 0},
    {"ns_per_tick", "nanoseconds a tick", NULL, UNIT_REAL, 0},
    {"stored_places", "symbols stored", NULL, UNIT_COUNT, 0},
    {"stored_files", "files of these", NULL, UNIT_COUNT, 0},
    {"options", "options", NULL, UNIT_TEXT, 0},
};

static uint64_t count_calls(const struct session *session)
{
    return session->calls_read > 0 ? session->calls_read : session->calls.count;
}

static void add_trace(struct document *document, const struct session *session)
{
    const struct stored_symbols_count stored =
        session->symbols ? stored_symbols_count(symbols_stored(session->symbols))
                         : (struct stored_symbols_count){0, 0};
    struct fields fields = fields_begin(
        document_add_record(document, "trace", "Trace", SECTION_IN_BOTH), trace_columns);

    fields_add_text(&fields, session->path);
    fields_add_text(&fields, session->is_packed ? "packed" : "recorded");
    fields_add_text(&fields, session->process.name);
    fields_add_list(&fields, &session->process.command);
    fields_add_count(&fields, session->process.pid);
    fields_add_count(&fields, session->process.wall_ns);
    fields_add_count(&fields, session->threads.count);
    fields_add_count(&fields, session->records_read);
    fields_add_count(&fields, session->losses.lost_records);
    fields_add_count(&fields, session->losses.overwritten_records);
    fields_add_count(&fields, session->heap.lost_samples);
    fields_add_count(&fields, session->losses.torn_chunks);
    fields_add_count(&fields, session->heap.has_chains ? session->sites.count : 0);
    fields_add_count(&fields, session->heap.has_chains ? count_calls(session) - 1 : 0);
    fields_add_real(&fields, session->ns_per_tick);
    fields_add_count(&fields, stored.places);
    fields_add_count(&fields, stored.files);
    fields_add_list(&fields, &session->process.options);
}

static const struct column machine_columns[] = {
    {"host", "host", NULL, UNIT_TEXT, 0},
    {"cpu", "processor", NULL, UNIT_TEXT, 0},
    {"cpu_count", "processors allowed", NULL, UNIT_COUNT, 0},
    {"memory_limit_bytes", "memory limit", NULL, UNIT_BYTES, 0},
    {"kernel", "kernel", NULL, UNIT_TEXT, 0},
    {"allocator", "allocator", NULL, UNIT_TEXT, 0},
    {"environment", "environment", NULL, UNIT_TEXT, 0},
};

static void add_machine(struct document *document, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct fields fields = fields_begin(
        document_add_record(document, "machine", "Machine", SECTION_IN_BOTH), machine_columns);

    fields_add_text(&fields, process->host);
    fields_add_text(&fields, process->cpu);
    fields_add_count(&fields, process->cpu_count);
    fields_add_count(&fields, process->memory_limit_bytes);
    fields_add_text(&fields, process->kernel);
    fields_add_text(&fields, process->allocator);
    fields_add_list(&fields, &process->environment);
}

static const struct column condition_columns[] = {
#define CONDITION(id, key, title, help) {key, title, help, UNIT_TEXT, 0},
#include "spec/conditions.def"
#undef CONDITION
};

static void add_conditions(struct document *document, const struct session *session)
{
    struct fields fields =
        fields_begin(document_add_record(document, "conditions", "Conditions before it started",
                                         SECTION_IN_BOTH),
                     condition_columns);

    for (int i = 0; i < TRACE_CONDITIONS; i++)
        fields_add_text(&fields, session->process.conditions[i]);
}

static const struct column module_columns[] = {
    {"path", "library", "as it was loaded", UNIT_PLACE, 0},
    {"build_id", "build-id", "of the file, by which debug information is found", UNIT_TEXT, 1},
    {"known_symbols", "kernels", "symbols of the catalog that it defines", UNIT_COUNT, 0},
    {"start", "start", "of its executable addresses", UNIT_ADDRESS, 3},
    {"end", "end", "of its executable addresses", UNIT_ADDRESS, 3},
    {"epoch", "epoch", "of the load map in which it appeared", UNIT_COUNT, 2},
};

static const struct table_schema module_schema = {
    "modules", "Load map", module_columns, sizeof module_columns / sizeof *module_columns, NULL};

static void add_modules(struct document *document, const struct session *session)
{
    struct table *table = document_add_table(document, "modules", SECTION_IN_BOTH);

    table_init(table, &module_schema);
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = session_module_at(session, i);
        struct value *row = table_add_row(table);

        value_set_text(&row[0], module->path);
        value_set_text(&row[1], module->build_id);
        value_set_unsigned(&row[2], module->fact.known_symbols);
        value_set_unsigned(&row[3], module->fact.start);
        value_set_unsigned(&row[4], module->fact.end);
        value_set_unsigned(&row[5], module->fact.epoch);
    }
}

enum status report_build_info(const struct session *session, const struct analysis_options *options,
                              struct document *document)
{
    (void)options;
    document_init(document);
    add_trace(document, session);
    add_machine(document, session);
    stage_rows_add(document, session, SECTION_IN_BOTH);
    add_conditions(document, session);
    counter_rows_add(document, session);
    counter_rows_add_text(document, session);
    add_modules(document, session);
    return STATUS_OK;
}
