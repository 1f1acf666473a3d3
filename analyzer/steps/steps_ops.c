/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Steps by the ops of PyTorch.
 *
 * A step of a training ends with a step of its optimizer.  If several optimizers take turns, as for
 * two networks, it ends with the rarest.  A step starts where the previous one ended.  If layers
 * were called without gradients in between, as for a validation, the step starts with the next
 * batch or op; but not if most steps have such calls, such as those of a frozen teacher.
 *
 * Decision: doc/decisions/steps-by-ops.
 */
#include "base/pool.h"
#include "steps/steps_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session.h"
#include "model/session_beats.h"
#include "model/session_unknown.h"
#include "steps/texts.h"

enum { LEAST_STEPS = 2, SITES_MOST = 16 };

static const struct session_beat *beat_at(const struct session *session, size_t index)
{
    return array_at(&session->beats, index);
}

bool steps_has_all_ops(const struct session *session)
{
    const struct session_framework *framework = &session->framework;

    return !session->has_drawn_ops && !session->has_beats_left_out &&
           (!framework->is_there || framework->off_ns == SESSION_UNKNOWN);
}

/* ---- the thread -------------------------------------------------------------- */

/* Find the thread with the most ends of a kind.
 * Returns: how many in `count`. */
static void find_thread(uint32_t *thread, size_t *count, const struct session *session,
                        enum session_beat_kind kind)
{
    size_t *counts = pool_get_zeros(session->threads.count + 1, sizeof *counts);

    *count = 0;
    for (size_t i = 0; i < session->beats.count; i++) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->kind != kind || !beat->is_end || ++counts[beat->thread] <= *count)
            continue;
        *count = counts[beat->thread];
        *thread = beat->thread;
    }
}

/* ---- which optimizer's steps end the program's --------------------------------- */

/* The end of a step, for one optimizer so far. */
struct step_end {
    size_t beat;
    unsigned site; /* the optimizer, by the line that called it */
};

struct ends {
    struct array items; /* of struct step_end */
    uint64_t lines[SITES_MOST];
    size_t counts[SITES_MOST];
    unsigned sites;
};

static unsigned find_site(struct ends *ends, uint64_t line)
{
    unsigned i = 0;

    while (i < ends->sites && ends->lines[i] != line)
        i++;
    if (i == SITES_MOST)
        return 0;
    if (i == ends->sites)
        ends->lines[ends->sites++] = line;
    return i;
}

/* Optimizers that step in a row, without a pass of the model in between, belong to one step. */
static void add_end(struct ends *ends, const struct session *session, size_t index, bool is_in_row)
{
    const struct session_beat *beat = beat_at(session, index);
    struct step_end *end;

    if (is_in_row && ends->items.count > 0) {
        end = array_at(&ends->items, ends->items.count - 1);
        ends->counts[end->site]--;
    } else {
        end = array_add(&ends->items);
    }
    *end = (struct step_end){index, find_site(ends, session_op_at(session, beat->op)->line)};
    ends->counts[end->site]++;
}

static void gather_ends(struct ends *ends, const struct session *session, const struct steps *steps,
                        enum session_beat_kind kind)
{
    bool is_in_row = false;

    for (size_t i = 0; i < session->beats.count; i++) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->thread != steps->thread)
            continue;
        if (beat->kind == kind && beat->is_end) {
            add_end(ends, session, i, is_in_row);
            is_in_row = true;
        } else if (beat->kind == BEAT_FORWARD ||
                   (beat->kind == BEAT_BACKWARD && kind != beat->kind)) {
            is_in_row = false;
        }
    }
}

/* Ask whether one optimizer steps between most steps of the other. */
static bool comes_between(const struct ends *ends, unsigned one, unsigned other)
{
    const struct step_end *end = ends->items.items;
    size_t gaps = 0, with = 0;
    bool has_begun = false, is_there = false;

    for (size_t i = 0; i < ends->items.count; i++) {
        is_there |= end[i].site == one;
        if (end[i].site != other)
            continue;
        gaps += has_begun;
        with += has_begun && is_there;
        has_begun = true;
        is_there = false;
    }
    return gaps > 0 && 2 * with > gaps;
}

static void drop_site(struct ends *ends, unsigned site)
{
    struct step_end *end = ends->items.items;
    size_t kept = 0;

    for (size_t i = 0; i < ends->items.count; i++)
        if (end[i].site != site)
            end[kept++] = end[i];
    array_truncate(&ends->items, kept);
    ends->counts[site] = 0;
}

static unsigned last_site(const struct ends *ends, unsigned one, unsigned other)
{
    const struct step_end *end = ends->items.items;
    size_t i = ends->items.count;

    while (i > 0 && end[i - 1].site != one && end[i - 1].site != other)
        i--;
    return i > 0 ? end[i - 1].site : one;
}

/* Returns: whether `one`, not `other`, ends the steps that contain both. */
static bool is_rather(const struct ends *ends, unsigned one, unsigned other)
{
    if (ends->counts[one] != ends->counts[other])
        return ends->counts[one] < ends->counts[other];
    return last_site(ends, one, other) == one;
}

static void drop_inner(struct ends *ends)
{
    for (unsigned i = 0; i < ends->sites; i++)
        for (unsigned j = 0; j < ends->sites && ends->counts[i] > 0; j++)
            if (i != j && ends->counts[j] > 0 && is_rather(ends, j, i) && comes_between(ends, i, j))
                drop_site(ends, i);
}

/* ---- where they start ---------------------------------------------------------- */

/* Beats of a thread from one to before another. */
struct stretch {
    size_t from;
    size_t to;
    uint32_t thread;
};

static bool is_untrained(const struct session_beat *beat)
{
    return beat->kind == BEAT_FORWARD && !beat->is_end && beat->layer != 0 && !beat->records;
}

/* Returns: the index after the last call of a layer without gradients; `from` when there is
 * none. */
static size_t find_behind(const struct session *session, const struct stretch *stretch)
{
    for (size_t i = stretch->to; i-- > stretch->from;)
        if (beat_at(session, i)->thread == stretch->thread && is_untrained(beat_at(session, i)))
            return i + 1;
    return stretch->from;
}

/* How surely a beat is the start of a step; 0: not at all. */
static int weigh_begin(const struct session_beat *beat)
{
    if (beat->is_end)
        return 0;
    if (beat->kind == BEAT_FORWARD && beat->records)
        return beat->layer != 0 ? 3 : 2;
    return beat->kind == BEAT_BACKWARD ? 1 : 0;
}

/* Returns: the first pass with the highest weight; `to` when none has any. */
static size_t find_pass(const struct session *session, const struct stretch *stretch)
{
    size_t found = stretch->to;
    int most = 0;

    for (size_t i = stretch->from; i < stretch->to; i++) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->thread != stretch->thread || weigh_begin(beat) <= most)
            continue;
        most = weigh_begin(beat);
        found = i;
    }
    return found;
}

/* A step starts with the batch for its first pass, if a loader gave the batch. */
static size_t find_begin(const struct session *session, const struct stretch *stretch)
{
    size_t pass = find_pass(session, stretch);

    for (size_t i = pass; i-- > stretch->from;) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->thread == stretch->thread && beat->kind == BEAT_LOADER && !beat->is_end)
            return i;
    }
    return pass;
}

static struct stretch stretch_before(const struct ends *ends, uint32_t thread, size_t index)
{
    const struct step_end *end = ends->items.items;

    return (struct stretch){index > 0 ? end[index - 1].beat + 1 : 0, end[index].beat, thread};
}

/* Are layers called without gradients in most steps? */
static bool has_untrained_parts(const struct session *session, const struct ends *ends,
                                uint32_t thread)
{
    size_t with = 0, count = ends->items.count;

    for (size_t i = 1; i < count; i++) {
        struct stretch stretch = stretch_before(ends, thread, i);

        with += find_behind(session, &stretch) > stretch.from;
    }
    return count > 1 && 2 * with > count - 1;
}

static void count_passes(struct steps *steps, const struct session *session,
                         const struct stretch *stretch)
{
    for (size_t i = stretch->from; i < stretch->to; i++) {
        const struct session_beat *beat = beat_at(session, i);

        steps->backwards +=
            beat->thread == stretch->thread && beat->kind == BEAT_BACKWARD && !beat->is_end;
    }
}

static void add_step(struct steps *steps, const struct session *session,
                     const struct stretch *stretch, bool is_whole_gap)
{
    size_t behind = is_whole_gap ? stretch->from : find_behind(session, stretch);
    struct stretch rest = {behind, stretch->to, stretch->thread};
    uint64_t end_ns = beat_at(session, stretch->to)->time_ns;
    struct step *step = array_add(&steps->steps);

    step->end_ns = end_ns;
    step->begins_epoch = stretch->from == 0 || behind > stretch->from;
    step->start_ns = stretch->from > 0 && behind == stretch->from
                         ? beat_at(session, stretch->from - 1)->time_ns
                         : beat_at(session, find_begin(session, &rest))->time_ns;
    count_passes(steps, session, &rest);
}

/* ---- epochs ---------------------------------------------------------------------- */

/* Returns: how often, before the first pass, the loader was asked that gives its batch.  The last
 * time in an epoch, the loader has no batch. */
static size_t count_batches(const struct session *session, const struct stretch *stretch)
{
    size_t pass = find_pass(session, stretch), count = 0;
    uint64_t line = 0;

    for (size_t i = pass; i-- > stretch->from;) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->thread != stretch->thread || beat->kind != BEAT_LOADER || beat->is_end)
            continue;
        line = count == 0 ? session_op_at(session, beat->op)->line : line;
        count += session_op_at(session, beat->op)->line == line;
    }
    return count;
}

static int compare_counts(const void *left, const void *right)
{
    const size_t *one = left, *other = right;

    return (*one > *other) - (*one < *other);
}

/* A loader restarts at steps with more of its calls than most steps have. */
static void mark_restarts(struct steps *steps, const size_t *counts, size_t *sorted, size_t first)
{
    size_t count = steps->steps.count, usual;

    memcpy(sorted, counts, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_counts);
    usual = sorted[count / 2];
    for (size_t i = first; usual > 0 && i < count; i++)
        ((struct step *)array_at(&steps->steps, i))->begins_epoch = counts[i] > usual;
}

static void find_restarts(struct steps *steps, const struct session *session,
                          const struct ends *ends)
{
    size_t count = steps->steps.count, first = ends->items.count - count;
    size_t *counts = pool_get_zeros(2 * count + 1, sizeof *counts);

    for (size_t i = 0; i < count; i++) {
        struct stretch stretch = stretch_before(ends, steps->thread, first + i);

        counts[i] = count_batches(session, &stretch);
    }
    if (count > 0)
        mark_restarts(steps, counts, counts + count, 1);
}

/* In a window it is unknown whether the first is whole. */
static void take_ends(struct steps *steps, const struct session *session, const struct ends *ends)
{
    bool is_whole = has_untrained_parts(session, ends, steps->thread);

    for (size_t i = session->window.is_cut; i < ends->items.count; i++) {
        struct stretch stretch = stretch_before(ends, steps->thread, i);

        add_step(steps, session, &stretch, is_whole);
    }
    find_restarts(steps, session, ends);
}

static void find_trained(struct steps *steps, const struct session *session,
                         enum session_beat_kind kind)
{
    struct ends ends = {.sites = 0};

    array_init(&ends.items, sizeof(struct step_end));
    gather_ends(&ends, session, steps, kind);
    drop_inner(&ends);
    if (ends.items.count >= LEAST_STEPS) {
        steps->source = kind == BEAT_OPTIMIZER ? STEPS_OPTIMIZER : STEPS_BACKWARD;
        steps->op = beat_at(session, ((const struct step_end *)ends.items.items)->beat)->op;
        take_ends(steps, session, &ends);
    }
}

/* ---- calls of a layer ---------------------------------------------------------- */

/* The calls of an outermost layer in a thread. */
struct layer_calls {
    uint32_t layer;
    uint32_t thread;
    size_t count;
    uint64_t sum_ns;
};

/* Called for each call of a layer. */
typedef void (*call_taker)(void *of, const struct session_beat *begin, uint64_t end_ns);

/* Calls of a thread do not nest. */
static void pass_calls(const struct session *session, call_taker take, void *of)
{
    size_t *begins = pool_get_zeros(session->threads.count + 1, sizeof *begins);

    for (size_t i = 0; i < session->beats.count; i++) {
        const struct session_beat *beat = beat_at(session, i);

        if (beat->kind != BEAT_FORWARD || beat->layer == 0)
            continue;
        if (beat->is_end && begins[beat->thread] > 0)
            take(of, beat_at(session, begins[beat->thread] - 1), beat->time_ns);
        begins[beat->thread] = beat->is_end ? 0 : i + 1;
    }
}

static void sum_call(void *of, const struct session_beat *begin, uint64_t end_ns)
{
    struct array *sums = of;
    struct layer_calls *sum = sums->items;
    size_t i = 0;

    while (i < sums->count && (sum[i].layer != begin->layer || sum[i].thread != begin->thread))
        i++;
    if (i == sums->count) {
        sum = array_add(sums);
        *sum = (struct layer_calls){.layer = begin->layer, .thread = begin->thread};
        i = 0;
    }
    sum[i].count++;
    sum[i].sum_ns += end_ns - begin->time_ns;
}

static const struct layer_calls *find_longest(const struct array *sums)
{
    const struct layer_calls *sum = sums->items, *longest = NULL;

    for (size_t i = 0; i < sums->count; i++)
        if (sum[i].count >= LEAST_STEPS && (!longest || sum[i].sum_ns > longest->sum_ns))
            longest = &sum[i];
    return longest;
}

static void take_call(void *of, const struct session_beat *begin, uint64_t end_ns)
{
    struct steps *steps = of;
    struct step *step;

    if (begin->layer != steps->layer || begin->thread != steps->thread)
        return;
    step = array_add(&steps->steps);
    *step = (struct step){.start_ns = begin->time_ns, .end_ns = end_ns};
}

static void find_called(struct steps *steps, const struct session *session)
{
    const struct layer_calls *longest;
    struct array sums;

    array_init(&sums, sizeof(struct layer_calls));
    pass_calls(session, sum_call, &sums);
    longest = find_longest(&sums);
    if (longest) {
        steps->source = STEPS_MODULE;
        steps->layer = longest->layer;
        steps->thread = longest->thread;
        pass_calls(session, take_call, steps);
    }
}

/* ---- all of them ------------------------------------------------------------------ */

/* A single step is recognized as one, though its layers repeat. */
static void find_kind(struct steps *steps, const struct session *session,
                      enum session_beat_kind kind)
{
    size_t count;

    find_thread(&steps->thread, &count, session, kind);
    if (count == 0)
        return;
    if (count >= LEAST_STEPS) {
        find_trained(steps, session, kind);
        return;
    }
    steps->reason = steps_one_text.words;
}

void steps_find_ops(struct steps *steps, const struct session *session)
{
    find_kind(steps, session, BEAT_OPTIMIZER);

    steps->is_whole = steps_has_all_ops(session);
    if (steps->source == STEPS_NONE && !steps->reason)
        find_kind(steps, session, BEAT_BACKWARD);
    if (steps->source == STEPS_NONE && !steps->reason)
        find_called(steps, session);
}
