/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading options by getopt_long from the rows of a table.
 */
#include "cmd/plain_options.h"

#include <assert.h>
#include <getopt.h>

#include "cmd/cmd.h"

/* The tables that getopt_long wants: a row without a letter has its number beyond letters. */
static void describe(const struct plain_options *plain, struct option *names, char *letters)
{
    *letters++ = ':';
    for (size_t i = 0; i < plain->count; i++) {
        const struct plain_option *row = &plain->rows[i];

        names[i] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
                                   row->letter ? row->letter : CMD_BEYOND_LETTERS + (int)i};
        if (!row->letter)
            continue;
        *letters++ = (char)row->letter;
        if (row->argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

/* Returns: the row that getopt found, or their number. */
static size_t find(const struct plain_options *plain, int found)
{
    size_t row = 0;

    if (found >= CMD_BEYOND_LETTERS)
        return (size_t)(found - CMD_BEYOND_LETTERS);
    while (row < plain->count && plain->rows[row].letter != found)
        row++;
    return row;
}

enum status plain_options_read(const struct plain_options *plain, int argc, char **argv,
                               struct diagnostic *diagnostic)
{
    struct option names[PLAIN_OPTIONS_MOST + 1] = {{0}};
    char letters[2 * PLAIN_OPTIONS_MOST + 2];
    enum status status = STATUS_OK;
    int found;

    assert(plain->count <= PLAIN_OPTIONS_MOST);
    describe(plain, names, letters);
    optind = 1;
    opterr = 0;
    while (!status && (found = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        size_t row = find(plain, found);

        status = row < plain->count ? plain->read(plain->of, row, optarg, diagnostic)
                                    : cmd_refuse_option(found, argv, diagnostic);
    }
    return status;
}

void plain_options_print(const struct plain_option *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        cmd_print_option(rows[i].letter, rows[i].name, rows[i].argument, rows[i].help);
}
