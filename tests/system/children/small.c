/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A child that does little before it does something that is recorded, and its truth.
 *
 * usage: small [fork] region|wait|large|blocks|compute|nothing
 */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tprof.h"

enum { FEW = 30, FREED_OF = 3, SIZE = 100, LARGE = 1 << 20, MANY = 3000, NAP_NS = 5000000 };

static void *blocks[MANY];
static uint64_t allocations, frees, live;
static volatile double sink;

static void obtain(unsigned place, size_t size)
{
    blocks[place] = malloc(size);
    allocations++;
    live += malloc_usable_size(blocks[place]);
}

static void give_back(unsigned place)
{
    live -= malloc_usable_size(blocks[place]);
    frees++;
    free(blocks[place]);
}

static void make_few(void)
{
    for (unsigned i = 0; i < FEW; i++)
        obtain(i, SIZE * (i + 1));
    for (unsigned i = 0; i < FEW; i += FREED_OF)
        give_back(i);
}

static void nap(void)
{
    const struct timespec time = {.tv_nsec = NAP_NS};

    nanosleep(&time, NULL);
}

static void mark(void)
{
    tprof_region_begin("marked");
    tprof_region_end("marked");
}

/* A quarter of a second without any call. */
static void compute(void)
{
    const clock_t end = clock() + CLOCKS_PER_SEC / 4;

    while (clock() < end)
        for (int i = 0; i < 1000000; i++)
            sink = sink + i;
}

static void act(const char *what)
{
    if (strcmp(what, "nothing") == 0)
        return;
    if (strcmp(what, "wait") == 0)
        nap();
    if (strcmp(what, "large") == 0)
        obtain(FEW, LARGE);
    for (unsigned i = FEW; i < MANY && strcmp(what, "blocks") == 0; i++)
        obtain(i, SIZE);
    if (strcmp(what, "compute") == 0)
        compute();
    else
        mark();
}

/* Printing would make blocks of its own. */
static void tell(void)
{
    char text[200];
    int size = snprintf(text, sizeof text, "truth: allocations %lu frees %lu live %lu\n",
                        (unsigned long)allocations, (unsigned long)frees, (unsigned long)live);

    if (write(STDOUT_FILENO, text, (size_t)size) != size)
        exit(1);
}

int main(int argc, char **argv)
{
    const char *what = argv[argc - 1];

    if (argc == 3 && fork() != 0) {
        wait(NULL);
        return 0;
    }
    make_few();
    act(what);
    tell();
    return 0;
}
