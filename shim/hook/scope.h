/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Scopes: which function an object's symbol is bound to.
 */
#ifndef HOOK_SCOPE_H
#define HOOK_SCOPE_H

#include "hook/load_map.h"
#include "hot/binding.h"

/* The function that one object defines, or NULL. */
void *scope_find_in(const struct loaded *entry, const struct symbol *symbol);

/* The function that the object would be bound to, or NULL.
 * Safety: one thread at a time; the caller holds the lock of hook.c. */
void *scope_resolve(const struct loaded *entry, const struct symbol *symbol);

#endif
