/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads: how each used its time, and how well they worked together.
 */
#include <math.h>

#include "analysis/analysis.h"
#include "cpu/mostly.h"
#include "cpu/texts.h"
#include "document/fields.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "waits/concurrency.h"
#include "waits/waker_table.h"

enum column_index {
    THREAD,
    START,
    LIVED,
    CPU,
    ON_CPU,
    DELAY,
    WAITING,
    KERNELS,
    BUSY,
    PART,
    CALLS,
    ALLOCATIONS,
    ALLOCATED,
    MOSTLY,
    WOKEN
};

static const struct column columns[] = {
    [THREAD] = {"thread", "thread", "its number in the operating system", UNIT_NUMBER, 0},
    [START] = {"start_ns", "start", "of its first record, since the start", UNIT_NS, 6},
    [LIVED] = {"lived_ns", "lived", "from its first record to its end", UNIT_NS, 0},
    [CPU] = {"cpu_ns", "cpu", "processor time; null: its end was not seen", UNIT_NS, 1},
    [ON_CPU] = {"cpu_share", "on cpu", "processor time, of its life", UNIT_FRACTION, 2},
    [DELAY] = {"delay_ns", "delayed", "it wanted a processor and had none; null: not counted",
               UNIT_NS, 2},
    [WAITING] = {"waiting_ns", "waiting", "of its life, on no processor and not delayed", UNIT_NS,
                 2},
    [KERNELS] = {"kernel_ns", "in kernels", "inside kernels, nested ones not twice", UNIT_NS, 0},
    [BUSY] = {"kernel_share", "busy", "time in kernels, of its life", UNIT_FRACTION, 0},
    [PART] = {"share", "share", "of the time of all threads in kernels", UNIT_FRACTION, 3},
    [CALLS] = {"calls", "calls", "of kernels, nested ones too", UNIT_COUNT, 0},
    [ALLOCATIONS] = {"allocations", "allocs", "blocks obtained", UNIT_COUNT, 4},
    [ALLOCATED] = {"allocated_bytes", "allocated", "bytes obtained", UNIT_BYTES, 5},
    [MOSTLY] = {"mostly", "mostly",
                "row of tprof time with the most of its processor time, and the share", UNIT_TEXT,
                4},
    [WOKEN] = {"woken_by", "woken by",
               "lines of the program that ended its waits for work, and their shares", UNIT_TEXT,
               4},
};

static const struct table_schema schema = {"threads", "Threads", columns,
                                           sizeof columns / sizeof *columns, "kernel_share"};

static uint64_t count_calls(const struct session *session, uint32_t thread)
{
    uint64_t count = 0;

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        if (slot->thread == thread)
            count += slot->calls;
    }
    return count;
}

static void set_row(struct value *row, const struct session *session, uint32_t index,
                    uint64_t kernel_ns)
{
    const struct session_thread *thread = session_thread_at(session, index);
    double lived_ns = concurrency_lived_ns(thread);

    value_set_unsigned(&row[THREAD], thread->id);
    value_set_unsigned(&row[START], thread->first_ns);
    value_set_rounded(&row[LIVED], lived_ns);
    value_set_known(&row[CPU], thread->cpu_ns);
    if (thread->cpu_ns != SESSION_UNKNOWN)
        value_set_ratio(&row[ON_CPU], thread->cpu_ns, lived_ns);
    value_set_known(&row[DELAY], thread->delay_ns);
    if (thread->cpu_ns != SESSION_UNKNOWN && thread->delay_ns != SESSION_UNKNOWN)
        value_set_rounded(&row[WAITING],
                          fmax(0, lived_ns - (double)thread->cpu_ns - (double)thread->delay_ns));
    value_set_unsigned(&row[KERNELS], thread->kernel_ns);
    value_set_ratio(&row[BUSY], thread->kernel_ns, lived_ns);
    value_set_ratio(&row[PART], thread->kernel_ns, kernel_ns);
    value_set_unsigned(&row[CALLS], count_calls(session, index));
    value_set_known(&row[ALLOCATIONS], thread->allocations);
    value_set_known(&row[ALLOCATED], thread->allocated_bytes);
}

static uint64_t sum_kernel_ns(const struct session *session)
{
    const struct session_thread *thread = session->threads.items;
    uint64_t sum_ns = 0;

    for (size_t i = 0; i < session->threads.count; i++)
        sum_ns += thread[i].kernel_ns;
    return sum_ns;
}

static void fill(struct table *table, const struct session *session,
                 const struct analysis_options *options)
{
    uint64_t kernel_ns = sum_kernel_ns(session);

    for (uint32_t i = 0; i < session->threads.count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, session, i, kernel_ns);
    }
    mostly_fill(table, MOSTLY, session, options, CPU_TOP_OF_THREADS);
    waker_table_fill_threads(table, WOKEN, session, options->find_frames);
    table_say(table, threads_whole_text, said_time((double)kernel_ns));
    table_say(table, threads_workers_text);
}

struct threads_report {
    const struct session *session;
    struct concurrency concurrency;
    struct concurrency_work work;
};

static double cores_used(const struct session *session)
{
    const struct trace_reading *last = &session->process.last;

    return session->process.wall_ns > 0 && last->user_ns != SESSION_UNKNOWN
               ? (double)(last->user_ns + last->system_ns) / (double)session->process.wall_ns
               : (double)NAN;
}

static void append_cores(struct text *line, const void *of)
{
    const struct threads_report *report = of;
    uint64_t allowed = report->session->process.cpu_count;
    double used = cores_used(report->session);

    if (isnan(used))
        return;
    if (allowed == SESSION_UNKNOWN)
        say(line, threads_used_text, said_real(used));
    else
        say(line, threads_used_of_text, said_real(used), said_count(allowed));
}

static void append_kernels(struct text *line, const void *of)
{
    const struct threads_report *report = of;
    const struct concurrency *concurrency = &report->concurrency;

    if (!(concurrency->any_ns > 0) || !(concurrency->wall_ns > 0))
        say(line, threads_no_call_text);
    else
        say(line, threads_together_text, said_share(1 - concurrency->any_ns / concurrency->wall_ns),
            said_share(concurrency->one_ns / concurrency->wall_ns),
            said_share(concurrency->several_ns / concurrency->wall_ns),
            said_real(concurrency->mean));
}

static void append_over(struct text *line, const void *of)
{
    const struct threads_report *report = of;
    const struct concurrency *concurrency = &report->concurrency;

    if (concurrency->over_ns > 0)
        say(line, threads_too_many_text, said_share(concurrency->over_ns / concurrency->wall_ns),
            said_count(report->session->process.cpu_count));
}

static void append_imbalance(struct text *line, const void *of)
{
    const struct threads_report *report = of;
    const struct concurrency_work *work = &report->work;

    if (isfinite(work->imbalance))
        say(line, threads_imbalance_text, said_share(work->imbalance), said_count(work->workers),
            said_time(work->most_ns), said_time(work->mean_ns));
}

static void append_doubt(struct text *line, const void *of)
{
    const struct threads_report *report = of;

    if (!report->concurrency.is_whole)
        say(line, threads_sampled_text, said_share(report->concurrency.known));
}

static const struct record_line head_rows[] = {
    {{"processors", "Processors", NULL, UNIT_TEXT, 0}, append_cores},
    {{"kernels", "Kernels", NULL, UNIT_TEXT, 0}, append_kernels},
    {{"over", "Too many", NULL, UNIT_TEXT, 0}, append_over},
    {{"imbalance", "Imbalance", NULL, UNIT_TEXT, 0}, append_imbalance},
    {{"doubt", "Doubt", NULL, UNIT_TEXT, 0}, append_doubt},
};

static void add_head(struct document *document, const struct threads_report *report)
{
    struct record *record = document_add_record(document, "head", "Together", SECTION_IN_TEXT);

    record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, report);
}

static void add_summary(struct document *document, const struct threads_report *report)
{
    const struct concurrency *concurrency = &report->concurrency;
    struct record *fields = document_add_record(document, "summary", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "wall_ns", UNIT_NS, report->session->process.wall_ns);
    fields_put_count(fields, "cores_allowed", UNIT_COUNT, report->session->process.cpu_count);
    fields_put_real(fields, "cores_used", UNIT_REAL, cores_used(report->session));
    fields_put_real(fields, "threads_in_kernels", UNIT_REAL, concurrency->mean);
    fields_put_rounded(fields, "no_kernel_ns", UNIT_NS, concurrency->wall_ns - concurrency->any_ns);
    fields_put_rounded(fields, "one_thread_ns", UNIT_NS, concurrency->one_ns);
    fields_put_rounded(fields, "several_threads_ns", UNIT_NS, concurrency->several_ns);
    fields_put_rounded(fields, "too_many_threads_ns", UNIT_NS, concurrency->over_ns);
    fields_put_real(fields, "serial_fraction", UNIT_FRACTION,
                    concurrency->one_ns / concurrency->wall_ns);
    fields_put_count(fields, "workers", UNIT_COUNT, report->work.workers);
    fields_put_real(fields, "imbalance", UNIT_FRACTION, report->work.imbalance);
    fields_put_real(fields, "known", UNIT_FRACTION, concurrency->known);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    table_init(table, &schema);
    fill(table, session, options);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct threads_report report = {.session = session, .work = concurrency_weigh(session)};
    struct table *table;

    document_init(document);
    document->name = "threads";
    document->main = "rows";
    concurrency_init(&report.concurrency, session);
    add_summary(document, &report);
    add_head(document, &report);
    table = document_add_table(document, "rows", SECTION_IN_BOTH);
    build(session, options, table);
}

const struct analysis analysis_threads = {
    .name = "threads",
    .help = "What each thread did with its time, and how many were inside kernels at once.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
};
