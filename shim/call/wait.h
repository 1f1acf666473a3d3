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

#include "call/wait_row.h"

struct unwind_state;

void wait_bind(struct wait_binding *binding, unsigned call, void *target, void *attempt);

/* Clock a call of a row that is OURS.  Returns: the function's result. */
uint64_t wait_call(unsigned call, void *target, const uint64_t words[WAIT_WORDS],
                   const struct unwind_state *caller);

#endif
