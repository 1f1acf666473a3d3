/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process by /proc/PID/stat.  Source: proc_pid_stat(5).
 */
#include "live/live_process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { HOST_SIZE = 256 };

static const double second = 1e9;

/* Fields of /proc/PID/stat behind the name, which may have spaces: from the third on. */
enum { STAT_USER = 11, STAT_SYSTEM = 12, STAT_START = 19, STAT_FIELDS = 20 };

static bool read_stat(uint32_t pid, double fields[STAT_FIELDS])
{
    char path[64], line[1024];
    const char *rest;
    FILE *file;
    bool is_read;

    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    file = fopen(path, "re");
    is_read = file && fgets(line, sizeof line, file);
    if (file)
        fclose(file);
    rest = is_read ? strrchr(line, ')') : NULL;
    if (!rest || strlen(rest) < 4 || rest[2] == 'Z')
        return false;
    rest += 3; /* behind the state */
    for (int i = 1; i < STAT_FIELDS; i++) {
        char *end;

        fields[i] = strtod(rest, &end);
        if (end == rest)
            return false;
        rest = end;
    }
    return true;
}

static bool is_same_process(const struct trace_header *header, const double fields[STAT_FIELDS])
{
    struct timespec boot, mono;
    double slept_ns, start_ns;

    clock_gettime(CLOCK_BOOTTIME, &boot);
    clock_gettime(CLOCK_MONOTONIC, &mono);
    slept_ns = (double)(boot.tv_sec - mono.tv_sec) * second + (double)(boot.tv_nsec - mono.tv_nsec);
    start_ns = fields[STAT_START] / (double)sysconf(_SC_CLK_TCK) * second - slept_ns;
    return start_ns <= (double)header->start.monotonic_ns + second;
}

bool live_process_is_own_host(const char *host)
{
    char own[HOST_SIZE];

    return host && gethostname(own, sizeof own) == 0 && strncmp(own, host, sizeof own) == 0;
}

bool live_process_has_ended(const struct trace_header *header)
{
    return header->ending != TRACE_RUNNING || header->waited == 1;
}

bool live_process_runs(const struct trace_header *header, double *cpu_ns)
{
    double fields[STAT_FIELDS];

    if (!read_stat(header->pid, fields) || !is_same_process(header, fields))
        return false;
    *cpu_ns = (fields[STAT_USER] + fields[STAT_SYSTEM]) / (double)sysconf(_SC_CLK_TCK) * second;
    return true;
}
