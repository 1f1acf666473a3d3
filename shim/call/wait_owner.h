/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread that holds what another one waits for, where a library keeps it.
 *
 * Safety: any thread; the caller is about to wait, and nothing is called that locks.
 * Decision: doc/decisions/waits.
 */
#ifndef CALL_WAIT_OWNER_H
#define CALL_WAIT_OWNER_H

#include <stdint.h>

/* Find who holds the lock of a call, a row of spec/waits.def.
 * Returns: its thread id for Linux; 0: not known. */
uint32_t wait_owner_find(unsigned call, uintptr_t lock);

#endif
