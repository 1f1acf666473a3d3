/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name of the trace: TPROF_OUTPUT with its %e %p %h %r filled in.
 */
#ifndef RECORD_PATH_H
#define RECORD_PATH_H

#include <stddef.h>

/* Remember the working directory and the rank: the program may change them. */
void path_init(void);

/* Write the absolute path for this process into `path`; it ends in a zero byte and is truncated at
 * `size`, with room left for a number. */
void path_expand(char *path, size_t size);

/* Write a path of path_expand as a word for a shell in the program's first directory: in the form
 * of TPROF_OUTPUT, quoted where necessary.  The text is truncated at `size`. */
void path_quote(const char *path, char *text, size_t size);

/* Give the last part of a path. */
const char *path_base_name(const char *path);

#endif
