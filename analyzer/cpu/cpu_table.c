/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Processor time as a table and as a record.
 */
#include "cpu/cpu_table.h"

#include <math.h>

#include "cpu/cpu_row.h"
#include "cpu/python_split.h"
#include "cpu/texts.h"
#include "document/fields.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/wait_table.h"
#include "waits/waker_table.h"

enum column_index {
    SHARE,
    INTERVAL,
    TOTAL_SHARE,
    SELF,
    TOTAL,
    SELF_INTERVAL,
    SAMPLES,
    THREADS,
    KIND,
    NAME,
    LIBRARY
};

static const struct column columns[] = {
    [SHARE] = {"share", "self", "of the processor time, in the row itself", UNIT_FRACTION, 0},
    [INTERVAL] = {"share_ci", "self from to", "interval of it, for this run", UNIT_FRACTION, 4},
    [TOTAL_SHARE] = {"total_share", "total", "of the processor time, with all that it calls",
                     UNIT_FRACTION, 0},
    [SELF] = {"self_ns", "self time", "processor time in the row itself", UNIT_NS, 1},
    [TOTAL] = {"total_ns", "total time", "processor time with all that it calls", UNIT_NS, 5},
    [SELF_INTERVAL] = {"self_ci_ns", NULL, "interval of self_ns; null: no sample tells", UNIT_NS,
                       0},
    [SAMPLES] = {"samples", "samples", "that came there", UNIT_COUNT, 2},
    [THREADS] = {"threads", "threads", "that had these samples", UNIT_COUNT, 6},
    [KIND] = {"kind", "kind", "kernel, op, function, python, garbage (its collection by Python), "
                              "range (a function without a name), linux, spin (waiting without "
                              "sleep), generated, tprof or unnamed",
              UNIT_TEXT, 3},
    [NAME] = {"name", "name", "the most telling name there is", UNIT_PLACE, 0},
    [LIBRARY] = {"library", "library", "file that has the code", UNIT_TEXT, 4},
};

const struct table_schema cpu_table_schema = {"time", "Processor time", columns,
                                              sizeof columns / sizeof *columns, "share"};

void cpu_table_append_name(struct text *text, const struct cpu_row *row)
{
    if (row->place)
        text_appendf(text, "%s ", row->place);
    text_append(text, row->name);
}

static void set_name(struct value *value, const struct cpu_row *row)
{
    struct text text;

    text_init(&text);
    cpu_table_append_name(&text, row);
    value_take_text(value, &text);
}

static void set_intervals(struct value *cells, const struct cpu_time *time,
                          const struct cpu_row *row)
{
    if (isnan(row->self.low) || row->samples == 0)
        return;
    value_set_interval(&cells[INTERVAL], cpu_time_share(time, row->self.low),
                       cpu_time_share(time, row->self.high));
    value_set_interval(&cells[SELF_INTERVAL], round(row->self.low), round(row->self.high));
}

static void set_row(struct value *cells, const struct cpu_time *time, const struct cpu_row *row,
                    bool has_kinds)
{
    bool is_estimate = row->clocked_ns < row->self_ns && row->kind != CPU_UNNAMED;

    value_set_real(&cells[SHARE], cpu_time_share(time, row->self_ns));
    value_set_real(&cells[TOTAL_SHARE], cpu_time_share(time, row->total_ns));
    value_set_rounded(&cells[SELF], row->self_ns);
    value_set_rounded(&cells[TOTAL], row->total_ns);
    value_mark_estimate(&cells[SELF], is_estimate);
    value_mark_estimate(&cells[TOTAL], is_estimate);
    set_intervals(cells, time, row);
    value_set_unsigned(&cells[SAMPLES], row->samples);
    value_set_unsigned(&cells[THREADS], row->threads);
    if (has_kinds)
        value_set_text(&cells[KIND], cpu_kind_word(row->kind));
    value_set_text(&cells[LIBRARY], row->library);
    set_name(&cells[NAME], row);
}

/* A function that only calls others is in their totals. */
static bool is_shown(const struct cpu_row *row)
{
    return row->self_ns > 0 || row->total_ns > 0;
}

void cpu_table_fill(struct table *table, const struct cpu_time *time, bool has_kinds)
{
    const struct cpu_row *row = time->rows.items;

    for (size_t i = 0; i < time->rows.count; i++) {
        struct value *cells = is_shown(&row[i]) ? table_add_row(table) : NULL;

        if (is_shown(&row[i]))
            set_row(cells, time, &row[i], has_kinds);
    }
}

/* The sum over threads; UNKNOWN if one is unknown. */
static uint64_t run_delay_ns(const struct session *session)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < session->threads.count; i++) {
        uint64_t ns = session_thread_at(session, i)->delay_ns;

        if (ns == SESSION_UNKNOWN)
            return SESSION_UNKNOWN;
        sum += ns;
    }
    return sum;
}

static const struct column rows_column = FIELD("rows", UNIT_ROWS);
static const struct column waits_column = FIELD("waits", UNIT_ROWS);
static const struct column wakers_column = FIELD("wakers", UNIT_ROWS);

static void add_rows(struct record *record, const struct cpu_time *time)
{
    struct value *value = record_add_value(record, &rows_column);
    struct table *table = value_set_table(value, &cpu_table_schema);

    cpu_table_fill(table, time, true);
}

static void add_waits(struct record *record, const struct session *session)
{
    struct value *value = record_add_value(record, &waits_column);
    struct table *table = value_set_table(value, &wait_table_schema);

    wait_table_fill(table, session, ANALYSIS_BY_DEFAULT);
}

static void add_wakers(struct record *record, const struct session *session)
{
    struct value *value = record_add_value(record, &wakers_column);
    struct table *table = value_set_table(value, &waker_table_schema);

    waker_table_fill(table, session, session_find_frames);
}

static void add_tables(struct record *record, const struct cpu_time *time)
{
    add_rows(record, time);

    add_waits(record, time->session);
    add_wakers(record, time->session);
}

static void put_python(struct record *record, const struct cpu_time *time)
{
    const double unknown = (double)NAN;
    struct python_split split;
    bool is_known = python_split_init(&split, time);

    fields_put_rounded(record, "python_interpreter_ns", UNIT_NS,
                       is_known ? split.interpreter_ns : unknown);
    fields_put_rounded(record, "python_native_ns", UNIT_NS, is_known ? split.native_ns : unknown);
    fields_put_rounded(record, "python_garbage_ns", UNIT_NS, is_known ? split.garbage_ns : unknown);
    fields_put_rounded(record, "python_import_ns", UNIT_NS, is_known ? split.import_ns : unknown);
}

void cpu_table_add_record(struct document *document, const struct cpu_time *time)
{
    const struct session_sampling *sampling = &time->session->sampling;
    struct record *record = document_add_record(document, "time", NULL, SECTION_IN_JSON);

    fields_put_rounded(record, "cpu_ns", UNIT_NS, time->cpu_ns);
    fields_put_count(record, "run_delay_ns", UNIT_NS, run_delay_ns(time->session));
    fields_put_rounded(record, "kernel_ns", UNIT_NS, time->kernel_ns);
    fields_put_rounded(record, "worker_ns", UNIT_NS, time->worker_ns);
    fields_put_real(record, "placed_fraction", UNIT_FRACTION, time->placed);
    fields_put_real(record, "named_fraction", UNIT_FRACTION, time->named);
    fields_put_rounded(record, "unplaced_ns", UNIT_NS, time->unplaced_ns);
    fields_put_rounded(record, "linux_ns", UNIT_NS, time->system_ns);
    fields_put_rounded(record, "linux_calls_ns", UNIT_NS,
                       time->unknown ? (double)NAN : time->syscall_ns);
    fields_put_rounded(record, "linux_faults_ns", UNIT_NS,
                       time->unknown ? (double)NAN : time->fault_ns);
    fields_put_count(record, "samples", UNIT_COUNT, sampling->count);
    fields_put_count(record, "period_ns", UNIT_NS, sampling->period_ns);
    fields_put_count(record, "lost_periods", UNIT_COUNT, sampling->lost_periods);
    fields_put_count(record, "untimed_threads", UNIT_COUNT, sampling->untimed);
    fields_put_text(record, "not_sampled", time->unknown);
    if (time->check.name)
        fields_put_bool(record, "in_step", time->check.is_in_step);
    else
        fields_put_null(record, "in_step");
    put_python(record, time);
    add_tables(record, time);
}

static void say_check(struct text_list *notes, const struct cpu_check *check)
{
    if (!check->name)
        return;
    if (check->is_in_step) {
        text_list_say(notes, cpu_in_step_text, said_words(check->name),
                      said_share(check->clock_share), said_share(check->sample_share),
                      said_share(check->interval.low), said_share(check->interval.high));
        return;
    }
    text_list_say(notes, cpu_agrees_text, said_words(check->name), said_share(check->sample_share),
                  said_share(check->clock_share), said_share(check->interval.low),
                  said_share(check->interval.high));
}

static void say_losses(struct text_list *notes, const struct session_sampling *sampling)
{
    if (sampling->lost_periods > 0)
        text_list_say(notes, cpu_lost_text, said_count(sampling->lost_periods));
    if (sampling->untimed > 0)
        text_list_say(notes, cpu_untimed_text, said_count(sampling->untimed));
    if (sampling->off && sampling->off_ns != SESSION_UNKNOWN)
        text_list_say(notes, cpu_ended_text, said_time((double)sampling->off_ns),
                      said_words(sampling->off));
}

void cpu_table_say(struct text_list *notes, const struct cpu_time *time)
{
    if (time->unknown) {
        text_list_say(notes, cpu_not_sampled_text, said_words(time->unknown));
        return;
    }
    if (time->system_ns > 0)
        text_list_say(notes, cpu_system_text, said_time(time->system_ns),
                      said_share(cpu_time_share(time, time->system_ns)),
                      said_time(time->syscall_ns), said_time(time->fault_ns));
    say_check(notes, &time->check);
    say_losses(notes, &time->session->sampling);
}
