/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of waiting calls, and the pairs of a wrapper and a real function.
 *
 * Safety: under the lock of hook.c, except for waits_find.
 */
#ifndef HOOK_WAITS_H
#define HOOK_WAITS_H

#include <stdbool.h>

#include "hook/load_map.h"
#include "platform/attributes.h"
#include "platform/elf.h"

enum { WAITS_NONE = -1 };

/* Functions of these names that the shim exports (signal_waits.c and joining.c of interpose/). */
struct waits_standing {
    const char *name;
    void *function;
    void *const *behind; /* the function that it calls: a member of next */
};

extern const struct waits_standing waits_standing[] HIDDEN;
extern const unsigned waits_standing_count HIDDEN;

/* Make the index of names.  Called before any other. */
void waits_init(void);

/* Returns: the first row of the name, or WAITS_NONE. */
int waits_find(const char *name);

/* Give the row for calls from an object: Python uses names for its lock that others use, too. */
int waits_choose(int call, const struct loaded *caller);

/* Does the shim export this function? */
bool waits_stands(const void *function);

/* Give the wrapper of a function, bound on the first call.
 * Returns: its entry; NULL when no wrapper is free, or the function's library cannot try the
 * lock. */
void *waits_bind(int call, void *real);

#endif
