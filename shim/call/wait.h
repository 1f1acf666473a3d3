/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of calls that may wait: the rows of spec/waits.def.
 *
 * A wrapper passes on six words and returns one, which suffices for all of these functions.  While
 * all calls of a place are short, every call is counted and a random one in WAIT_TIMED_OF is timed;
 * after a longer call all are timed.  A lock is first tried with its own library's function, and
 * timed only if another thread holds the lock.
 *
 * A waiting call may be a cancellation point: then a cleanup closes it.  A signal handler may jump
 * out of it: the call is then not counted, and nothing else remains.
 *
 * Budget: a short call takes four comparisons and three additions.  A free lock takes one call and
 * one comparison, and touches no data of the thread.  A timed call takes two to four clock reads,
 * two of them system calls.
 *
 * Decision: doc/decisions/waits.
 */
#ifndef CALL_WAIT_H
#define CALL_WAIT_H

#include <stdbool.h>
#include <stdint.h>

#include "call/wait_row.h"

struct unwind_state;

void wait_bind(struct wait_binding *binding, unsigned call, void *target, void *attempt);

/* Clock a call of a row that is OURS.  Returns: the function's result. */
uint64_t wait_call(unsigned call, void *target, const uint64_t words[WAIT_WORDS],
                   const struct unwind_state *caller);

#endif
