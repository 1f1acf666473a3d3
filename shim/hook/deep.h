/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects opened with RTLD_DEEPBIND, and those loaded with them.  They search their own libraries
 * first, so they find libc's malloc before the shim's.
 */
#ifndef HOOK_DEEP_H
#define HOOK_DEEP_H

#include "hook/load_map.h"

/* Redirect slots of a deep object to the shim's functions, if they lead to the functions behind
 * these.  A slot that leads to another allocator is not changed.
 * Safety: under the lock of hook.c. */
void deep_redirect(struct loaded *entry);

/* Give the number of objects whose slots of the allocator could not be changed, or lead to an
 * allocator of their own. */
unsigned deep_unseen(void);

#endif
