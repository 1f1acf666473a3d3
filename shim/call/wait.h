/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of the calls in which threads wait: the rows of spec/waits.def.
 *
 * A wrapper passes on six words and brings back one, which holds for all of these functions.
 * Of a place whose calls are all short, every call is counted and one in WAIT_TIMED_OF is timed,
 * at random; once one takes longer, all are.  A lock is tried first, by the function that its
 * own library has for it, and clocked when another thread holds it.
 *
 * A call in which a thread waits may be a cancellation point, and a signal handler may jump out
 * of it: a cleanup closes the first, and the second leaves nothing behind but a call that is
 * not counted.
 *
 * Budget: of a short call four comparisons and three additions; of a free lock one call and one
 * comparison, and nothing of the thread's is touched.  Of a clocked call two to four clock
 * reads, two of them system calls.
 *
 * Decision: doc/decisions/waits.
 */
#ifndef CALL_WAIT_H
#define CALL_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

struct unwind_state;

/* What an argument tells, and a result. */
enum wait_object {
    WAIT_NOTHING,
    WAIT_DESCRIPTOR,
    WAIT_STREAM,
    WAIT_ADDRESS,
    WAIT_FILE_LOCK,
    WAIT_POLLED /* an array of struct pollfd, and how many */
};
enum wait_result {
    WAIT_RESULT_NOTHING,
    WAIT_RESULT_BYTES,
    WAIT_RESULT_ITEMS,
    WAIT_RESULT_CHECKED_ITEMS,
    WAIT_RESULT_CLOSES,
    WAIT_RESULT_OURS,
    WAIT_RESULT_WAKES
};

enum { WAIT_WORDS = 7 /* the most arguments: of a system call by syscall() */ };

struct wait_row {
    const char *name;
    const char *attempt; /* NULL: it is no lock */
    uint8_t class;       /* enum trace_wait_class */
    uint8_t object;      /* enum wait_object */
    uint8_t argument;
    uint8_t result; /* enum wait_result */
};

extern const struct wait_row wait_rows[TRACE_WAIT_CALLS];

/* A wrapper bound to one real function. */
struct wait_binding {
    void *target; /* NULL while the wrapper is free */
    void *attempt;
    uint64_t call_word; /* of the keys of its cells outside of kernels */
    uint32_t call;      /* enum trace_wait_call */
    uint32_t recent;    /* where a lane keeps its last cell */
};

/* Wrappers of one sort. */
struct wait_pool {
    void *const *entries;
    struct wait_binding *bindings;
    unsigned count;
};

enum { WAIT_CALLS, WAIT_BYTES, WAIT_LOCKS, WAIT_POOLS };

extern const struct wait_pool wait_pools[WAIT_POOLS];

/* The wrappers that fit a row. */
const struct wait_pool *wait_pool_of(unsigned call);

void wait_bind(struct wait_binding *binding, unsigned call, void *target, void *attempt);

/* Clock a call of a row that is OURS.  Returns: the function's result. */
uint64_t wait_call(unsigned call, void *target, const uint64_t words[WAIT_WORDS],
                   const struct unwind_state *caller);

/* Is this the entry of one? */
bool wait_owns(const void *address);

#endif
