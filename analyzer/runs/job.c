/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one job as one.  Rows of processor time are those of tprof time; rows with the
 * same name and library are merged across processes.
 */
#include "runs/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpu/cpu_time.h"
#include "cpu/task_cost.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "runs/job_advice.h"
#include "runs/process_words.h"
#include "runs/texts.h"
#include "waits/wait_rows.h"

enum { FIRST_ROWS = 8, FIRST_WAITS = 8 };

static const double confidence = 0.95;
static const double least_wait = 0.01; /* share of its process's wall time */
static const double least_tasks = 0.2; /* share of the processor time */

struct job_row {
    const char *name;
    const char *library; /* NULL: none, or several */
    enum cpu_kind kind;
    double self_ns;
    uint64_t processes;
};

/* The longest wait of a process's first thread. */
struct job_wait {
    const char *process;
    const char *name;
    uint32_t pid;
    double waiting_ns;
    double wall_ns;
};

enum { SHARE, SELF, PROCESSES, WHAT, LIBRARY, KIND };

static const struct column row_columns[] = {
    [SHARE] = {"share", "share", "of the processor time of all sampled processes", UNIT_FRACTION,
               0},
    [SELF] = {"self_ns", "self", "processor time in it alone", UNIT_NS, 0},
    [PROCESSES] = {"processes", "processes", "in which it ran", UNIT_COUNT, 1},
    [WHAT] = {"what", "what", "what took it, and the library of its code", UNIT_TEXT, 0},
    [LIBRARY] = {"library", NULL, "the file of its code", UNIT_TEXT, 9},
    [KIND] = {"kind", NULL, "as in tprof time", UNIT_TEXT, 9},
};

static const struct table_schema row_schema = {"job", "Processor time", row_columns,
                                               sizeof row_columns / sizeof *row_columns, "share"};

enum { WAIT_PROCESS, WAIT_PID, WAIT_TIME, WAIT_SHARE, WAIT_WHAT };

static const struct column wait_columns[] = {
    [WAIT_PROCESS] = {"process", "process", "its program", UNIT_TEXT, 0},
    [WAIT_PID] = {"pid", "pid", "its number", UNIT_NUMBER, 0},
    [WAIT_TIME] = {"waiting_ns", "waiting", "of its first thread, on no processor", UNIT_NS, 0},
    [WAIT_SHARE] = {"share", "share", "of the wall time of the process", UNIT_FRACTION, 0},
    [WAIT_WHAT] = {"what", "most in", "what it waited for most", UNIT_TEXT, 0},
};

static const struct table_schema wait_schema = {
    "waits", "Waiting of first threads", wait_columns,
    sizeof wait_columns / sizeof *wait_columns, NULL};

void job_init(struct job *job)
{
    *job = (struct job){.cpu_ns = 0};
    processes_init(&job->processes);
    job_links_init(&job->links);
    array_init(&job->rows, sizeof(struct job_row));
    array_init(&job->waits, sizeof(struct job_wait));
    job_lines_init(&job->lines);
    job_phases_init(&job->phases);
    text_list_init(&job->texts);
}

void job_fini(struct job *job)
{
    text_list_fini(&job->texts);
    job_lines_fini(&job->lines);
    job_phases_fini(&job->phases);
    text_index_fini(&job->keys);
    array_fini(&job->waits);
    array_fini(&job->rows);
    job_links_fini(&job->links);
    processes_fini(&job->processes);
}

/* A session is closed before the report is made. */
static void keep(struct job *job, const char *text, const char **kept)
{
    if (text)
        text_list_add(&job->texts, text);

    *kept = text ? text_list_at(&job->texts, text_list_count(&job->texts) - 1) : NULL;
}

static void add_row(struct job *job, const struct cpu_row *of)
{
    struct job_row *row = array_add(&job->rows);

    *row = (struct job_row){.kind = of->kind};
    keep(job, of->name, &row->name);
    keep(job, of->library, &row->library);
}

static void find_row(struct job *job, const struct cpu_row *of, struct job_row **row)
{
    struct text key;
    long number;

    text_init(&key);
    text_appendf(&key, "%d ", (int)of->kind);
    text_index_append_part(&key, of->name);
    text_index_append_part(&key, of->library);
    number = text_index_add(&job->keys, &key);
    text_fini(&key);
    if ((size_t)number == job->rows.count)
        add_row(job, of);
    *row = array_at(&job->rows, (size_t)number);
}

static void take_rows(struct job *job, const struct cpu_time *time)
{
    job->cpu_ns += time->cpu_ns;
    job->tasks_ns += task_cost_find(time).ns;
    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *of = array_at(&time->rows, i);
        struct job_row *row;

        find_row(job, of, &row);
        row->self_ns += of->self_ns;
        row->processes++;
    }
    job_lines_take(&job->lines, time);
    starters_take(&job->starters, time);
}

static void add_time(struct job *job, const struct session *session)
{
    const struct cpu_time_options options = {CPU_BY_FUNCTION, confidence, session_find_frames};
    struct cpu_time time;

    cpu_time_init(&time, session, &options);
    if (time.unknown || !isfinite(time.cpu_ns))
        job->unsampled++;
    else
        take_rows(job, &time);
}

static const struct wait_row *find_longest(const struct wait_rows *rows)
{
    const struct wait_row *longest = NULL;

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (!longest || row->main_path_ns > longest->main_path_ns)
            longest = row;
    }
    return longest;
}

static void take_wait(struct job *job, const struct session_process *process,
                      const struct wait_row *row)
{
    struct job_wait *wait = array_add(&job->waits);
    struct text words;

    *wait = (struct job_wait){.pid = process->pid,
                              .waiting_ns = row->main_path_ns,
                              .wall_ns = (double)process->wall_ns};
    text_init(&words);
    process_words_append(&words, process);
    keep(job, words.bytes, &wait->process);
    text_fini(&words);
    keep(job, row->name, &wait->name);
}

static void add_wait(struct job *job, const struct session *session)
{
    struct wait_rows rows;
    wait_rows_init(&rows, session, ANALYSIS_BY_DEFAULT);
    const struct wait_row *longest = find_longest(&rows);

    if (longest && longest->main_path_ns > least_wait * (double)session->process.wall_ns)
        take_wait(job, &session->process, longest);
}

static void add_processors(struct job *job, const struct session_process *process)
{
    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count > job->processors)
        job->processors = process->cpu_count;
}

void job_add(struct job *job, const struct session *session)
{
    size_t copies = job->processes.copies;
    struct pool pool;

    processes_add(&job->processes, session);
    if (job->processes.copies > copies)
        return;
    pool_enter(&pool);
    add_processors(job, &session->process);
    job_links_take(&job->links, session);
    job_phases_take(&job->phases, session);
    add_time(job, session);
    add_wait(job, session);
    pool_leave(&pool);
}

static double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : (double)NAN;
}

static double find_busy(const struct job *job, const struct processes_sum *sum)
{
    return share_of(sum->cpu_ns, sum->wall_ns * (double)job->processors);
}

/* "bash and 3 more processes: 7.541 s. They used 46.6 % of 2 processors." */
static void add_head(struct document *document, const struct job *job,
                     const struct processes_sum *sum)
{
    double busy = find_busy(job, sum);
    struct text line;

    document_add_lines(document, NULL);
    text_init(&line);
    say(&line, job_head_text, said_words(sum->first), said_count(sum->count - 1));
    if (isfinite(sum->wall_ns))
        say_part(&line, job_wall_text, said_time(sum->wall_ns));
    if (isfinite(busy))
        say(&line, job_used_text, said_share(busy), said_count(job->processors));
    document_head(document, &line, "tprof report TRACE");
    text_fini(&line);
}

static int compare_rows(const void *a, const void *b)
{
    const struct job_row *left = a, *right = b;

    return (left->self_ns < right->self_ns) - (left->self_ns > right->self_ns);
}

/* "softmax model.so", "simulate pool.py": people see the library beside the name, programs as a
 * column. */
static void set_what(struct value *value, const struct job_row *row, bool is_for_people)
{
    struct text what;

    text_init(&what);
    if (is_for_people && row->kind == CPU_PYTHON)
        places_append_python_row(&what, row->name);
    else
        text_append(&what, row->name);
    if (is_for_people && row->library && (row->kind == CPU_FUNCTION || row->kind == CPU_PYTHON)) {
        text_append(&what, "  ");
        places_append_module(&what, row->library);
    }
    value_take_text(value, &what);
}

static void fill_row(struct table *table, const struct job *job, const struct job_row *row,
                     bool is_for_people)
{
    struct value *values = table_add_row(table);

    set_what(&values[WHAT], row, is_for_people);
    value_set_real(&values[SHARE], share_of(row->self_ns, job->cpu_ns));
    value_set_rounded(&values[SELF], row->self_ns);
    value_set_unsigned(&values[PROCESSES], row->processes);
    value_set_text(&values[LIBRARY], row->library);
    value_set_text(&values[KIND], cpu_kind_word(row->kind));
}

static void add_rest(struct table *table, const struct job *job, size_t from)
{
    struct text what;
    struct value *values;
    double ns = 0;

    if (from >= job->rows.count)
        return;
    for (size_t i = from; i < job->rows.count; i++)
        ns += ((const struct job_row *)array_at(&job->rows, i))->self_ns;
    values = table_add_row(table);
    value_set_real(&values[SHARE], share_of(ns, job->cpu_ns));
    value_set_rounded(&values[SELF], ns);
    text_init(&what);
    say(&what, job_smaller_text, said_count(job->rows.count - from));
    value_take_text(&values[WHAT], &what);
}

static void fill_rows(struct table *table, const struct job *job, size_t most, bool is_for_people)
{
    for (size_t i = 0; i < job->rows.count && i < most; i++)
        fill_row(table, job, array_at(&job->rows, i), is_for_people);
    add_rest(table, job, most);
}

static void add_shown_time(struct document *document, const struct job *job)
{
    struct table *table = document_start_table(document, "time", SECTION_IN_TEXT, &row_schema);

    document_say_head(document, "tprof time TRACE", job_time_text, said_time(job->cpu_ns));
    fill_rows(table, job, FIRST_ROWS, true);
    if (job->unsampled > 0)
        table_say(table, job_unsampled_text, said_count(job->unsampled));
}

static int compare_waits(const void *a, const void *b)
{
    const struct job_wait *left = a, *right = b;

    return (left->waiting_ns < right->waiting_ns) - (left->waiting_ns > right->waiting_ns);
}

static void fill_wait(struct table *table, const struct job_wait *wait)
{
    struct value *values = table_add_row(table);

    value_set_text(&values[WAIT_PROCESS], wait->process);
    value_set_integer(&values[WAIT_PID], wait->pid);
    value_set_rounded(&values[WAIT_TIME], wait->waiting_ns);
    value_set_real(&values[WAIT_SHARE], share_of(wait->waiting_ns, wait->wall_ns));
    value_set_text(&values[WAIT_WHAT], wait->name);
}

static void add_waits(struct document *document, const struct job *job, enum section_place place,
                      size_t most)
{
    struct table *table = document_start_table(document, "waits", place, &wait_schema);

    for (size_t i = 0; i < job->waits.count && i < most; i++)
        fill_wait(table, array_at(&job->waits, i));
    if (job->waits.count > most)
        table_say(table, job_more_waits_text, said_count(job->waits.count - most));
}

static void add_all_time(struct document *document, const struct job *job)
{
    struct table *table = document_start_table(document, "time", SECTION_IN_JSON, &row_schema);

    fill_rows(table, job, job->rows.count, false);
}

static void say_of_all(struct text *last, const struct job *job)
{
    starters_say(last, &job->starters);
    if (last->size > 0)
        return;
    if (job->tasks_ns >= least_tasks * job->cpu_ns)
        say(last, job_tasks_text, said_share(job->tasks_ns / job->cpu_ns));
    else
        job_lines_say_first(last, &job->lines, job->cpu_ns);
}

static void add_advice(struct document *document, const struct job *job, double busy)
{
    struct text last;

    text_init(&last);
    say_of_all(&last, job);
    job_advice_add(&job->links, busy, &last, document);
    text_fini(&last);
}

void job_report(struct job *job, struct document *document)
{
    const struct processes_sum sum = processes_sum_up(&job->processes);

    document_init(document);
    document->name = "job";
    document->main = "time";
    if (job->rows.count > 0)
        qsort(job->rows.items, job->rows.count, sizeof(struct job_row), compare_rows);
    if (job->waits.count > 0)
        qsort(job->waits.items, job->waits.count, sizeof(struct job_wait), compare_waits);
    add_head(document, job, &sum);
    if (job->rows.count > 0)
        add_shown_time(document, job);
    job_lines_add(&job->lines, job->cpu_ns, document);
    if (job->waits.count > 0)
        add_waits(document, job, SECTION_IN_TEXT, FIRST_WAITS);
    job_phases_add(&job->phases, document, SECTION_IN_TEXT, FIRST_WAITS);
    job_links_add(&job->links, document, SECTION_IN_TEXT, FIRST_WAITS);
    add_advice(document, job, find_busy(job, &sum));
    processes_add_sections(&job->processes, document);
    add_all_time(document, job);
    job_links_add(&job->links, document, SECTION_IN_JSON, SIZE_MAX);
    job_phases_add(&job->phases, document, SECTION_IN_JSON, SIZE_MAX);
    add_waits(document, job, SECTION_IN_JSON, job->waits.count);
}
