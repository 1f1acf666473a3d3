/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A calibration as a file of JSON, one a host.
 */
#ifndef MODEL_MACHINE_FILE_H
#define MODEL_MACHINE_FILE_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "model/machine.h"

enum { MACHINE_FILE_VERSION = 1 };

/* Give the path of a host's calibration: $XDG_CONFIG_HOME/tprof/machine-HOST.json, with ~/.config
 * by default.
 * Errors: STATUS_NOT_FOUND: there is no home folder, or the path is too long.
 * Safety: reads the environment. */
enum status machine_file_path(char *path, size_t size, const char *host) MUST_CHECK;

/* Read into a machine that was not initialized; after a failure it need not be finished.
 * Errors: STATUS_IO when the file cannot be read (STATUS_NOT_FOUND when there is none),
 * STATUS_CORRUPT when it is no calibration, STATUS_UNSUPPORTED for a later version. */
enum status machine_file_read(struct machine *machine, const char *path,
                              struct diagnostic *diagnostic) MUST_CHECK;

/* Append the file's text. */
void machine_file_append(const struct machine *machine, struct text *out);

/* Make the folders of a file, and check that it can be written, before anything is measured.
 * Errors: STATUS_IO. */
enum status machine_file_prepare(const char *path, struct diagnostic *diagnostic) MUST_CHECK;

/* Write the file so that readers see either the old or the new file; folders are made.
 * Errors: STATUS_IO. */
enum status machine_file_write(const struct machine *machine, const char *path,
                               struct diagnostic *diagnostic) MUST_CHECK;

#endif
