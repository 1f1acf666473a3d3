/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that stays: of threads that nobody joins, of huge pages, of mappings, and of freed blocks.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plants.h"

enum { NAP_US = 1000 };

static void *end_at_once(void *of)
{
    return of;
}

/* Threads that are never joined, or at once. */
static double run_unjoined(bool is_planted, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, end_at_once, NULL))
            plants_skip("no thread");
        if (!is_planted)
            pthread_join(thread, NULL);
        usleep(NAP_US);
    }
    return rounds;
}

/* One byte in 2 MiB is used, with huge pages or without. */
static double run_sparse(bool is_planted, int rounds)
{
    const size_t huge = 2 << 20, size = huge * (size_t)rounds;
    char *memory =
        mmap(NULL, size + huge, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double sum = 0;

    if (memory == MAP_FAILED)
        plants_skip("no memory");
    memory += huge - (size_t)memory % huge;
    if (madvise(memory, size, is_planted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE) != 0)
        plants_skip("no huge pages");
    for (int i = 0; i < rounds; i++) {
        memory[(size_t)i * huge + 100] = 1;
        sum += memory[(size_t)i * huge + 100];
        usleep(NAP_US);
    }
    return sum;
}

/* Of each mapping an eighth is unmapped, or all of it. */
static double run_maps(bool is_planted, int rounds)
{
    enum { SIZE = 1 << 18, USED = SIZE / 8 };
    double sum = 0;

    for (int i = 0; i < rounds; i++) {
        char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        if (memory == MAP_FAILED)
            plants_skip("no memory");
        memset(memory, 1, SIZE);
        sum += memory[i % USED];
        munmap(memory, is_planted ? USED : SIZE);
        usleep(10 * NAP_US);
    }
    return sum;
}

/* Small blocks are freed, but for a few between them that keep malloc from returning the rest. */
static double run_pinned(bool is_planted, int rounds)
{
    enum { BLOCKS = 500000, SIZE = 250, KEPT = 50 };
    char **blocks = malloc(BLOCKS * sizeof *blocks);
    double sum = 0;

    if (!blocks)
        plants_skip("no memory");
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(SIZE);
        if (!blocks[i])
            plants_skip("no memory");
        memset(blocks[i], 1, SIZE);
    }
    for (int i = 0; i < BLOCKS; i++)
        if (i % KEPT != 0)
            free(blocks[i]);
    if (!is_planted)
        malloc_trim(0);
    for (int i = 0; i < rounds; i++) {
        sum += blocks[i % (BLOCKS / KEPT) * KEPT][0];
        usleep(10 * NAP_US);
    }
    free(blocks);
    return sum;
}

const struct plant plants_of_kept[] = {{"unjoined", run_unjoined},
                                       {"sparse", run_sparse},
                                       {"maps", run_maps},
                                       {"pinned", run_pinned},
                                       {NULL, NULL}};
