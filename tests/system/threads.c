/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that allocate and compute, in the ways that are hard to follow.
 *
 * usage: threads short COUNT     COUNT threads, four at a time, each a block and a product
 *        threads churn COUNT     two threads, COUNT blocks each
 *        threads alone COUNT     no thread but the first, COUNT blocks
 *        threads after COUNT     the first thread and then a second, COUNT blocks each
 *        threads exchange COUNT  one thread obtains, another frees
 *        threads late COUNT      blocks obtained and freed by destructors of dying threads
 *        threads crowd COUNT     COUNT threads alive at once, each a product
 *
 * Everything in threads is in the region "work"; pthread_create's own blocks are outside it.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tprof.h>

#include "gemm.h"

enum { ALIVE = 4, BLOCK_BYTES = 1000, STACK_BYTES = 256 << 10, QUEUE = 64 };

typedef void *(*thread_function)(void *);

static int count;

static pthread_t start(thread_function function, void *argument)
{
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    if (pthread_create(&thread, &attributes, function, argument) != 0) {
        fprintf(stderr, "threads: a thread cannot start\n");
        exit(EXIT_FAILURE);
    }
    pthread_attr_destroy(&attributes);
    return thread;
}

/* Start `total` threads, this many at a time. */
static void run(thread_function function, int total, int at_a_time)
{
    static pthread_t threads[2048];

    for (int done = 0; done < total; done += at_a_time) {
        int batch = total - done < at_a_time ? total - done : at_a_time;

        for (int i = 0; i < batch; i++)
            threads[i] = start(function, NULL);
        for (int i = 0; i < batch; i++)
            pthread_join(threads[i], NULL);
    }
}

static void print(uint64_t allocations, uint64_t frees, uint64_t calls)
{
    printf("truth: allocations %llu\ntruth: frees %llu\ntruth: allocated_bytes %llu\n"
           "truth: gemm_calls %llu\n",
           (unsigned long long)allocations, (unsigned long long)frees,
           (unsigned long long)(allocations * BLOCK_BYTES), (unsigned long long)calls);
}

/* ---- short --------------------------------------------------------------- */

static void *live_shortly(void *unused)
{
    void *volatile block;

    tprof_region_begin("work");
    block = malloc(BLOCK_BYTES);
    gemm_call(1);
    free(block);
    tprof_region_end("work");
    return unused;
}

static void run_short(void)
{
    run(live_shortly, count, ALIVE);
    print((uint64_t)count, (uint64_t)count, (uint64_t)count);
}

/* ---- churn --------------------------------------------------------------- */

static void *churn(void *unused)
{
    void *volatile block;

    tprof_region_begin("work");
    for (int i = 0; i < count; i++) {
        block = malloc(BLOCK_BYTES);
        free(block);
    }
    tprof_region_end("work");
    return unused;
}

static void run_churn(void)
{
    run(churn, 2, 2);
    print(2 * (uint64_t)count, 2 * (uint64_t)count, 0);
}

static void run_alone(void)
{
    churn(NULL);
    print((uint64_t)count, (uint64_t)count, 0);
}

static void run_after(void)
{
    churn(NULL);
    run(churn, 1, 1);
    print(2 * (uint64_t)count, 2 * (uint64_t)count, 0);
}

/* ---- exchange ------------------------------------------------------------ */

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    void *blocks[QUEUE];
    int first, used;
} queue = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void put(void *block)
{
    pthread_mutex_lock(&queue.mutex);
    while (queue.used == QUEUE)
        pthread_cond_wait(&queue.changed, &queue.mutex);
    queue.blocks[(queue.first + queue.used++) % QUEUE] = block;
    pthread_cond_signal(&queue.changed);
    pthread_mutex_unlock(&queue.mutex);
}

static void *take(void)
{
    void *block;

    pthread_mutex_lock(&queue.mutex);
    while (queue.used == 0)
        pthread_cond_wait(&queue.changed, &queue.mutex);
    block = queue.blocks[queue.first];
    queue.first = (queue.first + 1) % QUEUE;
    queue.used--;
    pthread_cond_signal(&queue.changed);
    pthread_mutex_unlock(&queue.mutex);
    return block;
}

static void *obtain(void *unused)
{
    tprof_region_begin("work");
    for (int i = 0; i < count; i++)
        put(malloc(BLOCK_BYTES));
    tprof_region_end("work");
    return unused;
}

static void *release(void *unused)
{
    tprof_region_begin("work");
    for (int i = 0; i < count; i++)
        free(take());
    tprof_region_end("work");
    return unused;
}

static void run_exchange(void)
{
    pthread_t obtaining = start(obtain, NULL);
    pthread_t releasing = start(release, NULL);

    pthread_join(obtaining, NULL);
    pthread_join(releasing, NULL);
    print((uint64_t)count, (uint64_t)count, 0);
}

/* ---- late ---------------------------------------------------------------- */

static pthread_key_t late_key;

/* Destructors run in rounds, including the shim's. */
static void on_death(void *round)
{
    void *volatile block;

    tprof_region_begin("work");
    block = malloc(BLOCK_BYTES);
    gemm_call(1);
    free(block);
    tprof_region_end("work");
    if ((uintptr_t)round < 3)
        pthread_setspecific(late_key, (char *)round + 1);
}

static void *die_slowly(void *unused)
{
    pthread_setspecific(late_key, (void *)1);
    return unused;
}

static void run_late(void)
{
    pthread_key_create(&late_key, on_death);
    run(die_slowly, count, ALIVE);
    print(3 * (uint64_t)count, 3 * (uint64_t)count, 3 * (uint64_t)count);
}

/* ---- crowd --------------------------------------------------------------- */

static pthread_barrier_t meeting;

static void *live_together(void *unused)
{
    tprof_region_begin("work");
    gemm_call(1);
    pthread_barrier_wait(&meeting);
    gemm_call(1);
    tprof_region_end("work");
    return unused;
}

static void run_crowd(void)
{
    pthread_barrier_init(&meeting, NULL, (unsigned)count);
    run(live_together, count, count);
    print(0, 0, 2 * (uint64_t)count);
}

/* ---- which --------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*run)(void);
} verbs[] = {
    {"short", run_short},       {"churn", run_churn}, {"alone", run_alone}, {"after", run_after},
    {"exchange", run_exchange}, {"late", run_late},   {"crowd", run_crowd},
};

int main(int argument_count, char **arguments)
{
    if (argument_count != 3)
        return 2;
    count = atoi(arguments[2]);
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, arguments[1]) == 0) {
            verbs[i].run();
            return 0;
        }
    return 2;
}
