/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Samples are sums over their ticks, so those of one sum may belong to several things.
 */
#include "model/sample_split.h"

#include <stdlib.h>

#include "base/array.h"
#include "model/session.h"
#include "model/session_unknown.h"

/* The ticks of a sample that have one key. */
struct share {
    uint32_t sample, key;
    uint32_t made;  /* index in samples of what became of it */
    uint64_t count; /* of ticks */
    uint64_t periods;
};

struct split {
    struct session *session;
    const uint32_t *keys;
    sample_giver give;
    void *of;
    uint64_t *periods;   /* by sample: of its ticks that are not given yet */
    struct array shares; /* of struct share, by sample and key */
};

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;

    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    return (a->key > b->key) - (a->key < b->key);
}

/* One share a tick, then one a sample and key. */
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

static enum status gather_shares(struct split *split)
{
    const struct session_tick *tick = split->session->ticks.items;

    for (size_t i = 0; i < split->session->ticks.count; i++) {
        split->periods[tick[i].sample] += tick[i].periods;
        if (split->keys[i] == SESSION_NONE)
            continue;
        struct share *share = array_add(&split->shares);
        if (!share)
            return STATUS_OUT_OF_MEMORY;
        *share = (struct share){.sample = tick[i].sample,
                                .key = split->keys[i],
                                .count = 1,
                                .periods = tick[i].periods};
    }
    join_shares(&split->shares);
    return STATUS_OK;
}

static enum status give_whole(struct split *split, const struct share *share)
{
    return split->give(split->of, array_at(&split->session->samples, share->sample), share->key);
}

static enum status part(struct split *split, struct share *share)
{
    struct session *session = split->session;
    double part = (double)share->periods / (double)split->periods[share->sample];
    struct session_sample *whole = array_at(&session->samples, share->sample);
    struct session_sample taken = *whole;
    enum status status;

    share->made = share->sample;
    taken.periods = (uint64_t)(part * (double)whole->periods + 0.5);
    taken.count = (uint64_t)(part * (double)whole->count + 0.5);
    split->periods[share->sample] -= share->periods;
    if (split->periods[share->sample] == 0 || taken.periods >= whole->periods ||
        taken.count >= whole->count)
        return give_whole(split, share);
    whole->periods -= taken.periods;
    whole->count -= taken.count;
    share->made = (uint32_t)session->samples.count;
    status = split->give(split->of, &taken, share->key);
    whole = status ? NULL : array_add(&session->samples);
    if (!whole)
        return STATUS_OUT_OF_MEMORY;
    *whole = taken;
    return STATUS_OK;
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

enum status sample_split(struct session *session, const uint32_t *keys, sample_giver give, void *of)
{
    struct split split = {.session = session, .keys = keys, .give = give, .of = of};
    enum status status = STATUS_OUT_OF_MEMORY;

    array_init(&split.shares, sizeof(struct share));
    split.periods = calloc(session->samples.count + 1, sizeof *split.periods);
    if (split.periods)
        status = gather_shares(&split);
    for (size_t i = 0; i < split.shares.count && !status; i++)
        status = part(&split, array_at(&split.shares, i));
    if (!status)
        point_ticks(&split);
    array_fini(&split.shares);
    free(split.periods);
    return status;
}
