/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread closes a descriptor, opens another and expects the same number, while others allocate,
 * sleep, start and end.  The argument is the number of times.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_bool is_over;

static void *allocate(void *unused)
{
    enum { PLACES = 64, SIZES = 512 };
    void *blocks[PLACES] = {0};

    for (unsigned i = 0; !atomic_load(&is_over); i++) {
        free(blocks[i % PLACES]);
        blocks[i % PLACES] = malloc(16 + i % SIZES);
    }
    for (unsigned i = 0; i < PLACES; i++)
        free(blocks[i]);
    return unused;
}

static void *nap(void *unused)
{
    const struct timespec span = {.tv_nsec = 2000000};

    nanosleep(&span, NULL);
    free(malloc(100));
    return unused;
}

static void *begin_and_end(void *unused)
{
    pthread_t thread;

    while (!atomic_load(&is_over) && pthread_create(&thread, NULL, nap, NULL) == 0)
        pthread_join(thread, NULL);
    return unused;
}

int main(int count, char **arguments)
{
    long times = count > 1 ? atol(arguments[1]) : 1000, others = 0;
    int wanted = open("/dev/null", O_RDONLY);
    pthread_t one, other;

    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&other, NULL, begin_and_end, NULL);
    for (long i = 0; i < times; i++) {
        int got;

        close(wanted);
        got = open("/dev/null", O_RDONLY);
        if (got == wanted)
            continue;
        others++;
        dup2(got, wanted);
        close(got);
    }
    atomic_store(&is_over, true);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    printf("%ld of %ld descriptors were others than the lowest\n", others, times);
    return others != 0;
}
