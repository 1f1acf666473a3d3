/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The screen of a report that people read.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"
#include "figures/kernel_rows.h"
#include "figures/loss_words.h"
#include "findings/rows.h"
#include "kernels/flops_parts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/counter_rows.h"
#include "screen/report_parts.h"
#include "screen/texts.h"

enum { TIME_ROWS = 10, REGION_ROWS = 6, FINDINGS_SHOWN = 3, PEAK_OWNERS = 5 };

/* Where the status is unknown, another row says so. */
static void append_status(struct text *line, const struct session_process *process,
                          struct said known, struct said unknown)
{
    char status[16];

    snprintf(status, sizeof status, "%d", process->exit_status);
    if (process->exit_status == SESSION_NO_STATUS)
        say(line, unknown);
    else
        say(line, known, said_words(status));
}

static void append_ending(struct text *line, const struct session_process *process)
{
    switch (process->ending) {
    case SESSION_EXITED:
        append_status(line, process, report_title_exited_text, report_title_exited_unknown_text);
        return;
    case SESSION_QUIT:
        append_status(line, process, report_title_quit_text, report_title_quit_unknown_text);
        return;
    case SESSION_SIGNALLED:
        say(line, report_title_killed_text, said_count((uint64_t)process->signal));
        return;
    case SESSION_EXECUTED: say(line, report_title_executed_text); return;
    case SESSION_SANDBOXED: say(line, report_title_sandboxed_text); return;
    case SESSION_UNSEEN: say(line, report_title_unseen_text); return;
    }
}

/* Returns: `word` without the folders of a path.  A title that a program gave itself, such
 * as "nginx: master process nginx -c /etc/nginx.conf", is one up to its colon. */
static const char *skip_folders(const char *word)
{
    const char *end = strstr(word, ": "), *name = word;

    for (const char *byte = word; *byte && byte != end; byte++)
        if (*byte == '/')
            name = byte + 1;
    return name;
}

/* A title that is shorter than the arguments were has empty ones after it. */
static size_t count_words(const struct text_list *command)
{
    size_t count = text_list_count(command);

    while (count > 1 && text_list_at(command, count - 1)[0] == '\0')
        count--;
    return count;
}

/* The name that TPROF_NAME gave, or the command as it was typed, cut short. */
static void append_name(struct text *line, const struct session_process *process)
{
    enum { COMMAND_WIDTH = 60 };
    size_t start = line->size, count = process->is_named ? 0 : count_words(&process->command);

    for (size_t i = 0; i < count; i++) {
        const char *word = text_list_at(&process->command, i);

        word = i ? word : skip_folders(word);
        text_append(line, i ? " " : "");
        text_append_bytes(line, word, utf8_cut(word, COMMAND_WIDTH));
        if (line->size - start > COMMAND_WIDTH) {
            text_append(line, " ...");
            return;
        }
    }
    if (line->size == start)
        text_append(line, process->name ? process->name : "(unnamed)");
}

/* "transformer, pid 123, exited with status 0 after 2.41 s on 2026-11-20 13:45" */
static void append_title(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;
    time_t seconds = (time_t)(process->realtime_start_ns / 1000000000u);
    char when[64] = "";
    struct tm local;

    if (localtime_r(&seconds, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    append_name(line, process);
    text_appendf(line, ", pid %u,", process->pid);
    append_ending(line, process);
    say_part(line, report_title_when_text, said_time((double)process->wall_ns), said_words(when));
}

static void append_machine(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;

    text_appendf(line, "on %s", process->host ? process->host : "an unknown host");
    if (process->cpu)
        text_appendf(line, ", %s", process->cpu);
    if (process->cpu_count != SESSION_UNKNOWN)
        text_appendf(line, ", %llu processor%s allowed", (unsigned long long)process->cpu_count,
                     units_choose(process->cpu_count, "", "s"));
    for (size_t i = 0; i < text_list_count(&process->environment); i++)
        if (strstr(text_list_at(&process->environment, i), "_NUM_THREADS="))
            text_appendf(line, ", %s", text_list_at(&process->environment, i));
}

/* Add a line made in `line`, and clear it. */
static enum status put_line(struct text_list *lines, struct text *line)
{
    enum status status = text_status(line);

    if (!status && line->size > 0)
        status = text_list_add(lines, line->bytes);
    text_clear(line);
    return status;
}

static enum status add_head(struct document *document, const struct session *session)
{
    struct text line;
    struct text_list *lines;
    enum status status;

    text_init(&line);
    append_title(&line, session);
    lines = document_add_lines(document, NULL);
    status = lines ? put_line(lines, &line) : STATUS_OUT_OF_MEMORY;
    append_machine(&line, session);
    if (!status)
        status = put_line(lines, &line);
    text_fini(&line);
    return status;
}

enum time_column { TIME_SHARE, TIME_SELF, TIME_CALLS, TIME_MEAN, TIME_RATE, TIME_WHAT };

static const struct column time_columns[] = {
    [TIME_SHARE] = {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    [TIME_SELF] = {"self_ns", "time", "without the kernels inside", UNIT_NS, 0},
    [TIME_CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [TIME_MEAN] = {"mean_ns", "mean", "of the calls after warm-up, with the kernels inside",
                   UNIT_NS, 3},
    [TIME_RATE] = {"flops_per_second", "rate",
                   "FLOPs of its calls, those inside other kernels too, by their time",
                   UNIT_FLOPS_PER_SECOND, 2},
    [TIME_WHAT] = {"what", "where", "kernel and shape, or the rest", UNIT_TEXT, 0},
};

static const struct table_schema time_schema = {"time", "Where the time went", time_columns,
                                                sizeof time_columns / sizeof *time_columns,
                                                "share"};

static enum status add_time_row(struct table *table, const struct session *session,
                                uint64_t self_ns, uint64_t calls, const char *what,
                                struct value **row)
{
    *row = table_add_row(table);
    if (!*row)
        return STATUS_OUT_OF_MEMORY;
    value_set_ratio(&(*row)[TIME_SHARE], self_ns, session->thread_ns);
    value_set_unsigned(&(*row)[TIME_SELF], self_ns);
    if (calls > 0)
        value_set_unsigned(&(*row)[TIME_CALLS], calls);
    return value_set_text(&(*row)[TIME_WHAT], what);
}

static enum status add_group_row(struct table *table, const struct session *session,
                                 const struct groups *groups, const struct group *group)
{
    char what[GROUPS_SHAPE_SIZE + 256];
    struct value *row;
    enum status status;

    snprintf(what, sizeof what, "%s %s%s%s", group->name ? group->name : "(unnamed)", group->shape,
             groups->names_libraries && group->library ? " in " : "",
             groups->names_libraries && group->library ? group->library : "");
    status = add_time_row(table, session, group->self_ns, group->calls, what, &row);
    if (!status)
        value_set_real(&row[TIME_MEAN], group_mean_ns(group));
    if (!status && group->done_flops > 0)
        value_set_real(&row[TIME_RATE], (double)group_rate(group));
    return status;
}

static enum status add_other_kernels(struct table *table, const struct session *session,
                                     const struct groups *groups)
{
    struct groups_steady steady = {0};
    uint64_t self_ns = 0, calls = 0;
    enum status status;
    char what[64];
    struct value *row;

    if (groups->own_rows <= TIME_ROWS)
        return STATUS_OK;
    for (size_t i = TIME_ROWS; i < groups->own_rows; i++) {
        const struct group *group = array_at(&groups->rows, i);

        self_ns += group->self_ns;
        calls += group->calls;
        groups_steady_add(&steady, group);
    }
    snprintf(what, sizeof what, "%zu more %s", groups->own_rows - TIME_ROWS,
             units_choose(groups->own_rows - TIME_ROWS, "kernel and shape", "kernels and shapes"));
    status = add_time_row(table, session, self_ns, calls, what, &row);
    if (!status)
        value_set_real(&row[TIME_MEAN], groups_steady_mean_ns(&steady));
    return status;
}

/* What no kernel took: our own cost as estimated, and the unexplained rest. */
static enum status add_rest(struct table *table, const struct session *session, uint64_t kernel_ns)
{
    struct groups_rest rest = groups_split_rest(session, kernel_ns);
    struct value *row;
    enum status status =
        add_time_row(table, session, rest.other_ns, 0, "outside known kernels", &row);

    if (!status && rest.bystanders.count > 0)
        status = add_time_row(table, session, rest.bystanders.ns, 0, rest.bystanders.name, &row);
    return status ? status
                  : add_time_row(table, session, rest.own_ns, 0, "tprof itself, estimated", &row);
}

/* Processor time of the process that no thread of the table has: 0 where it
 * is not known, or too little to be told from what threads do before their
 * first record. */
static uint64_t unseen_cpu_ns(const struct session *session)
{
    enum { NOTICED_NS = 20000000, NOTICED_PART = 20 };
    const struct session_process *process = &session->process;
    uint64_t all = process->last.user_ns + process->last.system_ns, seen = 0;

    if (!process->has_last)
        return 0;
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (thread->cpu_ns == SESSION_UNKNOWN)
            return 0;
        seen += thread->cpu_ns;
    }
    return all > seen + NOTICED_NS && all - seen > all / NOTICED_PART ? all - seen : 0;
}

/* Before its first record and after its last a thread takes so long at most, to start and
 * to end: where that can be all, nothing says that there are threads without records. */
static struct said explain_unseen(const struct session *session, uint64_t unseen_ns)
{
    enum { EDGES_NS = 50000 };

    if (session->threads.count == 0) /* as where the trace is damaged */
        return report_time_unseen_text;
    return unseen_ns / session->threads.count < EDGES_NS ? report_time_edges_text
                                                         : report_time_silent_text;
}

static enum status add_time_notes(struct table *table, const struct session *session)
{
    uint64_t unseen_ns = unseen_cpu_ns(session);
    enum status status =
        table_say(table, report_time_whole_text, said_time((double)session->thread_ns),
                  said_count(session->threads.count));

    if (status || unseen_ns == 0)
        return status;
    return table_say(table, explain_unseen(session, unseen_ns), said_time((double)unseen_ns));
}

static enum status add_time(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct groups *groups = &sums->groups;
    struct table *table = document_add_table(document, "time", SECTION_IN_TEXT);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    table_init(table, &time_schema);
    for (size_t i = 0; i < groups->own_rows && i < TIME_ROWS && !status; i++)
        status = add_group_row(table, session, groups, array_at(&groups->rows, i));
    if (!status)
        status = add_other_kernels(table, session, groups);
    if (!status)
        status = add_rest(table, session, sums->kernel_ns);
    if (!status)
        status = add_time_notes(table, session);
    if (!status)
        status = kernel_rows_add_first_note(table, session, groups);
    return status ? status : kernel_rows_add_estimate_note(table, groups);
}

/* Those that are worth following stand first, but for limits alone. */
static enum status add_advice(struct text_list *lines, const struct findings *findings)
{
    enum status status = STATUS_OK;
    struct text line;

    text_init(&line);
    for (size_t i = 0, shown = 0; i < findings->found.count && shown < FINDINGS_SHOWN && !status;
         i++) {
        const struct finding *finding = findings_at(findings, i);

        if (!finding_is_advice(finding))
            continue;
        finding_say_short(&line, finding, findings);
        status = put_line(lines, &line);
        shown++;
    }
    text_fini(&line);
    return status;
}

/* All that is known of findings is in tprof bottlenecks. */
static enum status add_findings(struct document *document, const struct report_sums *sums)
{
    struct text_list *lines = document_add_lines(document, "Bottlenecks (tprof bottlenecks)");

    if (!lines || findings_add_verdict(lines, &sums->findings, "  "))
        return STATUS_OUT_OF_MEMORY;
    return add_advice(lines, &sums->findings);
}

static void append_compute(struct text *line, const struct report_sums *sums)
{
    const struct compute *compute = &sums->compute;

    if (sums->kernel_calls == 0) {
        compute_append_no_calls(line, compute);
        return;
    }
    compute_append_total(line, compute);
    text_append(line, ": ");
    compute_append_speed(line, compute);
    if (compute->unknown_fraction > 0)
        compute_append_unknown(line, compute);
}

/* Without memory for it the line is left out: put_line tells. */
static void append_network(struct text *line, const struct report_sums *sums)
{
    if (flops_append_network(line, sums->session))
        line->failed = true;
}

static void append_live(struct text *line, const struct report_sums *sums)
{
    const struct session_heap *heap = &sums->session->heap;

    say(line, report_memory_live_text, said_bytes((double)heap->live_bytes),
        said_count(heap->live_blocks));
    memory_append_most_live(line, &sums->memory);
    text_append(line, ".");
}

static void append_owners(struct text *line, const struct report_sums *sums)
{
    struct text owners;

    text_init(&owners);
    if (!memory_append_owners(&owners, &sums->memory, PEAK_OWNERS) && owners.size > 0)
        say_part(line, report_memory_held_text, said_words(owners.bytes));
    text_fini(&owners);
}

static void append_peak(struct text *line, const struct report_sums *sums)
{
    const struct session_heap *heap = &sums->session->heap;
    bool has_time = memory_peak_time_ns(heap) != SESSION_UNKNOWN;
    struct text error;

    text_init(&error);
    if (heap->sample_bytes > 0)
        say_part(&error, report_memory_peak_error_text, said_bytes(heap->peak_error));
    say(line, report_memory_peak_text, said_bytes((double)heap->peak_bytes),
        said_words(error.bytes));
    text_fini(&error);
    if (has_time)
        say_part(line, report_memory_peak_at_text, said_time((double)heap->peak_time_ns));
    if (has_time)
        append_owners(line, sums);
    text_append(line, ".");
    if (has_time)
        append_live(line, sums);
}

/* Where more was mapped than obtained from malloc, the heap is not what the memory is. */
static void append_mapped(struct text *line, const struct session_heap *heap)
{
    struct text kinds;

    if (!memory_is_known(heap) || heap->mapped_bytes == SESSION_UNKNOWN ||
        heap->peak_mapped_bytes <= heap->peak_bytes)
        return;
    text_init(&kinds);
    memory_append_mapped_kinds(&kinds, heap);
    say(line, report_memory_mapped_text, said_bytes((double)heap->peak_mapped_bytes),
        said_words(kinds.bytes), said_bytes((double)heap->mapped_bytes));
    text_fini(&kinds);
}

static void append_gap(struct text *line, const struct session *session)
{
    struct memory_gap gap;

    if (!memory_find_gap(&gap, session) || memory_gap_is_ordinary(&gap, session))
        return;
    say(line, report_memory_gap_text, said_bytes((double)gap.resident_bytes),
        said_words(memory_gap_when(&gap, session)), said_share(gap.fraction));
}

static void append_memory(struct text *line, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    const struct session_heap *heap = &session->heap;
    uint64_t resident_bytes = session->process.last.peak_rss_bytes;

    if (memory_is_known(heap))
        append_peak(line, sums);
    else
        say(line, report_memory_unknown_text,
            said_words(heap->reason ? heap->reason : "records are missing"));
    if (resident_bytes != SESSION_UNKNOWN)
        say(line,
            session->process.has_last ? report_memory_resident_text
                                      : report_memory_resident_least_text,
            said_bytes((double)resident_bytes));
    if (memory_is_inherited(session))
        memory_append_inherited(line, session);
    append_gap(line, session);
    append_mapped(line, heap);
}

static void append_allocations(struct text *line, const struct report_sums *sums)
{
    const struct session_heap *heap = &sums->session->heap;
    double temporary = memory_temporary_fraction(sums->session);

    if (heap->allocations == SESSION_UNKNOWN)
        return;
    say(line, report_allocations_of_text, said_bytes((double)heap->allocated_bytes),
        said_count(heap->allocations), said_count(heap->frees));
    if (isfinite(temporary))
        say(line, report_allocations_temporary_text, said_share(temporary));
}

static void append_processor(struct text *line, const struct session_process *process)
{
    double percent = report_cpu_percent(process);

    say(line, report_system_processor_text, said_time((double)process->last.user_ns),
        said_time((double)process->last.system_ns));
    if (isfinite(percent))
        say_part(line, report_system_share_text, said_count((uint64_t)llround(percent)),
                 said_count(process->cpu_count));
    text_append(line, ".");
}

static void append_system(struct text *line, const struct report_sums *sums)
{
    const struct session_process *process = &sums->session->process;
    const struct trace_reading *last = &process->last;

    if (last->user_ns == SESSION_UNKNOWN) {
        say(line, report_system_unknown_text);
        return;
    }
    if (!process->has_last)
        say(line, report_system_least_text);
    append_processor(line, process);
    say(line, report_system_faults_text, said_count(last->minor_faults + last->major_faults),
        said_count(last->major_faults));
    say(line, report_system_switches_text, said_count(last->voluntary_switches),
        said_count(last->involuntary_switches));
}

static void append_counters(struct text *line, const struct report_sums *sums)
{
    counter_rows_append(line, sums->session);
}

static void append_coverage(struct text *line, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct report_coverage coverage = report_count_coverage(session);

    if (session->bindings.count == 0 && coverage.missed == 0) {
        say(line, report_coverage_none_text);
        return;
    }
    say(line, report_coverage_called_text, said_count(coverage.called),
        said_count(session->bindings.count));
    say(line, report_coverage_hooked_text, said_count(coverage.hooked));
    if (coverage.missed > 0)
        say_part(line, report_coverage_missed_text, said_count(coverage.missed));
    text_append(line, ".");
}

static void append_losses(struct text *line, const struct report_sums *sums)
{
    bool has_short_chains = loss_words_has_short_chains(sums->session);

    if (loss_words_are_due(sums->session))
        loss_words_append(line, sums->session);
    else if (!has_short_chains)
        text_append(line, "none");
    if (has_short_chains) {
        text_append(line, line->size > 0 ? "; " : "");
        loss_words_append_chains(line, sums->session);
    }
}

static struct said rounded(double number)
{
    return said_count((uint64_t)llround(fmax(0, number)));
}

static void append_overhead(struct text *line, const struct report_sums *sums)
{
    const struct session_overhead *overhead = &sums->session->overhead;

    say(line, report_overhead_sum_text, said_time((double)overhead->total_ns),
        said_share(overhead->fraction));
    say(line, report_overhead_each_text, rounded(overhead->kernel_ns), rounded(overhead->region_ns),
        rounded(overhead->allocation_ns));
    say(line, report_overhead_rest_text, said_time(overhead->slow_ns),
        said_real(overhead->resolution_ns));
}

/* A count is told whole, such as one of parameters. */
static void append_value(struct text *line, double value)
{
    if (isfinite(value) && value == floor(value))
        compute_append_count(line, (long double)value);
    else
        text_appendf(line, "%g", value);
}

static void append_metrics(struct text *line, const struct report_sums *sums)
{
    const struct session *session = sums->session;

    if (session->items > 0)
        say(line, report_program_items_text, said_count(session->items),
            said_rate(compute_per_second(session->items, session->process.wall_ns)));
    if (session->items > 0 && session->metrics.count > 0)
        text_append(line, " ");
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = session_metric_at(session, i);

        text_appendf(line, "%s%s ", i ? ", " : "", metric->name);
        append_value(line, metric->value);
    }
}

/* A line of the summary: its title and what makes it. */
struct summary_row {
    struct column column;
    void (*append)(struct text *line, const struct report_sums *sums);
};

static const struct summary_row summary_rows[] = {
    {{"compute", "Compute", NULL, UNIT_TEXT, 0}, append_compute},
    {{"network", "Network", NULL, UNIT_TEXT, 0}, append_network},
    {{"memory", "Memory", NULL, UNIT_TEXT, 0}, append_memory},
    {{"allocations", "Allocations", NULL, UNIT_TEXT, 0}, append_allocations},
    {{"system", "System", NULL, UNIT_TEXT, 0}, append_system},
    {{"counters", "Counters", NULL, UNIT_TEXT, 0}, append_counters},
    {{"program", "Program", NULL, UNIT_TEXT, 0}, append_metrics},
    {{"coverage", "Coverage", NULL, UNIT_TEXT, 0}, append_coverage},
    {{"losses", "Losses", NULL, UNIT_TEXT, 0}, append_losses},
    {{"overhead", "Overhead", NULL, UNIT_TEXT, 0}, append_overhead},
};

/* How far figures can be trusted is no advice, but must be known where they are wrong. */
static enum status add_doubts(struct record *record, const struct report_sums *sums)
{
    struct text_list doubts;
    enum status status = STATUS_OK;

    text_list_init(&doubts);
    for (size_t i = 0; i < sums->findings.found.count && !status; i++) {
        const struct finding *finding = findings_at(&sums->findings, i);

        if (finding->gain == FINDING_DOUBTS && finding->severity > FINDING_INFO)
            status = text_list_addf(&doubts, "%s (tprof bottlenecks: %s)", finding->title.bytes,
                                    finding_id(finding->rule));
    }
    if (!status)
        status = record_add_doubts(record, &doubts);
    text_list_fini(&doubts);
    return status ? status : record_add_doubts(record, &sums->session->doubts);
}

static enum status add_summary(struct document *document, const struct report_sums *sums)
{
    struct record *record = document_add_record(document, "summary", "Summary", SECTION_IN_TEXT);
    struct text line;
    enum status status = record ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    text_init(&line);
    for (size_t i = 0; i < sizeof summary_rows / sizeof *summary_rows && !status; i++) {
        summary_rows[i].append(&line, sums);
        status = record_add_line(record, &summary_rows[i].column, &line);
    }
    text_fini(&line);
    return status ? status : add_doubts(record, sums);
}

static const struct column region_columns[] = {
    {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    {"exclusive_ns", "time", "without the regions inside", UNIT_NS, 0},
    {"calls", "calls", "times it ended", UNIT_COUNT, 0},
    {"path", "region", "the region under those around it", UNIT_TEXT, 0},
};

static const struct table_schema region_schema = {
    "top_regions", "Regions by exclusive time", region_columns,
    sizeof region_columns / sizeof *region_columns, "share"};

static enum status add_top_regions(struct document *document, const struct session *session)
{
    struct table *table;
    enum status status = STATUS_OK;

    if (session->regions.count <= 1)
        return STATUS_OK;
    table = document_add_table(document, "top_regions", SECTION_IN_TEXT);
    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &region_schema);
    for (size_t i = 1; i < session->regions.count && !status; i++) {
        const struct session_region *region = session_region_at(session, i);
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        value_set_ratio(&row[0], region->exclusive_ns, session->thread_ns);
        value_set_unsigned(&row[1], region->exclusive_ns);
        value_set_unsigned(&row[2], region->calls);
        status = value_set_text(&row[3], region->path);
    }
    if (!status)
        status = table_sort(table, 1, true);
    table_truncate(table, REGION_ROWS);
    return status;
}

enum status report_add_screen(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    enum status status = add_head(document, session);

    if (!status)
        status = add_time(document, sums);
    if (!status)
        status = add_top_regions(document, session);
    if (!status)
        status = add_findings(document, sums);
    if (!status)
        status = add_summary(document, sums);
    return status;
}
