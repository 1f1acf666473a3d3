/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Quoting for a shell.  In libtprof.so and in tprof: it allocates nothing.
 */
#include "platform/quote.h"

#include <string.h>

static void append(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    size_t length = strnlen(more, size - used - 1);

    memcpy(text + used, more, length);
    text[used + length] = '\0';
}

void quote_path(const char *path, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "._-/+,:=@%";
    const char *quote = path[strspn(path, plain)] == '\0' ? "" : "'";

    text[0] = '\0';
    if (path[0] == '-')
        append(text, size, "./");
    append(text, size, quote);
    for (; *path; path++)
        append(text, size, *path == '\'' ? "'\\''" : (const char[]){*path, '\0'});
    append(text, size, quote);
}
