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

/* The address that stands for the wrapper on call chains. */
const void *bindings_mark(const struct binding *binding);

/* Choose a row for a function.  A row may ask for a library: bare names such as sgemm are kernels
 * only there.  Returns: the first row of the name, from this one on, that asks for no library or
 * for the one of the function; NULL when there is none. */
const struct symbol *bindings_choose(const struct symbol *row, const char *name,
                                     const void *target);

#endif
