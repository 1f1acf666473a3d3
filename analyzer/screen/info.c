/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The contents of a trace, before any analysis.
 */
#include "document/fields.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "screen/counter_rows.h"
#include "screen/report.h"
#include "screen/stage_rows.h"
#include "symbols/stored_symbols.h"

/* Fields that people see, too, each with its title. */
static void put_text(struct record *record, const char *key, const char *title, const char *text)
{
    fields_put_text(record, key, text);
    fields_title(record, title);
}

static void put_count(struct record *record, const char *key, const char *title, enum unit unit,
                      uint64_t count)
{
    fields_put_count(record, key, unit, count);
    fields_title(record, title);
}

static void put_real(struct record *record, const char *key, const char *title, enum unit unit,
                     double real)
{
    fields_put_real(record, key, unit, real);
    fields_title(record, title);
}

static void put_list(struct record *record, const char *key, const char *title,
                     const struct text_list *list)
{
    fields_put_list(record, key, list);
    fields_title(record, title);
}

static uint64_t count_calls(const struct session *session)
{
    return session->calls_read > 0 ? session->calls_read : session->calls.count;
}

static void add_trace(struct document *document, const struct session *session)
{
    const struct stored_symbols_count stored =
        session->symbols ? stored_symbols_count(symbols_stored(session->symbols))
                         : (struct stored_symbols_count){0, 0};
    struct record *record = document_add_record(document, "trace", "Trace", SECTION_IN_BOTH);

    put_text(record, "trace", "trace", session->path);
    put_text(record, "form", "form", session->is_packed ? "packed" : "recorded");
    put_text(record, "name", "name", session->process.name);
    put_list(record, "command", "command", &session->process.command);
    put_count(record, "pid", "pid", UNIT_REAL, session->process.pid);
    put_count(record, "wall_ns", "wall time", UNIT_NS, session->process.wall_ns);
    put_count(record, "threads", "threads that recorded", UNIT_COUNT, session->threads.count);
    put_count(record, "records", "records read", UNIT_COUNT, session->records_read);
    put_count(record, "lost_records", "records lost", UNIT_COUNT, session->losses.lost_records);
    put_count(record, "overwritten_records", "records overwritten", UNIT_COUNT,
              session->losses.overwritten_records);
    put_count(record, "lost_samples", "sampled blocks lost", UNIT_COUNT,
              session->heap.lost_samples);
    put_count(record, "torn_chunks", "chunks unreadable", UNIT_COUNT, session->losses.torn_chunks);
    put_count(record, "call_chains", "call chains", UNIT_COUNT,
              session->heap.has_chains ? session->sites.count : 0);
    put_count(record, "calls", "calls in them", UNIT_COUNT,
              session->heap.has_chains ? count_calls(session) - 1 : 0);
    put_real(record, "ns_per_tick", "nanoseconds a tick", UNIT_REAL, session->ns_per_tick);
    put_count(record, "stored_places", "symbols stored", UNIT_COUNT, stored.places);
    put_count(record, "stored_files", "files of these", UNIT_COUNT, stored.files);
    put_list(record, "options", "options", &session->process.options);
}

static void add_machine(struct document *document, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct record *record = document_add_record(document, "machine", "Machine", SECTION_IN_BOTH);

    put_text(record, "host", "host", process->host);
    put_text(record, "cpu", "processor", process->cpu);
    put_count(record, "cpu_count", "processors allowed", UNIT_COUNT, process->cpu_count);
    put_count(record, "memory_limit_bytes", "memory limit", UNIT_BYTES,
              process->memory_limit_bytes);
    put_text(record, "kernel", "kernel", process->kernel);
    put_text(record, "allocator", "allocator", process->allocator);
    put_list(record, "environment", "environment", &process->environment);
}

static void add_conditions(struct document *document, const struct session *session)
{
    static const char *const keys[] = {
#define CONDITION(id, key, title, help) key,
#include "spec/conditions.def"
#undef CONDITION
    };
    static const char *const titles[] = {
#define CONDITION(id, key, title, help) title,
#include "spec/conditions.def"
#undef CONDITION
    };
    struct record *record = document_add_record(document, "conditions",
                                                "Conditions before it started", SECTION_IN_BOTH);

    for (int i = 0; i < TRACE_CONDITIONS; i++)
        put_text(record, keys[i], titles[i], session->process.conditions[i]);
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

void report_build_info(const struct session *session, const struct analysis_options *options,
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
}
