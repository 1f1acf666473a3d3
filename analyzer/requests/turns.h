/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The turns of event loops: from one wait of a loop for events to the next.  While a turn lasts,
 * the loop serves nothing else.
 *
 * A loop is a thread that waits in epoll_wait, or below asyncio in select or poll.  Its waits are
 * those that call from the same place as most of them; what the loop calls in a turn leaves the
 * loop's call chain.  A wait below 50 us has no record, so two turns with such a wait between them
 * count as one.
 *
 * A turn's handlers are the functions of the program that the loop called in it, by the samples of
 * processor time and the long waits.  A turn with one handler is held by it as a whole.
 */
#ifndef REQUESTS_TURNS_H
#define REQUESTS_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "places/places.h"

struct session;

struct turns_loop {
    uint32_t thread; /* index in threads */
    uint32_t chain;  /* of its waits; index in calls */
    uint64_t site;   /* the same */
    uint64_t waits;  /* for events, with those that have no record */
    uint64_t from_ns, to_ns;
    struct array lengths_ns; /* uint64_t: of the turns that have a record on both sides */
};

/* A function of the program that a loop calls. */
struct turns_handler {
    const char *name;    /* of the pool in use */
    uint32_t loop;       /* index in loops */
    size_t turns;        /* that it was seen in */
    uint64_t ns;         /* sum of these times */
    uint64_t longest_ns; /* in one turn without giving the loop back */
    uint64_t longest_start_ns;
    struct place line; /* with most of that; function NULL: unknown */
    bool is_own;       /* it is no library's */
};

struct turns {
    struct array loops;    /* of struct turns_loop */
    struct array handlers; /* of struct turns_handler, the longest first */
};

/* Find the loops and their handlers, in memory of the pool in use. */
void turns_find(struct turns *turns, const struct session *session, places_finder find);

#endif
