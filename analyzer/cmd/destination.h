/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The destination of output: never a file that was read; its own file appears whole or not at all.
 */
#ifndef CMD_DESTINATION_H
#define CMD_DESTINATION_H

#include <stdbool.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"

/* Remember a file that is read.  Pipes and devices lose nothing. */
void destination_note_input(const char *path);

/* Whether a name means standard output: NULL, "-", /dev/stdout or its file. */
bool destination_is_standard(const char *path);

/* Check, before the work starts, whether output may go to a path.
 * Errors: STATUS_IO where an input would be lost, or a file that may not be overwritten. */
enum status destination_check(const char *path, bool may_overwrite,
                              struct diagnostic *diagnostic) MUST_CHECK;

/* The same for a copy that replaces a file: no pipe, no device.
 * Errors: those, and STATUS_USAGE. */
enum status destination_check_file(const char *path, bool may_overwrite,
                                   struct diagnostic *diagnostic) MUST_CHECK;

/* Open it, or standard output.  Errors: those of destination_check. */
enum status destination_open(FILE **out, const char *path, bool may_overwrite,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Close the opened file, which then appears at its path, unless `status` is a failure or bytes were
 * lost.
 * Returns: `status`, or STATUS_IO. */
enum status destination_close(FILE *out, enum status status, const char *path,
                              struct diagnostic *diagnostic) MUST_CHECK;

/* Returns: the path of the file that was closed last, once it is whole; NULL: there is none. */
const char *destination_written(void);

#endif
