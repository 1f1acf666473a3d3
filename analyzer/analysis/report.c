/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report: what ran, where the time went, how much arithmetic, how much
 * memory, what was not seen and what we cost.
 */
#include "analysis/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analysis/fields.h"
#include "analysis/kernel_rows.h"
#include "base/text.h"
#include "base/units.h"

enum { TIME_ROWS = 10, REGION_ROWS = 6 };

/* Sums that several sections need. */
struct sums {
    struct groups groups;
    uint64_t kernel_ns; /* exclusive, over threads */
    uint64_t unknown_ns; /* of these, in kernels of unknown FLOPs */
    uint64_t kernel_calls;
    long double flops;
    long double macs;
};

static enum status sums_init(struct sums *sums, const struct session *session,
                             const struct analysis_options *options)
{
    enum status status = groups_init(&sums->groups, session, options);

    sums->kernel_ns = sums->unknown_ns = sums->kernel_calls = 0;
    sums->flops = sums->macs = 0;
    for (size_t i = 0; !status && i < sums->groups.rows.count; i++) {
        const struct group *group = array_at(&sums->groups.rows, i);

        sums->kernel_ns += group->self_ns;
        sums->kernel_calls += group->calls;
        if (isnan(group->flops))
            sums->unknown_ns += group->self_ns;
        else
            sums->flops += group->flops;
        if (!isnan(group_macs(group)))
            sums->macs += group_macs(group);
    }
    return status;
}

/* ---- for programs: the contract ---------------------------------------- */

#define FIELD(key, unit) {key, NULL, NULL, unit, 0}

static const struct column exit_columns[] = {
    FIELD("kind", UNIT_TEXT), FIELD("status", UNIT_COUNT), FIELD("signal", UNIT_COUNT)};

static const char *ending_name(enum session_ending ending)
{
    static const char *const names[] = {"exited", "quit", "signalled", "executed", "unseen"};

    return names[ending];
}

static enum status add_exit(struct fields *outer, const struct session_process *process)
{
    struct fields fields = fields_add_record(outer, exit_columns);
    bool has_status = process->ending == SESSION_EXITED || process->ending == SESSION_QUIT;

    fields_add_text(&fields, ending_name(process->ending));
    has_status ? fields_add_signed(&fields, process->exit_status) : fields_add_null(&fields);
    process->ending == SESSION_SIGNALLED ? fields_add_signed(&fields, process->signal)
                                         : fields_add_null(&fields);
    return fields.status;
}

static bool is_complete(const struct session *session)
{
    return session->process.ending != SESSION_UNSEEN && session->process.ending != SESSION_SIGNALLED &&
           session->losses.lost_records == 0 && session->losses.overwritten_records == 0 &&
           session->losses.torn_chunks == 0 && session->losses.bad_records == 0;
}

static const struct column process_columns[] = {
    FIELD("command", UNIT_TEXT), FIELD("name", UNIT_TEXT), FIELD("pid", UNIT_COUNT),
    FIELD("parent_pid", UNIT_COUNT), FIELD("exit", UNIT_TEXT), FIELD("complete", UNIT_BOOL),
    FIELD("threads", UNIT_COUNT), FIELD("host", UNIT_TEXT), FIELD("cpu", UNIT_TEXT),
    FIELD("cpu_count", UNIT_COUNT), FIELD("kernel", UNIT_TEXT), FIELD("memory_limit_bytes", UNIT_BYTES),
    FIELD("start_realtime_ns", UNIT_NS), FIELD("environment", UNIT_TEXT), FIELD("options", UNIT_TEXT),
    FIELD("trace", UNIT_TEXT)};

static enum status add_process(struct document *document, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct fields fields = fields_begin(
        document_add_record(document, "process", NULL, SECTION_IN_JSON), process_columns);
    enum status status;

    fields_add_list(&fields, &process->command);
    fields_add_text(&fields, process->name);
    fields_add_count(&fields, process->pid);
    fields_add_count(&fields, process->parent_pid);
    status = add_exit(&fields, process);
    fields_add_bool(&fields, is_complete(session));
    fields_add_count(&fields, session->threads.count);
    fields_add_text(&fields, process->host);
    fields_add_text(&fields, process->cpu);
    fields_add_count(&fields, process->cpu_count);
    fields_add_text(&fields, process->kernel);
    fields_add_count(&fields, process->memory_limit_bytes);
    fields_add_count(&fields, process->realtime_start_ns);
    fields_add_list(&fields, &process->environment);
    fields_add_list(&fields, &process->options);
    fields_add_text(&fields, session->path);
    return status ? status : fields.status;
}

static const struct column timing_columns[] = {
    FIELD("wall_ns", UNIT_NS), FIELD("thread_ns", UNIT_NS), FIELD("cpu_user_ns", UNIT_NS),
    FIELD("cpu_sys_ns", UNIT_NS), FIELD("kernel_ns", UNIT_NS), FIELD("kernel_fraction", UNIT_FRACTION),
    FIELD("kernel_calls", UNIT_COUNT)};

static enum status add_timing(struct document *document, const struct session *session,
                              const struct sums *sums)
{
    struct fields fields = fields_begin(
        document_add_record(document, "timing", NULL, SECTION_IN_JSON), timing_columns);

    fields_add_count(&fields, session->process.wall_ns);
    fields_add_count(&fields, session->thread_ns);
    fields_add_count(&fields, session->process.last.user_ns);
    fields_add_count(&fields, session->process.last.system_ns);
    fields_add_count(&fields, sums->kernel_ns);
    fields_add_real(&fields, session->thread_ns ? (double)sums->kernel_ns / (double)session->thread_ns : NAN);
    fields_add_count(&fields, sums->kernel_calls);
    return fields.status;
}

static const struct column memory_columns[] = {
    FIELD("peak_heap_bytes", UNIT_BYTES), FIELD("peak_heap_time_ns", UNIT_NS),
    FIELD("allocated_bytes", UNIT_BYTES), FIELD("live_at_exit_bytes", UNIT_BYTES),
    FIELD("live_at_exit_blocks", UNIT_COUNT), FIELD("allocations", UNIT_COUNT), FIELD("frees", UNIT_COUNT),
    FIELD("failed_allocations", UNIT_COUNT), FIELD("exact", UNIT_BOOL), FIELD("peak_ram_bytes", UNIT_BYTES),
    FIELD("start_ram_bytes", UNIT_BYTES)};

static enum status add_memory(struct document *document, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    struct fields fields = fields_begin(
        document_add_record(document, "memory", NULL, SECTION_IN_JSON), memory_columns);

    fields_add_count(&fields, heap->is_exact ? heap->peak_bytes : SESSION_UNKNOWN);
    fields_add_count(&fields, heap->is_exact ? heap->peak_time_ns : SESSION_UNKNOWN);
    fields_add_count(&fields, heap->allocated_bytes);
    fields_add_count(&fields, heap->is_exact ? heap->live_bytes : SESSION_UNKNOWN);
    fields_add_count(&fields, heap->is_exact ? heap->live_blocks : SESSION_UNKNOWN);
    fields_add_count(&fields, heap->allocations);
    fields_add_count(&fields, heap->frees);
    fields_add_count(&fields, heap->failed_allocations);
    fields_add_bool(&fields, heap->is_exact);
    fields_add_count(&fields, session->process.last.peak_rss_bytes);
    fields_add_count(&fields, session->process.first.rss_bytes);
    return fields.status;
}

static const struct column compute_columns[] = {
    FIELD("flops", UNIT_FLOPS), FIELD("macs", UNIT_COUNT), FIELD("flops_per_second", UNIT_FLOPS_PER_SECOND),
    FIELD("kernel_flops_per_second", UNIT_FLOPS_PER_SECOND), FIELD("unknown_flops_fraction", UNIT_FRACTION),
    FIELD("items", UNIT_COUNT), FIELD("requests", UNIT_COUNT)};

static double per_second(long double amount, uint64_t ns)
{
    return ns > 0 ? (double)(amount * 1e9L / ns) : NAN;
}

/* With no kernel seen the FLOPs of the program are not 0 but unknown. */
static enum status add_compute(struct document *document, const struct session *session,
                               const struct sums *sums)
{
    bool is_known = sums->kernel_calls > 0;
    struct fields fields = fields_begin(
        document_add_record(document, "compute", NULL, SECTION_IN_JSON), compute_columns);

    fields_add_large(&fields, is_known ? sums->flops : (long double)NAN);
    fields_add_large(&fields, is_known ? sums->macs : (long double)NAN);
    fields_add_real(&fields, is_known ? per_second(sums->flops, session->process.wall_ns) : NAN);
    fields_add_real(&fields, is_known ? per_second(sums->flops, sums->kernel_ns) : NAN);
    fields_add_real(&fields, sums->kernel_ns ? (double)sums->unknown_ns / (double)sums->kernel_ns : NAN);
    fields_add_count(&fields, session->items);
    fields_add_count(&fields, session->requests);
    return fields.status;
}

static const struct column system_columns[] = {
    FIELD("cpu_percent", UNIT_REAL), FIELD("minor_faults", UNIT_COUNT), FIELD("major_faults", UNIT_COUNT),
    FIELD("voluntary_switches", UNIT_COUNT), FIELD("involuntary_switches", UNIT_COUNT),
    FIELD("read_bytes", UNIT_BYTES), FIELD("written_bytes", UNIT_BYTES), FIELD("readings", UNIT_COUNT)};

/* Processor time against what the allowed processors could have given. */
static double cpu_percent(const struct session_process *process)
{
    double capacity = (double)process->wall_ns * (double)process->cpu_count;

    if (process->cpu_count == SESSION_UNKNOWN || capacity <= 0 || !process->has_last)
        return NAN;
    return 100 * (double)(process->last.user_ns + process->last.system_ns - process->first.user_ns -
                          process->first.system_ns) / capacity;
}

static enum status add_system(struct document *document, const struct session *session)
{
    const struct trace_reading *last = &session->process.last;
    struct fields fields = fields_begin(
        document_add_record(document, "system", NULL, SECTION_IN_JSON), system_columns);

    fields_add_real(&fields, cpu_percent(&session->process));
    fields_add_count(&fields, last->minor_faults);
    fields_add_count(&fields, last->major_faults);
    fields_add_count(&fields, last->voluntary_switches);
    fields_add_count(&fields, last->involuntary_switches);
    fields_add_count(&fields, last->read_bytes);
    fields_add_count(&fields, last->written_bytes);
    fields_add_count(&fields, session->readings.count);
    return fields.status;
}

static enum status add_analysis(struct document *document, const char *key, const struct analysis *analysis,
                                const struct session *session, const struct analysis_options *options)
{
    struct table *table = document_add_table(document, key, SECTION_IN_JSON);

    return table ? analysis->build(session, options, table) : STATUS_OUT_OF_MEMORY;
}

static const struct column metric_columns[] = {FIELD("name", UNIT_TEXT), FIELD("value", UNIT_REAL),
                                               FIELD("count", UNIT_COUNT)};
static const struct table_schema metrics_schema = {"metrics", NULL, metric_columns, 3, NULL};

static enum status add_metrics(struct document *document, const struct session *session)
{
    struct table *table = document_add_table(document, "metrics", SECTION_IN_JSON);

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &metrics_schema);
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = array_at(&session->metrics, i);
        struct value *row = table_add_row(table);

        if (!row || value_set_text(&row[0], metric->name))
            return STATUS_OUT_OF_MEMORY;
        value_set_real(&row[1], metric->value);
        value_set_unsigned(&row[2], metric->count);
    }
    return STATUS_OK;
}

static const struct column coverage_columns[] = {
    FIELD("hooked_slots", UNIT_COUNT), FIELD("missed_slots", UNIT_COUNT), FIELD("bindings", UNIT_COUNT),
    FIELD("called_bindings", UNIT_COUNT), FIELD("kernel_fraction_of_cpu", UNIT_FRACTION)};

struct coverage {
    uint64_t hooked;
    uint64_t missed;
    uint64_t called;
};

static struct coverage count_coverage(const struct session *session)
{
    struct coverage coverage = {0, 0, 0};

    for (size_t i = 0; i < session->hooks.count; i++) {
        const struct session_hook *hook = array_at(&session->hooks, i);

        *(hook->binding ? &coverage.hooked : &coverage.missed) += hook->slots;
    }
    for (size_t i = 0; i < session->bindings.count; i++)
        coverage.called += ((const struct session_binding *)array_at(&session->bindings, i))->calls > 0;
    return coverage;
}

static enum status add_coverage(struct document *document, const struct session *session,
                                const struct sums *sums)
{
    struct coverage coverage = count_coverage(session);
    uint64_t cpu_ns = session->process.last.user_ns + session->process.last.system_ns;
    struct fields fields = fields_begin(
        document_add_record(document, "coverage", NULL, SECTION_IN_JSON), coverage_columns);

    fields_add_count(&fields, coverage.hooked);
    fields_add_count(&fields, coverage.missed);
    fields_add_count(&fields, session->bindings.count);
    fields_add_count(&fields, coverage.called);
    fields_add_real(&fields, session->process.has_last && cpu_ns ? (double)sums->kernel_ns / (double)cpu_ns : NAN);
    return fields.status;
}

static const struct column loss_columns[] = {
    FIELD("events", UNIT_COUNT), FIELD("lost_events", UNIT_COUNT), FIELD("overwritten_events", UNIT_COUNT),
    FIELD("failed_chunks", UNIT_COUNT), FIELD("reason", UNIT_TEXT), FIELD("torn_chunks", UNIT_COUNT),
    FIELD("bad_records", UNIT_COUNT), FIELD("unmatched", UNIT_COUNT)};

static enum status add_losses(struct document *document, const struct session *session)
{
    const struct session_losses *losses = &session->losses;
    struct fields fields = fields_begin(
        document_add_record(document, "losses", NULL, SECTION_IN_JSON), loss_columns);

    fields_add_count(&fields, losses->lost_records + losses->overwritten_records);
    fields_add_count(&fields, losses->lost_records);
    fields_add_count(&fields, losses->overwritten_records);
    fields_add_count(&fields, losses->failed_chunks);
    fields_add_text(&fields, losses->failed_errno ? strerror(losses->failed_errno) : NULL);
    fields_add_count(&fields, losses->torn_chunks);
    fields_add_count(&fields, losses->bad_records);
    fields_add_count(&fields, losses->unmatched);
    return fields.status;
}

static const struct column overhead_columns[] = {
    FIELD("per_event_ns", UNIT_REAL), FIELD("kernel_ns", UNIT_REAL), FIELD("region_ns", UNIT_REAL),
    FIELD("allocation_ns", UNIT_REAL), FIELD("total_ns", UNIT_NS), FIELD("fraction", UNIT_FRACTION),
    FIELD("records", UNIT_COUNT)};

static enum status add_overhead(struct document *document, const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    struct fields fields = fields_begin(
        document_add_record(document, "overhead", NULL, SECTION_IN_JSON), overhead_columns);
    uint64_t records = session->records_read;

    fields_add_real(&fields, records > 0 ? (double)overhead->total_ns / (double)records : NAN);
    fields_add_real(&fields, overhead->kernel_ns);
    fields_add_real(&fields, overhead->region_ns);
    fields_add_real(&fields, overhead->allocation_ns);
    fields_add_count(&fields, overhead->total_ns);
    fields_add_real(&fields, overhead->fraction);
    fields_add_count(&fields, records);
    return fields.status;
}

/* ---- for people: one screen -------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static void append_ending(struct text *line, const struct session_process *process)
{
    switch (process->ending) {
    case SESSION_EXITED:
        text_appendf(line, "exited with status %d", process->exit_status);
        return;
    case SESSION_QUIT:
        text_appendf(line, "left by _exit with status %d", process->exit_status);
        return;
    case SESSION_SIGNALLED:
        text_appendf(line, "was killed by signal %d", process->signal);
        return;
    case SESSION_EXECUTED:
        text_append(line, "became another program");
        return;
    case SESSION_UNSEEN:
        text_append(line, "ended without an exit, or still runs");
        return;
    }
}

/* "transformer, pid 123, exited with status 0 after 2.41 s on 2026-11-20 13:45" */
static void append_title(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;
    time_t seconds = (time_t)(process->realtime_start_ns / 1000000000u);
    char wall[UNITS_SIZE], when[64] = "";
    struct tm local;

    if (localtime_r(&seconds, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    text_appendf(line, "%s, pid %u, ", process->name ? process->name : "(unnamed)", process->pid);
    append_ending(line, process);
    text_appendf(line, " after %s, started %s",
                 units_format_time(wall, (double)process->wall_ns), when);
}

static void append_machine(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;

    text_appendf(line, "on %s", process->host ? process->host : "an unknown host");
    if (process->cpu)
        text_appendf(line, ", %s", process->cpu);
    if (process->cpu_count != SESSION_UNKNOWN)
        text_appendf(line, ", %llu processor%s allowed", (unsigned long long)process->cpu_count,
                     plural(process->cpu_count));
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
    [TIME_MEAN] = {"mean_ns", "mean", "self time by calls", UNIT_NS, 3},
    [TIME_RATE] = {"flops_per_second", "rate", "FLOPs by total time", UNIT_FLOPS_PER_SECOND, 2},
    [TIME_WHAT] = {"what", "where", "kernel and shape, or the rest", UNIT_TEXT, 0},
};

static const struct table_schema time_schema = {"time", "Where the time went", time_columns,
                                                sizeof time_columns / sizeof *time_columns, "share"};

static enum status add_time_row(struct table *table, const struct session *session, uint64_t self_ns,
                                uint64_t calls, const char *what, struct value **row)
{
    *row = table_add_row(table);
    if (!*row)
        return STATUS_OUT_OF_MEMORY;
    kernel_rows_set_ratio(&(*row)[TIME_SHARE], self_ns, session->thread_ns);
    value_set_unsigned(&(*row)[TIME_SELF], self_ns);
    if (calls > 0) {
        value_set_unsigned(&(*row)[TIME_CALLS], calls);
        kernel_rows_set_ratio(&(*row)[TIME_MEAN], self_ns, calls);
    }
    return value_set_text(&(*row)[TIME_WHAT], what);
}

static enum status add_group_row(struct table *table, const struct session *session,
                                 const struct groups *groups, const struct group *group)
{
    char what[GROUPS_SHAPE_SIZE + 256];
    struct value *row;
    enum status status;

    snprintf(what, sizeof what, "%s %s%s%s", group->symbol ? group->symbol : "(unnamed)", group->shape,
             groups->names_libraries && group->library ? " in " : "",
             groups->names_libraries && group->library ? group->library : "");
    status = add_time_row(table, session, group->self_ns, group->calls, what, &row);
    if (!status && group->owning_calls > 0)
        kernel_rows_set_ratio(&row[TIME_RATE], group->flops * 1e9L, group->total_ns);
    return status;
}

static enum status add_other_kernels(struct table *table, const struct session *session,
                                     const struct groups *groups)
{
    uint64_t self_ns = 0, calls = 0;
    char what[64];
    struct value *row;

    if (groups->rows.count <= TIME_ROWS)
        return STATUS_OK;
    for (size_t i = TIME_ROWS; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        self_ns += group->self_ns;
        calls += group->calls;
    }
    snprintf(what, sizeof what, "%zu more kernels and shapes", groups->rows.count - TIME_ROWS);
    return add_time_row(table, session, self_ns, calls, what, &row);
}

/* What no kernel took: our own cost as estimated, and the unexplained rest. */
static enum status add_rest(struct table *table, const struct session *session, uint64_t kernel_ns)
{
    uint64_t rest = session->thread_ns > kernel_ns ? session->thread_ns - kernel_ns : 0;
    uint64_t own = session->overhead.total_ns < rest ? session->overhead.total_ns : rest;
    struct value *row;
    enum status status = add_time_row(table, session, rest - own, 0,
                                      "outside known kernels: other code, waiting", &row);

    return status ? status : add_time_row(table, session, own, 0, "tprof itself, estimated", &row);
}

static enum status add_time(struct document *document, const struct session *session,
                            const struct sums *sums)
{
    const struct groups *groups = &sums->groups;
    struct table *table = document_add_table(document, "time", SECTION_IN_TEXT);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    table_init(table, &time_schema);
    for (size_t i = 0; i < groups->rows.count && i < TIME_ROWS && !status; i++)
        status = add_group_row(table, session, groups, array_at(&groups->rows, i));
    if (!status)
        status = add_other_kernels(table, session, groups);
    if (!status)
        status = add_rest(table, session, sums->kernel_ns);
    if (!status)
        status = table_add_note(table, "Shares are of %.3f s of thread time in %zu thread%s and sum to 100 %%.",
                                (double)session->thread_ns / 1e9, session->threads.count,
                                plural(session->threads.count));
    return status;
}

static void append_compute(struct text *line, const struct session *session, const struct sums *sums)
{
    char flops[UNITS_SIZE], in_kernels[UNITS_SIZE], overall[UNITS_SIZE];

    if (sums->kernel_calls == 0) {
        text_append(line, "Compute   FLOPs unknown: no known kernel was called (tprof coverage says what was looked for)");
        return;
    }
    text_appendf(line, "Compute   %s in %llu kernel calls: %s while in them, %s of wall time",
                 units_format_flops(flops, (double)sums->flops), (unsigned long long)sums->kernel_calls,
                 units_format_flop_rate(in_kernels, per_second(sums->flops, sums->kernel_ns)),
                 units_format_flop_rate(overall, per_second(sums->flops, session->process.wall_ns)));
    if (sums->unknown_ns > 0)
        text_appendf(line, "; %.1f %% of kernel time has unknown FLOPs",
                     100 * (double)sums->unknown_ns / (double)sums->kernel_ns);
}

static void append_memory(struct text *line, const struct session *session)
{
    const struct session_heap *heap = &session->heap;
    char peak[UNITS_SIZE], time[UNITS_SIZE], allocated[UNITS_SIZE], live[UNITS_SIZE], rss[UNITS_SIZE];

    if (heap->is_exact)
        text_appendf(line, "Memory    heap peak %s at %s, live at the end %s",
                     units_format_bytes(peak, (double)heap->peak_bytes),
                     units_format_time(time, (double)heap->peak_time_ns),
                     units_format_bytes(live, (double)heap->live_bytes));
    else
        text_appendf(line, "Memory    heap peak unknown: %s", heap->reason ? heap->reason : "records are missing");
    text_appendf(line, "; %s in %llu allocations, %llu frees",
                 units_format_bytes(allocated, (double)heap->allocated_bytes),
                 (unsigned long long)heap->allocations, (unsigned long long)heap->frees);
    if (session->process.last.peak_rss_bytes != SESSION_UNKNOWN)
        text_appendf(line, "; resident at most %s",
                     units_format_bytes(rss, (double)session->process.last.peak_rss_bytes));
}

static void append_system(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;
    char user[UNITS_SIZE], system[UNITS_SIZE];

    text_appendf(line, "System    processor time %s user, %s system",
                 units_format_time(user, (double)process->last.user_ns),
                 units_format_time(system, (double)process->last.system_ns));
    if (isfinite(cpu_percent(process)))
        text_appendf(line, ", %.0f %% of the %llu processor%s", cpu_percent(process),
                     (unsigned long long)process->cpu_count, plural(process->cpu_count));
    text_appendf(line, "; page faults %llu, %llu of them from disk; switches %llu given up, %llu forced",
                 (unsigned long long)(process->last.minor_faults + process->last.major_faults),
                 (unsigned long long)process->last.major_faults,
                 (unsigned long long)process->last.voluntary_switches,
                 (unsigned long long)process->last.involuntary_switches);
}

static void append_coverage(struct text *line, const struct session *session)
{
    struct coverage coverage = count_coverage(session);

    text_appendf(line, "Coverage  %llu of %zu kernels found were called; %llu slot%s hooked",
                 (unsigned long long)coverage.called, session->bindings.count,
                 (unsigned long long)coverage.hooked, plural(coverage.hooked));
    if (coverage.missed > 0)
        text_appendf(line, ", %llu could not be (tprof coverage)", (unsigned long long)coverage.missed);
}

static void append_losses(struct text *line, const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    text_append(line, "Losses    ");
    if (losses->lost_records + losses->overwritten_records + losses->torn_chunks + losses->bad_records +
            losses->failed_chunks == 0) {
        text_append(line, "none");
        return;
    }
    text_appendf(line, "%llu records lost, %llu overwritten, %llu chunks unreadable, %llu records damaged",
                 (unsigned long long)losses->lost_records, (unsigned long long)losses->overwritten_records,
                 (unsigned long long)losses->torn_chunks, (unsigned long long)losses->bad_records);
    if (losses->failed_errno)
        text_appendf(line, " (%s)", strerror(losses->failed_errno));
}

static void append_overhead(struct text *line, const struct session *session)
{
    const struct session_overhead *overhead = &session->overhead;
    char total[UNITS_SIZE], share[UNITS_SIZE];

    text_appendf(line, "Overhead  about %s, %s of thread time: a kernel call costs %.0f ns, a region %.0f ns, "
                 "an allocation or free %.0f ns",
                 units_format_time(total, (double)overhead->total_ns),
                 units_format_percent(share, overhead->fraction), overhead->kernel_ns, overhead->region_ns,
                 overhead->allocation_ns);
}

static void append_metrics(struct text *line, const struct session *session)
{
    char rate[UNITS_SIZE];

    if (session->items == 0 && session->metrics.count == 0)
        return;
    text_append(line, "Program   ");
    if (session->items > 0)
        text_appendf(line, "%llu items, %s; ", (unsigned long long)session->items,
                     units_format_rate(rate, per_second(session->items, session->process.wall_ns)));
    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = array_at(&session->metrics, i);

        text_appendf(line, "%s%s %g", i ? ", " : "", metric->name, metric->value);
    }
}

static enum status add_summary(struct document *document, const struct session *session,
                               const struct sums *sums)
{
    static void (*const append[])(struct text *, const struct session *) = {
        append_memory, append_system, append_metrics, append_coverage, append_losses, append_overhead};
    struct text_list *lines = document_add_lines(document, NULL);
    struct text line;
    enum status status = lines ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    text_init(&line);
    if (!status) {
        append_compute(&line, session, sums);
        status = put_line(lines, &line);
    }
    for (size_t i = 0; i < sizeof append / sizeof *append && !status; i++) {
        append[i](&line, session);
        status = put_line(lines, &line);
    }
    for (size_t i = 0; i < text_list_count(&session->doubts) && !status; i++) {
        text_appendf(&line, "Doubt     %s", text_list_at(&session->doubts, i));
        status = put_line(lines, &line);
    }
    text_fini(&line);
    return status;
}

static const struct column region_columns[] = {
    {"share", "share", "of thread time, exclusive", UNIT_FRACTION, 0},
    {"exclusive_ns", "time", "without the regions inside", UNIT_NS, 0},
    {"calls", "calls", "times it ended", UNIT_COUNT, 0},
    {"path", "region", "the region under those around it", UNIT_TEXT, 0},
};

static const struct table_schema region_schema = {"top_regions", "Regions by exclusive time", region_columns,
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
        const struct session_region *region = array_at(&session->regions, i);
        struct value *row = table_add_row(table);

        if (!row)
            return STATUS_OUT_OF_MEMORY;
        kernel_rows_set_ratio(&row[0], region->exclusive_ns, session->thread_ns);
        value_set_unsigned(&row[1], region->exclusive_ns);
        value_set_unsigned(&row[2], region->calls);
        status = value_set_text(&row[3], region->path);
    }
    if (!status)
        status = table_sort(table, 1, true);
    table_truncate(table, REGION_ROWS);
    return status;
}

/* ---- together ---------------------------------------------------------- */

static enum status add_text_sections(struct document *document, const struct session *session,
                                     const struct sums *sums)
{
    enum status status = add_head(document, session);

    if (!status)
        status = add_time(document, session, sums);
    if (!status)
        status = add_top_regions(document, session);
    if (!status)
        status = add_summary(document, session, sums);
    return status;
}

static enum status add_json_sections(struct document *document, const struct session *session,
                                     const struct analysis_options *options, const struct sums *sums)
{
    enum status status = add_process(document, session);

    status = status ? status : add_timing(document, session, sums);
    status = status ? status : add_memory(document, session);
    status = status ? status : add_compute(document, session, sums);
    status = status ? status : add_system(document, session);
    status = status ? status : add_analysis(document, "kernels", &analysis_timing, session, options);
    status = status ? status : add_analysis(document, "regions", &analysis_regions, session, options);
    status = status ? status : add_metrics(document, session);
    status = status ? status : add_coverage(document, session, sums);
    status = status ? status : add_losses(document, session);
    return status ? status : add_overhead(document, session);
}

enum status report_build(const struct session *session, const struct analysis_options *options,
                         struct document *document)
{
    struct sums sums;
    enum status status;

    document_init(document);
    status = sums_init(&sums, session, options);
    if (status)
        return status;
    status = add_text_sections(document, session, &sums);
    if (!status)
        status = add_json_sections(document, session, options, &sums);
    groups_fini(&sums.groups);
    return status;
}
