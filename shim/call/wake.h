/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wrappers of the calls that wake threads: the rows of spec/waits.def whose result is WAKES.
 *
 * If a thread has waited long for the address, a record has the waking thread and its call chain.
 * The analyzer finds the wait that it ended.
 *
 * Budget: without a waiting thread, awaited_is and a jump.  Otherwise a clock read, and after a
 * long wait a call chain and 24 bytes.
 *
 * Safety: any thread, in a signal handler, too: sem_post may be called in one.
 * Decision: doc/decisions/wakes.
 */
#ifndef CALL_WAKE_H
#define CALL_WAKE_H

#include "call/wait_row.h"
#include "platform/attributes.h"

extern const struct wait_pool wake_pool HIDDEN;

#endif
