/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each part of a path is appended, or takes the one before it away.
 */
#include "base/plain_path.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"

static bool is_part(const char *part, size_t length, const char *name)
{
    return length == strlen(name) && strncmp(part, name, length) == 0;
}

/* Returns: where the last part after `start` begins, with its slash. */
static size_t last_part(const struct text *text, size_t start)
{
    size_t at = text->size;

    while (at > start && text->bytes[at - 1] != '/')
        at--;
    return at > start ? at - 1 : start;
}

/* Take the last part away, but not one that leads up itself.  Returns: false: there is none. */
static bool leave_part(struct text *text, size_t start)
{
    const size_t last = last_part(text, start);
    const char *part = text->bytes + last + (text->bytes[last] == '/');

    if (text->size == start || strcmp(part, "..") == 0)
        return false;
    text_truncate(text, last);
    return true;
}

static void append_part(struct text *text, size_t start, bool is_absolute, const char *part,
                        size_t length)
{
    if (length == 0 || is_part(part, length, "."))
        return;
    if (is_part(part, length, "..") && (leave_part(text, start) || is_absolute))
        return;
    if (text->size > start || is_absolute)
        text_append(text, "/");
    text_append_bytes(text, part, length);
}

void plain_path_append(struct text *text, const char *path)
{
    const bool is_absolute = *path == '/';
    const size_t start = text->size;

    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        append_part(text, start, is_absolute, path, length);
    }
    if (text->size == start && is_absolute)
        text_append(text, "/");
}
