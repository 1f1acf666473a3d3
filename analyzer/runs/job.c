/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one job as one.  Rows of processor time are those of tprof time; rows of one
 * name and library are one, whichever process they are of.
 */
#include "runs/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/fields.h"
#include "figures/cpu_time.h"
#include "figures/places.h"
#include "figures/task_cost.h"
#include "figures/wait_rows.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "runs/job_advice.h"
#include "runs/process_words.h"
#include "runs/texts.h"

enum { FIRST_ROWS = 8, FIRST_WAITS = 8 };

static const double confidence = 0.95;
static const double least_wait = 0.01; /* of the wall time of its process */
static const double least_tasks = 0.2; /* of the processor time */

struct job_row {
    const char *name;
    const char *library; /* NULL: none, or several */
    enum cpu_kind kind;
    double self_ns;
    uint64_t processes;
};

/* What the first thread of a process waited for most. */
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
static enum status keep(struct job *job, const char *text, const char **kept)
{
    enum status status = text ? text_list_add(&job->texts, text) : STATUS_OK;

    *kept = text && !status ? text_list_at(&job->texts, text_list_count(&job->texts) - 1) : NULL;
    return status;
}

static enum status add_row(struct job *job, const struct cpu_row *of)
{
    struct job_row *row = array_add(&job->rows);
    enum status status;

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    *row = (struct job_row){.kind = of->kind};
    status = keep(job, of->name, &row->name);
    return status ? status : keep(job, of->library, &row->library);
}

static enum status find_row(struct job *job, const struct cpu_row *of, struct job_row **row)
{
    enum status status = STATUS_OK;
    struct text key;
    long number;

    text_init(&key);
    text_appendf(&key, "%d ", (int)of->kind);
    text_index_append_part(&key, of->name);
    text_index_append_part(&key, of->library);
    number = text_index_add(&job->keys, &key);
    text_fini(&key);
    if (number < 0)
        return STATUS_OUT_OF_MEMORY;
    if ((size_t)number == job->rows.count)
        status = add_row(job, of);
    *row = status ? NULL : array_at(&job->rows, (size_t)number);
    return status;
}

static enum status take_rows(struct job *job, const struct cpu_time *time)
{
    enum status status = STATUS_OK;

    job->cpu_ns += time->cpu_ns;
    job->tasks_ns += task_cost_find(time).ns;
    for (size_t i = 0; i < time->rows.count && !status; i++) {
        const struct cpu_row *of = array_at(&time->rows, i);
        struct job_row *row;

        status = find_row(job, of, &row);
        if (status)
            return status;
        row->self_ns += of->self_ns;
        row->processes++;
    }
    return status ? status : job_lines_take(&job->lines, time);
}

static enum status add_time(struct job *job, const struct session *session)
{
    const struct cpu_time_options options = {CPU_BY_FUNCTION, confidence, session_find_frames};
    struct cpu_time time;
    enum status status = cpu_time_init(&time, session, &options);

    if (!status && (time.unknown || !isfinite(time.cpu_ns)))
        job->unsampled++;
    else if (!status)
        status = take_rows(job, &time);
    cpu_time_fini(&time);
    return status;
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

static enum status take_wait(struct job *job, const struct session_process *process,
                             const struct wait_row *row)
{
    struct job_wait *wait = array_add(&job->waits);
    enum status status;
    struct text words;

    if (!wait)
        return STATUS_OUT_OF_MEMORY;
    *wait = (struct job_wait){.pid = process->pid,
                              .waiting_ns = row->main_path_ns,
                              .wall_ns = (double)process->wall_ns};
    text_init(&words);
    process_words_append(&words, process);
    status = text_status(&words);
    if (!status)
        status = keep(job, words.bytes, &wait->process);
    text_fini(&words);
    return status ? status : keep(job, row->name, &wait->name);
}

static enum status add_wait(struct job *job, const struct session *session)
{
    struct wait_rows rows;
    enum status status = wait_rows_init(&rows, session, ANALYSIS_BY_DEFAULT);
    const struct wait_row *longest = status ? NULL : find_longest(&rows);

    if (longest && longest->main_path_ns > least_wait * (double)session->process.wall_ns)
        status = take_wait(job, &session->process, longest);
    wait_rows_fini(&rows);
    return status;
}

static void add_processors(struct job *job, const struct session_process *process)
{
    if (process->cpu_count != SESSION_UNKNOWN && process->cpu_count > job->processors)
        job->processors = process->cpu_count;
}

enum status job_add(struct job *job, const struct session *session)
{
    size_t copies = job->processes.copies;
    enum status status = processes_add(&job->processes, session);

    if (status || job->processes.copies > copies)
        return status;
    add_processors(job, &session->process);
    status = job_links_take(&job->links, session);
    if (!status)
        status = job_phases_take(&job->phases, session);
    if (!status)
        status = add_time(job, session);
    return status ? status : add_wait(job, session);
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
static enum status add_head(struct document *document, const struct job *job,
                            const struct processes_sum *sum)
{
    double busy = find_busy(job, sum);
    enum status status = document_add_lines(document, NULL) ? STATUS_OK : STATUS_OUT_OF_MEMORY;
    struct text line;

    if (status)
        return status;
    text_init(&line);
    say(&line, job_head_text, said_words(sum->first), said_count(sum->count - 1));
    if (isfinite(sum->wall_ns))
        say_part(&line, job_wall_text, said_time(sum->wall_ns));
    if (isfinite(busy))
        say(&line, job_used_text, said_share(busy), said_count(job->processors));
    status = document_head(document, &line, "tprof report TRACE");
    text_fini(&line);
    return status;
}

static int compare_rows(const void *a, const void *b)
{
    const struct job_row *left = a, *right = b;

    return (left->self_ns < right->self_ns) - (left->self_ns > right->self_ns);
}

/* "softmax  model.so", "simulate  pool.py": people see the library beside the name, others as a
 * column. */
static enum status set_what(struct value *value, const struct job_row *row, bool is_for_people)
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
    return value_take_text(value, &what);
}

static enum status fill_row(struct table *table, const struct job *job, const struct job_row *row,
                            bool is_for_people)
{
    struct value *values = table_add_row(table);
    enum status status =
        values ? set_what(&values[WHAT], row, is_for_people) : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    value_set_real(&values[SHARE], share_of(row->self_ns, job->cpu_ns));
    value_set_rounded(&values[SELF], row->self_ns);
    value_set_unsigned(&values[PROCESSES], row->processes);
    status = value_set_text(&values[LIBRARY], row->library);
    return status ? status : value_set_text(&values[KIND], cpu_kind_word(row->kind));
}

static enum status add_rest(struct table *table, const struct job *job, size_t from)
{
    struct text what;
    struct value *values;
    double ns = 0;

    if (from >= job->rows.count)
        return STATUS_OK;
    for (size_t i = from; i < job->rows.count; i++)
        ns += ((const struct job_row *)array_at(&job->rows, i))->self_ns;
    values = table_add_row(table);
    if (!values)
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&values[SHARE], share_of(ns, job->cpu_ns));
    value_set_rounded(&values[SELF], ns);
    text_init(&what);
    say(&what, job_smaller_text, said_count(job->rows.count - from));
    return value_take_text(&values[WHAT], &what);
}

static enum status fill_rows(struct table *table, const struct job *job, size_t most,
                             bool is_for_people)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < job->rows.count && i < most && !status; i++)
        status = fill_row(table, job, array_at(&job->rows, i), is_for_people);
    return status ? status : add_rest(table, job, most);
}

static enum status add_shown_time(struct document *document, const struct job *job)
{
    struct table *table = document_start_table(document, "time", SECTION_IN_TEXT, &row_schema);
    enum status status = STATUS_OUT_OF_MEMORY;

    if (table)
        status = document_say_head(document, "tprof time TRACE", job_time_text,
                                   said_time(job->cpu_ns));
    if (!status)
        status = fill_rows(table, job, FIRST_ROWS, true);
    if (!status && job->unsampled > 0)
        status = table_say(table, job_unsampled_text, said_count(job->unsampled));
    return status;
}

static int compare_waits(const void *a, const void *b)
{
    const struct job_wait *left = a, *right = b;

    return (left->waiting_ns < right->waiting_ns) - (left->waiting_ns > right->waiting_ns);
}

static enum status fill_wait(struct table *table, const struct job_wait *wait)
{
    struct value *values = table_add_row(table);
    enum status status =
        values ? value_set_text(&values[WAIT_PROCESS], wait->process) : STATUS_OUT_OF_MEMORY;

    if (status)
        return status;
    value_set_integer(&values[WAIT_PID], wait->pid);
    value_set_rounded(&values[WAIT_TIME], wait->waiting_ns);
    value_set_real(&values[WAIT_SHARE], share_of(wait->waiting_ns, wait->wall_ns));
    return value_set_text(&values[WAIT_WHAT], wait->name);
}

static enum status add_waits(struct document *document, const struct job *job,
                             enum section_place place, size_t most)
{
    struct table *table = document_start_table(document, "waits", place, &wait_schema);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < job->waits.count && i < most && !status; i++)
        status = fill_wait(table, array_at(&job->waits, i));
    if (!status && job->waits.count > most)
        status = table_say(table, job_more_waits_text, said_count(job->waits.count - most));
    return status;
}

static enum status add_all_time(struct document *document, const struct job *job)
{
    struct table *table = document_start_table(document, "time", SECTION_IN_JSON, &row_schema);

    return table ? fill_rows(table, job, job->rows.count, false) : STATUS_OUT_OF_MEMORY;
}

static enum status add_advice(struct document *document, const struct job *job, double busy)
{
    enum status status;
    struct text last;

    text_init(&last);
    if (job->tasks_ns >= least_tasks * job->cpu_ns)
        say(&last, job_tasks_text, said_share(job->tasks_ns / job->cpu_ns));
    else
        job_lines_say_first(&last, &job->lines, job->cpu_ns);
    status = text_status(&last);
    if (!status)
        status = job_advice_add(&job->links, busy, &last, document);
    text_fini(&last);
    return status;
}

enum status job_report(struct job *job, struct document *document)
{
    const struct processes_sum sum = processes_sum_up(&job->processes);
    enum status status;

    document_init(document);
    document->name = "job";
    document->main = "time";
    if (job->rows.count > 0)
        qsort(job->rows.items, job->rows.count, sizeof(struct job_row), compare_rows);
    if (job->waits.count > 0)
        qsort(job->waits.items, job->waits.count, sizeof(struct job_wait), compare_waits);
    status = add_head(document, job, &sum);
    if (!status && job->rows.count > 0)
        status = add_shown_time(document, job);
    if (!status)
        status = job_lines_add(&job->lines, job->cpu_ns, document);
    if (!status && job->waits.count > 0)
        status = add_waits(document, job, SECTION_IN_TEXT, FIRST_WAITS);
    if (!status)
        status = job_phases_add(&job->phases, document, SECTION_IN_TEXT, FIRST_WAITS);
    if (!status)
        status = job_links_add(&job->links, document, SECTION_IN_TEXT, FIRST_WAITS);
    if (!status)
        status = add_advice(document, job, find_busy(job, &sum));
    if (!status)
        status = processes_add_sections(&job->processes, document);
    if (!status)
        status = add_all_time(document, job);
    if (!status)
        status = job_links_add(&job->links, document, SECTION_IN_JSON, SIZE_MAX);
    if (!status)
        status = job_phases_add(&job->phases, document, SECTION_IN_JSON, SIZE_MAX);
    return status ? status : add_waits(document, job, SECTION_IN_JSON, job->waits.count);
}
