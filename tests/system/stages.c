/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks whose truth is known: obtained and freed ones, live ones at the end, and the peak, in
 * usable bytes.  Threads obtain, move, swap and free blocks, in any order.
 *
 * usage: stages storm THREADS CALLS     and end
 *        stages slow THREADS CALLS      the same, with naps
 *        stages fork THREADS CALLS      fork in the middle; the child frees the parent's blocks
 *        stages kill THREADS CALLS      and be killed
 *
 * The truth is printed as lines "key value", and the live blocks as "live ADDRESS SIZE USABLE";
 * after "child" come those of the child.  Sizes are 5 more than a multiple of 16, so a reader can
 * distinguish them from those of the C library.  Only pthread_create allocates besides, with or
 * without calls.
 */
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 16, BLOCKS = 512, PARCELS = 64, SIZE_UNIT = 16, SIZE_REST = 5, LINE = 128 };

/* A budget of time is looked at once a second. */
enum { NAPS = 12, NAP_US = 400000 };

/* A place for a block, and its size. */
struct block {
    char *address;
    size_t size;
};

struct part {
    struct block blocks[BLOCKS];
    uint64_t chance;
    uint64_t allocations, allocated_bytes, frees;
};

/* A block on its way to another thread. */
struct parcel {
    struct block block;
    atomic_bool is_full;
};

static struct part parts[THREADS];
static struct parcel parcels[THREADS][PARCELS]; /* left by the threads */
static _Atomic(struct parcel *) places[PARCELS];
static _Atomic int64_t live_bytes, peak_bytes; /* usable */
static unsigned long calls, naps;
static pthread_barrier_t done;

/* Source: Marsaglia, Xorshift RNGs (2003), with a multiplication to scramble. */
static uint64_t draw(struct part *part)
{
    part->chance ^= part->chance >> 12;
    part->chance ^= part->chance << 25;
    part->chance ^= part->chance >> 27;
    return part->chance * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

static size_t draw_size(struct part *part)
{
    uint64_t kind = draw(part) % 1000;
    uint64_t most = kind < 900 ? 64 : kind < 990 ? 1024 : 4000;

    return draw(part) % most * SIZE_UNIT + SIZE_REST;
}

static void note_live(int64_t change)
{
    int64_t live = atomic_fetch_add(&live_bytes, change) + change;
    int64_t peak = atomic_load(&peak_bytes);

    while (live > peak && !atomic_compare_exchange_weak(&peak_bytes, &peak, live))
        continue;
}

static void note_obtained(struct part *part, struct block *block, size_t size)
{
    if (!block->address)
        _exit(3);
    block->size = size;
    block->address[0] = 1;
    part->allocations++;
    part->allocated_bytes += size;
}

static void obtain(struct part *part, struct block *block)
{
    size_t size = draw_size(part);

    switch (draw(part) % 4) {
    case 0: block->address = calloc(1, size); break;
    case 1: block->address = memalign(64, size); break;
    default: block->address = malloc(size); break;
    }
    note_obtained(part, block, size);
    note_live((int64_t)malloc_usable_size(block->address));
}

static void give_back(struct part *part, struct block *block)
{
    note_live(-(int64_t)malloc_usable_size(block->address));
    part->frees++;
    free(block->address);
    block->address = NULL;
}

/* One call of eight is refused, and leaves the block alone. */
static void move(struct part *part, struct block *block)
{
    int64_t before = (int64_t)malloc_usable_size(block->address);
    size_t size = draw_size(part);
    char *moved;

    if (draw(part) % 8 == 0 && !realloc(block->address, (size_t)PTRDIFF_MAX - SIZE_UNIT))
        return;
    moved = realloc(block->address, size);
    block->address = moved;
    note_obtained(part, block, size);
    part->frees++;
    note_live((int64_t)malloc_usable_size(moved) - before);
}

/* Take a block of another thread, and leave one for it. */
static void swap(struct part *part, struct block *block)
{
    unsigned place = draw(part) % PARCELS;
    struct parcel *parcel = &parcels[part - parts][place];

    if (atomic_load(&parcel->is_full))
        return;
    parcel->block = *block;
    block->address = NULL;
    atomic_store(&parcel->is_full, true);
    parcel = atomic_exchange(&places[place], parcel);
    if (!parcel)
        return;
    *block = parcel->block;
    atomic_store(&parcel->is_full, false);
}

static void step(struct part *part)
{
    struct block *block = &part->blocks[draw(part) % BLOCKS];
    uint64_t what = draw(part) % 8;

    if (!block->address)
        obtain(part, block);
    else if (what < 4)
        give_back(part, block);
    else if (what < 7)
        move(part, block);
    else
        swap(part, block);
}

static void run(struct part *part)
{
    for (unsigned long i = 0; i < calls; i++) {
        if (naps > 0 && i % (calls / naps + 1) == 0)
            usleep(NAP_US);
        step(part);
    }
}

static _Noreturn void *run_thread(void *of)
{
    run(of);
    pthread_barrier_wait(&done);
    for (;;)
        pause();
}

/* The threads stay, so that the C library's own blocks are as many in each run. */
static void run_threads(unsigned count)
{
    pthread_t thread;

    pthread_barrier_init(&done, NULL, count);
    for (unsigned i = 1; i < count; i++)
        if (pthread_create(&thread, NULL, run_thread, &parts[i]) != 0)
            _exit(4);
    run(&parts[0]);
    pthread_barrier_wait(&done);
}

/* Without stdio, which allocates. */
static void say(const char *format, ...)
{
    char line[LINE];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(5);
}

static uint64_t say_block(const struct block *block)
{
    if (block->address)
        say("live %lx %zu %zu\n", (unsigned long)block->address, block->size,
            malloc_usable_size(block->address));
    return block->address ? block->size : 0;
}

static void say_live(void)
{
    uint64_t bytes = 0;

    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < BLOCKS; j++)
            bytes += say_block(&parts[i].blocks[j]);
    for (int i = 0; i < THREADS; i++)
        for (int j = 0; j < PARCELS; j++)
            bytes += parcels[i][j].is_full ? say_block(&parcels[i][j].block) : 0;
    say("live_bytes %llu\n", (unsigned long long)bytes);
}

static void say_truth(void)
{
    uint64_t allocations = 0, allocated_bytes = 0, frees = 0;

    for (int i = 0; i < THREADS; i++) {
        allocations += parts[i].allocations;
        allocated_bytes += parts[i].allocated_bytes;
        frees += parts[i].frees;
    }
    say_live();
    say("allocations %llu\nallocated_bytes %llu\nfrees %llu\nusable_live %lld\nusable_peak %lld\n",
        (unsigned long long)allocations, (unsigned long long)allocated_bytes,
        (unsigned long long)frees, (long long)live_bytes, (long long)peak_bytes);
}

/* A child counts its own calls, from the heap of its parent on. */
static void run_child(void)
{
    for (int i = 0; i < THREADS; i++)
        parts[i].allocations = parts[i].allocated_bytes = parts[i].frees = 0;
    peak_bytes = live_bytes;
    say("usable_first %lld\n", (long long)live_bytes);
    parts[0].chance += 2;
    run(&parts[0]);
    for (int j = 0; j < BLOCKS; j += 2)
        if (parts[0].blocks[j].address)
            give_back(&parts[0], &parts[0].blocks[j]);
    say("child %d\n", (int)getpid());
    say_truth();
}

int main(int argc, char **argv)
{
    unsigned count = argc == 4 ? (unsigned)atoi(argv[2]) : 0;

    if (count < 1 || count > THREADS)
        return 2;
    calls = strtoul(argv[3], NULL, 10);
    naps = strcmp(argv[1], "slow") == 0 ? NAPS : 0;
    for (unsigned i = 0; i < THREADS; i++)
        parts[i].chance = 88172645463325252u + i;
    run_threads(count);
    if (strcmp(argv[1], "fork") == 0) {
        pid_t child = fork();

        if (child == 0) {
            run_child();
            return 0;
        }
        waitpid(child, NULL, 0);
        say("parent %d\n", (int)getpid());
        run(&parts[0]);
    }
    say_truth();
    if (strcmp(argv[1], "kill") == 0)
        raise(SIGKILL);
    return 0;
}
