/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the module that held an address while libraries came and went.
 *
 * Every call of every chain needs it, so it is a search among sorted addresses.
 */
#ifndef MODEL_MODULES_H
#define MODEL_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct modules_range;

struct modules {
    struct modules_range *ranges; /* by their start */
    size_t count;
};

/* Take the ranges of a session's modules, which may change afterwards.
 */
void modules_init(struct modules *modules, const struct array *session_modules);

void modules_fini(struct modules *modules);

/* Find the module that holds an address and was not gone by `epoch`; the first one, if there are
 * several.
 *
 * Returns: its index in the session's modules, or SESSION_NONE.
 */
uint32_t modules_find(const struct modules *modules, uint64_t address, uint32_t epoch);

#endif
