/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The wall time of the process by phase: start-up, steps or kernels, end.
 */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "screen/first_parts.h"
#include "screen/texts.h"
#include "time/steps.h"

enum { PHASE_SHARE, PHASE_TIME, PHASE_WHAT };

static const struct column phase_columns[] = {
    [PHASE_SHARE] = {"share", "", "of the wall time", UNIT_FRACTION, 0},
    [PHASE_TIME] = {"wall_ns", "", "of the phase", UNIT_NS, 0},
    [PHASE_WHAT] = {"what", "", "the phase", UNIT_TEXT, 0},
};

static const struct table_schema phase_schema = {"phases", "Wall time", phase_columns,
                                                 sizeof phase_columns / sizeof *phase_columns,
                                                 "share"};

/* What stands out: a phase below a twentieth of the wall time does not. */
enum { NOTICED_PART = 20, STEPS_LEAST = 3 };

/* The middle is the steps, or else from the first kernel to the last. */
struct phases {
    uint64_t from_ns;
    uint64_t to_ns;
    uint64_t step_ns; /* median */
    size_t steps;     /* 0: there are no steps */
};

static int compare_lengths(const void *left, const void *right)
{
    uint64_t one = *(const uint64_t *)left, other = *(const uint64_t *)right;

    return one < other ? -1 : one > other;
}

static enum status find_median(uint64_t *median_ns, const struct steps *steps)
{
    size_t count = steps->steps.count;
    uint64_t *lengths = calloc(count, sizeof *lengths);

    if (!lengths)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct step *step = array_at(&steps->steps, i);

        lengths[i] = step->end_ns - step->start_ns;
    }
    qsort(lengths, count, sizeof *lengths, compare_lengths);
    *median_ns = lengths[count / 2];
    free(lengths);
    return STATUS_OK;
}

static enum status find_steps(struct phases *phases, const struct session *session)
{
    struct steps steps;
    enum status status = steps_init(&steps, session);

    if (status)
        return status;
    if (steps.steps.count >= STEPS_LEAST) {
        const struct step *first = array_at(&steps.steps, 0);
        const struct step *last = array_at(&steps.steps, steps.steps.count - 1);

        *phases = (struct phases){first->start_ns, last->end_ns, 0, steps.steps.count};
        status = find_median(&phases->step_ns, &steps);
    }
    steps_fini(&steps);
    return status;
}

/* Returns: whether any thread called a kernel that counts. */
static bool find_kernels(struct phases *phases, const struct session *session)
{
    bool has_any = false;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        uint64_t from_ns, to_ns;

        if (!course_find_span(course_of(session, i), &from_ns, &to_ns))
            continue;
        phases->from_ns = has_any && phases->from_ns < from_ns ? phases->from_ns : from_ns;
        phases->to_ns = has_any && phases->to_ns > to_ns ? phases->to_ns : to_ns;
        has_any = true;
    }
    return has_any;
}

static enum status add_phase(struct table *table, uint64_t ns, uint64_t wall_ns, struct text *what)
{
    struct value *row = table_add_row(table);
    enum status status;

    if (!row || text_status(what))
        return STATUS_OUT_OF_MEMORY;
    value_set_ratio(&row[PHASE_SHARE], ns, wall_ns);
    value_set_unsigned(&row[PHASE_TIME], ns);
    status = value_set_text(&row[PHASE_WHAT], what->bytes);
    text_clear(what);
    return status;
}

static void say_middle(struct text *what, const struct phases *phases)
{
    if (phases->steps > 0)
        say(what, first_steps_text, said_count(phases->steps), said_time((double)phases->step_ns));
    else
        say(what, first_kernels_text);
}

static enum status add_phases(struct table *table, const struct phases *phases, uint64_t wall_ns)
{
    enum status status;
    struct text what;

    text_init(&what);
    say(&what, phases->steps > 0 ? first_start_step_text : first_start_kernel_text);
    status = add_phase(table, phases->from_ns, wall_ns, &what);
    say_middle(&what, phases);
    if (!status)
        status = add_phase(table, phases->to_ns - phases->from_ns, wall_ns, &what);
    say(&what, first_end_text);
    if (!status)
        status = add_phase(table, wall_ns - phases->to_ns, wall_ns, &what);
    text_fini(&what);
    return status;
}

/* A program that has no steps, and whose start and end take next to no time, has one phase. */
static bool is_worth_showing(const struct phases *phases, uint64_t wall_ns)
{
    uint64_t outside_ns = phases->from_ns + (wall_ns - phases->to_ns);

    return phases->steps > 0 || outside_ns > wall_ns / NOTICED_PART;
}

/* Find when there were phases.  Returns: whether they are worth showing. */
static enum status find_phases(struct phases *phases, const struct session *session, bool *are)
{
    uint64_t wall_ns = session->process.wall_ns;
    enum status status = find_steps(phases, session);

    *are = !status && (phases->steps > 0 || find_kernels(phases, session)) &&
           phases->to_ns <= wall_ns && is_worth_showing(phases, wall_ns);
    return status;
}

/* The thread that began the process. */
static const struct session_thread *find_main(const struct session *session)
{
    for (size_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *thread = session_thread_at(session, i);

        if (thread->id == session->process.pid)
            return thread;
    }
    return NULL;
}

/* Its wall time is on a processor, ready without one, or waiting. */
static enum status add_main(struct text_list *lines, const struct session *session)
{
    const struct session_thread *thread = find_main(session);
    double life_ns, computing_ns, ready_ns;

    if (!thread || thread->cpu_ns == SESSION_UNKNOWN || thread->delay_ns == SESSION_UNKNOWN)
        return STATUS_OK;
    life_ns = (double)(thread->last_ns - thread->first_ns);
    computing_ns = fmin(life_ns, (double)thread->cpu_ns);
    ready_ns = fmin(life_ns - computing_ns, (double)thread->delay_ns);
    if (!(life_ns > 0))
        return STATUS_OK;
    return text_list_say(lines, first_main_text, said_share(computing_ns / life_ns),
                         said_share(ready_ns / life_ns),
                         said_share((life_ns - computing_ns - ready_ns) / life_ns));
}

static enum status add_heading(struct document *document, uint64_t wall_ns)
{
    enum status status;
    struct text heading;

    text_init(&heading);
    say(&heading, first_wall_heading_text, said_time((double)wall_ns));
    status = document_head(document, &heading, "tprof steps");
    text_fini(&heading);
    return status;
}

static enum status add_table(struct document *document, const struct phases *phases,
                             const struct session *session)
{
    struct table *table = document_start_table(document, "phases", SECTION_IN_TEXT, &phase_schema);
    uint64_t wall_ns = session->process.wall_ns;
    enum status status = table ? add_heading(document, wall_ns) : STATUS_OUT_OF_MEMORY;

    if (!status)
        status = add_phases(table, phases, wall_ns);
    return status ? status : add_main(&table->notes, session);
}

static enum status add_line(struct document *document, const struct session *session)
{
    struct text_list *lines = document_add_lines(document, NULL);
    enum status status =
        lines ? add_heading(document, session->process.wall_ns) : STATUS_OUT_OF_MEMORY;

    return status ? status : add_main(lines, session);
}

enum status first_add_wall(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct phases phases = {0};
    bool has_phases;
    enum status status = find_phases(&phases, session, &has_phases);

    if (status)
        return status;
    return has_phases ? add_table(document, &phases, session) : add_line(document, session);
}
