/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A path as a word of a shell, for commands that are shown to be typed.
 */
#ifndef PLATFORM_QUOTE_H
#define PLATFORM_QUOTE_H

#include <stddef.h>

/* Write the path, quoted where necessary, so that no shell or program takes it for an option.  It
 * is truncated at `size`, which is at least 1. */
void quote_path(const char *path, char *text, size_t size);

#endif
