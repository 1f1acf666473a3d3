/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words of a row about its commands and its argument.
 */
#include "options/option.h"

#include <string.h>

bool option_list_has(const char *list, const char *word)
{
    size_t size = strlen(word);

    while (*list) {
        size_t length = strcspn(list, " ");

        if (length == size && strncmp(list, word, size) == 0)
            return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

static const char all_but[] = "but ";

bool option_is_common(const struct option_row *row)
{
    return row->commands && strncmp(row->commands, all_but, sizeof all_but - 1) == 0;
}

bool option_is_of(const struct option_row *row, const char *command)
{
    if (option_is_common(row))
        return !option_list_has(row->commands + sizeof all_but - 1, command);
    return !row->commands || option_list_has(row->commands, command);
}

bool option_may_stand_alone(const struct option_row *row)
{
    return row->argument && strncmp(row->argument, "[=", 2) == 0;
}
