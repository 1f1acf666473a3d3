/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that wait for one lock, and a file that is read in small pieces.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "plants.h"

enum { THREADS = 4 };

static struct {
    pthread_mutex_t lock;
    double sum;
    bool is_planted;
    int rounds;
} shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static double sum_series(void)
{
    enum { TERMS = 20000 };
    double sum = 0;

    for (int i = 1; i <= TERMS; i++)
        sum += 1.0 / i;
    return sum;
}

/* Every other series is summed up without the lock, so that the threads take turns. */
static void *add_sums(void *nothing)
{
    double sum = 0;

    for (int i = 0; i < shared.rounds; i++) {
        sum += sum_series();
        if (shared.is_planted)
            pthread_mutex_lock(&shared.lock);
        sum += sum_series();
        if (shared.is_planted)
            pthread_mutex_unlock(&shared.lock);
    }
    pthread_mutex_lock(&shared.lock);
    shared.sum += sum;
    pthread_mutex_unlock(&shared.lock);
    return nothing;
}

/* Threads that hold a lock while they compute on their own data, or only while they add it up. */
static double run_locks(bool is_planted, int rounds)
{
    pthread_t threads[THREADS];

    shared.is_planted = is_planted;
    shared.rounds = rounds;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, add_sums, NULL))
            plants_skip("no thread");
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return shared.sum;
}

static double read_file(int file, size_t piece)
{
    static unsigned char bytes[1 << 16];
    double sum = 0;
    ssize_t size;

    while ((size = read(file, bytes, piece)) > 0)
        for (ssize_t i = 0; i < size; i++)
            sum += bytes[i];
    return sum;
}

/* The program's own file, in pieces of 16 bytes or of 64 KiB. */
static double run_pieces(bool is_planted, int rounds)
{
    enum { SMALL = 16, LARGE = 1 << 16 };
    int file = open("/proc/self/exe", O_RDONLY);
    double sum = 0;

    if (file < 0)
        plants_skip("no /proc");
    for (int i = 0; i < rounds; i++) {
        lseek(file, 0, SEEK_SET);
        sum += read_file(file, is_planted ? SMALL : LARGE);
    }
    close(file);
    return sum;
}

const struct plant plants_of_waits[] = {{"locks", run_locks}, {"pieces", run_pieces}, {NULL, NULL}};
