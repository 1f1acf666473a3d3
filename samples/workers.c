/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A team meets at one barrier twice a run: when the work begins and when it
 * is done.  Between the second meeting and the next first one only the caller
 * runs, so that it may read and change all that the workers share.
 */
#include "workers.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

struct worker {
    struct workers *team;
    size_t index;
    pthread_t thread;
};

struct workers {
    workers_task task;
    void *context;
    bool is_over; /* written before the meeting at which it is read */
    pthread_barrier_t meeting;
    size_t count;
    struct worker members[];
};

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "sample: %s cannot start; take fewer with --threads\n", what);
    exit(EXIT_FAILURE);
}

static void *worker_live(void *argument)
{
    const struct worker *worker = argument;
    struct workers *team = worker->team;

    pthread_barrier_wait(&team->meeting);
    while (!team->is_over) {
        team->task(team->context, worker->index);
        pthread_barrier_wait(&team->meeting);
        pthread_barrier_wait(&team->meeting);
    }
    return NULL;
}

static void start_threads(struct workers *workers)
{
    if (pthread_barrier_init(&workers->meeting, NULL, (unsigned)workers->count + 1) != 0)
        give_up("the workers");
    for (size_t i = 0; i < workers->count; i++) {
        struct worker *worker = &workers->members[i];

        worker->team = workers;
        worker->index = i;
        if (pthread_create(&worker->thread, NULL, worker_live, worker) != 0)
            give_up("a worker");
    }
}

struct workers *workers_start(size_t count, workers_task task, void *context)
{
    struct workers *workers = calloc(1, sizeof *workers + count * sizeof workers->members[0]);

    if (!workers)
        give_up("the workers");
    workers->task = task;
    workers->context = context;
    workers->count = count;
    if (count > 1)
        start_threads(workers);
    return workers;
}

void workers_run(struct workers *workers)
{
    if (workers->count == 1) {
        workers->task(workers->context, 0);
        return;
    }
    pthread_barrier_wait(&workers->meeting);
    pthread_barrier_wait(&workers->meeting);
}

static void stop_threads(struct workers *workers)
{
    workers->is_over = true;
    pthread_barrier_wait(&workers->meeting);
    for (size_t i = 0; i < workers->count; i++)
        pthread_join(workers->members[i].thread, NULL);
    pthread_barrier_destroy(&workers->meeting);
}

void workers_stop(struct workers *workers)
{
    if (workers->count > 1)
        stop_threads(workers);
    free(workers);
}
