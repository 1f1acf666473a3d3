/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which module held an address, when libraries came and went.
 *
 * Asked for every call of every chain, so it is a search among sorted
 * addresses.
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

/* Find the module that holds an address and was not gone by `epoch`; of several
 * the one that was seen first.
 *
 * Returns: its index in the session's modules, or SESSION_NONE.
 */
uint32_t modules_find(const struct modules *modules, uint64_t address, uint32_t epoch);

#endif
