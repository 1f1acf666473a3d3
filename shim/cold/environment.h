/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The environment of the process, also before libc knows it: records may come
 * from code that runs before libc's constructors.
 */
#ifndef COLD_ENVIRONMENT_H
#define COLD_ENVIRONMENT_H

/* Returns: the value of a variable, or NULL.  It stays where it is. */
const char *environment_get(const char *name);

/* Returns: the program's name without its folders; "" when that is not known. */
const char *environment_program(void);

#endif
