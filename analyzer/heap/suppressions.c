/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading suppressions.
 */
#include "heap/suppressions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const char blanks[] = " \t\r\n";

/* Cut the blanks from both ends. */
static char *trim(char *line)
{
    size_t size;

    line += strspn(line, blanks);
    size = strlen(line);
    while (size > 0 && strchr(blanks, line[size - 1]))
        size--;
    line[size] = '\0';
    return line;
}

static void add(struct suppressions *suppressions, const char *pattern)
{
    struct suppression *suppression = array_add(&suppressions->rows);

    suppression->pattern = memory_copy(pattern);
}

/* The file and line of a suppression. */
struct source {
    const char *path;
    unsigned line;
};

static enum status read_line(struct suppressions *suppressions, char *line,
                             const struct source *source, struct diagnostic *diagnostic)
{
    static const char kind[] = "leak:";
    const char *text = trim(line);

    if (text[0] == '\0' || text[0] == '#')
        return STATUS_OK;
    if (strncmp(text, kind, sizeof kind - 1) != 0 || text[sizeof kind - 1] == '\0')
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s:%u: expected leak:PATTERN, found \"%.60s\"", source->path,
                              source->line, text);
    add(suppressions, text + sizeof kind - 1);
    return STATUS_OK;
}

enum status suppressions_init(struct suppressions *suppressions, FILE *file, const char *path,
                              struct diagnostic *diagnostic)
{
    struct source source = {path, 0};
    enum status status = STATUS_OK;
    size_t capacity = 0;
    char *line = NULL;

    array_init(&suppressions->rows, sizeof(struct suppression));
    while (!status && getline(&line, &capacity, file) >= 0) {
        source.line++;
        status = read_line(suppressions, line, &source, diagnostic);
    }
    free(line);
    if (!status && ferror(file))
        status = diagnostic_set(diagnostic, STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    if (status)
        suppressions_fini(suppressions);
    return status;
}

void suppressions_fini(struct suppressions *suppressions)
{
    for (size_t i = 0; i < suppressions->rows.count; i++)
        free(((struct suppression *)array_at(&suppressions->rows, i))->pattern);
    array_fini(&suppressions->rows);
}
