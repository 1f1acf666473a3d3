/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Expansion of the output path.
 */
#include "record/path.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/environment.h"
#include "platform/quote.h"
#include "record/settings.h"

enum { ROOM_FOR_A_NUMBER = 8 };

static char directory[PATH_MAX];
static const char *rank;

/* The rank, from the variables of the common launchers. */
static const char *find_rank(void)
{
    static const char *const variables[] = {
#define RANK(variable) variable,
#include "spec/ranks.def"
#undef RANK
    };

    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *value = environment_get(variables[i]);

        if (value && value[0] != '\0')
            return value;
    }
    return "0";
}

void path_init(void)
{
    if (!calls_getcwd(directory, sizeof directory))
        directory[0] = '\0';
    rank = find_rank();
}

static void append(char *path, size_t size, const char *text, size_t length)
{
    size_t used = strlen(path);

    if (length >= size - used)
        length = size - used - 1;
    memcpy(path + used, text, length);
    path[used + length] = '\0';
}

static void append_code(char *path, size_t size, char code)
{
    char text[HOST_NAME_MAX + 1] = "";

    switch (code) {
    case 'e': append(path, size, environment_program(), strlen(environment_program())); return;
    case 'p': snprintf(text, sizeof text, "%d", calls_getpid()); break;
    case 'h': gethostname(text, sizeof text - 1); break;
    case 'r': snprintf(text, sizeof text, "%s", rank); break;
    default: text[0] = code; break;
    }
    append(path, size, text, strlen(text));
}

void path_expand(char *path, size_t size)
{
    const char *pattern = settings.text[SETTING_OUTPUT];

    size -= ROOM_FOR_A_NUMBER;
    path[0] = '\0';
    if (pattern[0] != '/' && directory[0] != '\0') {
        append(path, size, directory, strlen(directory));
        append(path, size, "/", 1);
    }
    for (; *pattern; pattern++) {
        if (*pattern == '%' && pattern[1] != '\0')
            append_code(path, size, *++pattern);
        else
            append(path, size, pattern, 1);
    }
}

/* A path below the directory is shown relative to it. */
static const char *skip_directory(const char *path)
{
    size_t length = strlen(directory);
    bool is_below = length > 0 && strncmp(path, directory, length) == 0 && path[length] == '/';

    return is_below ? path + length + 1 : path;
}

void path_quote(const char *path, char *text, size_t size)
{
    quote_path(skip_directory(path), text, size);
}

const char *path_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}
