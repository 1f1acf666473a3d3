/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects opened with RTLD_DEEPBIND, and those loaded with them.  They search their own
 * libraries first, and so find libc's malloc before ours.
 */
#ifndef HOOK_DEEP_H
#define HOOK_DEEP_H

#include "hook/load_map.h"

/* Point the slots of a deep object that lead to the functions behind ours at
 * ours.  A slot that leads to another allocator is left alone.
 * Safety: under the lock of hook.c. */
void deep_redirect(struct loaded *entry);

/* How many objects have slots of the allocator that could not be changed, or that lead to an
 * allocator of their own. */
unsigned deep_unseen(void);

#endif
