/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The names of weights.
 */
#include "cmd/weight.h"

#include <string.h>

#include "base/text.h"

static enum status refuse(const char *command, const char *named, struct diagnostic *diagnostic)
{
    enum status status;
    struct text text;

    text_init(&text);
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        text_append_choice(&text, export_weight_at(i)->name, i, i + 1 == EXPORT_WEIGHTS);
    status = diagnostic_set(diagnostic, STATUS_USAGE, "%s: --weight %.60s: expected %s", command,
                            named, text.bytes);
    text_fini(&text);
    return status;
}

enum status weight_read(const char *command, const char *text, enum export_weight *weight,
                        struct diagnostic *diagnostic)
{
    for (*weight = 0; *weight < EXPORT_WEIGHTS; (*weight)++)
        if (strcmp(export_weight_at(*weight)->name, text) == 0)
            return STATUS_OK;
    return refuse(command, text, diagnostic);
}
