/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread allocates until a file can no longer grow, and ends; its stack is unmapped.  Files may
 * grow again, and another thread allocates on a stack elsewhere.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

enum { STACK_SIZE = 1 << 20, FILE_SIZE = 1500000, BLOCKS = 200000 };

static void nap(long ms)
{
    const struct timespec span = {.tv_nsec = ms * 1000000};

    nanosleep(&span, NULL);
}

static void *allocate(void *unused)
{
    for (int i = 0; i < BLOCKS; i++)
        free(malloc((size_t)i % 700));
    return unused;
}

/* By then, room is requested again. */
static void *allocate_later(void *unused)
{
    nap(150);
    return allocate(unused);
}

static void *map(size_t size, int protection)
{
    return mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Nothing readable replaces the stack. */
static void run(void *(*routine)(void *))
{
    void *stack = map(STACK_SIZE, PROT_READ | PROT_WRITE);
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, stack, STACK_SIZE);
    pthread_create(&thread, &attributes, routine, NULL);
    pthread_join(thread, NULL);
    munmap(stack, STACK_SIZE);
    map(3 * STACK_SIZE, PROT_NONE);
}

static void limit_files(rlim_t size)
{
    struct rlimit limit;

    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = size;
    setrlimit(RLIMIT_FSIZE, &limit);
}

int main(void)
{
    struct rlimit before;

    getrlimit(RLIMIT_FSIZE, &before);
    free(malloc(1));
    limit_files(FILE_SIZE);
    run(allocate);
    limit_files(before.rlim_cur);
    nap(5);
    run(allocate_later);
    puts("end");
    return 5;
}
