/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bindings: pairs of a clone and a real function.
 *
 * Safety: changed only under the lock of hook.c.  A binding is never undone.
 */
#ifndef HOOK_BINDINGS_H
#define HOOK_BINDINGS_H

#include <stdatomic.h>

#include "call/binding.h"

enum { BINDINGS_MAX = 16384 };

/* In the order of their making, with the number of complete ones. */
extern struct binding *bindings[];
extern atomic_uint bindings_count;

/* Give the binding of a symbol to a function, made on the first call.
 * Returns: NULL when no clone of its form is free. */
struct binding *bindings_get(const struct symbol *symbol, void *target);

/* Give the wrapper's entry. */
void *bindings_entry(const struct binding *binding);

/* Give the address of the wrapper on call chains. */
const void *bindings_mark(const struct binding *binding);

/* Choose a row for a function.  A row may require a library: bare names such as sgemm are kernels
 * only there.
 * Returns: the first row of the name, from this one on, that requires no library or the function's
 * own; NULL when there is none. */
const struct symbol *bindings_choose(const struct symbol *row, const char *name,
                                     const void *target);

#endif
