/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the program started up, worked and ended.
 */
#include "screen/phases.h"

#include <stdlib.h>

#include "model/course.h"
#include "model/session.h"
#include "statistics/ranks.h"
#include "time/steps.h"

enum { STEPS_LEAST = 3 };

/* Kernels that repeat faster than this are a loop inside of something, such as a factorization,
 * and no steps that anyone waits for. */
static const double step_least_ns = 1e6;

static enum status find_median(double *median_ns, const struct steps *steps)
{
    size_t count = steps->steps.count;
    double *lengths = calloc(count, sizeof *lengths);

    if (!lengths)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const struct step *step = array_at(&steps->steps, i);

        lengths[i] = (double)(step->end_ns - step->start_ns);
    }
    *median_ns = ranks_median(lengths, count);
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
    if (steps.source != STEPS_REGION && phases->step_ns < step_least_ns)
        *phases = (struct phases){0};
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

/* A program that has no steps, and whose start and end take next to no time, has one phase. */
static bool is_worth_showing(const struct phases *phases, uint64_t wall_ns)
{
    uint64_t outside_ns = phases->from_ns + (wall_ns - phases->to_ns);

    return phases->steps > 0 || outside_ns > wall_ns / PHASES_NOTICED_PART;
}

enum status phases_find(struct phases *phases, const struct session *session, bool *are)
{
    uint64_t wall_ns = session->process.wall_ns;
    enum status status = find_steps(phases, session);

    *are = !status && (phases->steps > 0 || find_kernels(phases, session)) &&
           phases->to_ns <= wall_ns && is_worth_showing(phases, wall_ns);
    return status;
}

/* A tenth of a second of processor time; below that, rows are chance. */
enum { SAMPLES_LEAST = 25, WHOLE_LEAST_PART = 10, FILE_LIMIT = 256 << 20 };

/* Samples come at the rate of the processor time. */
static bool has_samples(const struct session *session, const struct phases *phases)
{
    const struct session_tick *tick = session->ticks.items;
    size_t count = 0;

    for (size_t i = 0; i < session->ticks.count && count < SAMPLES_LEAST; i++)
        count += tick[i].time_ns >= phases->from_ns && tick[i].time_ns < phases->to_ns;
    return count >= SAMPLES_LEAST;
}

enum status phases_find_steady(struct session_window *window, const struct session *session,
                               bool *is_worth)
{
    struct phases phases = {0};
    uint64_t wall_ns = session->process.wall_ns;
    enum status status = phases_find(&phases, session, is_worth);

    if (status || !*is_worth)
        return status;
    *window = (struct session_window){
        .is_cut = true, .from_ns = phases.from_ns, .to_ns = phases.to_ns};
    *is_worth = phases.steps > 0 && !session->window.is_cut &&
                session->file_bytes <= FILE_LIMIT &&
                wall_ns - (phases.to_ns - phases.from_ns) >= wall_ns / WHOLE_LEAST_PART &&
                has_samples(session, &phases);
    return STATUS_OK;
}
