/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A moment of a program of this bench: a snapshot of tprof, and the program's own truth in a line
 * of JSON on standard output, at once.
 */
#ifndef BENCH_RESIDENT_MOMENT_H
#define BENCH_RESIDENT_MOMENT_H

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "tprof.h"

enum { MOMENTS = 10 };

static long moment_rss(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file && fscanf(file, "%*d %ld", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Print ", \"part\": bytes" for pairs of a name and bytes (long), up to NULL. */
static void moment_take(int number, ...)
{
    char label[16];
    const char *part;
    va_list parts;

    snprintf(label, sizeof label, "m%d", number);
    tprof_snapshot(label);
    printf("{\"label\": \"%s\", \"pid\": %d, \"rss\": %ld", label, (int)getpid(), moment_rss());
    va_start(parts, number);
    while ((part = va_arg(parts, const char *)) != NULL)
        printf(", \"%s\": %ld", part, va_arg(parts, long));
    va_end(parts);
    printf("}\n");
    fflush(stdout);
}

#endif
