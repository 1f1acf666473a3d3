/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that run for long, and print their own truth:
 *
 *     long_run pairs COUNT                      pairs of malloc and free, as fast as they go
 *     long_run paced PAIRS SECONDS              so many pairs a second
 *     long_run leak LEAK TRAFFIC SECONDS        bytes a second that leak, and that come and go
 *
 * Each line is a name and a number.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RING = 1024, SIZES = 64, TICK_NS = 10000000, LEAK_SIZE = 256 };

#define APART __attribute__((noinline, noclone))

static void *ring[RING];

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void *touched(size_t size)
{
    char *block = malloc(size);

    if (!block)
        exit(1);
    *(volatile char *)block = 1;
    return block;
}

/* Sites of blocks that come and go. */
static APART void *make_small(uint64_t i)
{
    return touched(16 + 8 * (i % SIZES));
}

static APART void *make_row(uint64_t i)
{
    return touched(1024 + 64 * (i % SIZES));
}

static APART void *make_large(uint64_t i)
{
    return touched(16384 + 1024 * (i % SIZES));
}

/* The site that keeps its blocks. */
static APART void *keep_for_ever(void)
{
    return touched(LEAK_SIZE);
}

static void put(uint64_t i, void *block)
{
    free(ring[i % RING]);
    ring[i % RING] = block;
}

static void run_pairs(uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        put(i, i % 16 == 0 ? make_row(i) : make_small(i));
}

static void nap(void)
{
    const struct timespec tick = {0, TICK_NS};

    nanosleep(&tick, NULL);
}

static void pace(uint64_t pairs, double seconds)
{
    double start = now();
    uint64_t done = 0;

    for (double passed = 0; passed < seconds; passed = now() - start) {
        uint64_t due = (uint64_t)(passed * (double)pairs);

        for (; done < due; done++)
            put(done, make_small(done));
        nap();
    }
    printf("pairs %llu\n", (unsigned long long)done);
}

static void leak(double leak_rate, double traffic_rate, double seconds)
{
    double start = now(), leaked = 0, traffic = 0;
    uint64_t turns = 0;

    for (double passed = 0; passed < seconds; passed = now() - start) {
        for (; leaked + LEAK_SIZE <= passed * leak_rate; leaked += LEAK_SIZE)
            ring[RING - 1] = keep_for_ever();
        for (; traffic < passed * traffic_rate; turns++) {
            uint64_t i = turns % (RING - 1);
            size_t size = 16384 + 1024 * (turns % SIZES);

            free(ring[i]);
            ring[i] = make_large(turns);
            traffic += (double)size;
        }
        nap();
    }
    printf("leaked_bytes %.0f\ntraffic_bytes %.0f\nseconds %.3f\n", leaked, traffic, now() - start);
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "pairs") == 0) {
        run_pairs((uint64_t)strtod(argv[2], NULL));
        printf("pairs %.0f\n", strtod(argv[2], NULL));
    } else if (argc == 4 && strcmp(argv[1], "paced") == 0) {
        pace((uint64_t)strtod(argv[2], NULL), strtod(argv[3], NULL));
    } else if (argc == 5 && strcmp(argv[1], "leak") == 0) {
        leak(strtod(argv[2], NULL), strtod(argv[3], NULL), strtod(argv[4], NULL));
    } else {
        fprintf(stderr,
                "usage: long_run pairs COUNT | paced PAIRS SECONDS | leak LEAK TRAFFIC SECONDS\n");
        return 2;
    }
    return fflush(stdout) != 0;
}
