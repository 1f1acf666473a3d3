/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program that `tprof run` is to start, as its file tells: whether the
 * shim can be preloaded into it, and if not, why.
 */
#ifndef LAUNCH_TARGET_H
#define LAUNCH_TARGET_H

#include <stdbool.h>
#include <stddef.h>

struct target {
    const char *obstacle; /* "it is statically linked"; NULL when there is none */
    bool must_run_alone;  /* it would not run with the shim */
    const char *library;  /* of linear algebra that it names, such as "libopenblas"; or NULL */
};

/* Look at a file.  One that cannot be read, and one that is no ELF file, has
 * no obstacle: the system or an interpreter decides.
 * Safety: the file is not trusted. */
struct target target_examine(const char *path);

/* Find what runs a script: the word behind #!, or what env is to find.
 * Returns: whether the file is a script. */
bool target_find_interpreter(const char *path, char *interpreter, size_t size);

#endif
