/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The files that a process has mapped, and which of them is a trace of it.
 */
#include "live/live_find.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reader/reader.h"

/* A file in a container has its path there. */
static bool is_trace_of(pid_t pid, const char *mapped, char path[PATH_MAX])
{
    char other[PATH_MAX];
    struct trace_header header;

    if (strlen(mapped) + 32 > PATH_MAX)
        return false;
    snprintf(path, PATH_MAX, "%s", mapped);
    if (reader_peek(path, &header) && header.pid == (uint32_t)pid)
        return true;
    snprintf(other, sizeof other, "/proc/%d/root%.*s", (int)pid, PATH_MAX - 32, mapped);
    snprintf(path, PATH_MAX, "%s", other);
    return reader_peek(path, &header) && header.ending == TRACE_RUNNING;
}

/* A line of maps: addresses, rights, offset, device, inode, path.  A trace is mapped to be
 * written. */
static const char *mapped_path(char *line)
{
    char rights[8];
    unsigned long long offset;
    int at = 0;

    if (sscanf(line, "%*s %7s %llx %*s %*s %n", rights, &offset, &at) < 2 || at == 0 ||
        line[at] != '/' || strcmp(rights, "rw-s") != 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line + at;
}

static bool search(FILE *maps, pid_t pid, char path[PATH_MAX])
{
    char *line = NULL, last[PATH_MAX] = "";
    size_t size = 0;
    bool is_found = false;

    while (!is_found && getline(&line, &size, maps) > 0) {
        const char *mapped = mapped_path(line);

        if (!mapped || strcmp(mapped, last) == 0 || strlen(mapped) >= sizeof last)
            continue;
        strcpy(last, mapped);
        is_found = is_trace_of(pid, mapped, path);
    }
    free(line);
    return is_found;
}

enum status live_find_trace(pid_t pid, char path[PATH_MAX], struct diagnostic *diagnostic)
{
    char maps_path[64];
    bool is_found;
    FILE *maps;

    snprintf(maps_path, sizeof maps_path, "/proc/%d/maps", (int)pid);
    maps = fopen(maps_path, "re");
    if (!maps)
        return diagnostic_set(diagnostic, STATUS_IO,
                              errno == ENOENT ? "live: there is no process %d"
                                              : "live: what process %d has mapped may not be read",
                              (int)pid);
    is_found = search(maps, pid, path);
    fclose(maps);
    if (!is_found)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "live: process %d writes no trace: start it with tprof run; tprof "
                              "where %d shows its calls without one",
                              (int)pid, (int)pid);
    return STATUS_OK;
}
