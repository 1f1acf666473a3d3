/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows and sums of processes.
 */
#include "runs/processes.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cpu/cpu_split.h"
#include "document/fields.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "runs/process_words.h"
#include "runs/run_session.h"
#include "runs/texts.h"

enum {
    NAME,
    PID,
    PARENT,
    HOST,
    START,
    WALL,
    CPU,
    KERNELS,
    CALLS,
    FLOPS,
    PEAK_HEAP,
    PEAK_RSS,
    LOST,
    END,
    BOUND,
    PATH,
    COLUMNS
};

static const struct column columns[] = {
    [NAME] = {"process", "process",
              "its program, or what TPROF_NAME called it; for people also the script and the rank",
              UNIT_TEXT, 0},
    [PID] = {"pid", "pid", "its number", UNIT_NUMBER, 0},
    [PARENT] = {"parent_pid", NULL, "the number of its parent", UNIT_NUMBER, 9},
    [HOST] = {"host", NULL, "where it ran", UNIT_TEXT, 9},
    [START] = {"start_ns", "start", "since the first of them started", UNIT_NS, 3},
    [WALL] = {"wall_ns", "wall", "from its start to its end", UNIT_NS, 0},
    [CPU] = {"cpu_ns", "CPU", "processor time, user and system", UNIT_NS, 0},
    [KERNELS] = {"kernel_ns", "kernels", "time in kernels, over its threads", UNIT_NS, 0},
    [CALLS] = {"kernel_calls", "calls", "of kernels", UNIT_COUNT, 5},
    [FLOPS] = {"flops", "FLOPs", "known FLOPs of kernels", UNIT_FLOPS, 1},
    [PEAK_HEAP] = {"peak_heap_bytes", "peak heap", "highest live heap", UNIT_BYTES, 0},
    [PEAK_RSS] = {"peak_rss_bytes", "peak RSS", "highest resident memory", UNIT_BYTES, 2},
    [LOST] = {"lost_records", "lost", "records lost, damaged or overwritten", UNIT_COUNT, 4},
    [END] = {"end", "end", "how it ended", UNIT_TEXT, 1},
    [BOUND] = {"usage_is_lower_bound", NULL,
               "whether CPU and peak RSS are by the last reading or by samples, as none was taken "
               "at the end",
               UNIT_BOOL, 9},
    [PATH] = {"trace", NULL, "the file of its trace", UNIT_TEXT, 9},
};

static const struct table_schema schema = {"processes", "Processes", columns, COLUMNS, NULL};

struct process_row {
    const char *name;
    const char *words; /* name for people: "train.py, rank 3" */
    const char *host;
    const char *path;
    char end[32];
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t realtime_start_ns;
    bool has_last;          /* readings at the end */
    double values[COLUMNS]; /* values of the columns from WALL to LOST; NAN: unknown */
};

void processes_init(struct processes *processes)
{
    array_init(&processes->rows, sizeof(struct process_row));
    array_init(&processes->texts, sizeof(char *));
    processes->copies = processes->unread = 0;
}

void processes_fini(struct processes *processes)
{
    for (size_t i = 0; i < processes->texts.count; i++)
        free(*(char **)array_at(&processes->texts, i));
    array_fini(&processes->texts);
    array_fini(&processes->rows);
}

/* A session is closed before the report is made. */
static void keep(struct processes *processes, const char *text, const char **kept)
{
    char **place = array_add(&processes->texts);

    *kept = NULL;
    *place = text ? memory_copy(text) : NULL;
    *kept = *place;
}

static void keep_words(struct processes *processes, const struct session_process *process,
                       const char **kept)
{
    const char *rank = session_process_rank(process);
    struct text words;

    text_init(&words);
    process_words_append(&words, process);
    if (rank)
        text_appendf(&words, ", rank %s", rank);
    keep(processes, words.bytes, kept);
    text_fini(&words);
}

static void set_end(struct process_row *row, const struct session_process *process)
{
    switch (process->ending) {
    case SESSION_EXITED:
    case SESSION_QUIT:
        if (process->exit_status == SESSION_NO_STATUS)
            snprintf(row->end, sizeof row->end, "status unknown");
        else
            snprintf(row->end, sizeof row->end, "status %d", process->exit_status);
        return;
    case SESSION_SIGNALLED:
        snprintf(row->end, sizeof row->end, "signal %d", process->signal);
        return;
    case SESSION_EXECUTED: snprintf(row->end, sizeof row->end, "another program"); return;
    case SESSION_SANDBOXED: snprintf(row->end, sizeof row->end, "sandbox"); return;
    case SESSION_YIELDED: snprintf(row->end, sizeof row->end, "memory changed"); return;
    case SESSION_UNSEEN: snprintf(row->end, sizeof row->end, "not seen"); return;
    }
}

static double count_lost(const struct session_losses *losses)
{
    if (losses->overwritten_records == SESSION_UNKNOWN || losses->torn_chunks > 0)
        return NAN;
    return (double)(losses->lost_records + losses->bad_records + losses->overwritten_records);
}

static void set_values(struct process_row *row, const struct session *session)
{
    static const enum run_quantity quantities[COLUMNS] = {
        [WALL] = RUN_WALL,           [CPU] = RUN_CPU,     [KERNELS] = RUN_TOTAL,
        [CALLS] = RUN_CALLS,         [FLOPS] = RUN_FLOPS, [PEAK_RSS] = RUN_PEAK_RSS,
        [PEAK_HEAP] = RUN_PEAK_HEAP,
    };
    const struct analysis_options options = analysis_defaults();
    struct run run;

    run_whole_of_session(&run, session, &options);
    for (int i = WALL; i < LOST; i++)
        row->values[i] = run_whole_value(&run, quantities[i]);
    cpu_split_find_process(session, &row->values[CPU]);
    row->values[LOST] = count_lost(&session->losses);
    run_fini(&run);
}

static bool is_known(const struct processes *processes, const struct session_process *process)
{
    for (size_t i = 0; i < processes->rows.count; i++) {
        const struct process_row *row = array_at(&processes->rows, i);

        if (row->pid == process->pid && row->realtime_start_ns == process->realtime_start_ns)
            return true;
    }
    return false;
}

void processes_add(struct processes *processes, const struct session *session)
{
    const struct session_process *process = &session->process;
    struct process_row *row;

    if (is_known(processes, process)) {
        processes->copies++;
        return;
    }
    row = array_add(&processes->rows);
    *row = (struct process_row){.pid = process->pid,
                                .parent_pid = process->parent_pid,
                                .realtime_start_ns = process->realtime_start_ns,
                                .has_last = process->has_last};
    set_end(row, process);
    keep(processes, process->name ? process->name : "(unnamed)", &row->name);
    keep_words(processes, process, &row->words);
    keep(processes, process->host, &row->host);
    keep(processes, session->path, &row->path);
    set_values(row, session);
}

static const struct process_row *row_at(const struct processes *processes, size_t index)
{
    return array_at(&processes->rows, index);
}

static int compare_starts(const void *a, const void *b)
{
    const struct process_row *left = a, *right = b;

    if (left->realtime_start_ns != right->realtime_start_ns)
        return left->realtime_start_ns < right->realtime_start_ns ? -1 : 1;
    return (left->pid > right->pid) - (left->pid < right->pid);
}

static bool has_calls(const struct processes *processes)
{
    for (size_t i = 0; i < processes->rows.count; i++)
        if (row_at(processes, i)->values[CALLS] > 0)
            return true;
    return false;
}

/* A value unknown for one process is unknown for the sum.  A process without kernel calls has no
 * FLOPs; if no process has calls, the sum is unknown, like each row. */
static double sum(const struct processes *processes, int column)
{
    double sum = column == FLOPS && !has_calls(processes) ? (double)NAN : 0;

    for (size_t i = 0; i < processes->rows.count; i++) {
        const struct process_row *row = row_at(processes, i);

        if (column != FLOPS || row->values[CALLS] != 0)
            sum += row->values[column];
    }
    return sum;
}

/* The rows are sorted by start. */
static double find_span(const struct processes *processes)
{
    double span = 0;

    for (size_t i = 0; i < processes->rows.count; i++) {
        const struct process_row *row = row_at(processes, i);
        double start = (double)(row->realtime_start_ns - row_at(processes, 0)->realtime_start_ns);

        if (!(start + row->values[WALL] <= span)) /* NAN stays */
            span = start + row->values[WALL];
        if (isnan(span))
            return NAN;
    }
    return span;
}

static bool is_sum(int column)
{
    return column == CPU || column == KERNELS || column == CALLS || column == FLOPS ||
           column == LOST;
}

static double together(const struct processes *processes, int column)
{
    if (column == WALL)
        return find_span(processes);
    return is_sum(column) ? sum(processes, column) : (double)NAN;
}

/* A killed process has no reading at its end, so its sums are lower bounds; without any reading
 * they are unknown. */
static bool is_bound(const struct process_row *row)
{
    return !row->has_last && !isnan(row->values[CPU]);
}

static size_t count_bounds(const struct processes *processes)
{
    size_t count = 0;

    for (size_t i = 0; i < processes->rows.count; i++)
        count += is_bound(row_at(processes, i));
    return count;
}

static void add_row(struct table *table, const struct process_row *row, const char *name,
                    uint64_t first_ns)
{
    struct value *values = table_add_row(table);

    value_set_text(&values[NAME], name);
    value_set_integer(&values[PID], row->pid);
    value_set_integer(&values[PARENT], row->parent_pid);
    value_set_unsigned(&values[START], row->realtime_start_ns - first_ns);
    for (int i = WALL; i <= LOST; i++)
        value_set_rounded(&values[i], row->values[i]);
    if (!isnan(row->values[CPU]))
        value_set_bool(&values[BOUND], is_bound(row));
    value_set_text(&values[HOST], row->host);
    value_set_text(&values[END], row->end);
    value_set_text(&values[PATH], row->path);
}

static void add_rows(struct table *table, const struct processes *processes, bool is_for_people)
{
    table_init(table, &schema);
    for (size_t i = 0; i < processes->rows.count; i++) {
        const struct process_row *row = row_at(processes, i);

        add_row(table, row, is_for_people ? row->words : row->name,
                row_at(processes, 0)->realtime_start_ns);
    }
}

static void add_together(struct table *table, const struct processes *processes)
{
    struct value *values = table_add_row(table);
    char name[40];

    for (int i = WALL; i <= LOST; i++)
        value_set_rounded(&values[i], together(processes, i));
    snprintf(name, sizeof name, "all %zu", processes->rows.count);
    value_set_text(&values[NAME], name);
}

/* An unknown peak gives no bound. */
static void note_peaks(struct table *table, const struct processes *processes)
{
    double heap = sum(processes, PEAK_HEAP), resident = sum(processes, PEAK_RSS);
    struct text line;

    text_init(&line);
    say(&line, processes_span_text);
    say(&line, processes_peaks_text);
    if (!isnan(heap))
        say(&line, processes_heap_text, said_bytes(heap));
    if (!isnan(resident))
        say(&line, processes_resident_text, said_bytes(resident));
    text_list_take(&table->notes, &line);
}

static bool is_of_one_host(const struct processes *processes)
{
    for (size_t i = 1; i < processes->rows.count; i++) {
        const char *host = row_at(processes, i)->host, *first = row_at(processes, 0)->host;

        if (host && first && strcmp(host, first) != 0)
            return false;
    }
    return true;
}

static void note_last_readings(struct table *table, const struct processes *processes)
{
    size_t count = count_bounds(processes);

    if (count == 0)
        return;
    table_say(table, processes_bounds_text, said_count(count));
}

static void add_notes(struct table *table, const struct processes *processes)
{
    if (processes->rows.count > 1)
        note_peaks(table, processes);
    if (!is_of_one_host(processes))
        table_say(table, processes_hosts_text);
    note_last_readings(table, processes);
    if (processes->copies > 0)
        table_say(table, processes_copies_text, said_count(processes->copies));
    if (processes->unread > 0)
        table_say(table, processes_unread_text, said_count(processes->unread));
}

static void add_shown(struct document *document, const struct processes *processes)
{
    struct table *table = document_add_table(document, "shown", SECTION_IN_TEXT);

    add_rows(table, processes, true);
    if (processes->rows.count > 1)
        add_together(table, processes);
    add_notes(table, processes);
}

static void add_total(struct document *document, const struct processes *processes)
{
    struct record *record = document_add_record(document, "total", NULL, SECTION_IN_JSON);

    fields_put_count(record, "processes", UNIT_COUNT, processes->rows.count);
    fields_put_rounded(record, "wall_ns", UNIT_NS, together(processes, WALL));
    fields_put_rounded(record, "cpu_ns", UNIT_NS, together(processes, CPU));
    fields_put_rounded(record, "kernel_ns", UNIT_NS, together(processes, KERNELS));
    fields_put_rounded(record, "kernel_calls", UNIT_COUNT, together(processes, CALLS));
    fields_put_rounded(record, "flops", UNIT_FLOPS, together(processes, FLOPS));
    fields_put_rounded(record, "peak_heap_bytes_at_most", UNIT_BYTES, sum(processes, PEAK_HEAP));
    fields_put_rounded(record, "peak_rss_bytes_at_most", UNIT_BYTES, sum(processes, PEAK_RSS));
    fields_put_rounded(record, "lost_records", UNIT_COUNT, together(processes, LOST));
    if (isnan(together(processes, CPU)))
        fields_put_null(record, "usage_is_lower_bound");
    else
        fields_put_bool(record, "usage_is_lower_bound", count_bounds(processes) > 0);
    fields_put_count(record, "unread_traces", UNIT_COUNT, processes->unread);
}

static void sort(struct processes *processes)
{
    if (processes->rows.count > 0)
        qsort(processes->rows.items, processes->rows.count, sizeof(struct process_row),
              compare_starts);
}

struct processes_sum processes_sum_up(struct processes *processes)
{
    sort(processes);
    return (struct processes_sum){
        .first = processes->rows.count > 0 ? row_at(processes, 0)->words : NULL,
        .count = processes->rows.count,
        .wall_ns = together(processes, WALL),
        .cpu_ns = together(processes, CPU),
    };
}

void processes_add_sections(struct processes *processes, struct document *document)
{
    struct table *rows;

    sort(processes);
    add_shown(document, processes);
    add_total(document, processes);
    rows = document_add_table(document, "rows", SECTION_IN_JSON);
    add_rows(rows, processes, false);
}

void processes_report(struct processes *processes, struct document *document)
{
    document_init(document);
    document->name = "processes";
    document->main = "rows";
    processes_add_sections(processes, document);
}
