/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From the calls that woke threads to the waits that they ended.
 */
#include "waits/wakers.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/text_index.h"
#include "model/session.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "places/plain_name.h"

enum { SEEN_MOST = 256 }; /* wakes that are looked at for one wait, from its end backward */

/* A wake that may have ended one of several waits is doubtful until a wait takes it. */
enum state { FREE, DOUBTFUL, TAKEN };

struct wake {
    uint64_t address;
    uint64_t time_ns;
    bool is_for_all;
    int32_t place;
    enum state state;
};

struct search {
    struct wakers *wakers;
    const struct session *session;
    struct places *places;
    struct array wakes; /* of struct wake, by address and time */
    struct text_index index;
    int32_t *place_of; /* by call of a chain; 0: not requested yet, else the place plus
                          PLACE_SHIFT */
};

enum { PLACE_SHIFT = 3 };

/* ---- places ------------------------------------------------------------- */

static bool is_own_native(const struct place *place)
{
    const struct places_function *function = place->function;

    return place_is_telling(place) && !function->is_plumbing && !function->is_python &&
           !plain_name_is_libc(function->module) &&
           !(place->is_inlined && symbols_is_of_library(place->file));
}

static void add_place(struct search *search, const struct place *place, int32_t *number)
{
    struct text text;
    long found;

    text_init(&text);
    place_append_short(&text, place);
    found = text_index_add(&search->index, &text);
    if ((size_t)found == text_list_count(&search->wakers->places))
        text_list_add(&search->wakers->places, text.bytes);
    *number = (int32_t)found;
}

/* An interpreter's own wakes, as at the end of a thread, hand no work to a thread. */
static void find_native(struct search *search, uint32_t chain, int32_t *number)
{
    struct place place;

    *number = search->session->python.is_there ? WAKER_NONE : WAKER_UNKNOWN;
    if (places_find(search->places, chain, is_own_native, &place) &&
        !(place.function->module && python_is_own_file(place.function->module)))
        add_place(search, &place, number);
}

/* Python code that came with Python or was installed only passes a wake on. */
static void find_place(struct search *search, uint32_t chain, int32_t *number)
{
    struct place place;

    if (places_find(search->places, chain, place_is_own_python, &place))
        add_place(search, &place, number);
    else if (places_find(search->places, chain, place_is_python, &place))
        *number = WAKER_NONE;
    else
        find_native(search, chain, number);
}

static void find_known_place(struct search *search, uint32_t chain, int32_t *number)
{
    int32_t *known;

    *number = WAKER_UNKNOWN;
    if (chain == SESSION_NONE)
        return;
    known = &search->place_of[chain];
    if (*known == 0) {
        find_place(search, chain, number);
        *known = *number + PLACE_SHIFT;
    }
    *number = *known - PLACE_SHIFT;
}

/* ---- wakes -------------------------------------------------------------- */

static int compare_wakes(const void *left, const void *right)
{
    const struct wake *a = left, *b = right;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
}

static void gather_wakes(struct search *search)
{
    const struct session *session = search->session;

    array_reserve(&search->wakes, session->wakes.count);
    for (size_t i = 0; i < session->wakes.count; i++) {
        const struct session_wake *of = session_wake_at(session, i);
        struct wake *wake = array_add(&search->wakes);

        *wake = (struct wake){of->address, of->time_ns, of->is_for_all, WAKER_UNKNOWN, FREE};
        find_known_place(search, of->chain, &wake->place);
    }
    if (search->wakes.count > 0)
        qsort(search->wakes.items, search->wakes.count, sizeof(struct wake), compare_wakes);
}

/* ---- waits -------------------------------------------------------------- */

/* Wakes that may have ended a wait: of the array of all wakes, or of one address. */
struct candidates {
    struct wake *newest, *oldest; /* NULL: there are none */
    bool is_one_place;
};

static void note_candidate(struct candidates *candidates, struct wake *wake)
{
    if (!candidates->newest)
        *candidates = (struct candidates){wake, wake, true};
    candidates->oldest = wake;
    if (wake->state == DOUBTFUL || wake->place != candidates->newest->place)
        candidates->is_one_place = false;
}

static struct candidates find_candidates(const struct search *search, uint64_t address,
                                         const struct session_wait_call *call)
{
    struct wake *all = search->wakes.items, after = {.address = address,
                                                     .time_ns = call->end_ns + 1};
    struct candidates candidates = {0};
    size_t end = array_first_from(&search->wakes, &after, compare_wakes);

    for (size_t i = end; i > 0 && end - i < SEEN_MOST; i--) {
        if (all[i - 1].address != address || all[i - 1].time_ns < call->start_ns)
            break;
        if (all[i - 1].state != TAKEN)
            note_candidate(&candidates, &all[i - 1]);
    }
    return candidates;
}

static void doubt(const struct candidates *candidates)
{
    for (struct wake *wake = candidates->oldest; wake <= candidates->newest; wake++)
        if (wake->state == FREE)
            wake->state = DOUBTFUL;
}

static int32_t find_waker(const struct search *search, uint64_t address,
                          const struct session_wait_call *call)
{
    struct candidates candidates = find_candidates(search, address, call);

    if (!candidates.newest)
        return WAKER_UNKNOWN;
    if (!candidates.is_one_place)
        doubt(&candidates);
    if (!candidates.oldest->is_for_all)
        candidates.oldest->state = TAKEN;
    return candidates.is_one_place ? candidates.newest->place : WAKER_UNKNOWN;
}

/* The calls are in the order of their ends. */
static void find_wakers(struct search *search)
{
    const struct session *session = search->session;

    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);

        search->wakers->place_of[i] = WAKER_NONE;
        if (wait->class == TRACE_WAIT_CLASS_IDLE && wait->address != 0 && !call->is_in_vain)
            search->wakers->place_of[i] = find_waker(search, wait->address, call);
    }
}

void wakers_init(struct wakers *wakers, const struct session *session, places_finder find)
{
    struct search search = {.wakers = wakers,
                            .session = session,
                            .places = places_new(session, find),
                            .place_of =
                                pool_get_zeros(session->calls.count + 1, sizeof(int32_t))};

    *wakers =
        (struct wakers){.place_of = pool_get((session->wait_calls.count + 1) * sizeof(int32_t))};
    text_list_init(&wakers->places);
    text_index_init(&search.index);
    array_init(&search.wakes, sizeof(struct wake));
    gather_wakes(&search);
    find_wakers(&search);
}

/* ---- shares ------------------------------------------------------------- */

struct pair {
    uint32_t group;
    int32_t place;
};

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void gather_pairs(struct array *pairs, const struct wakers *wakers,
                         const struct session *session, const uint32_t *group_of)
{
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        uint32_t group = group_of[session_wait_call_at(session, i)->wait];
        int32_t place = wakers->place_of[i];
        struct pair *pair = group == SESSION_NONE || place == WAKER_NONE ? NULL : array_add(pairs);

        if (pair)
            *pair = (struct pair){group, place};
    }
    if (pairs->count > 0)
        qsort(pairs->items, pairs->count, sizeof(struct pair), compare_pairs);
}

static int compare_shares(const void *left, const void *right)
{
    const struct waker_share *a = left, *b = right;

    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    return (a->waits < b->waits) - (a->waits > b->waits);
}

static size_t count_alike(const struct array *pairs, size_t from, bool by_place)
{
    const struct pair *pair = pairs->items;
    size_t to = from;

    while (to < pairs->count && pair[to].group == pair[from].group &&
           (!by_place || pair[to].place == pair[from].place))
        to++;
    return to - from;
}

static void add_shares(struct array *shares, const struct wakers *wakers, const struct array *pairs)
{
    const struct pair *pair = pairs->items;
    size_t all = 0, end = 0, alike;

    for (size_t i = 0; i < pairs->count; i += alike) {
        struct waker_share *share;

        if (i == end) {
            all = count_alike(pairs, i, false);
            end = i + all;
        }
        alike = count_alike(pairs, i, true);
        if (pair[i].place == WAKER_UNKNOWN)
            continue;
        share = array_add(shares);
        *share = (struct waker_share){
            pair[i].group, text_list_at(&wakers->places, (size_t)pair[i].place), alike, all};
    }
}

void wakers_share(struct array *shares, const struct wakers *wakers, const struct session *session,
                  const uint32_t *group_of)
{
    struct array pairs;

    array_init(&pairs, sizeof(struct pair));
    array_init(shares, sizeof(struct waker_share));
    gather_pairs(&pairs, wakers, session, group_of);
    add_shares(shares, wakers, &pairs);
    if (shares->count > 0)
        qsort(shares->items, shares->count, sizeof(struct waker_share), compare_shares);
}
