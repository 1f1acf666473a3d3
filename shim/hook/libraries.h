/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of known libraries: call/library.h.
 *
 * Safety: under the lock of hook.c.
 */
#ifndef HOOK_LIBRARIES_H
#define HOOK_LIBRARIES_H

#include "hook/load_map.h"

/* Give the wrapper of a function.  `caller`: the object whose slot leads there, or NULL.  The calls
 * of a library to itself are its own work.
 * Returns: NULL when there is none. */
void *libraries_bind(int entry, void *target, const struct loaded *caller);

/* Look whether a new object is a known library that no slot leads to. */
void libraries_look(const struct loaded *entry);

#endif
