/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The thread that has the lock of the Python interpreter.
 *
 * Decision: doc/decisions/waits.
 */
#ifndef PYTHON_HOLDER_H
#define PYTHON_HOLDER_H

#include <stdint.h>

/* Find the holder of the lock whose condition variable this thread is about to wait for.  The
 * thread holds the mutex of that condition variable, so the holder cannot release the lock
 * meanwhile.  Its frames are not read: they change while it runs.
 * Returns: its thread id; 0: unknown.
 * Budget: two system calls. */
uint32_t python_find_holder(uintptr_t condition);

#endif
