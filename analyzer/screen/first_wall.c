/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wall time of the process by phase: start-up, steps or kernels, end.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"
#include "findings/rows.h"
#include "model/session.h"
#include "screen/first_parts.h"
#include "screen/texts.h"
#include "steps/phases.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"

enum { PHASE_SHARE, PHASE_TIME, PHASE_WHAT };

static const struct column phase_columns[] = {
    [PHASE_SHARE] = {"share", "", "of the wall time", UNIT_FRACTION, 0},
    [PHASE_TIME] = {"wall_ns", "", "of the phase", UNIT_NS, 0},
    [PHASE_WHAT] = {"what", "", "the phase", UNIT_TEXT, 0},
};

static const struct table_schema phase_schema = {"phases", "Wall time", phase_columns,
                                                 sizeof phase_columns / sizeof *phase_columns,
                                                 "share"};

/* Phases or waits from a twentieth of the wall time on are shown. */
enum { WAITS_SHOWN = 3, NOTICED_PART = 20 };

static bool is_most(double part_ns, double whole_ns)
{
    return part_ns > whole_ns / 2;
}

static void add_phase(struct table *table, uint64_t ns, uint64_t wall_ns, struct text *what)
{
    struct value *row = table_add_row(table);

    value_set_ratio(&row[PHASE_SHARE], ns, wall_ns);
    value_set_unsigned(&row[PHASE_TIME], ns);
    value_set_text(&row[PHASE_WHAT], what->bytes);
    text_clear(what);
}

static const struct said *start_row(const struct phases *phases)
{
    switch (phases->ends_by[PHASE_START]) {
    case PHASE_BY_NOTHING:
    case PHASE_BY_REGION: break;
    case PHASE_BY_STEPS: return &first_start_step_text;
    case PHASE_BY_KERNELS: return &first_start_kernel_text;
    case PHASE_BY_SAMPLES: return &first_start_import_text;
    case PHASE_BY_REQUESTS: return &first_start_request_text;
    case PHASE_BY_TASKS: return &first_start_task_text;
    }
    return &first_start_text;
}

static void say_service(struct text *what, const struct phases *phases)
{
    bool are_requests = phases->ends_by[PHASE_MAIN] == PHASE_BY_REQUESTS;

    say(what, are_requests ? first_requests_text : first_tasks_text);
    if (phases->served > 0)
        say_part(what, first_served_text, said_count(phases->served));
}

static void say_steps(struct text *what, const struct phases *phases)
{
    struct said count = said_count(phases->steps), each = said_time(phases->step_ns);

    if (phases->step_first > phases->warm_steps)
        say(what, first_steps_after_text, count, each,
            said_count(phases->step_first - phases->warm_steps));
    else
        say(what, first_steps_text, count, each);
}

static void say_main(struct text *what, const struct phases *phases)
{
    if (phases->steps > 0)
        say_steps(what, phases);
    else if (phases->ends_by[PHASE_MAIN] == PHASE_BY_KERNELS)
        say(what, first_kernels_text);
    else if (phases_have_service(phases))
        say_service(what, phases);
    else
        say(what, first_work_text);
}

static void say_end(struct text *what, const struct phases *phases)
{
    if (phases->steps > 0)
        say(what, first_end_step_text);
    else if (phases->ends_by[PHASE_MAIN] == PHASE_BY_KERNELS)
        say(what, first_end_kernel_text);
    else if (phases_have_service(phases))
        say(what, phases->ends_by[PHASE_MAIN] == PHASE_BY_REQUESTS ? first_end_request_text
                                                                   : first_end_task_text);
    else
        say(what, first_end_text);
}

/* Ask whether recording took less of the steps' time after the warm-up.  Earlier steps may then
 * have been slower for that reason alone. */
static bool is_shed_in_warm_up(const struct session *session, const struct phases *phases)
{
    const struct session_stage *change = session->stages.changes.items;
    uint64_t from_ns = phases->border_ns[PHASE_WARM_UP], to_ns = phases->border_ns[PHASE_MAIN];

    for (size_t i = 0; i < session->stages.changes.count; i++)
        if (change[i].cause == TRACE_STAGE_CAUSE_TIME && change[i].time_ns > from_ns &&
            change[i].time_ns <= to_ns)
            return true;
    return false;
}

static void say_warm_up(struct text *what, const struct session *session,
                        const struct phases *phases)
{
    if (phases->warm_steps == 0)
        say(what, first_warm_up_text);
    else
        say(what,
            is_shed_in_warm_up(session, phases) ? first_shed_steps_text : first_warm_steps_text,
            said_count(phases->warm_steps));
}

static void say_phase(struct text *what, const struct session *session,
                      const struct phases *phases, enum phase phase)
{
    switch (phase) {
    case PHASE_START: say(what, *start_row(phases)); break;
    case PHASE_WARM_UP: say_warm_up(what, session, phases); break;
    case PHASE_MAIN: say_main(what, phases); break;
    case PHASE_END: say_end(what, phases); break;
    case PHASES: break;
    }
}

static void add_phases(struct table *table, const struct session *session,
                       const struct phases *phases, uint64_t wall_ns)
{
    struct text what;

    text_init(&what);
    for (enum phase phase = 0; phase < PHASES; phase++) {
        if (phase != PHASE_MAIN && phase_length_ns(phases, phase) == 0)
            continue;
        say_phase(&what, session, phases, phase);
        add_phase(table, phase_length_ns(phases, phase), wall_ns, &what);
        table_rank_row(table, FIRST_ANSWER);
    }
}

/* Waits of some threads. */
struct waiters {
    double (*ns_of)(const struct wait_row *row);
    bool are_at_lines; /* a worker that waits for work is at no line */
    const struct said *words;
};

struct waited {
    const struct wait_row *row;
    double ns;
};

static double main_ns(const struct wait_row *row)
{
    return row->main_path_ns;
}

static double other_ns(const struct wait_row *row)
{
    return row->waiting_ns - row->main_path_ns;
}

static int compare_waits(const void *left, const void *right)
{
    double one = ((const struct waited *)left)->ns, other = ((const struct waited *)right)->ns;

    return (one < other) - (one > other);
}

/* Returns: the bytes of "train.py:31" in "train.py:31 load"; 0 when no line is known. */
static size_t line_size(const struct wait_row *row)
{
    size_t size = row->place ? strcspn(row->place, " ") : 0, digits = size;

    while (digits > 0 && isdigit((unsigned char)row->place[digits - 1]))
        digits--;
    return digits > 1 && digits < size && row->place[digits - 1] == ':' ? size : 0;
}

/* "sleep, clock_nanosleep at server.py:12 934 ms" */
static void append_wait(struct text *line, const struct waited *wait)
{
    struct text place;

    text_init(&place);
    text_append(line, line->size > 0 ? ", " : "");
    text_append_bytes(&place, wait->row->place, line_size(wait->row));
    if (place.size > 0)
        say_part(line, first_wait_at_text, said_words(wait->row->name), said_words(place.bytes),
                 said_time(wait->ns));
    else
        say_part(line, first_wait_text, said_words(wait->row->name), said_time(wait->ns));
}

/* The waits that took most of the time of these threads. */
static void append_waits(struct text *line, const struct wait_rows *rows, const struct waiters *of,
                         double noticed_ns)
{
    size_t count = 0, shown = 0;
    struct waited *order = pool_get_zeros(rows->rows.count + 1, sizeof *order);

    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct wait_row *row = array_at(&rows->rows, i);

        if (row->calls > 0 && (!of->are_at_lines || line_size(row) > 0))
            order[count++] = (struct waited){row, of->ns_of(row)};
    }
    qsort(order, count, sizeof *order, compare_waits);
    for (; shown < count && shown < WAITS_SHOWN && order[shown].ns > noticed_ns; shown++)
        append_wait(line, &order[shown]);
}

static void say_waits(struct text_list *lines, const struct wait_rows *rows,
                      const struct waiters *of, double noticed_ns)
{
    struct text line;

    text_init(&line);
    append_waits(&line, rows, of, noticed_ns);
    if (line.size > 0)
        text_list_say(lines, *of->words, said_words(line.bytes));
}

static void add_waits(struct text_list *lines, const struct session *session,
                      const struct wait_split *split)
{
    const struct waiters main = {main_ns, false, &first_waits_text},
                         others = {other_ns, true, &first_other_waits_text};
    double noticed_ns = split->wall_ns / NOTICED_PART / 2;
    struct wait_rows rows;
    size_t first;

    wait_rows_init(&rows, session, ANALYSIS_BY_DEFAULT);
    say_waits(lines, &rows, &main, noticed_ns);
    first = text_list_count(lines);
    if (is_most(split->waiting_ns, split->wall_ns))
        say_waits(lines, &rows, &others, noticed_ns);
    text_list_rank(lines, first, FIRST_ANSWER);
}

/* The wall time of the thread that began the process: on a processor, ready without one, or
 * waiting. */
static void add_main(struct text_list *lines, const struct session *session)
{
    struct wait_split split;

    if (session->threads.count == 0)
        return;
    split = wait_split_of(session, wait_main_thread(session));
    if (!split.has_delay || !(split.wall_ns > 0) || isnan(split.waiting_ns))
        return;
    text_list_say(lines, first_main_text, said_share(split.cpu_ns / split.wall_ns),
                  said_share(split.delay_ns / split.wall_ns),
                  said_share(split.waiting_ns / split.wall_ns));
    if (split.waiting_ns < split.wall_ns / NOTICED_PART)
        return;
    add_waits(lines, session, &split);
}

/* Processor time of all threads but the main one, and how long they were ready without. */
static struct wait_split sum_others(const struct session *session)
{
    struct wait_split sum = {.has_delay = true};

    for (uint32_t i = 0; i < session->threads.count; i++) {
        struct wait_split split;

        if (i == wait_main_thread(session))
            continue;
        split = wait_split_of(session, i);
        sum.has_delay = sum.has_delay && split.has_delay;
        sum.cpu_ns += split.cpu_ns;
        sum.delay_ns += split.has_delay ? split.delay_ns : 0;
    }
    return sum;
}

/* A main thread that waits while others work says little about the program. */
static void say_mostly_others(struct text *heading, const struct session *session, double wall_ns)
{
    struct wait_split others = sum_others(session);

    if (is_most(others.cpu_ns, wall_ns))
        say_part(heading, first_mostly_others_text);
    else if (is_most(others.cpu_ns + others.delay_ns, wall_ns))
        say_part(heading, others.cpu_ns >= others.delay_ns ? first_mostly_others_text
                                                           : first_mostly_others_ready_text);
    else
        say_part(heading, first_mostly_waiting_text);
}

/* Name the part that took more than half of the wall time, if there is one. */
static void say_mostly(struct text *heading, const struct phases *phases,
                       const struct session *session)
{
    struct wait_split split;

    if (is_most((double)phase_length_ns(phases, PHASE_START), (double)session->process.wall_ns)) {
        say_part(heading, first_mostly_start_text);
        return;
    }
    if (session->threads.count == 0)
        return;
    split = wait_split_of(session, wait_main_thread(session));
    if (is_most(split.cpu_ns, split.wall_ns))
        say_part(heading, first_mostly_computing_text);
    else if (split.has_delay && is_most(split.delay_ns, split.wall_ns))
        say_part(heading, first_mostly_ready_text);
    else if (split.has_delay && is_most(split.waiting_ns, split.wall_ns))
        say_mostly_others(heading, session, split.wall_ns);
    else if (split.has_delay && is_most(split.cpu_ns + split.delay_ns, split.wall_ns))
        say_part(heading, first_half_ready_text);
}

/* "Other programs took 46 % of the processor time that this run needed." */
static void add_disturbance(struct text_list *lines, const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);
        struct text line;

        if (finding->rule != FINDING_RULE_noise || !first_is_doubt(finding))
            continue;
        text_init(&line);
        text_append(&line, "  ");
        first_append_title(&line, finding);
        text_list_take(lines, &line);
    }
}

/* A child that only computes, or that is static, leaves no trace. */
static void add_children(struct text_list *lines, const struct report_sums *sums, size_t kin_count)
{
    const struct session_process *process = &sums->session->process;
    double children_ns = (double)process->children_ns;

    if (process->children_ns == SESSION_UNKNOWN ||
        children_ns < (double)process->wall_ns / NOTICED_PART)
        return;
    text_list_say(lines, kin_count == 0 ? first_children_unseen_text : first_children_text,
                  said_time(children_ns));
}

static void add_notes(struct text_list *lines, const struct report_sums *sums, size_t kin_count)
{
    size_t first;

    add_main(lines, sums->session);
    first = text_list_count(lines);
    add_children(lines, sums, kin_count);
    add_disturbance(lines, &sums->findings);
    text_list_rank(lines, first, FIRST_ANSWER);
}

static void add_heading(struct document *document, const struct phases *phases,
                        const struct session *session)
{
    struct text heading;

    text_init(&heading);
    say(&heading, first_wall_heading_text, said_time((double)session->process.wall_ns));
    say_mostly(&heading, phases, session);
    document_head(document, &heading, "tprof phases, tprof waits");
}

static void add_table(struct document *document, const struct phases *phases,
                      const struct report_sums *sums, size_t kin_count)
{
    struct table *table = document_start_table(document, "phases", SECTION_IN_TEXT, &phase_schema);
    uint64_t wall_ns = sums->session->process.wall_ns;

    add_heading(document, phases, sums->session);
    add_phases(table, sums->session, phases, wall_ns);
    add_notes(&table->notes, sums, kin_count);
}

static void add_line(struct document *document, const struct report_sums *sums, size_t kin_count)
{
    const struct phases none = {0};
    struct text_list *lines = document_add_lines(document, NULL);

    add_heading(document, &none, sums->session);
    add_notes(lines, sums, kin_count);
}

/* A program without steps, whose start and end are very short, has one phase. */
static bool is_worth_showing(const struct phases *phases)
{
    uint64_t wall_ns = phases->border_ns[PHASES];

    return phases->steps > 0 || phases_have_service(phases) ||
           wall_ns - phase_length_ns(phases, PHASE_MAIN) > wall_ns / NOTICED_PART;
}

void first_add_wall(struct document *document, const struct report_sums *sums,
                    const struct phases *phases, size_t kin_count)
{
    if (phases && is_worth_showing(phases))
        add_table(document, phases, sums, kin_count);
    else
        add_line(document, sums, kin_count);
}
