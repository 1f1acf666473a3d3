/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples are sums over their ticks, so the ticks of one sum may belong to several keys.
 */
#include "model/sample_split.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* The ticks of a sample that have one key. */
struct share {
    uint32_t sample, key;
    uint32_t made;  /* index in samples of the new sample */
    uint64_t count; /* number of ticks */
    uint64_t periods;
};

struct split {
    struct session *session;
    const uint32_t *keys;
    sample_giver give;
    void *of;
    uint64_t *periods;   /* by sample: periods of its ticks that are not assigned yet */
    struct array shares; /* of struct share, by sample and key */
};

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;

    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* At first one share for each tick, then one for each sample and key. */
static void join_shares(struct array *shares)
{
    struct share *share = shares->items;
    size_t kept = 0;

    if (shares->count == 0)
        return;
    qsort(share, shares->count, sizeof *share, compare_shares);
    for (size_t i = 1; i < shares->count; i++) {
        if (compare_shares(&share[kept], &share[i]) == 0) {
            share[kept].count += share[i].count;
            share[kept].periods += share[i].periods;
        } else {
            share[++kept] = share[i];
        }
    }
    array_truncate(shares, kept + 1);
}

static void gather_shares(struct split *split)
{
    const struct session_tick *tick = split->session->ticks.items;

    for (size_t i = 0; i < split->session->ticks.count; i++) {
        split->periods[tick[i].sample] += tick[i].periods;
        if (split->keys[i] == SESSION_NONE)
            continue;
        struct share *share = array_add(&split->shares);
        *share = (struct share){.sample = tick[i].sample,
                                .key = split->keys[i],
                                .count = 1,
                                .periods = tick[i].periods};
    }
    join_shares(&split->shares);
}

static void give_whole(struct split *split, const struct share *share)
{
    split->give(split->of, array_at(&split->session->samples, share->sample), share->key);
}

static void part(struct split *split, struct share *share)
{
    struct session *session = split->session;
    double part = (double)share->periods / (double)split->periods[share->sample];
    struct session_sample *whole = array_at(&session->samples, share->sample);
    struct session_sample taken = *whole;

    share->made = share->sample;
    taken.periods = (uint64_t)(part * (double)whole->periods + 0.5);
    taken.count = (uint64_t)(part * (double)whole->count + 0.5);
    split->periods[share->sample] -= share->periods;
    if (split->periods[share->sample] == 0 || taken.periods >= whole->periods ||
        taken.count >= whole->count) {
        give_whole(split, share);
        return;
    }
    whole->periods -= taken.periods;
    whole->count -= taken.count;
    share->made = (uint32_t)session->samples.count;
    split->give(split->of, &taken, share->key);
    whole = array_add(&session->samples);
    *whole = taken;
}

static void point_ticks(struct split *split)
{
    struct session_tick *tick = split->session->ticks.items;

    for (size_t i = 0; i < split->session->ticks.count; i++) {
        const struct share like = {.sample = tick[i].sample, .key = split->keys[i]};
        const struct share *share =
            like.key == SESSION_NONE
                ? NULL
                : bsearch(&like, split->shares.items, split->shares.count, sizeof like,
                          compare_shares);

        if (share)
            tick[i].sample = share->made;
    }
}

void sample_split(struct session *session, const uint32_t *keys, sample_giver give, void *of)
{
    struct split split = {.session = session, .keys = keys, .give = give, .of = of};

    array_init(&split.shares, sizeof(struct share));
    split.periods = memory_get_zeros(session->samples.count + 1, sizeof *split.periods);
    if (split.periods)
        gather_shares(&split);
    for (size_t i = 0; i < split.shares.count; i++)
        part(&split, array_at(&split.shares, i));
    point_ticks(&split);
    array_fini(&split.shares);
    free(split.periods);
}
