/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Six functions that read their thread's own clock, for tests/system/time.test: a plain one, an
 * inlined one, a callback, one in a pool of threads, a short one that is called often, and Linux
 * itself.
 *
 *     time_shares MILLISECONDS SEED
 *
 * prints "NAME NANOSECONDS" for each, and "whole NANOSECONDS" of the process.  Their order and
 * lengths are random, 0.3 to 2 ms.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PLAIN, INLINED, CALLBACK, OFTEN, LINUX, POOLED, PARTS, POOL = 2, BUFFER = 1 << 18 };

static const char *const names[] = {
    [PLAIN] = "plain", [INLINED] = "inlined", [CALLBACK] = "callback",
    [OFTEN] = "often", [LINUX] = "read",      [POOLED] = "pooled",
};

static atomic_ullong spent_ns[PARTS];
static volatile double sink;
static atomic_bool is_over;
static int zero;
static char buffer[BUFFER];

static uint64_t now(clockid_t clock)
{
    struct timespec time;

    clock_gettime(clock, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* About a nanosecond for each step. */
__attribute__((noinline)) static void plain(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 1.0 / i;
    sink = sum;
}

__attribute__((always_inline)) static inline void inlined(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 3.0 / i;
    sink = sum;
}

__attribute__((noinline)) static void host(int steps)
{
    inlined(steps);
}

__attribute__((noinline)) static void callback(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 5.0 / i;
    sink = sum;
}

__attribute__((noinline)) static void pooled(int steps)
{
    double sum = 0;

    for (int i = 1; i < steps; i++)
        sum += 7.0 / i;
    sink = sum;
}

__attribute__((noinline)) static void often(int at)
{
    double sum = 0;

    for (int i = at; i < at + 60; i++)
        sum += 9.0 / i;
    sink = sum;
}

static void often_all(int steps)
{
    for (int i = 1; i < steps; i += 60)
        often(i);
}

static void read_all(int steps)
{
    for (int i = 0; i < steps; i += 20000)
        if (read(zero, buffer, sizeof buffer) < 0)
            abort();
}

static void (*const works[])(int) = {
    [PLAIN] = plain, [INLINED] = host,   [CALLBACK] = callback,
    [OFTEN] = often_all, [LINUX] = read_all, [POOLED] = pooled,
};

static int draw(unsigned *seed)
{
    return 300000 + (int)(rand_r(seed) % 1700000);
}

static void work(int part, unsigned *seed)
{
    uint64_t before = now(CLOCK_THREAD_CPUTIME_ID);

    works[part](draw(seed));
    spent_ns[part] += now(CLOCK_THREAD_CPUTIME_ID) - before;
}

static void *serve(void *of)
{
    unsigned seed = (unsigned)(uintptr_t)of;

    while (!is_over)
        work(POOLED, &seed);
    return NULL;
}

int main(int argc, char **argv)
{
    uint64_t until = argc > 1 ? strtoull(argv[1], NULL, 10) * 1000000 : 500000000;
    unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    pthread_t pool[POOL];

    zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    for (uintptr_t i = 0; i < POOL; i++)
        pthread_create(&pool[i], NULL, serve, (void *)(i + seed * 17));
    while (now(CLOCK_PROCESS_CPUTIME_ID) < until)
        work((int)((unsigned)rand_r(&seed) % POOLED), &seed);
    is_over = true;
    for (int i = 0; i < POOL; i++)
        pthread_join(pool[i], NULL);
    for (int i = 0; i < PARTS; i++)
        printf("%s %llu\n", names[i], (unsigned long long)spent_ns[i]);
    printf("whole %llu\n", (unsigned long long)now(CLOCK_PROCESS_CPUTIME_ID));
    return 0;
}
