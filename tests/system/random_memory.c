/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random allocation programs that know their own truth.  A seed is one such program: some hundred
 * calls of the whole malloc family, by one thread or by several that take turns, so that their
 * calls have one order and the truth is unique.  Blocks are obtained by one thread and freed by
 * another, moved, refused, and some are kept.
 *
 * usage: random_memory FIRST COUNT THREADS
 *
 * COUNT seeds from FIRST on, with this many threads besides the first.  A seed is the region
 * seed_N; a thread's part in it is the inner region thread_N.  Every block is obtained in one of
 * the functions site_00 to site_19, up to ten calls deep.  The truth is printed as lines of JSON at
 * the end; nothing but the seeds allocates, except pthread_create before the region "baseline".
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tprof.h>

#define NOINLINE __attribute__((noinline))

enum {
    STEPS = 300,
    BURST = 12, /* calls before another thread may have its turn */
    BLOCKS = 256,
    SITES = 20,
    DEPTH = 10,
    THREADS = 4,
    SEEDS = 128,
    LABEL = 24,
    STACK_BYTES = 256 << 10
};

struct counts {
    uint64_t allocations, allocated_bytes, frees, freed_bytes, failed;
};

struct site {
    struct counts counts; /* frees are of the blocks that were obtained here */
    uint64_t live_blocks, live_bytes;
    uint64_t peak_blocks, peak_bytes; /* live when the heap was at its peak */
};

struct block {
    unsigned char *address; /* NULL: a free place */
    size_t size;
    unsigned site;
    unsigned char mark;
};

struct seed {
    char label[LABEL];
    struct counts threads[THREADS];
    uint64_t peak_bytes;
    uint64_t begin_bytes, end_bytes; /* live */
};

static struct block blocks[BLOCKS];
static struct site sites[SITES];
static struct seed seeds[SEEDS];
static struct seed *seed;
static struct counts *thread_counts; /* of the seed and thread whose turn it is */
static uint64_t live_bytes, live_blocks, peak_bytes;
static int thread_count = 1;

/* ---- chance -------------------------------------------------------------- */

static uint64_t chance;

/* Source: Marsaglia, Xorshift RNGs (2003), with a multiplication to scramble. */
static uint64_t random_next(void)
{
    chance ^= chance >> 12;
    chance ^= chance << 25;
    chance ^= chance >> 27;
    return chance * UINT64_C(0x2545f4914f6cdd1d);
}

static unsigned random_below(unsigned bound)
{
    return (unsigned)((random_next() >> 32) % bound);
}

static size_t random_size(void)
{
    unsigned kind = random_below(200);

    if (kind < 10)
        return 0;
    if (kind < 150)
        return random_below(1024);
    if (kind < 190)
        return random_below(64 << 10);
    if (kind < 198)
        return random_below(1 << 20);
    return random_below(32 << 20);
}

/* ---- the truth ----------------------------------------------------------- */

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "random_memory: %s: %s\n", seed ? seed->label : "start", what);
    _exit(EXIT_FAILURE);
}

static void note_peak(void)
{
    if (live_bytes > seed->peak_bytes)
        seed->peak_bytes = live_bytes;
    if (live_bytes <= peak_bytes)
        return;
    peak_bytes = live_bytes;
    for (int i = 0; i < SITES; i++) {
        sites[i].peak_blocks = sites[i].live_blocks;
        sites[i].peak_bytes = sites[i].live_bytes;
    }
}

static void count_obtained(struct counts *counts, size_t size)
{
    counts->allocations++;
    counts->allocated_bytes += size;
}

static void count_freed(struct counts *counts, size_t size)
{
    counts->frees++;
    counts->freed_bytes += size;
}

static void note_obtained(const struct block *block)
{
    struct site *site = &sites[block->site];

    count_obtained(thread_counts, block->size);
    count_obtained(&site->counts, block->size);
    site->live_blocks++;
    site->live_bytes += block->size;
    live_blocks++;
    live_bytes += block->size;
    note_peak();
}

static void note_freed(const struct block *block)
{
    struct site *site = &sites[block->site];

    count_freed(thread_counts, block->size);
    count_freed(&site->counts, block->size);
    site->live_blocks--;
    site->live_bytes -= block->size;
    live_blocks--;
    live_bytes -= block->size;
}

/* ---- the calls ----------------------------------------------------------- */

enum member {
    MALLOC,
    CALLOC,
    REALLOC,
    REALLOCARRAY,
    POSIX_MEMALIGN,
    ALIGNED_ALLOC,
    MEMALIGN,
    VALLOC,
    PVALLOC,
    STRDUP,
    MEMBERS
};

/* A request on its way through a site to the call. */
struct request {
    enum member member;
    size_t size;
    size_t alignment;
    void *old;
    void *result;
    unsigned site;
    unsigned depth;
    unsigned levels; /* passed on the way back: no call may be in tail position */
};

static char text[1024];

static NOINLINE void call_strdup(struct request *request)
{
    request->size = request->size % (sizeof text - 1) + 1;
    memset(text, 'x', request->size - 1);
    text[request->size - 1] = '\0';
    request->result = strdup(text);
    request->levels++;
}

static NOINLINE void call_aligned(struct request *request)
{
    void *block = NULL;

    switch (request->member) {
    case POSIX_MEMALIGN:
        request->result = posix_memalign(&block, request->alignment, request->size) ? NULL : block;
        break;
    case ALIGNED_ALLOC: request->result = aligned_alloc(request->alignment, request->size); break;
    case MEMALIGN: request->result = memalign(request->alignment, request->size); break;
    case VALLOC: request->result = valloc(request->size); break;
    case PVALLOC: request->result = pvalloc(request->size); break;
    case MALLOC:
    case CALLOC:
    case REALLOC:
    case REALLOCARRAY:
    case STRDUP:
    case MEMBERS: give_up("no aligned call");
    }
    request->levels++;
}

static NOINLINE void call_plain(struct request *request)
{
    switch (request->member) {
    case MALLOC: request->result = malloc(request->size); break;
    case CALLOC:
        request->size -= request->size % 3;
        request->result = calloc(request->size / 3, 3);
        break;
    case REALLOC: request->result = realloc(request->old, request->size); break;
    case REALLOCARRAY:
        request->size -= request->size % 5;
        request->result = reallocarray(request->old, 5, request->size / 5);
        break;
    case STRDUP: call_strdup(request); break;
    case POSIX_MEMALIGN:
    case ALIGNED_ALLOC:
    case MEMALIGN:
    case VALLOC:
    case PVALLOC:
    case MEMBERS: call_aligned(request); break;
    }
    request->levels++;
}

static NOINLINE void step_aside(struct request *request);

static NOINLINE void descend(struct request *request)
{
    if (request->depth == 0)
        call_plain(request);
    else if (request->depth-- % 3 == 0)
        step_aside(request);
    else
        descend(request);
    request->levels++;
}

static NOINLINE void step_aside(struct request *request)
{
    descend(request);
    request->levels += 2;
}

#define SITE(number, name)                                                                         \
    static NOINLINE void name(struct request *request)                                             \
    {                                                                                              \
        if (request->depth == 0)                                                                   \
            call_plain(request);                                                                   \
        else                                                                                       \
            descend(request);                                                                      \
        request->site = number;                                                                    \
    }

SITE(0, site_00)
SITE(1, site_01)
SITE(2, site_02)
SITE(3, site_03)
SITE(4, site_04)
SITE(5, site_05)
SITE(6, site_06)
SITE(7, site_07)
SITE(8, site_08)
SITE(9, site_09)
SITE(10, site_10)
SITE(11, site_11)
SITE(12, site_12)
SITE(13, site_13)
SITE(14, site_14)
SITE(15, site_15)
SITE(16, site_16)
SITE(17, site_17)
SITE(18, site_18)
SITE(19, site_19)

static void (*const site_functions[SITES])(struct request *request) = {
    site_00, site_01, site_02, site_03, site_04, site_05, site_06, site_07, site_08, site_09,
    site_10, site_11, site_12, site_13, site_14, site_15, site_16, site_17, site_18, site_19};

static void call(struct request *request)
{
    request->depth = random_below(DEPTH);
    site_functions[random_below(SITES)](request);
}

/* ---- one step ------------------------------------------------------------ */

static size_t least(size_t one, size_t other)
{
    return one < other ? one : other;
}

/* The first and the last byte identify the block. */
static void mark(struct block *block)
{
    block->mark = (unsigned char)random_next();
    if (block->size == 0)
        return;
    block->address[0] = block->mark;
    block->address[block->size - 1] = block->mark;
}

static void check(const struct block *block)
{
    if (block->size != 0 &&
        (block->address[0] != block->mark || block->address[block->size - 1] != block->mark))
        give_up("a block was overwritten");
}

static void check_result(const struct request *request)
{
    const unsigned char *bytes = request->result;

    if (!bytes)
        give_up("no memory");
    if (request->member >= POSIX_MEMALIGN && request->member <= MEMALIGN &&
        (uintptr_t)bytes % request->alignment != 0)
        give_up("a block is not aligned");
    if (request->member == CALLOC && request->size != 0 &&
        (bytes[0] != 0 || bytes[request->size - 1] != 0))
        give_up("a byte is not zero");
}

static void keep(struct block *block, const struct request *request)
{
    *block = (struct block){request->result, request->size, request->site, 0};
    note_obtained(block);
    mark(block);
}

static void obtain(struct block *block)
{
    struct request request = {.member = (enum member)random_below(MEMBERS),
                              .size = random_size(),
                              .alignment = (size_t)16 << random_below(9)};

    call(&request);
    check_result(&request);
    keep(block, &request);
}

static void release(struct block *block)
{
    check(block);
    note_freed(block);
    free(block->address);
    block->address = NULL;
}

/* realloc to nothing frees the block. */
static void resize(struct block *block)
{
    struct request request = {.member = random_below(2) ? REALLOC : REALLOCARRAY,
                              .size = random_size(),
                              .old = block->address};
    size_t old_size = block->size;
    unsigned char old_mark = block->mark;

    check(block);
    call(&request);
    note_freed(block);
    block->address = NULL;
    if (request.size == 0 && request.result)
        give_up("realloc to nothing gives a block");
    if (request.size == 0)
        return;
    check_result(&request);
    if (least(old_size, request.size) > 0 && *(unsigned char *)request.result != old_mark)
        give_up("contents were lost");
    keep(block, &request);
}

/* The old block stays unchanged. */
static void refuse(struct block *block)
{
    static volatile size_t too_much = SIZE_MAX / 2 - 4096;
    struct request request = {
        .member = random_below(2) ? REALLOC : MALLOC, .size = too_much, .old = block->address};

    errno = 0;
    call(&request);
    if (request.result || errno != ENOMEM)
        give_up("half the address space was given");
    thread_counts->failed++;
    if (block->address)
        check(block);
}

static void step(void)
{
    struct block *block = &blocks[random_below(BLOCKS)];
    unsigned kind = random_below(100);

    if (kind < 3)
        refuse(block);
    else if (!block->address)
        obtain(block);
    else if (kind < 40)
        resize(block);
    else
        release(block);
}

/* ---- taking turns -------------------------------------------------------- */

enum order { DONE, BEGIN, WORK, END };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    enum order order;
    int thread;
} turn = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static void obey(int thread, enum order order)
{
    static const char *const labels[THREADS] = {"thread_0", "thread_1", "thread_2", "thread_3"};

    thread_counts = &seed->threads[thread];
    switch (order) {
    case BEGIN:
        tprof_region_begin(seed->label);
        tprof_region_begin(labels[thread]);
        break;
    case WORK:
        for (unsigned i = random_below(BURST); i > 0; i--)
            step();
        break;
    case END:
        tprof_region_end(labels[thread]);
        tprof_region_end(seed->label);
        break;
    case DONE: break;
    }
}

static void *follow(void *of)
{
    int thread = *(int *)of;

    pthread_mutex_lock(&turn.mutex);
    for (;;) {
        while (turn.order == DONE || turn.thread != thread)
            pthread_cond_wait(&turn.changed, &turn.mutex);
        obey(thread, turn.order);
        turn.order = DONE;
        pthread_cond_broadcast(&turn.changed);
    }
    return NULL;
}

/* Let a thread do it, and wait until it has. */
static void command(int thread, enum order order)
{
    if (thread == 0) {
        obey(0, order);
        return;
    }
    pthread_mutex_lock(&turn.mutex);
    turn.thread = thread;
    turn.order = order;
    pthread_cond_broadcast(&turn.changed);
    while (turn.order != DONE)
        pthread_cond_wait(&turn.changed, &turn.mutex);
    pthread_mutex_unlock(&turn.mutex);
}

static void start_threads(int count)
{
    static int numbers[THREADS];
    pthread_attr_t attributes;
    pthread_t thread;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    for (; thread_count <= count; thread_count++) {
        numbers[thread_count] = thread_count;
        if (pthread_create(&thread, &attributes, follow, &numbers[thread_count]) != 0)
            give_up("a thread cannot start");
    }
    pthread_attr_destroy(&attributes);
}

/* ---- a seed -------------------------------------------------------------- */

/* A few blocks are never freed: the heap at the end is not 0. */
static void clear(void)
{
    for (int i = 0; i < BLOCKS; i++) {
        if (!blocks[i].address)
            continue;
        if (blocks[i].size < 4096 && random_below(32) == 0)
            blocks[i].address = NULL;
        else
            release(&blocks[i]);
    }
}

static void run_seed(struct seed *now, uint64_t number)
{
    seed = now;
    snprintf(seed->label, sizeof seed->label, "seed_%llu", (unsigned long long)number);
    chance = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    seed->begin_bytes = live_bytes;
    seed->peak_bytes = live_bytes;
    for (int i = 0; i < thread_count; i++)
        command(i, BEGIN);
    for (int done = 0; done < STEPS; done += BURST / 2)
        command((int)random_below((unsigned)thread_count), WORK);
    thread_counts = &seed->threads[0];
    clear();
    for (int i = thread_count - 1; i >= 0; i--)
        command(i, END);
    seed->end_bytes = live_bytes;
}

/* ---- printing ------------------------------------------------------------ */

static char line[1024];

static void print_line(int size)
{
    if (size < 0 || (size_t)size >= sizeof line || write(STDOUT_FILENO, line, (size_t)size) != size)
        give_up("the truth cannot be written");
}

static unsigned long long wide(uint64_t value)
{
    return value;
}

static int format_counts(char *place, size_t size, const struct counts *counts)
{
    return snprintf(place, size,
                    "\"allocations\":%llu,\"allocated_bytes\":%llu,\"frees\":%llu,"
                    "\"freed_bytes\":%llu,\"failed_allocations\":%llu",
                    wide(counts->allocations), wide(counts->allocated_bytes), wide(counts->frees),
                    wide(counts->freed_bytes), wide(counts->failed));
}

static void print_seed(const struct seed *of)
{
    char counts[512];

    print_line(snprintf(line, sizeof line,
                        "{\"kind\":\"seed\",\"path\":\"%s\",\"peak_bytes\":%llu,"
                        "\"begin_bytes\":%llu,\"end_bytes\":%llu}\n",
                        of->label, wide(of->peak_bytes), wide(of->begin_bytes),
                        wide(of->end_bytes)));
    for (int i = 0; i < thread_count; i++) {
        format_counts(counts, sizeof counts, &of->threads[i]);
        print_line(snprintf(line, sizeof line,
                            "{\"kind\":\"thread\",\"path\":\"%s/thread_%d\",%s}\n", of->label, i,
                            counts));
    }
}

static void print_site(const struct site *site, int number)
{
    char counts[512];

    format_counts(counts, sizeof counts, &site->counts);
    print_line(snprintf(line, sizeof line,
                        "{\"kind\":\"site\",\"name\":\"site_%02d\",%s,\"live_blocks\":%llu,"
                        "\"live_bytes\":%llu,\"peak_blocks\":%llu,\"peak_bytes\":%llu}\n",
                        number, counts, wide(site->live_blocks), wide(site->live_bytes),
                        wide(site->peak_blocks), wide(site->peak_bytes)));
}

static void add_counts(struct counts *sum, const struct counts *counts)
{
    sum->allocations += counts->allocations;
    sum->allocated_bytes += counts->allocated_bytes;
    sum->frees += counts->frees;
    sum->freed_bytes += counts->freed_bytes;
    sum->failed += counts->failed;
}

static void print_total(int count)
{
    struct counts sum = {0};
    char counts[512];

    for (int i = 0; i < count; i++)
        for (int j = 0; j < thread_count; j++)
            add_counts(&sum, &seeds[i].threads[j]);
    format_counts(counts, sizeof counts, &sum);
    print_line(snprintf(line, sizeof line,
                        "{\"kind\":\"total\",\"threads\":%d,%s,\"live_blocks\":%llu,"
                        "\"live_bytes\":%llu,\"peak_bytes\":%llu}\n",
                        thread_count, counts, wide(live_blocks), wide(live_bytes),
                        wide(peak_bytes)));
}

int main(int argument_count, char **arguments)
{
    uint64_t first;
    int count;

    if (argument_count != 4)
        return 2;
    first = strtoull(arguments[1], NULL, 10);
    count = atoi(arguments[2]);
    if (count < 1 || count > SEEDS || atoi(arguments[3]) >= THREADS)
        return 2;
    start_threads(atoi(arguments[3]));
    tprof_region_begin("baseline");
    tprof_region_end("baseline");
    for (int i = 0; i < count; i++)
        run_seed(&seeds[i], first + (uint64_t)i);
    for (int i = 0; i < count; i++)
        print_seed(&seeds[i]);
    for (int i = 0; i < SITES; i++)
        print_site(&sites[i], i);
    print_total(count);
    return 0;
}
