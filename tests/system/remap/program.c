/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All results of mremap, and the remaining mappings.
 *
 * usage: program move | shrink | grow | keep | share | fail
 *
 * Another thread maps at the old place of the memory before mremap has returned.  The thread exists
 * before; otherwise its stack could get that place.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

enum { MIB = 1 << 20, READ_WRITE = PROT_READ | PROT_WRITE };

extern void (*remap_meanwhile)(void);

static char *free_place;
static size_t free_length;
static pthread_barrier_t barrier;

static void *map_there(void *unused)
{
    pthread_barrier_wait(&barrier);
    if (mmap(free_place, free_length, READ_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
        free_place)
        perror("program: mmap");
    pthread_barrier_wait(&barrier);
    return unused;
}

static void map_meanwhile(void)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
}

static void start_other_thread(void)
{
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, map_there, NULL) != 0) {
        perror("program: pthread_create");
        exit(EXIT_FAILURE);
    }
    remap_meanwhile = map_meanwhile;
}

static char *map(size_t size, int sharing)
{
    char *memory = mmap(NULL, size, READ_WRITE, sharing | MAP_ANONYMOUS, -1, 0);

    if (memory == MAP_FAILED) {
        perror("program: mmap");
        exit(EXIT_FAILURE);
    }
    return memory;
}

/* 4 MiB move to the first half of 16 that were mapped, as 8. */
static size_t run_move(void)
{
    char *to = map(16 * MIB, MAP_PRIVATE);

    free_length = 4 * MIB;
    free_place = map(free_length, MAP_PRIVATE);
    start_other_thread();
    if (mremap(free_place, 4 * MIB, 8 * MIB, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
        return 0;
    return 20 * MIB;
}

static size_t run_shrink(void)
{
    char *memory = map(8 * MIB, MAP_PRIVATE);

    free_place = memory + 3 * MIB;
    free_length = 5 * MIB;
    start_other_thread();
    return mremap(memory, 8 * MIB, 3 * MIB - 1, 0) == memory ? 8 * MIB : 0;
}

static size_t run_grow(void)
{
    char *memory = map(8 * MIB, MAP_PRIVATE);

    munmap(memory + MIB, 7 * MIB);
    return mremap(memory, MIB, 4 * MIB, 0) == memory ? 4 * MIB : 0;
}

/* Where the kernel does not know the flag, nothing has changed. */
static size_t run_keep(void)
{
    char *memory = map(4 * MIB, MAP_PRIVATE);

    if (mremap(memory, 4 * MIB, 4 * MIB, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, NULL) == MAP_FAILED)
        return 4 * MIB;
    return 8 * MIB;
}

static size_t run_share(void)
{
    char *memory = map(4 * MIB, MAP_SHARED);

    return mremap(memory, 0, 4 * MIB, MREMAP_MAYMOVE) != MAP_FAILED ? 8 * MIB : 0;
}

static size_t run_fail(void)
{
    char *memory = map(8 * MIB, MAP_PRIVATE);

    errno = 0;
    return mremap(memory, 4 * MIB, 8 * MIB, MREMAP_FIXED) == MAP_FAILED && errno == EINVAL ? 8 * MIB
                                                                                           : 0;
}

static const struct {
    const char *name;
    size_t (*run)(void);
} ways[] = {
    {"move", run_move}, {"shrink", run_shrink}, {"grow", run_grow},
    {"keep", run_keep}, {"share", run_share},   {"fail", run_fail},
};

int main(int argument_count, char **arguments)
{
    for (size_t i = 0; argument_count > 1 && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, arguments[1]) == 0)
            printf("truth: mapped %zu\n", ways[i].run());
    return 0;
}
