/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Loaded objects and their unwind tables, for a C library that has no answer in a signal handler:
 * glibc before 2.35, and musl.  Their list is under a lock that the interrupted code, or who waits
 * for it, may hold.
 *
 *                                   objects_add, _remove    objects_find
 *     objects_add, _remove          X                       -
 *     objects_find                  -                       -
 *
 * X: under the lock of the load map.
 *
 * Decision: doc/decisions/old-and-other-libcs.
 */
#ifndef UNWIND_OBJECTS_H
#define UNWIND_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/attributes.h"

enum { OBJECTS_MAX = 4096 };

/* Is this thread in a signal handler, or does it hold a lock?  Then it asks this table alone. */
extern _Thread_local bool objects_alone INITIAL_EXEC;

/* Did a search that asked this table alone not find the address?  The object may still be unknown.
 * The searcher clears it before. */
extern _Thread_local bool objects_missed INITIAL_EXEC;

/* Add an object by its executable addresses.  `header`: its .eh_frame_hdr, or NULL. */
void objects_add(uintptr_t start, uintptr_t end, const void *header);

/* Remove the object that starts there, if it is known. */
void objects_remove(uintptr_t start);

/* Around a dlclose: nobody knows which objects it unmaps, so none is found meanwhile. */
void objects_begin_removal(void);
void objects_end_removal(void);

/* Find the object that has this code.  Safety: any time; takes no lock. */
bool objects_find(uintptr_t pc, const void **header);

#endif
