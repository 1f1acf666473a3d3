/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the small files of /proc and /sys.
 */
#ifndef PLATFORM_SMALL_FILE_H
#define PLATFORM_SMALL_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Read the first `size` - 1 bytes of a file into `text`, and end them with a zero byte.
 * Returns: how many bytes; -1 when the file cannot be read.  Safety: signal-safe. */
ssize_t small_file_read(const char *path, char *text, size_t size);

#endif
