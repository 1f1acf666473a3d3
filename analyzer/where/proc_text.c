/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading files of /proc.
 */
#include "where/proc_text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void name_path(char path[PATH_MAX], pid_t pid, pid_t tid, const char *name)
{
    if (tid)
        snprintf(path, PATH_MAX, "/proc/%d/task/%d/%s", (int)pid, (int)tid, name);
    else
        snprintf(path, PATH_MAX, "/proc/%d/%s", (int)pid, name);
}

bool proc_text_read(pid_t pid, pid_t tid, const char *name, char text[PROC_TEXT_SIZE])
{
    char path[PATH_MAX];

    name_path(path, pid, tid, name);
    text[0] = '\0';
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    ssize_t size = read(descriptor, text, PROC_TEXT_SIZE - 1);
    int error = errno;
    close(descriptor);
    errno = error;
    text[size > 0 ? size : 0] = '\0';
    return size >= 0;
}

bool proc_text_read_link(pid_t pid, const char *name, char text[PROC_TEXT_SIZE])
{
    char path[PATH_MAX];

    name_path(path, pid, 0, name);
    ssize_t size = readlink(path, text, PROC_TEXT_SIZE - 1);
    text[size > 0 ? size : 0] = '\0';
    return size >= 0;
}

enum status proc_text_append(struct text *text, pid_t pid, const char *name)
{
    char path[PATH_MAX], bytes[PROC_TEXT_SIZE];
    ssize_t size;

    name_path(path, pid, 0, name);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return STATUS_NOT_FOUND;
    while ((size = read(descriptor, bytes, sizeof bytes)) > 0)
        text_append_bytes(text, bytes, (size_t)size);
    close(descriptor);
    if (size < 0)
        return STATUS_NOT_FOUND;
    return STATUS_OK;
}

const char *proc_text_find(const char *text, const char *name)
{
    size_t size = strlen(name);

    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, size) == 0 && line[size] == ':')
            return line + size + 1 + strspn(line + size + 1, " \t");
    }
    return NULL;
}

uint64_t proc_text_number(const char *text, const char *name, uint64_t otherwise)
{
    const char *field = proc_text_find(text, name);

    return field && *field >= '0' && *field <= '9' ? strtoull(field, NULL, 10) : otherwise;
}

/* A name may have blanks and parentheses of its own: the last one ends it. */
const char *proc_text_stat(const char *text, unsigned number)
{
    enum { NAME = 2 };
    const char *field = strrchr(text, ')');

    for (unsigned i = NAME; i < number && field; i++) {
        field = strchr(field, ' ');
        field = field && field[1] ? field + 1 : NULL;
    }
    return field;
}
