/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Taking a command's own options out of its arguments.
 */
#include "cmd/own_options.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/cmd.h"

/* Returns: the row that a word names, or their number. */
static size_t find(const struct own_options *own, const char *name, size_t length)
{
    size_t row = 0;

    while (row < own->count &&
           (strncmp(own->rows[row].name, name, length) != 0 || own->rows[row].name[length] != '\0'))
        row++;
    return row;
}

/* Read the option that may stand at a place.
 * Returns: how many words it took; 0 when it is none of ours. */
static int take(const struct own_options *own, char **argv, enum status *status,
                struct diagnostic *diagnostic)
{
    const char *name = argv[0] + 2;
    size_t length = strcspn(name, "=");
    const char *text = name[length] == '=' ? name + length + 1 : NULL;
    size_t row = strncmp(argv[0], "--", 2) == 0 ? find(own, name, length) : own->count;
    bool has_value, may_have_value;

    if (row == own->count || length == 0)
        return 0;
    may_have_value = own->rows[row].argument &&
                     cmd_may_leave_out(own->rows[row].argument);
    has_value = own->rows[row].argument && !may_have_value;
    if (may_have_value)
        has_value = text != NULL;
    else if (has_value ? !text && !argv[1] : text != NULL) {
        *status = diagnostic_set(diagnostic, STATUS_USAGE,
                                 "%s: --%s %s; tprof %s --help lists the "
                                 "options",
                                 own->command, own->rows[row].name,
                                 has_value ? "needs a value" : "takes no value", own->command);
        return 1;
    }
    *status = own->read(own->of, row, has_value && !text ? argv[1] : text, diagnostic);
    return has_value && !text ? 2 : 1;
}

enum status own_options_take(const struct own_options *own, int argc, char **argv,
                             struct own_rest *rest, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    int place = 1;

    *rest = (struct own_rest){0, memory_get_zeros((size_t)argc + 1, sizeof *rest->words)};
    rest->words[rest->count++] = argv[0];
    while (place < argc && !status && strcmp(argv[place], "--") != 0) {
        int taken = take(own, argv + place, &status, diagnostic);

        if (taken == 0)
            rest->words[rest->count++] = argv[place++];
        place += taken;
    }
    while (place < argc)
        rest->words[rest->count++] = argv[place++];
    return status;
}

void own_rest_free(struct own_rest *rest)
{
    free(rest->words);
}

void own_options_print(const struct own_options *own)
{
    for (size_t i = 0; i < own->count; i++)
        cmd_print_option(0, own->rows[i].name, own->rows[i].argument, own->rows[i].help);
}

enum status own_options_number(const struct own_option *option, const char *text, double *number,
                               struct diagnostic *diagnostic)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !isfinite(value) || value <= 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--%s %.40s: expected a number above 0",
                              option->name, text);
    *number = value;
    return STATUS_OK;
}
