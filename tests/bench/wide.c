/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * wide: a program with very many of one kind of thing, to see how tprof's time for its trace grows.
 *
 *     LD_PRELOAD=libtprof.so wide SORT COUNT [FOLDER]
 *
 * Each thing has a block and a kernel call, so that every sum has something to add up.  The folder
 * is that of the libraries: its files 0.so, 1.so ... are opened.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_kernel.h"
#include "tprof.h"

enum { THREADS_AT_ONCE = 32, BLOCK = 64, MARKED = 32, INSIDE = 512, PATH_SIZE = 4096, DEPTH = 240 };

static void *volatile kept;

static void fail(const char *why)
{
    fprintf(stderr, "wide: %s\n", why);
    exit(1);
}

static void work(int rows, int columns, int inner)
{
    static float numbers[16];
    void *volatile block = malloc(BLOCK);

    free(block);
    cblas_sgemm(101, 111, 111, rows, columns, inner, 1, numbers, inner, numbers, columns, 0,
                numbers, columns);
}

static void mark(const char *label)
{
    tprof_region_begin(label);
    work(4, 4, 4);
    tprof_region_end(label);
}

/* The shim stores a limited number of labels, so regions are nested. */
static void make_regions(long count)
{
    char outer[MARKED], inner[MARKED];

    for (long i = 0; i < count; i++) {
        if (i % INSIDE == 0) {
            snprintf(outer, sizeof outer, "outer %ld", i / INSIDE);
            tprof_region_begin(outer);
        }
        snprintf(inner, sizeof inner, "inner %ld", i % INSIDE);
        mark(inner);
        if (i % INSIDE == INSIDE - 1 || i == count - 1)
            tprof_region_end(outer);
    }
}

static void make_instances(long count)
{
    for (long i = 0; i < count; i++)
        mark("step");
}

static void make_shapes(long count)
{
    for (long i = 0; i < count; i++)
        work((int)i + 1, 4, 4);
}

/* Products that may be the scores of attention: sequences of all lengths. */
static void make_scores(long count)
{
    for (long i = 0; i < count; i++)
        work((int)i + 1, (int)i + 1, 64);
}

static void make_cubes(long count)
{
    for (long i = 0; i < count; i++)
        work((int)i + 1, (int)i + 1, (int)i + 1);
}

static void make_snapshots(long count)
{
    char label[MARKED];

    for (long i = 0; i < count; i++) {
        snprintf(label, sizeof label, "snapshot %ld", i);
        kept = malloc(BLOCK);
        tprof_snapshot(label);
        free(kept);
    }
}

static void make_metrics(long count)
{
    char name[MARKED];

    for (long i = 0; i < count; i++) {
        snprintf(name, sizeof name, "metric %ld", i);
        tprof_metric(name, (double)i);
    }
}

static void make_requests(long count)
{
    for (long i = 0; i < count; i++)
        tprof_request_begin((uint64_t)i);
    for (long i = 0; i < count; i++)
        tprof_request_end((uint64_t)i);
}

static void *run_thread(void *unused)
{
    mark("thread");
    return unused;
}

static void make_threads(long count)
{
    pthread_t threads[THREADS_AT_ONCE];

    for (long done = 0; done < count;) {
        long here = count - done < THREADS_AT_ONCE ? count - done : THREADS_AT_ONCE;

        for (long i = 0; i < here; i++)
            if (pthread_create(&threads[i], NULL, run_thread, NULL) != 0)
                fail("no thread");
        for (long i = 0; i < here; i++)
            pthread_join(threads[i], NULL);
        done += here;
    }
}

/* Threads that all live at once, each in a region, and take turns. */
static pthread_barrier_t all_live;

static void *run_alive(void *unused)
{
    enum { TURNS = 50 };

    tprof_region_begin("thread");
    pthread_barrier_wait(&all_live);
    for (int i = 0; i < TURNS; i++) {
        mark("turn");
        sched_yield();
    }
    pthread_barrier_wait(&all_live);
    tprof_region_end("thread");
    return unused;
}

static void make_alive(long count)
{
    pthread_t *threads = calloc((size_t)count, sizeof *threads);
    pthread_attr_t small;

    if (!threads || pthread_barrier_init(&all_live, NULL, (unsigned)count) != 0 ||
        pthread_attr_init(&small) != 0 || pthread_attr_setstacksize(&small, 1 << 17) != 0)
        fail("no room for threads");
    for (long i = 0; i < count; i++)
        if (pthread_create(&threads[i], &small, run_alive, NULL) != 0)
            fail("no thread");
    for (long i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

/* The bits of a number choose which of two functions is called, one inside the other. */
static void go_even(unsigned long path);

__attribute__((noinline)) static void go_odd(unsigned long path)
{
    if (path > 1 && path % 2)
        go_odd(path / 2);
    else if (path > 1)
        go_even(path / 2);
    else
        kept = malloc(BLOCK);
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void go_even(unsigned long path)
{
    if (path > 1 && path % 2)
        go_odd(path / 2);
    else if (path > 1)
        go_even(path / 2);
    else
        kept = malloc(BLOCK);
    __asm__ volatile("" ::: "memory");
}

static void make_chains(long count)
{
    for (long i = 0; i < count; i++)
        go_odd((unsigned long)(count + i));
}

/* Chains as deep as recorded ones; at each call, chance chooses one of two functions. */
static void go_right(unsigned long chance, int depth);

static unsigned long throw_again(unsigned long chance)
{
    return chance * 6364136223846793005UL + 1442695040888963407UL; /* Knuth's MMIX */
}

__attribute__((noinline)) static void go_left(unsigned long chance, int depth)
{
    if (depth == 0)
        kept = malloc(BLOCK);
    else if (chance >> 63)
        go_right(throw_again(chance), depth - 1);
    else
        go_left(throw_again(chance), depth - 1);
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) static void go_right(unsigned long chance, int depth)
{
    if (depth == 0)
        kept = malloc(BLOCK);
    else if (chance >> 63)
        go_right(throw_again(chance), depth - 1);
    else
        go_left(throw_again(chance), depth - 1);
    __asm__ volatile("" ::: "memory");
}

static void make_deep(long count)
{
    for (long i = 0; i < count; i++)
        go_left(throw_again((unsigned long)i), DEPTH);
}

static void make_modules(long count, const char *folder)
{
    char path[PATH_SIZE];

    for (long i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%ld.so", folder, i);
        void *library = dlopen(path, RTLD_NOW);
        void (*function)(void) = library ? (void (*)(void))dlsym(library, "wide_work") : NULL;

        if (!function)
            fail(dlerror());
        function();
    }
}

static const struct sort {
    const char *name;
    void (*make)(long count);
} sorts[] = {
    {"regions", make_regions},     {"instances", make_instances}, {"shapes", make_shapes},
    {"snapshots", make_snapshots}, {"metrics", make_metrics},     {"requests", make_requests},
    {"threads", make_threads},     {"chains", make_chains},       {"scores", make_scores},
    {"cubes", make_cubes},         {"alive", make_alive},         {"deep", make_deep},
};

int main(int argc, char **argv)
{
    long count = argc > 2 ? strtol(argv[2], NULL, 10) : 0;

    if (count <= 0)
        fail("usage: wide SORT COUNT [FOLDER]");
    if (argc > 3 && strcmp(argv[1], "modules") == 0) {
        make_modules(count, argv[3]);
        return 0;
    }
    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        if (strcmp(argv[1], sorts[i].name) == 0) {
            sorts[i].make(count);
            return 0;
        }
    fail("there is no such sort");
}
