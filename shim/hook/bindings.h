/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bindings: which clone stands for which real function.
 *
 * Safety: changed under the lock of hook.c alone.  A binding is never undone.
 */
#ifndef HOOK_BINDINGS_H
#define HOOK_BINDINGS_H

#include <stdatomic.h>

#include "call/binding.h"

enum { BINDINGS_MAX = 16384 };

/* In the order in which they were made; the count is of those that are complete. */
extern struct binding *bindings[];
extern atomic_uint bindings_count;

/* The binding of a symbol to a function, made if there is none yet.
 * Returns: NULL when no clone of its form is free. */
struct binding *bindings_get(const struct symbol *symbol, void *target);

/* The wrapper's entry. */
void *bindings_entry(const struct binding *binding);

/* Where on call chains the wrapper is. */
const void *bindings_mark(const struct binding *binding);

/* A kernel may ask for a library: bare names such as sgemm are kernels only there.
 * Returns: of the rows of a name, from this one on, the first that asks for none or for
 * the one that holds the function; NULL when none does. */
const struct symbol *bindings_choose(const struct symbol *row, const char *name,
                                     const void *target);

#endif
