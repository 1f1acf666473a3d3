/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chains are a tree of calls: once known, the match of a call or its outer calls holds for all
 * chains through that call.
 */
#include "heap/suppressor.h"

#include "base/pool.h"
#include "base/wildcard.h"
#include "model/session.h"
#include "model/session_chains.h"

/* Places of suppressions in their file, counted from 1: the first that matches has the lowest. */
enum { RANK_UNKNOWN = 0 /* not looked up yet */ };
static const uint32_t rank_none = UINT32_MAX;

/* The matches of a call's places. */
struct match {
    uint32_t any;   /* matched by function, file or module */
    uint32_t inner; /* the same if no owner is further inside: calls up to the owner match only by
                       function */
    bool has_owner; /* a place that does more than pass on */
};

struct suppressor {
    const struct suppressions *suppressions;
    const struct session *session;
    struct places *places;
    struct array matches; /* of struct match, by the number of the places */
    uint32_t *outer;      /* for each call of the session: any match of the call or its outer
                             calls */
    struct array path;    /* uint32_t: the calls outwards */
};

static uint32_t lower(uint32_t one, uint32_t other)
{
    return one < other ? one : other;
}

struct suppressor *suppressor_new(const struct suppressions *suppressions,
                                  const struct session *session, struct places *places)
{
    struct suppressor *suppressor = pool_get_zeros(1, sizeof *suppressor);
    uint32_t *outer = pool_get_zeros(session->calls.count + 1, sizeof *outer);

    outer[0] = rank_none; /* the root */
    *suppressor = (struct suppressor){suppressions, session, places, .outer = outer};
    array_init(&suppressor->matches, sizeof(struct match));
    array_init(&suppressor->path, sizeof(uint32_t));
    return suppressor;
}

static bool matches_name(const char *pattern, const struct place *place)
{
    return wildcard_matches(pattern, place->function->name);
}

static bool matches(const char *pattern, const struct place *place)
{
    return matches_name(pattern, place) ||
           (place->file && wildcard_matches(pattern, place->file)) ||
           (place->function->module && wildcard_matches(pattern, place->function->module));
}

static uint32_t rank_place(const struct suppressor *suppressor, const struct place *place,
                           bool (*is_match)(const char *, const struct place *))
{
    const struct suppression *rows = suppressor->suppressions->rows.items;

    for (uint32_t i = 0; i < suppressor->suppressions->rows.count; i++)
        if (is_match(rows[i].pattern, place))
            return i + 1;
    return rank_none;
}

static struct match match_places(const struct suppressor *suppressor,
                                 const struct call_places *places)
{
    struct match match = {rank_none, rank_none, false};

    for (size_t i = 0; i < places->count; i++) {
        const struct place *place = &places->places[i];
        uint32_t any = rank_place(suppressor, place, matches);

        match.any = lower(match.any, any);
        match.has_owner = match.has_owner || !place->function->is_plumbing;
        match.inner =
            lower(match.inner, match.has_owner ? any : rank_place(suppressor, place, matches_name));
    }
    return match;
}

/* The call must have been looked up. */
static const struct match *match_call(struct suppressor *suppressor, uint32_t call)
{
    static const struct match none = {UINT32_MAX, UINT32_MAX, false};
    const struct call_places *places = places_known(suppressor->places, call);
    struct match *match;

    if (places->count == 0)
        return &none;
    while (suppressor->matches.count <= places->number)
        array_add(&suppressor->matches);
    match = array_at(&suppressor->matches, places->number);
    if (match->any == RANK_UNKNOWN)
        *match = match_places(suppressor, places);
    return match;
}

static uint32_t parent_of(const struct suppressor *suppressor, uint32_t call)
{
    return session_call_at(suppressor->session, call)->parent;
}

/* Gathers a call and its outer calls, up to the first call already known. */
static void climb(struct suppressor *suppressor, uint32_t *call)
{
    array_truncate(&suppressor->path, 0);
    for (; suppressor->outer[*call] == RANK_UNKNOWN; *call = parent_of(suppressor, *call)) {
        uint32_t *entry = array_add(&suppressor->path);

        places_look_up(suppressor->places, *call);
        *entry = *call;
    }
}

static void rank_outer(struct suppressor *suppressor, uint32_t call, uint32_t *rank)
{
    climb(suppressor, &call);

    *rank = suppressor->outer[call];
    for (size_t i = suppressor->path.count; i-- > 0;) {
        uint32_t inner = *(uint32_t *)array_at(&suppressor->path, i);
        const struct match *match = match_call(suppressor, inner);

        *rank = suppressor->outer[inner] = lower(*rank, match->any);
    }
}

/* If all calls only pass on allocations, any match of any call counts. */
static void rank_chain(struct suppressor *suppressor, uint32_t innermost, uint32_t *rank)
{
    uint32_t call = innermost, outer = rank_none;
    bool has_owner = false;

    *rank = rank_none;
    for (; call != 0 && !has_owner; call = parent_of(suppressor, call)) {
        const struct match *match;

        places_look_up(suppressor->places, call);
        match = match_call(suppressor, call);
        *rank = lower(*rank, match->inner);
        has_owner = match->has_owner;
    }
    rank_outer(suppressor, has_owner ? call : innermost, &outer);
    *rank = lower(*rank, outer);
}

void suppressor_find(struct suppressor *suppressor, uint32_t call, struct suppression **of)
{
    uint32_t rank;

    *of = NULL;
    if (!suppressor)
        return;
    rank_chain(suppressor, call, &rank);
    if (rank != rank_none)
        *of = array_at(&suppressor->suppressions->rows, rank - 1);
}
