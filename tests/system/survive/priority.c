/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two threads of different real-time priority on one processor, which allocate: the higher one must
 * not wait for the lower one without letting it run.  Returns: 77 when no such priority is
 * available.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

static atomic_bool is_over, is_refused;

static void run_at(int priority)
{
    struct sched_param parameter = {.sched_priority = priority};

    if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter) != 0)
        is_refused = true;
}

static void *work_low(void *unused)
{
    run_at(1);
    while (!is_over)
        for (int i = 0; i < 1000; i++)
            free(malloc(64));
    return unused;
}

static void *work_high(void *unused)
{
    run_at(10);
    for (int round = 0; round < 300 && !is_refused; round++) {
        nanosleep(&(struct timespec){0, 1000000 + round * 7919}, NULL);
        for (int i = 0; i < 3000; i++)
            free(malloc(64));
    }
    is_over = true;
    return unused;
}

int main(void)
{
    cpu_set_t one;
    pthread_t low, high;

    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_create(&low, NULL, work_low, NULL);
    pthread_create(&high, NULL, work_high, NULL);
    pthread_join(high, NULL);
    pthread_join(low, NULL);
    return is_refused ? 77 : 0;
}
