/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread that holds a lock, if the library stores it.
 *
 * Safety: any thread; the caller is about to wait, and no called function locks.
 * Decision: doc/decisions/waits.
 */
#ifndef CALL_WAIT_OWNER_H
#define CALL_WAIT_OWNER_H

#include <stdint.h>

/* Find the holder of the lock of a call, a row of spec/waits.def.
 * Returns: its thread id; 0: unknown. */
uint32_t wait_owner_find(unsigned call, uintptr_t lock);

#endif
