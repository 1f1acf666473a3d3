/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file of JSON as a tree.
 */
#ifndef RUNS_JSON_FILE_H
#define RUNS_JSON_FILE_H

#include <jansson.h>

#include "base/attributes.h"
#include "base/status.h"

/* Read a file; `expected` names its contents, for the diagnostic of a file that is no JSON.
 * Errors: STATUS_IO, STATUS_CORRUPT with a diagnostic that names line and column. */
enum status json_file_load(json_t **root, const char *path, const char *expected,
                           struct diagnostic *diagnostic) MUST_CHECK;

#endif
