/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The environment of the process, even before libc knows it: records may come from code that runs
 * before libc's constructors.
 */
#ifndef PLATFORM_ENVIRONMENT_H
#define PLATFORM_ENVIRONMENT_H

#include <stddef.h>

/* Returns: a copy of a variable's value, or NULL.  The copy is never freed: ask once. */
const char *environment_get(const char *name);

/* Call `visit` for each NAME=VALUE. */
void environment_each(void (*visit)(const char *text));

/* Returns: the program's name without its folders, from the first call; "" when unknown. */
const char *environment_program(void);

/* Write the path of the program's own file, from the first call; "" when unknown. */
void environment_program_path(char *path, size_t size);

#endif
