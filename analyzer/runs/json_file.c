/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON files.  If two members have the same name, either may be wrong, so such a file is refused.
 */
#include "runs/json_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum status json_file_load(json_t **root, const char *path, const char *expected,
                           struct diagnostic *diagnostic)
{
    json_error_t error;
    FILE *file = fopen(path, "re");

    if (!file)
        return diagnostic_set(diagnostic, STATUS_IO, "cannot read %.200s: %s", path,
                              strerror(errno));
    *root = json_loadf(file, JSON_REJECT_DUPLICATES, &error);
    fclose(file);
    if (*root)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_CORRUPT, "%.200s:%d:%d: expected %s: %.150s", path,
                          error.line, error.column, expected, error.text);
}
