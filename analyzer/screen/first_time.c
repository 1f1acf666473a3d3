/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processor time: the five largest rows, and the rest.  Without samples it is the time of the
 * threads, as far as kernels show it.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cpu/cpu_time.h"
#include "cpu/python_split.h"
#include "model/session.h"
#include "ops/ops_rows.h"
#include "places/places.h"
#include "screen/first_ops.h"
#include "screen/first_parts.h"
#include "screen/report_time.h"
#include "screen/texts.h"
#include "steps/phases.h"

enum { FIRST_ROWS = 5, NS_PER_MS = 1000000 };

enum { ROW_SHARE, ROW_TIME, ROW_WHAT };

static const struct column row_columns[] = {
    [ROW_SHARE] = {"share", "", "of the processor time", UNIT_FRACTION, 0},
    [ROW_TIME] = {"self_ns", "", "of it alone", UNIT_NS, 0},
    [ROW_WHAT] = {"what", "", "what took it", UNIT_TEXT, 0},
};

static const struct table_schema row_schema = {"time", "Processor time", row_columns,
                                               sizeof row_columns / sizeof *row_columns, "share"};

/* Sums over all shapes of a kernel. */
struct kernel_sum {
    uint64_t calls;
    double flops;
    double ns;
};

static struct kernel_sum sum_kernel(const struct groups *groups, const char *name)
{
    struct kernel_sum sum = {0, 0, 0};

    for (size_t i = 0; i < groups->own_rows; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (!group->name || strcmp(group->name, name) != 0)
            continue;
        sum.calls += group->calls;
        sum.flops += group->is_on_device ? 0 : (double)group->done_flops;
        sum.ns += (double)group->self_ns;
    }
    return sum;
}

static bool has_rate(const struct kernel_sum *sum)
{
    return sum->flops > 0 && sum->ns > 0;
}

/* "cblas_sgemm  13,425 calls, 102 GFLOP/s" */
static void append_kernel(struct text *what, const struct groups *groups, const char *name)
{
    struct kernel_sum sum = sum_kernel(groups, name);

    if (sum.calls == 0)
        return;
    text_append(what, "  ");
    say_part(what, first_kernel_calls_text, said_count(sum.calls));
    if (has_rate(&sum))
        say_part(what, first_kernel_rate_text, said_flop_rate(sum.flops / sum.ns * 1e9));
}

static void add_row(struct table *table, const struct cpu_time *time, double ns, const char *what)
{
    struct value *row = table_add_row(table);

    value_set_real(&row[ROW_SHARE], cpu_time_share(time, ns));
    value_set_unsigned(&row[ROW_TIME], (uint64_t)llround(fmax(0, ns)));
    value_set_text(&row[ROW_WHAT], what);
}

/* The sources of the rows. */
struct told {
    enum cpu_by by;
    const struct cpu_time *time;
    const struct cpu_time *lines; /* the same by line; NULL: none of its first rows is Python */
    const struct groups *groups;
    const struct ops_rows *ops; /* for rows of ops; else NULL */
    bool is_served; /* the steady phase is that of requests or tasks, not of steps */
};

static bool is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* Returns: the line of a Python function with the most time, "12"; NULL: unknown. */
static const char *find_hottest(const struct cpu_time *lines, const struct cpu_row *function)
{
    for (size_t i = 0; lines && i < lines->rows.count; i++) {
        const struct cpu_row *row = array_at(&lines->rows, i);

        if (row->kind == CPU_PYTHON && row->place && is_same(row->name, function->name) &&
            is_same(row->library, function->library))
            return strrchr(row->place, ':');
    }
    return NULL;
}

/* Function rows end in "hottest line N", so nobody takes them for lines:
 * "softmax  train.py, hottest line 88". */
static void append_python(struct text *what, const struct cpu_row *row,
                          const struct cpu_time *lines)
{
    const char *line = find_hottest(lines, row);

    places_append_python_row(what, row->name);
    if (!row->library)
        return;
    text_appendf(what, "  %s", row->library);
    if (line)
        say_part(what, first_hottest_line_text, said_words(line + 1));
}

/* "softmax  model.so" */
static void append_what(struct text *what, const struct cpu_row *row, const struct told *told)
{
    if (row->kind == CPU_PYTHON) {
        append_python(what, row, told->lines);
        return;
    }
    text_append(what, row->name);
    if (row->kind == CPU_KERNEL)
        append_kernel(what, told->groups, row->name);
    else if (row->library && row->kind == CPU_FUNCTION && !strstr(row->name, row->library)) {
        text_append(what, "  ");
        places_append_module(what, row->library);
    }
}

static void append_row(struct text *what, const struct told *told, size_t row)
{
    const struct cpu_row *of = array_at(&told->time->rows, row);

    if (of->kind == CPU_OP && told->ops) {
        first_append_op(what, told->ops, told->time, (uint32_t)row);
        return;
    }
    append_what(what, of, told);
}

/* Counts the rows with time of their own, which come first. */
static size_t count_rows(const struct cpu_time *time)
{
    size_t count = 0;

    while (count < time->rows.count &&
           ((const struct cpu_row *)array_at(&time->rows, count))->self_ns >= 0.5)
        count++;
    return count;
}

/* The time of tprof itself is shown once, below. */
static bool is_shown(const struct cpu_time *time, size_t row)
{
    return ((const struct cpu_row *)array_at(&time->rows, row))->kind != CPU_TPROF;
}

/* Rows with less tell nothing on a first screen. */
static const double least_row = 0.02;

/* Returns: the index after the last shown row. */
static size_t end_of_shown(const struct cpu_time *time)
{
    size_t count = count_rows(time), shown = 0, end = 0;

    for (size_t i = 0; i < count && shown < FIRST_ROWS; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (!is_shown(time, i))
            continue;
        if (shown > 0 && cpu_time_share(time, row->self_ns) < least_row)
            break;
        shown++;
        end = i + 1;
    }
    return end;
}

static enum first_rank rank_of(size_t shown)
{
    if (shown < 2)
        return FIRST_STAYS;
    return shown == 2 ? FIRST_ANSWER : FIRST_DETAIL;
}

static void add_rows(struct table *table, const struct told *told)
{
    const struct cpu_time *time = told->time;
    size_t end = end_of_shown(time);
    struct text what;

    text_init(&what);
    for (size_t i = 0; i < end; i++) {
        const struct cpu_row *of = array_at(&time->rows, i);

        if (!is_shown(time, i))
            continue;
        append_row(&what, told, i);
        add_row(table, time, of->self_ns, what.bytes);
        table_rank_row(table, rank_of(table_row_count(table) - 1));
        text_clear(&what);
    }
}

/* From this share on, tprof's own time is not among the smaller rows. */
static const double much_of_tprof = 0.1;

static double share_of_tprof(const struct cpu_time *time)
{
    double ns = 0;

    for (size_t i = 0; i < time->rows.count; i++)
        if (!is_shown(time, i))
            ns += ((const struct cpu_row *)array_at(&time->rows, i))->self_ns;
    return cpu_time_share(time, ns);
}

/* `libraries`: "" if none is named. */
static void say_smaller(struct text *what, const struct cpu_time *time, size_t rows,
                        const char *libraries)
{
    double share = share_of_tprof(time);
    bool is_much = share >= much_of_tprof;

    if (is_much)
        say(what, first_other_text, said_count(rows), said_share(share));
    else
        say(what, first_smaller_text, said_count(rows));
    if (*libraries)
        say_part(what, is_much ? first_other_in_text : first_smaller_in_text,
                 said_words(libraries));
}

static void add_smaller(struct table *table, const struct cpu_time *time)
{
    size_t count = count_rows(time), end = end_of_shown(time), smaller = 0;
    double ns = 0;
    struct text what, libraries;

    for (size_t i = 0; i < count; i++) {
        if (i < end && is_shown(time, i))
            continue;
        ns += ((const struct cpu_row *)array_at(&time->rows, i))->self_ns;
        smaller++;
    }
    if (smaller == 0)
        return;
    text_init(&what);
    text_init(&libraries);
    first_append_libraries(&libraries, time, end, false);
    say_smaller(&what, time, smaller, libraries.size > 0 ? libraries.bytes : "");
    add_row(table, time, ns, what.bytes);
    table_rank_row(table, FIRST_DETAIL);
}

static const struct said *heading_row(const struct told *told, bool is_steady)
{
    if (!is_steady)
        return &first_processor_time_text;
    return told->is_served ? &first_steady_time_text : &first_steps_time_text;
}

static bool shows_rate(const struct told *told, size_t index)
{
    const struct cpu_row *row = array_at(&told->time->rows, index);
    struct kernel_sum sum;

    sum = row->kind == CPU_KERNEL ? sum_kernel(told->groups, row->name) : (struct kernel_sum){0};
    return has_rate(&sum);
}

static bool shows_rates(const struct told *told)
{
    size_t end = end_of_shown(told->time);

    for (size_t i = 0; i < end; i++)
        if (shows_rate(told, i))
            return true;
    return false;
}

static void head(struct document *document, const struct told *told, bool is_steady,
                 const char *command)
{
    const struct cpu_time *time = told->time;
    const struct session_window *window = &time->session->window;
    struct text heading, hint;

    text_init(&heading);
    text_init(&hint);
    say(&heading, *heading_row(told, is_steady),
        said_time(time->cpu_ns), said_count(time->session->threads.count));
    if (shows_rates(told))
        say_part(&heading, first_rates_text);
    text_append(&hint, command);
    if (is_steady)
        text_appendf(&hint, " --window %" PRIu64 "ms..%" PRIu64 "ms",
                     window->from_ns / NS_PER_MS, window->to_ns / NS_PER_MS);
    document_head(document, &heading, hint.bytes);
}

static bool has_python(const struct cpu_time *time)
{
    for (size_t i = 0; i < time->rows.count && i < FIRST_ROWS; i++)
        if (((const struct cpu_row *)array_at(&time->rows, i))->kind == CPU_PYTHON)
            return true;
    return false;
}

static void add_rows_and_lines(struct table *table, const struct told *told,
                               const struct analysis_options *options)
{
    const struct cpu_time_options by = {CPU_BY_LINE, options->confidence, options->find_frames};
    struct told with_lines = *told;
    struct cpu_time lines;

    if (told->by == CPU_BY_PYTHON || !has_python(told->time)) {
        add_rows(table, told);
        return;
    }
    cpu_time_init(&lines, told->time->session, &by);
    with_lines.lines = &lines;
    add_rows(table, &with_lines);
}

/* The least share of Python's time. */
static const double least_python = 0.05;

/* a smaller part is not worth a word */
static const double least_part = 0.01;

static void append_part(struct text *parts, const struct said *what, const struct cpu_time *time,
                        double ns)
{
    double share = cpu_time_share(time, ns);

    if (share < least_part)
        return;
    text_append(parts, parts->size > 0 ? ", " : "");
    say_part(parts, *what, said_share(share));
}

static void say_python(struct table *table, const struct cpu_time *time)
{
    struct python_split split;
    struct text parts;

    if (!python_split_init(&split, time) ||
        time->cpu_ns - split.other_ns < least_python * time->cpu_ns)
        return;
    const struct {
        const struct said *words;
        double ns;
    } all[] = {{&first_python_interpreter_text, split.interpreter_ns},
               {&first_python_native_text, split.native_ns},
               {&first_python_garbage_text, split.garbage_ns},
               {&first_python_imports_text, split.import_ns}};

    text_init(&parts);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (cpu_time_share(time, all[i].ns) >= least_row)
            append_part(&parts, all[i].words, time, all[i].ns);
        else
            split.other_ns += all[i].ns;
    append_part(&parts, &first_python_else_text, time, split.other_ns);
    if (parts.size > 0)
        table_say(table, first_python_text, said_words(parts.bytes));
}

static void say_ops(struct table *table, const struct session *session)
{
    if (first_ops_ended(session)) {
        table_say(table, first_ops_ended_text);
        return;
    }
    first_say_op_stages(&table->notes, session);

    first_say_modules(&table->notes, session);
}

static const char *find_command(const struct told *told)
{
    if (told->by == CPU_BY_OP)
        return first_ops_ended(told->time->session) ? "tprof time --by op" : "tprof ops";
    return told->by == CPU_BY_PYTHON ? "tprof time --by python" : "tprof time";
}

/* `beside_ns`: processor time outside of `time`, which then covers the steps; NAN: `time` covers
 * all. */
static void add_sampled(struct document *document, const struct told *told,
                        const struct analysis_options *options, double beside_ns)
{
    const struct cpu_time *time = told->time;
    bool is_steady = !isnan(beside_ns);
    const char *command = find_command(told);
    struct table *table =
        document_start_table(document, "processor_time", SECTION_IN_TEXT, &row_schema);

    head(document, told, is_steady, command);
    add_rows_and_lines(table, told, options);
    add_smaller(table, time);
    if (told->ops)
        say_ops(table, time->session);
    else
        say_python(table, time);
    if (told->by == CPU_BY_PYTHON)
        table_say(table, first_with_calls_text);
    if (is_steady)
        table_say(table, first_beside_steps_text, said_time(beside_ns));
    text_list_rank(&table->notes, 0, FIRST_DETAIL);
    first_add_own_lines(document, time);
}

/* Time by op or by function: by the better one for a session. */
struct own_time {
    struct cpu_time time;
    struct ops_rows ops;
    struct told told;
};

static void own_time_init(struct own_time *own, enum cpu_by by, const struct session *session,
                          const struct analysis_options *options)
{
    const struct cpu_time_options by_what = {by, options->confidence, options->find_frames};

    cpu_time_init(&own->time, session, &by_what);
    own->ops = (struct ops_rows){0};
    own->told = (struct told){
        .by = by, .time = &own->time, .ops = by == CPU_BY_OP ? &own->ops : NULL};
    if (by == CPU_BY_OP)
        ops_rows_init(&own->ops, session, ANALYSIS_BY_NAME);
}

/* Less than this of the whole in the rows that are shown is no answer. */
static const double least_shown = 0.5;

/* If a library's functions have no names, its many rows say little: the Python functions that call
 * it are more informative. */
static bool says_little(const struct cpu_time *time)
{
    size_t end = end_of_shown(time);
    struct python_split split;
    double ns = 0;

    for (size_t i = 0; i < end; i++)
        ns += is_shown(time, i) ? ((const struct cpu_row *)array_at(&time->rows, i))->self_ns : 0;
    return ns < least_shown * time->cpu_ns && python_split_init(&split, time) &&
           split.native_ns > least_shown * time->cpu_ns;
}

/* By op or by function, as the session allows. */
static void own_time_init_best(struct own_time *own, const struct session *session,
                               const struct analysis_options *options)
{
    bool has_ops = first_has_ops(session);

    own_time_init(own, has_ops ? CPU_BY_OP : CPU_BY_FUNCTION, session, options);
    if (has_ops || !says_little(&own->time))
        return;
    own_time_init(own, CPU_BY_PYTHON, session, options);
}

/* Only the steps count: a program's single actions are seldom worth a change. */
static void add_steady(struct document *document, const struct report_sums *sums,
                       const struct phases *phases, const struct analysis_options *options)
{
    struct groups groups;
    struct own_time own;

    groups_init(&groups, options->steady, options);
    own_time_init_best(&own, options->steady, options);
    own.told.groups = &groups;
    own.told.is_served = phases && phases_have_service(phases);
    add_sampled(document, &own.told, options, fmax(0, sums->cpu.cpu_ns - own.time.cpu_ns));
}

static void add_by(enum cpu_by by, struct document *document,
                   const struct report_sums *sums, const struct analysis_options *options)
{
    struct own_time own;

    own_time_init(&own, by, sums->session, options);
    own.told.groups = &sums->groups;
    add_sampled(document, &own.told, options, (double)NAN);
}

static void add_unsampled(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;

    if (session->process.imported && session->ops.count > 1) {
        first_add_op_time(document, session);
        return;
    }
    struct table *table = document_add_table(document, "time", SECTION_IN_TEXT);
    document_say_head(document, "tprof top", first_thread_time_text,
                      said_time((double)session->thread_ns), said_count(session->threads.count));

    report_fill_time(table, sums, FIRST_ROWS);
}

void first_add_time(struct document *document, const struct report_sums *sums,
                    const struct phases *phases, const struct analysis_options *options)
{
    const struct told all = {
        .by = CPU_BY_FUNCTION, .time = &sums->cpu, .groups = &sums->groups};

    if (sums->cpu.unknown)
        add_unsampled(document, sums);
    else if (options->steady)
        add_steady(document, sums, phases, options);
    else if (first_has_ops(sums->session))
        add_by(CPU_BY_OP, document, sums, options);
    else if (says_little(&sums->cpu))
        add_by(CPU_BY_PYTHON, document, sums, options);
    else
        add_sampled(document, &all, options, (double)NAN);
}
