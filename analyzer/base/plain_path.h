/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Paths without detours.
 */
#ifndef BASE_PLAIN_PATH_H
#define BASE_PLAIN_PATH_H

struct text;

/* Append a path without its parts "." and "..": "/src/nn.c" for "/src/build/../nn.c".  Links are
 * not followed, as the file may be on another machine. */
void plain_path_append(struct text *text, const char *path);

#endif
