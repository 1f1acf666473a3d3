/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Coverage: what was hooked, what was called, and what could not be reached.
 * "Not called" and "not seen" are different rows here.
 */
#include <math.h>
#include <string.h>

#include "analysis/kernel_rows.h"
#include "base/units.h"

enum column_index { CALLER, NAME, SLOTS, OUTCOME, TARGET, CALLS };

static const struct column columns[] = {
    [CALLER] = {"module", "called from", "the object whose slots these are", UNIT_TEXT, 0},
    [NAME] = {"name", "kernel", "the symbol", UNIT_TEXT, 0},
    [SLOTS] = {"slots", "slots", "places through which the object calls it", UNIT_COUNT, 1},
    [OUTCOME] = {"outcome", "outcome", "hooked, or why not", UNIT_TEXT, 0},
    [TARGET] = {"library", "library", "the file that holds the real function", UNIT_TEXT, 0},
    [CALLS] = {"calls", "calls", "of the real function, from anywhere", UNIT_COUNT, 0},
};

static const struct table_schema schema = {"coverage", "Coverage", columns,
                                           sizeof columns / sizeof *columns, NULL};

static const char *outcome_text(enum trace_hook_outcome outcome)
{
    static const char *const texts[] = {
#define HOOK_OUTCOME(outcome, text) text,
#include "spec/outcomes.def"
#undef HOOK_OUTCOME
    };

    return outcome < sizeof texts / sizeof *texts ? texts[outcome] : NULL;
}

static const char *module_name(const struct session_module *module)
{
    return module ? text_base_name(module->path) : NULL;
}

static enum status set_row(struct value *row, const struct session_hook *hook)
{
    enum status status = value_set_text(&row[CALLER], module_name(hook->module));

    value_set_unsigned(&row[SLOTS], hook->slots);
    if (hook->binding)
        value_set_unsigned(&row[CALLS], hook->binding->calls);
    if (!status)
        status = value_set_text(&row[NAME], hook->symbol);
    if (!status)
        status = value_set_text(&row[OUTCOME], outcome_text(hook->outcome));
    if (!status && hook->binding)
        status = value_set_text(&row[TARGET], module_name(hook->binding->module));
    return status;
}

static uint64_t calls_into(const struct session *session, const struct session_module *module)
{
    uint64_t calls = 0;

    for (size_t i = 0; i < session->bindings.count; i++) {
        const struct session_binding *binding = array_at(&session->bindings, i);

        if (binding->module && module->path && strcmp(binding->module->path, module->path) == 0)
            calls += binding->calls;
    }
    return calls;
}

/* A library full of kernels that were never seen is the question to ask. */
static enum status note_silent_libraries(struct table *table, const struct session *session)
{
    for (size_t i = 0; i < session->modules.count; i++) {
        const struct session_module *module = array_at(&session->modules, i);
        enum status status;

        if (module->fact.known_symbols == 0 || calls_into(session, module) > 0)
            continue;
        status = table_add_note(table, "%s holds %u known kernels; no call of them was seen.",
                                module_name(module), module->fact.known_symbols);
        if (status)
            return status;
    }
    return STATUS_OK;
}

static enum status note_share(struct table *table, const struct session *session)
{
    char thread[UNITS_SIZE], cpu[UNITS_SIZE];
    uint64_t kernel_ns = 0;
    uint64_t cpu_ns = session->process.last.user_ns + session->process.last.system_ns;

    for (size_t i = 0; i < session->threads.count; i++)
        kernel_ns += ((const struct session_thread *)array_at(&session->threads, i))->kernel_ns;
    if (!session->process.has_last || session->thread_ns == 0)
        return STATUS_OK;
    return table_add_note(table,
                          "Known kernels took %.1f %% of %s of thread time; the process used %s "
                          "of processor time.",
                          100 * (double)kernel_ns / (double)session->thread_ns,
                          units_format_time(thread, (double)session->thread_ns),
                          units_format_time(cpu, (double)cpu_ns));
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    enum status status = STATUS_OK;

    (void)options;
    table_init(table, &schema);
    for (size_t i = 0; i < session->hooks.count && !status; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, array_at(&session->hooks, i)) : STATUS_OUT_OF_MEMORY;
    }
    if (!status)
        status = note_share(table, session);
    if (!status)
        status = note_silent_libraries(table, session);
    return status;
}

const struct analysis analysis_coverage = {
    .name = "coverage",
    .help = "What was hooked and called, and what could not be reached.",
    .sort_key = "calls",
    .build = build,
};
