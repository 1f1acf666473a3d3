/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose resident memory is of one kind each: cases NAME.
 */
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "moment.h"

enum { KIB = 1024, MIB = 1024 * KIB, PAGE = 4096 };

static void *map(size_t size, int flags)
{
    void *memory =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

    if (memory == MAP_FAILED)
        exit(1);
    return memory;
}

static void *filled(size_t size)
{
    return memset(malloc(size), 1, size);
}

static void small(void)
{
    enum { COUNT = 60000, SIZE = 24 };

    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < COUNT; k++)
            filled(SIZE);
        moment_take(i, "heap", (long)(i + 1) * COUNT * SIZE, "malloc_overhead",
                    (long)(i + 1) * COUNT * 8, NULL);
    }
}

static void big(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        filled(4 * MIB);
        moment_take(i, "heap", (i + 1) * 4L * MIB, "malloc_kept", 0L, NULL);
    }
}

static void fragments(void)
{
    enum { COUNT = 20000, SIZE = 300 };
    static char *blocks[COUNT];
    long live = 0;

    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < COUNT; k++)
            blocks[k] = filled(SIZE);
        for (int k = 0; k < COUNT; k++)
            if (k % 8 != 0)
                free(blocks[k]);
            else
                live += SIZE;
        moment_take(i, "heap", live, "malloc_kept", (long)mallinfo2().fordblks, NULL);
    }
}

static pthread_barrier_t arrived, left;
static int depth_of_moment;

static void *fill_arena(void *unused)
{
    enum { COUNT = 4000, SIZE = 500 };
    char **blocks = malloc(COUNT * sizeof *blocks);

    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < COUNT; k++)
            blocks[k] = filled(SIZE);
        for (int k = 0; k < COUNT; k += 2)
            free(blocks[k]);
        pthread_barrier_wait(&arrived);
        pthread_barrier_wait(&left);
    }
    return unused;
}

static void run_threads(void *(*routine)(void *), int count, void (*take)(int))
{
    pthread_t threads[16];

    pthread_barrier_init(&arrived, NULL, count + 1);
    pthread_barrier_init(&left, NULL, count + 1);
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, routine, NULL);
    for (int i = 0; i < MOMENTS; i++) {
        pthread_barrier_wait(&arrived);
        take(i);
        depth_of_moment++;
        pthread_barrier_wait(&left);
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

static void take_arenas(int i)
{
    moment_take(i, "heap", (i + 1) * 8L * 2000 * 500 + 8 * 4000 * 8, NULL);
}

static void arenas(void)
{
    run_threads(fill_arena, 8, take_arenas);
}

static int touch_stack(int depth)
{
    volatile char room[64 * KIB];

    for (int k = 0; k < (int)sizeof room; k += PAGE)
        room[k] = (char)depth;
    return depth > 0 ? touch_stack(depth - 1) + room[0] : 0;
}

static void *fill_stack(void *unused)
{
    for (int i = 0; i < MOMENTS; i++) {
        touch_stack(8 * i + 7);
        pthread_barrier_wait(&arrived);
        pthread_barrier_wait(&left);
    }
    return unused;
}

static void take_stacks(int i)
{
    moment_take(i, "stacks", 4L * (8 * i + 8) * 64 * KIB, NULL);
}

static void stacks(void)
{
    run_threads(fill_stack, 4, take_stacks);
}

static int make_file(const char *path, size_t size)
{
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    static char block[MIB];

    for (size_t done = 0; done < size; done += sizeof block)
        if (write(file, block, sizeof block) != sizeof block)
            exit(1);
    return file;
}

/* Map a file of 40 MiB and touch it in ten parts.  Faults around a page may bring in others. */
static void touch_file(const char *path, int flags, int writes, const char *part)
{
    enum { STEP = 4 * MIB };
    int file = make_file(path, (size_t)MOMENTS * STEP);
    char *memory = mmap(NULL, (size_t)MOMENTS * STEP, PROT_READ | PROT_WRITE, flags, file, 0);
    volatile long sum = 0;

    close(file);
    for (int i = 0; i < MOMENTS; i++) {
        for (size_t k = 0; k < STEP; k += PAGE) {
            if (writes)
                memory[(size_t)i * STEP + k] = 1;
            sum += memory[(size_t)i * STEP + k];
        }
        free(malloc(100));
        moment_take(i, part, (i + 1) * (long)STEP, NULL);
    }
    unlink(path);
}

static void file(void)
{
    touch_file("mapped.file", MAP_SHARED, 0, "files");
}

static void copied(void)
{
    touch_file("copied.file", MAP_PRIVATE, 1, "files");
}

static void shm(void)
{
    touch_file("/dev/shm/tprof-bench-resident", MAP_SHARED, 1, "shm");
}

static void shared(void)
{
    char *memory = mmap(NULL, 40 * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    for (int i = 0; i < MOMENTS; i++) {
        memset(memory + i * 4 * MIB, 1, 4 * MIB);
        moment_take(i, "shared", (i + 1) * 4L * MIB, NULL);
    }
}

static void populate(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        map(4 * MIB, MAP_POPULATE);
        moment_take(i, "mmap", (i + 1) * 4L * MIB, NULL);
    }
}

/* One page of each huge page is touched. */
static void sparse(void)
{
    enum { HUGE = 2 * MIB, STEPS = 4 };
    char *memory = map((MOMENTS * STEPS + 1) * (size_t)HUGE, 0);

    memory = (char *)(((uintptr_t)memory + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
    madvise(memory, MOMENTS * STEPS * (size_t)HUGE, MADV_HUGEPAGE);
    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < STEPS; k++)
            memory[(size_t)(i * STEPS + k) * HUGE] = 1;
        free(malloc(100));
        moment_take(i, "mmap", (i + 1) * (long)STEPS * HUGE, NULL);
    }
}

static void trim(void)
{
    enum { COUNT = 30000, SIZE = 400 };
    static char *blocks[COUNT];

    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < COUNT; k++)
            blocks[k] = filled(SIZE);
        if (i % 2 == 0) {
            moment_take(i, "heap", (long)COUNT * SIZE, NULL);
            for (int k = 0; k < COUNT; k++)
                free(blocks[k]);
            continue;
        }
        for (int k = 0; k < COUNT; k++)
            free(blocks[k]);
        malloc_trim(0);
        moment_take(i, "heap", 0L, "malloc_kept", 0L, NULL);
    }
}

/* An allocator of its own. */
static void own(void)
{
    enum { PIECE = 256 * KIB, PIECES = 16 };
    char *pieces[MOMENTS * PIECES];

    for (int i = 0; i < MOMENTS; i++) {
        for (int k = 0; k < PIECES; k++)
            pieces[i * PIECES + k] = memset(map(PIECE, 0), 1, PIECE);
        if (i == 5)
            for (int k = 0; k < PIECES; k += 2)
                munmap(pieces[k], PIECE);
        moment_take(i, "mmap", ((i + 1L) * PIECES - (i >= 5 ? PIECES / 2 : 0)) * PIECE, NULL);
    }
}

static void generated(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        void *code = mmap(NULL, 2 * MIB, PROT_READ | PROT_WRITE | PROT_EXEC,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

        memset(code, 0xc3, 2 * MIB);
        moment_take(i, "generated", (i + 1) * 2L * MIB, NULL);
    }
}

static char data_room[MOMENTS][3 * MIB];

static void data(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        memset(data_room[i], 1, sizeof data_room[i]);
        touch_stack(8 * i + 7);
        free(malloc(100));
        moment_take(i, "data", (i + 1) * 3L * MIB, "stacks", (8L * i + 8) * 64 * KIB, NULL);
    }
}

static void untouched(void)
{
    static char *volatile keep;

    for (int i = 0; i < MOMENTS; i++) {
        char *memory = malloc(8 * MIB);

        memset(memory, 1, 3 * MIB);
        keep = calloc(1, 4 * MIB);
        moment_take(i, "heap", (i + 1) * 3L * MIB, NULL);
    }
}

static void grown(void)
{
    char *memory = NULL;

    for (int i = 0; i < MOMENTS; i++) {
        memory = realloc(memory, (size_t)(i + 1) * 3 * MIB);
        memset(memory + (size_t)i * 3 * MIB, 1, 3 * MIB);
        moment_take(i, "heap", (i + 1) * 3L * MIB, NULL);
    }
}

/* A worker writes to parts of its parent's heap, and so copies them. */
static void forked(void)
{
    char *memory[MOMENTS];
    pid_t worker;

    for (int i = 0; i < MOMENTS; i++)
        memory[i] = filled(3 * MIB);
    worker = fork();
    if (worker == 0) {
        for (int i = 0; i < MOMENTS; i++) {
            memset(memory[i], 2, 3 * MIB);
            filled(100 * KIB);
            moment_take(i, "heap", MOMENTS * 3L * MIB + (i + 1) * 100L * KIB, NULL);
        }
        exit(0);
    }
    waitpid(worker, NULL, 0);
}

static void *end_soon(void *unused)
{
    touch_stack(15);
    filled(200 * KIB);
    return unused;
}

static void ended(void)
{
    for (int i = 0; i < MOMENTS; i++) {
        pthread_t threads[4];

        for (int k = 0; k < 4; k++)
            pthread_create(&threads[k], NULL, end_soon, NULL);
        for (int k = 0; k < 4; k++)
            pthread_join(threads[k], NULL);
        moment_take(i, "heap", (i + 1) * 4L * 200 * KIB, NULL);
    }
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {{"small", small},
             {"big", big},
             {"fragments", fragments},
             {"arenas", arenas},
             {"stacks", stacks},
             {"file", file},
             {"copied", copied},
             {"shm", shm},
             {"shared", shared},
             {"populate", populate},
             {"sparse", sparse},
             {"trim", trim},
             {"own", own},
             {"generated", generated},
             {"data", data},
             {"untouched", untouched},
             {"grown", grown},
             {"forked", forked},
             {"ended", ended}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 2 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].run();
            return 0;
        }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        puts(cases[i].name);
    return 2;
}
