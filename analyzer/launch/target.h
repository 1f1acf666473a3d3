/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Examines the file of a program before `tprof run` starts it: whether the shim can be preloaded,
 * or why not.
 */
#ifndef LAUNCH_TARGET_H
#define LAUNCH_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct target {
    const char *obstacle; /* "it is statically linked"; NULL: there is none */
    bool must_run_alone;  /* it would fail under the shim */
    const char *library;  /* the linear algebra library that it needs, such as "libopenblas"; or
                             NULL */
};

/* Examine a file.  An unreadable file and one that is not ELF have no obstacle:
 * the system or an interpreter decides.
 * Safety: the file is not trusted. */
struct target target_examine(const char *path);

/* Find the interpreter of a script: the word after #!, or the program that env looks for.
 * Returns: whether the file is a script. */
bool target_find_interpreter(const char *path, char *interpreter, size_t size);

#endif
