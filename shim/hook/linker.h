/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * dl_iterate_phdr, but safe after a fork that left the linker's lock taken.
 *
 * In a forked child glibc frees the locks of malloc and stdio, but not the linker's.  One thread
 * may read the load map while another forks; the child would then wait for ever at its own next
 * visit, in _exit or before an exec.  So threads are counted on their way in and out.  A child
 * whose count includes a thread that it does not have makes no more visits: it knows only its
 * parent's libraries.
 */
#ifndef HOOK_LINKER_H
#define HOOK_LINKER_H

#include <link.h>
#include <stdbool.h>

/* Returns: false without memory. */
bool linker_init(void);

/* Visit the loaded objects by dl_iterate_phdr, or none.
 * Safety: any thread; takes the linker's lock, which the thread may already hold. */
void linker_visit(int (*visit)(struct dl_phdr_info *info, size_t size, void *of), void *of);

#endif
