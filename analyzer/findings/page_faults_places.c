/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where page faults occur, from samples that fell into one.
 */
#include <string.h>

#include "cpu/cpu_row.h"
#include "findings/page_faults.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_kernels.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "spec/trace.h"

enum { LEAST_SAMPLES = 10 }; /* fewer name no place */

/* A kernel, or a function. */
struct faulting {
    const char *kernel;        /* NULL: not a kernel */
    const struct place *place; /* NULL: it is a kernel */
    uint64_t samples;
};

/* Ask whether a place has a name and does more than pass memory on. */
static bool is_telling(const struct place *place)
{
    return place_is_telling(place) && !place->function->is_plumbing;
}

static struct faulting find_faulting(const struct cpu_time *time,
                                     const struct session_sample *sample)
{
    struct faulting of = {.samples = sample->count};

    if (sample->slot != SESSION_NONE)
        of.kernel = session_name_slot(time->session, session_slot_at(time->session, sample->slot));
    else
        of.place = places_find_known(time->places, sample->call, is_telling);
    return of;
}

static bool is_same(const struct faulting *one, const struct faulting *other)
{
    if (one->kernel && other->kernel)
        return strcmp(one->kernel, other->kernel) == 0;
    return one->place && other->place && one->place->function == other->place->function;
}

static void add(struct array *all, const struct faulting *of)
{
    struct faulting *known = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (is_same(&known[i], of)) {
            known[i].samples += of->samples;
            return;
        }
    known = array_add(all);
    if (known)
        *known = *of;
}

/* Returns: how many samples came in faults. */
static uint64_t gather(const struct cpu_time *time, struct array *all)
{
    uint64_t count = 0;

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        struct faulting of;

        if (!(sample->flags & TRACE_SAMPLE_FAULT))
            continue;
        count += sample->count;
        of = find_faulting(time, sample);
        if (of.kernel || of.place) {
            add(all, &of);
        }
    }
    return count;
}

static void say_most(struct text *text, const struct array *all, uint64_t count)
{
    const struct faulting *of = all->items, *most = &of[0];
    struct text words;

    for (size_t i = 1; i < all->count; i++)
        most = of[i].samples > most->samples ? &of[i] : most;
    text_init(&words);
    if (most->kernel)
        text_append(&words, most->kernel);
    else
        place_append_short(&words, most->place);
    say(text, faults_place_text, said_count(most->samples), said_count(count),
        said_words(words.bytes));
}

void page_faults_say_place(struct text *text, const struct findings_context *context)
{
    struct array all;
    uint64_t count;

    array_init(&all, sizeof(struct faulting));
    count = gather(&context->time, &all);
    if (count >= LEAST_SAMPLES && all.count > 0)
        say_most(text, &all, count);
}
