/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Small files of /proc and /sys that say something in one line.
 */
#ifndef MACHINE_FIRST_LINE_H
#define MACHINE_FIRST_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Read the first line of a file, without its end.  Returns: false when there is none. */
bool first_line_read(const char *path, char *line, size_t size);

#endif
