/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The handlers.
 */
#include "handler.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAKED = 1000, NAP_NS = 20000000, SPIN_NS = 2000000 };

void *volatile kept; /* not static, so that it is not optimized away */

static uint64_t read_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void nap(void)
{
    const struct timespec span = {.tv_nsec = NAP_NS};

    nanosleep(&span, NULL);
}

static void spin(void)
{
    uint64_t from = read_clock();

    while (read_clock() - from < SPIN_NS)
        ;
}

/* A path may be a wrong address. */
int serve(int connection, const char *path)
{
    if ((uintptr_t)path < 4096)
        return connection;
    if (strcmp(path, "/nap") == 0)
        nap();
    if (strcmp(path, "/spin") == 0)
        spin();
    if (strcmp(path, "/leak") == 0)
        kept = malloc(LEAKED);
    return connection;
}

void with_kind(short kind, void (*act)(int), int argument)
{
    (void)kind;
    act(argument);
}

void plainly(double factor, unsigned long id, void (*act)(int), int argument)
{
    (void)factor;
    (void)id;
    act(argument);
}

void any_one(void (*act)(int), int argument)
{
    act(argument);
}

void any_two(void (*act)(int), int argument)
{
    act(argument);
}
