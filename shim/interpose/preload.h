/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * LD_PRELOAD for programs that cannot load this library, because they are for another machine or
 * their user cannot read the library.  Their dynamic linker would print a line about it.  Static
 * programs count, too: one may run another program inside itself, as valgrind does.
 *
 * Safety: that of program_file.h. The caller's environment is read, and never changed.
 */
#ifndef INTERPOSE_PRELOAD_H
#define INTERPOSE_PRELOAD_H

#include <stddef.h>

#include "platform/program_file.h"

/* The copy of an environment; a size of 0: none is needed. */
struct preload_copy {
    size_t count; /* entries */
    size_t size;  /* bytes */
};

/* Ask whether the program can load this library, if the environment has it. */
struct preload_copy preload_plan_copy(const struct program_file *file, char *const *environment);

/* Copy the environment without this library; other libraries stay, in order.
 * Returns: the array, which is in `room`. */
char *const *preload_leave_out(struct preload_copy copy, char *const *environment, void *room);

#endif
