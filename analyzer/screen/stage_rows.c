/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The budgets of recording, its cost, and the records left out to keep the budgets.
 *
 * If the record of a stage was lost, its row has no cause.
 */
#include "screen/stage_rows.h"

#include <math.h>

#include "analysis/stage_words.h"
#include "document/fields.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "screen/texts.h"

static const double ppm = 1e-6;

/* The share of our cost in the process's processor time; NAN: unknown. */
static double find_share(const struct session *session)
{
    const struct trace_reading *last = &session->process.last;

    if (last->user_ns == SESSION_UNKNOWN || last->user_ns + last->system_ns == 0)
        return NAN;
    return (double)session->overhead.total_ns / (double)(last->user_ns + last->system_ns);
}

static void append_budgets(struct text *line, const void *of)
{
    const struct session_stages *stages = &((const struct session *)of)->stages;
    struct said share = said_share((double)stages->overhead_ppm * ppm);
    struct said bytes = said_bytes((double)stages->disk_bytes);

    if (stages->overhead_ppm > 0 && stages->disk_bytes > 0)
        say(line, recording_budgets_text, share, bytes);
    else if (stages->overhead_ppm > 0)
        say(line, recording_overhead_text, share);
    else if (stages->disk_bytes > 0)
        say(line, recording_disk_text, bytes);
    else
        say(line, recording_free_text);
}

static void append_cost(struct text *line, const void *of)
{
    const struct session *session = of;

    say(line, recording_took_text, said_about(said_share(find_share(session)), true),
        said_bytes((double)session->file_bytes));
}

void stage_rows_append(struct text *line, const struct session *session)
{
    if (!stage_words_are_due(session, STAGES_OF_ALL))
        return;
    append_budgets(line, session);
    append_cost(line, session);
    stage_words_append_causes(line, session);
    say(line, recording_all_text);
}

/* A field without a title is only for programs. */
static void add_record(struct document *document, const struct session *session)
{
    const struct session_stages *stages = &session->stages;
    double share = (double)stages->overhead_ppm * ppm;
    struct record *fields = document_add_record(document, "recording", NULL, SECTION_IN_JSON);

    fields_put_real(fields, "overhead_budget", UNIT_FRACTION,
                    stages->overhead_ppm > 0 ? share : (double)NAN);
    fields_put_count(fields, "disk_budget_bytes", UNIT_BYTES,
                     stages->disk_bytes > 0 ? stages->disk_bytes : SESSION_UNKNOWN);
    fields_put_real(fields, "overhead", UNIT_FRACTION, find_share(session));
    fields_put_count(fields, "trace_bytes", UNIT_BYTES, session->file_bytes);
    fields_put_count(fields, "exact_until_ns", UNIT_NS,
                     stages_exact_until_ns(session, STAGES_OF_ALL));
}

static void append_causes(struct text *line, const void *of)
{
    stage_words_append_causes(line, of);
}

static const struct record_line lines[] = {
    {{"budgets", "Budgets", NULL, UNIT_TEXT, 0}, append_budgets},
    {{"cost", "Cost", NULL, UNIT_TEXT, 0}, append_cost},
    {{"stages", "Stages", NULL, UNIT_TEXT, 0}, append_causes},
};

static void add_lines(struct document *document, const struct session *session)
{
    record_add_lines(document_add_record(document, "lines", "Recording", SECTION_IN_TEXT), lines,
                     sizeof lines / sizeof *lines, session);
}

enum change_column { TIME, STAGE, BEFORE, AFTER, CAUSE, FROM, TO };

static const struct column change_columns[] = {
    [TIME] = {"time_ns", "from", "when it changed", UNIT_NS, 0},
    [STAGE] = {"stage", "of", "what is recorded less of", UNIT_TEXT, 0},
    [BEFORE] = {"before", "before", "the rate until then, in words", UNIT_TEXT, 1},
    [AFTER] = {"after", "after", "the rate from then on, in words", UNIT_TEXT, 0},
    [CAUSE] = {"cause", "cause", "the budget that asked for it", UNIT_TEXT, 0},
    [FROM] = {"from", NULL, "the rate until then: bytes, calls or nanoseconds", UNIT_COUNT, 0},
    [TO] = {"to", NULL, "the rate from then on", UNIT_COUNT, 0},
};

static const struct table_schema change_schema = {"stages", "Stages of recording", change_columns,
                                                  sizeof change_columns / sizeof *change_columns,
                                                  NULL};

static void set_rate(struct value *words, struct value *number, enum trace_stage stage,
                     uint64_t rate)
{
    struct text text;

    value_set_unsigned(number, rate);
    text_init(&text);
    stage_words_append_rate(&text, stage, rate);
    value_take_text(words, &text);
}

static void add_change(struct table *table, const struct session_stage *change)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[STAGE], stage_words_key(change->stage));
    value_set_text(&row[CAUSE], stage_words_cause_key(change->cause));
    set_rate(&row[BEFORE], &row[FROM], change->stage, change->from);
    set_rate(&row[AFTER], &row[TO], change->stage, change->to);
    value_set_unsigned(&row[TIME], change->time_ns);
}

static bool has_change(const struct session_stages *stages, enum trace_stage stage)
{
    const struct session_stage *change = stages->changes.items;

    for (size_t i = 0; i < stages->changes.count; i++)
        if (change[i].stage == stage)
            return true;
    return false;
}

/* Stages that only the header mentions. */
static void add_bare(struct table *table, const struct session_stages *stages,
                     enum trace_stage stage)
{
    struct value *row;

    if (session_stage_is_exact(stages, stage) || has_change(stages, stage))
        return;
    row = table_add_row(table);
    value_set_text(&row[STAGE], stage_words_key(stage));
    value_set_unsigned(&row[TIME], stages->exact_ns[stage]);
}

static void fill_changes(struct table *table, const struct session_stages *stages)
{
    for (size_t i = 0; i < stages->changes.count; i++)
        add_change(table, array_at(&stages->changes, i));
    for (int stage = 0; stage < TRACE_STAGES; stage++)
        add_bare(table, stages, (enum trace_stage)stage);
    table_sort(table, TIME, false);
}

/* People see no table of nothing. */
void stage_rows_add(struct document *document, const struct session *session,
                    enum section_place place)
{
    struct table *table;

    add_record(document, session);
    if (place & SECTION_IN_TEXT)
        add_lines(document, session);
    table = document_start_table(
        document, "stages", stage_words_are_due(session, STAGES_OF_ALL) ? place : SECTION_IN_JSON,
        &change_schema);

    fill_changes(table, &session->stages);
}
