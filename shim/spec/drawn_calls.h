/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Draws the calls of a kernel's slot or of a region that have a record, once only some have.
 *
 * The first calls all have a record.  Later one call in two has a record, then one in four, and so
 * on up to one in 2^most.  So each doubling of the calls adds about the same number of records, and
 * rarely called slots keep all.  Each call is drawn independently, so no rhythm of the program
 * biases the sample.  A record states the number of calls that it represents.
 *
 * With many slots the first calls alone could be too many: beyond one in 1024, they become fewer as
 * `most` grows.
 */
#ifndef SPEC_DRAWN_CALLS_H
#define SPEC_DRAWN_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* The first 2^DRAWN_CALLS_FIRST calls and as many again, while `most` is DRAWN_CALLS_FIRST at
 * most. */
enum { DRAWN_CALLS_FIRST = 10, DRAWN_CALLS_MOST = 30 };

static inline unsigned drawn_calls_log(uint64_t number)
{
    return 63 - (unsigned)__builtin_clzll(number | 1);
}

/* Returns: the power of two of the first calls. */
static inline unsigned drawn_calls_first(unsigned most)
{
    unsigned beyond = most > DRAWN_CALLS_FIRST ? most - DRAWN_CALLS_FIRST : 0;

    return beyond < DRAWN_CALLS_FIRST ? DRAWN_CALLS_FIRST - beyond : 0;
}

/* Returns: the number of first calls that all have a record. */
static inline uint64_t drawn_calls_whole(unsigned most)
{
    return most > 0 ? (UINT64_C(2) << drawn_calls_first(most)) - 1 : UINT64_MAX;
}

/* `number`: of the call, from 1.  Returns: one call in 2^this has a record. */
static inline unsigned drawn_calls_doublings(uint64_t number, unsigned most)
{
    unsigned log = drawn_calls_log(number), first = drawn_calls_first(most);

    if (log <= first)
        return 0;
    return log - first < most ? log - first : most;
}

/* Draw a call (xorshift64*, Vigna 2016).  The state is not 0.
 * Returns: whether it has a record. */
static inline bool drawn_calls_hit(uint64_t *state, unsigned doublings)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return doublings == 0 || *state * UINT64_C(0x2545f4914f6cdd1d) >> (64 - doublings) == 0;
}

/* The second word of a record: the duration of the call, and the number of calls that it
 * represents. */
static inline uint64_t drawn_calls_pack(uint64_t ticks, unsigned doublings)
{
    return ticks | (uint64_t)doublings << TRACE_DURATION_BITS;
}

/* A clock that went back gives a duration with its upper bits set: it stays unchanged. */
static inline uint64_t drawn_calls_unpack(uint64_t packed, unsigned *doublings)
{
    *doublings = (unsigned)(packed >> TRACE_DURATION_BITS);
    if (*doublings > DRAWN_CALLS_MOST)
        *doublings = 0;
    else
        packed &= (UINT64_C(1) << TRACE_DURATION_BITS) - 1;
    return packed;
}

#endif
