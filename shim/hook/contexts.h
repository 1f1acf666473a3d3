/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects that publish the context of threads: record/thread_context.h.
 *
 * Safety: under the lock of hook.c.
 */
#ifndef HOOK_CONTEXTS_H
#define HOOK_CONTEXTS_H

#include "hook/load_map.h"

/* Look whether a new object does. */
void contexts_look(const struct loaded *entry);

#endif
