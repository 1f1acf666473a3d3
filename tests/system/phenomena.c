/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One phenomenon at a time, for the findings: each is present or absent, and everything else is the
 * same.
 *
 * usage: phenomena input slow|fast     a batch is read between products, from a pipe whose
 *                                      writer sleeps before each, or from /dev/zero
 *        phenomena threads uneven|even three workers meet after each step; one has most of the
 *                                      work, or all the same
 *        phenomena pools many|one      four times as many threads as processors, or one, make
 *                                      products all the time
 *        phenomena first slow|fast     the first call works on memory that nobody touched
 *                                      before, or on touched memory
 *        phenomena modes two|one       half of the calls have a matrix that was in no cache,
 *                                      or none has
 *        phenomena leak yes|no         each step keeps a block, or frees it
 *        phenomena frag yes|no         blocks are freed but for every second page, or all
 *
 * Products are the level 3 of BLAS, by one thread each.
 */
#include <cblas.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SIDE = 192, STEPS = 120, BATCH_BYTES = 1 << 15 };

static void die(const char *what)
{
    fprintf(stderr, "phenomena: %s\n", what);
    exit(EXIT_FAILURE);
}

static float *numbers(size_t count)
{
    float *array = malloc(count * sizeof *array);

    if (!array)
        die("no memory");
    for (size_t i = 0; i < count; i++)
        array[i] = 1.0f / (float)(1 + i % 7);
    return array;
}

/* The three square matrices of a thread's product. */
struct factors {
    float *left, *right, *product;
};

static struct factors take_factors(void)
{
    return (struct factors){numbers(SIDE * SIDE), numbers(SIDE * SIDE), numbers(SIDE * SIDE)};
}

static void free_factors(const struct factors *of)
{
    free(of->left);
    free(of->right);
    free(of->product);
}

static void multiply(const struct factors *of, int times)
{
    for (int i = 0; i < times; i++)
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, SIDE, SIDE, SIDE, 1.0f, of->left,
                    SIDE, of->right, SIDE, 0.0f, of->product, SIDE);
}

/* ---- input -------------------------------------------------------------------- */

static _Noreturn void write_batches(int into)
{
    static char batch[BATCH_BYTES];

    for (int step = 0; step < STEPS; step++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        for (size_t done = 0; done < sizeof batch;) {
            ssize_t size = write(into, batch + done, sizeof batch - done);

            if (size <= 0)
                _exit(EXIT_FAILURE);
            done += (size_t)size;
        }
    }
    _exit(EXIT_SUCCESS);
}

static void read_batch(int from)
{
    static char batch[BATCH_BYTES];

    for (size_t done = 0; done < sizeof batch;) {
        ssize_t size = read(from, batch + done, sizeof batch - done);

        if (size <= 0)
            die("the writer is gone");
        done += (size_t)size;
    }
}

static int open_slow_input(void)
{
    int ends[2];
    pid_t writer;

    if (pipe(ends) != 0)
        die("no pipe");
    writer = fork();
    if (writer < 0)
        die("no process");
    if (writer == 0)
        write_batches(ends[1]);
    return ends[0];
}

static void input(bool is_slow)
{
    struct factors of = take_factors();
    int from = is_slow ? open_slow_input() : open("/dev/zero", O_RDONLY);

    for (int step = 0; step < STEPS; step++) {
        read_batch(from);
        multiply(&of, 8);
    }
    close(from);
    while (is_slow && wait(NULL) > 0)
        continue;
    free_factors(&of);
}

/* ---- threads ------------------------------------------------------------------ */

struct worker {
    pthread_t thread;
    pthread_barrier_t *meeting;
    int products; /* a step */
};

static void *work(void *argument)
{
    const struct worker *worker = argument;
    struct factors of = take_factors();

    for (int step = 0; step < STEPS; step++) {
        multiply(&of, worker->products);
        if (worker->meeting)
            pthread_barrier_wait(worker->meeting);
    }
    free_factors(&of);
    return NULL;
}

static void run_workers(struct worker *workers, int count)
{
    for (int i = 0; i < count; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            die("a thread cannot start");
    for (int i = 0; i < count; i++)
        pthread_join(workers[i].thread, NULL);
}

static void threads(bool is_uneven)
{
    enum { WORKERS = 3, EVEN = 10, FEW = 4 };
    struct worker workers[WORKERS];
    pthread_barrier_t meeting;

    pthread_barrier_init(&meeting, NULL, WORKERS);
    for (int i = 0; i < WORKERS; i++) {
        int uneven = i == 0 ? WORKERS * EVEN - (WORKERS - 1) * FEW : FEW;

        workers[i].products = is_uneven ? uneven : EVEN;
        workers[i].meeting = &meeting;
    }
    run_workers(workers, WORKERS);
    pthread_barrier_destroy(&meeting);
}

static void pools(bool is_many)
{
    static struct worker workers[64];
    cpu_set_t allowed;
    int count = 1;

    if (is_many && sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        count = 4 * CPU_COUNT(&allowed) < 64 ? 4 * CPU_COUNT(&allowed) : 64;
    for (int i = 0; i < count; i++)
        workers[i].products = 4;
    run_workers(workers, count);
}

/* ---- calls -------------------------------------------------------------------- */

static void multiply_vector(const float *matrix, int side, const float *vector, float *result)
{
    cblas_sgemv(CblasRowMajor, CblasNoTrans, side, side, 1.0f, matrix, side, vector, 1, 0.0f,
                result, 1);
}

/* A page is provided at its first touch, which takes longer than computing on it.  64 MiB come from
 * memory at each call, whatever the caches held before.  On a shared machine the first reads of
 * touched memory are slow, too: other shapes do these, each once. */
static void first(bool is_slow)
{
    enum { LARGE = 4096, CALLS = 2 * STEPS };
    float *matrix = calloc((size_t)LARGE * LARGE, sizeof *matrix);
    float *vector = numbers(LARGE), *result = numbers(LARGE);

    if (!matrix)
        die("no memory");
    if (!is_slow)
        memset(matrix, 0, (size_t)LARGE * LARGE * sizeof *matrix);
    for (int call = 1; !is_slow && call <= STEPS; call++)
        multiply_vector(matrix, LARGE - call, vector, result);
    multiply_vector(vector, 32, vector, result); /* the library's own first call */
    for (int call = 0; call < CALLS; call++)
        multiply_vector(matrix, LARGE, vector, result);
    free(matrix);
    free(vector);
    free(result);
}

/* Matrices of 256 KiB stay in a cache of their own, or come in turn from 128 MiB. */
static void modes(bool is_two)
{
    enum { SMALL = 256, MATRICES = 512, CALLS = 20 * STEPS };
    float *matrices = numbers((size_t)MATRICES * SMALL * SMALL);
    float *vector = numbers(SMALL), *result = numbers(SMALL);

    for (size_t call = 0; call < CALLS; call++) {
        size_t which = is_two && call % 8 >= 4 ? call % MATRICES : 0;

        multiply_vector(matrices + which * SMALL * SMALL, SMALL, vector, result);
    }
    free(matrices);
    free(vector);
    free(result);
}

/* ---- memory ------------------------------------------------------------------- */

static void leak(bool is_leaking)
{
    enum { KEPT_BYTES = 2 << 20 };
    struct factors of = take_factors();

    for (int step = 0; step < STEPS; step++) {
        char *block = malloc(KEPT_BYTES);

        if (!block)
            die("no memory");
        memset(block, step, KEPT_BYTES);
        multiply(&of, 8);
        if (!is_leaking)
            free(block);
    }
    free_factors(&of);
}

/* 512 MiB of small blocks; a few remain on every second page.  Without these, malloc may still keep
 * the memory below another library's block. */
static void frag(bool is_fragmented)
{
    enum { BLOCKS = 512 << 10, BLOCK_BYTES = 1008, BLOCKS_KEPT = 8 };
    static char *blocks[BLOCKS];
    struct factors of = take_factors();

    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK_BYTES);
        if (!blocks[i])
            die("no memory");
        memset(blocks[i], 1, BLOCK_BYTES);
    }
    for (size_t i = 0; i < BLOCKS; i++)
        if (!is_fragmented || i % BLOCKS_KEPT != 0)
            free(blocks[i]);
    if (!is_fragmented)
        malloc_trim(0);
    for (int step = 0; step < STEPS; step++)
        multiply(&of, 40);
    free_factors(&of);
}

struct phenomenon {
    const char *name, *sick, *healthy;
    void (*show)(bool is_sick);
};

static const struct phenomenon phenomena[] = {
    {"input", "slow", "fast", input}, {"threads", "uneven", "even", threads},
    {"pools", "many", "one", pools},  {"first", "slow", "fast", first},
    {"modes", "two", "one", modes},   {"leak", "yes", "no", leak},
    {"frag", "yes", "no", frag},
};

int main(int count, char **arguments)
{
    for (size_t i = 0; count == 3 && i < sizeof phenomena / sizeof phenomena[0]; i++) {
        const struct phenomenon *of = &phenomena[i];
        bool is_sick = strcmp(arguments[2], of->sick) == 0;

        if (strcmp(arguments[1], of->name) != 0)
            continue;
        if (!is_sick && strcmp(arguments[2], of->healthy) != 0)
            break;
        of->show(is_sick);
        return EXIT_SUCCESS;
    }
    fputs("usage: phenomena input|threads|pools|first|modes|leak|frag HOW\n", stderr);
    return 2;
}
