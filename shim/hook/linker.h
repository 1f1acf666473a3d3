/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dl_iterate_phdr, but where the linker's lock may be held by nobody.
 *
 * In a forked child glibc frees the locks of malloc and stdio, but not this one.  A thread of ours
 * may read the load map while another forks; the child would wait for ever at its own next look,
 * in _exit or before an exec.  So threads are counted on their way in and out.  Where a child
 * finds one that it does not have, it looks no more: its libraries are those that its parent knew.
 */
#ifndef HOOK_LINKER_H
#define HOOK_LINKER_H

#include <link.h>
#include <stdbool.h>

/* Returns: false without memory. */
bool linker_init(void);

/* Visit the loaded objects as dl_iterate_phdr does, or none.
 * Safety: any thread; takes the linker's lock, that may be held already. */
void linker_visit(int (*visit)(struct dl_phdr_info *info, size_t size, void *of), void *of);

#endif
