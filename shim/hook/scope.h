/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scopes: find the function that an object's symbol is bound to.
 */
#ifndef HOOK_SCOPE_H
#define HOOK_SCOPE_H

#include "hook/load_map.h"

/* The function that one object defines, or NULL. */
void *scope_find_in(const struct loaded *entry, const struct elf_name *name);

/* Ask whether a slot that holds this value still leads into the object's own PLT.  A lazy slot does
 * until its first call; afterwards only a symbol that the object defines may be there. */
bool scope_is_unresolved(const struct loaded *entry, const struct elf_name *name, uintptr_t value);

/* The function that the object would be bound to, or NULL.
 * Safety: one thread at a time; the caller holds the lock of hook.c. */
void *scope_resolve(const struct loaded *entry, const struct elf_name *name);

/* Find the next function after the object, in the order of the objects loaded with it, as for
 * RTLD_NEXT; or NULL.  Safety: as above. */
void *scope_resolve_next(const struct loaded *entry, const struct elf_name *name);

#endif
