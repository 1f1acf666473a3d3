/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the module that held an address, as libraries come and go.
 *
 * Every call of every chain needs a module, so the search is among sorted addresses.
 */
#ifndef MODEL_MODULES_H
#define MODEL_MODULES_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"

struct modules_range;

struct modules {
    struct modules_range *ranges; /* sorted by their start */
    size_t count;
};

/* Copy the ranges of a session's modules, which may change later.
 */
void modules_init(struct modules *modules, const struct array *session_modules);

void modules_fini(struct modules *modules);

/* Find the module that holds an address and was still loaded at `epoch`; the first one, if there
 * are several.
 *
 * Returns: its index in the session's modules, or SESSION_NONE.
 */
uint32_t modules_find(const struct modules *modules, uint64_t address, uint32_t epoch);

#endif
