/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds a program's start-up, warm-up, main phase and end.
 *
 * Regions named like a phase take precedence.  Then come steps, then kernels, then requests and
 * tasks, and finally samples: a program starts up while the loader, constructors and imports run.
 *
 * Decision: doc/decisions/phases.
 */
#include "steps/phases.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cpu/starting.h"
#include "kernels/roles.h"
#include "model/course.h"
#include "model/session.h"
#include "model/session_memo.h"
#include "model/session_threads.h"
#include "statistics/ranks.h"
#include "statistics/steadiness.h"
#include "steps/service.h"
#include "steps/steps.h"
#include "waits/wait_split.h"

enum { STEPS_LEAST = 3 };

/* Kernels that repeat faster than this are an inner loop, such as a factorization, and no steps
 * that a user waits for. */
static const double step_least_ns = 1e6;

/* The first steps are warm-up while each takes this multiple of a step in the later half. */
static const double slow_step = 1.5;

/* Steps with falling times are warm-up if their mean is this multiple of the others' mean. */
static const double slow_mean = 1.1;

static const char *const words[PHASES][16] = {
#define PHASE_WORDS(phase, ...) [PHASE_##phase] = {__VA_ARGS__, NULL},
#include "steps/phase_words.def"
#undef PHASE_WORDS
};

/* ---- regions that are named like phases --------------------------------- */

struct marked {
    bool is;
    uint64_t from_ns;
    uint64_t to_ns;
    const char *path;
};

static void note_lap(struct marked *marked, const struct session_lap *lap, const char *path)
{
    if (!marked->is)
        *marked = (struct marked){true, lap->start_ns, lap->end_ns, path};
    if (lap->start_ns < marked->from_ns)
        marked->from_ns = lap->start_ns;
    if (lap->end_ns > marked->to_ns)
        marked->to_ns = lap->end_ns;
}

/* Regions of any thread, but only outermost ones, which include the inner ones. */
static void find_marked(struct marked *marked, const struct session *session)
{
    for (size_t i = 0; i < session->laps.count; i++) {
        const struct session_lap *lap = session_lap_at(session, i);
        const struct session_region *region = session_region_at(session, lap->region);

        for (enum phase phase = 0; phase < PHASES && region->parent == 0; phase++)
            if (role_name_has_any(region->label, words[phase]))
                note_lap(&marked[phase], lap, region->path);
    }
}

static void set_border(struct phases *phases, enum phase phase, uint64_t ns, enum phase_by by)
{
    phases->border_ns[phase + 1] = ns;
    phases->ends_by[phase] = by;
}

static void set_marked(struct phases *phases, enum phase phase, uint64_t ns,
                       const struct marked *marked)
{
    set_border(phases, phase, ns, PHASE_BY_REGION);
    phases->region[phase] = marked->path;
}

/* ---- steps -------------------------------------------------------------- */

static uint64_t step_length_ns(const struct steps *steps, size_t index)
{
    const struct step *step = array_at(&steps->steps, index);

    return step->end_ns - step->start_ns;
}

static void find_median(double *median_ns, const struct steps *steps, size_t first, size_t end)
{
    size_t count = end - first;
    double *lengths = memory_get_zeros(count + 1, sizeof *lengths);

    for (size_t i = 0; i < count; i++)
        lengths[i] = (double)step_length_ns(steps, first + i);
    *median_ns = ranks_middle(lengths, count);
    free(lengths);
}

static double mean_ns(const struct steps *steps, size_t from, size_t to)
{
    double sum_ns = 0;

    for (size_t i = from; i < to; i++)
        sum_ns += (double)step_length_ns(steps, i);
    return sum_ns / (double)(to - from);
}

/* Finds, by their trend, how many of the first steps were slower than the others. */
static void find_trend(size_t *warm, const struct steps *steps)
{
    size_t count = steps->steps.count;
    uint64_t *lengths = memory_get_zeros(count, sizeof *lengths);
    struct steadiness steadiness;

    for (size_t i = 0; i < count; i++)
        lengths[i] = step_length_ns(steps, i);
    steadiness = steadiness_of(lengths, count);
    free(lengths);
    if ((steadiness.from == STEADINESS_BY_CHANGE || steadiness.from == STEADINESS_BY_EVENNESS) &&
        steadiness.before > *warm && steadiness.before <= count / 2 &&
        mean_ns(steps, 0, steadiness.before) > slow_mean * mean_ns(steps, steadiness.before, count))
        *warm = steadiness.before;
}

static void count_warm(size_t *warm, const struct steps *steps)
{
    double later_ns = 0;
    size_t count = steps->steps.count;

    find_median(&later_ns, steps, count / 2, count);
    for (*warm = 0; *warm < count / 2; ++*warm)
        if ((double)step_length_ns(steps, *warm) <= slow_step * later_ns)
            break;
    find_trend(warm, steps);
}

/* Steps that end before a region that is named for the warm-up does. */
static size_t count_marked(const struct steps *steps, const struct marked *warm_up)
{
    size_t count = 0;

    while (count < steps->steps.count &&
           ((const struct step *)array_at(&steps->steps, count))->end_ns <= warm_up->to_ns)
        count++;
    return count;
}

static uint64_t step_end_ns(const struct steps *steps, size_t index)
{
    return ((const struct step *)array_at(&steps->steps, index))->end_ns;
}

static uint64_t step_start_ns(const struct steps *steps, size_t index)
{
    return ((const struct step *)array_at(&steps->steps, index))->start_ns;
}

/* A typical step is not in the warm-up, and not among the very first if others remain.  The last
 * step has no known end if it was cut off. */
static void find_typical(struct phases *phases, const struct steps *steps, size_t warm)
{
    size_t whole = steps_count_whole(steps), end = whole > warm ? whole : steps->steps.count;

    phases->step_first = warm < STEPS_FIRST && end > STEPS_FIRST ? STEPS_FIRST : warm;
    find_median(&phases->step_ns, steps, phases->step_first, end);
}

static void take_steps(struct phases *phases, const struct steps *steps,
                       const struct marked *marked)
{
    size_t warm = 0, count = steps->steps.count;

    if (marked[PHASE_WARM_UP].is)
        warm = count_marked(steps, &marked[PHASE_WARM_UP]);
    else
        count_warm(&warm, steps);
    if (warm == count)
        return;
    find_typical(phases, steps, warm);
    if (!steps_are_told(steps) && phases->step_ns < step_least_ns)
        return;
    phases->steps = count - warm;
    phases->warm_steps = warm;
    phases->thread = steps->thread;
    set_border(phases, PHASE_START, step_start_ns(steps, 0), PHASE_BY_STEPS);
    set_border(phases, PHASE_WARM_UP, step_start_ns(steps, warm),
               warm > 0 ? PHASE_BY_STEPS : PHASE_BY_NOTHING);
    set_border(phases, PHASE_MAIN, step_end_ns(steps, count - 1), PHASE_BY_STEPS);
}

static void find_steps(struct phases *phases, const struct session *session,
                       const struct marked *marked)
{
    struct steps steps;

    steps_init(&steps, session);
    if (steps.steps.count >= STEPS_LEAST)
        take_steps(phases, &steps, marked);
}

/* ---- kernels and samples ------------------------------------------------ */

/* A few short kernels in a long run, for example when an import tries a library, do not mark the
 * start and end of the work. */
static const double least_kernels = 0.02; /* share of the wall time */

static bool has_much_in_kernels(const struct session *session)
{
    double ns = 0;

    for (size_t i = 0; i < session->slots.count; i++)
        ns += (double)session_slot_at(session, i)->self_ns;
    return ns >= least_kernels * (double)session->process.wall_ns;
}

/* Returns: whether any thread called a kernel that counts, and kernels took some of the time. */
static bool find_kernels(struct phases *phases, const struct session *session)
{
    bool has_any = false;
    uint64_t first_ns = 0, last_ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        uint64_t from_ns, to_ns;

        if (!course_find_span(course_of(session, i), &from_ns, &to_ns))
            continue;
        first_ns = has_any && first_ns < from_ns ? first_ns : from_ns;
        last_ns = has_any && last_ns > to_ns ? last_ns : to_ns;
        has_any = true;
    }
    if (!has_any || !has_much_in_kernels(session))
        return false;
    set_border(phases, PHASE_START, first_ns, PHASE_BY_KERNELS);
    set_border(phases, PHASE_WARM_UP, first_ns, PHASE_BY_NOTHING);
    set_border(phases, PHASE_MAIN, last_ns, PHASE_BY_KERNELS);
    return true;
}

static void find_service(struct phases *phases, const struct session *session, places_finder find,
                         bool *is)
{
    struct service service;
    service_find(&service, session, find);
    enum phase_by by = service.kind == SERVICE_REQUESTS ? PHASE_BY_REQUESTS : PHASE_BY_TASKS;

    *is = service.kind != SERVICE_NONE;
    if (!*is)
        return;
    phases->thread = service.thread;
    phases->served = service.waits;
    set_border(phases, PHASE_START, service.from_ns, by);
    set_border(phases, PHASE_WARM_UP, service.from_ns, PHASE_BY_NOTHING);
    set_border(phases, PHASE_MAIN, service.to_ns, by);
}

static void find_sampled(struct phases *phases, const struct session *session, places_finder find)
{
    uint64_t end_ns = 0;

    starting_find_end(&end_ns, session, phases->thread, find);
    if (end_ns == 0)
        return;
    set_border(phases, PHASE_START, end_ns, PHASE_BY_SAMPLES);
    set_border(phases, PHASE_WARM_UP, end_ns, PHASE_BY_NOTHING);
}

static void find_served(struct phases *phases, const struct session *session, places_finder find)
{
    bool is = false;

    find_service(phases, session, find, &is);
    if (!is)
        find_sampled(phases, session, find);
}

/* ---- all of them -------------------------------------------------------- */

/* A region named like a phase starts or ends it, whatever the other sources say. */
static void take_marked(struct phases *phases, const struct marked *marked)
{
    const struct marked *start = &marked[PHASE_START], *warm_up = &marked[PHASE_WARM_UP];
    const struct marked *end = &marked[PHASE_END];

    if (warm_up->is) {
        set_marked(phases, PHASE_START, warm_up->from_ns, warm_up);
        set_marked(phases, PHASE_WARM_UP, warm_up->to_ns, warm_up);
    } else if (start->is && phases->steps == 0) {
        set_marked(phases, PHASE_START, start->to_ns, start);
        set_border(phases, PHASE_WARM_UP, start->to_ns, PHASE_BY_NOTHING);
    }
    if (end->is && phases->steps == 0)
        set_marked(phases, PHASE_MAIN, end->from_ns, end);
}

/* Borders of different sources may contradict one another. */
static void put_in_order(struct phases *phases)
{
    for (int i = PHASES - 1; i > 0; i--)
        if (phases->border_ns[i] > phases->border_ns[i + 1])
            phases->border_ns[i] = phases->border_ns[i + 1];
}

static bool is_any_known(const struct phases *phases)
{
    for (int i = 0; i < PHASES; i++)
        if (phases->ends_by[i] != PHASE_BY_NOTHING)
            return true;
    return false;
}

static void find_all(struct phases *phases, const struct session *session, places_finder find,
                     bool *are)
{
    uint64_t wall_ns = session->process.wall_ns;
    struct marked marked[PHASES] = {{0}};

    *phases = (struct phases){.border_ns = {0, 0, 0, wall_ns, wall_ns}};
    *are = false;
    if (session->threads.count == 0)
        return;
    phases->thread = wait_main_thread(session);
    find_marked(marked, session);
    find_steps(phases, session, marked);
    if (phases->steps == 0 && !find_kernels(phases, session))
        find_served(phases, session, find);
    take_marked(phases, marked);
    put_in_order(phases);
    *are = is_any_known(phases);
}

struct kept {
    places_finder find;
    struct phases phases;
    bool are;
};

static void keep(const struct kept *found, struct session_memo_item *item)
{
    struct kept *kept = item && !item->of ? memory_get(sizeof *kept) : NULL;

    if (!kept)
        return;
    *kept = *found;
    *item = (struct session_memo_item){kept, free};
}

/* A page needs the phases seven times, and each search visits all calls of kernels. */
void phases_find(struct phases *phases, const struct session *session, places_finder find,
                 bool *are)
{
    struct session_memo_item *item = session_memo_item(session, SESSION_MEMO_PHASES);
    const struct kept *kept = item ? item->of : NULL;

    if (kept && kept->find == find) {
        *phases = kept->phases;
        *are = kept->are;
    } else {
        find_all(phases, session, find, are);
        keep(&(struct kept){find, *phases, *are}, item);
    }
}

const char *phase_name(const struct phases *phases, enum phase phase)
{
    static const char *const names[PHASES] = {"start-up", "warm-up", "work", "end"};

    return phase == PHASE_MAIN && (phases->steps > 0 || phases_have_service(phases))
               ? "steady"
               : names[phase];
}

/* A tenth of a second of processor time; below that, rows are chance. */
enum { SAMPLES_LEAST = 25, WHOLE_LEAST_PART = 10, FILE_LIMIT = 256 << 20 };

/* Samples come at the rate of the processor time. */
static bool has_samples(const struct session *session, const struct session_window *window)
{
    const struct session_tick *tick = session->ticks.items;
    size_t count = 0;

    for (size_t i = 0; i < session->ticks.count && count < SAMPLES_LEAST; i++)
        count += tick[i].time_ns >= window->from_ns && tick[i].time_ns < window->to_ns;
    return count >= SAMPLES_LEAST;
}

void phases_find_steady(struct session_window *window, const struct session *session,
                        places_finder find, bool *is_worth)
{
    struct phases phases;
    uint64_t wall_ns = session->process.wall_ns;

    phases_find(&phases, session, find, is_worth);
    if (!*is_worth)
        return;
    *window = (struct session_window){.is_cut = true,
                                      .from_ns = phases.border_ns[PHASE_MAIN],
                                      .to_ns = phases.border_ns[PHASE_MAIN + 1]};
    *is_worth = (phases.steps > 0 || phases_have_service(&phases)) && !session->window.is_cut &&
                session->file_bytes <= FILE_LIMIT &&
                wall_ns - phase_length_ns(&phases, PHASE_MAIN) >= wall_ns / WHOLE_LEAST_PART &&
                has_samples(session, window);
}
