/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random mappings whose every byte is checked.  Eight threads map, unmap, cut, move, grow, protect
 * and fork at random.  They also fill the holes that they just made, as ring buffers, garbage
 * collectors and loaders do.  A profiler that maps into such a hole would later write into the
 * program's memory.
 *
 * usage: mapper steps COUNT SEED      so many steps of each thread
 *        mapper seconds COUNT SEED    steps for so long
 *
 * A word of a plot names its owner, the plot, and the word.  A plot is checked before it changes,
 * before it is removed, and at the end.  Damage is printed on standard output: the place, the
 * expected word and the found word.  The status is then 1.
 *
 * The program itself is right: none of its own threads can take a hole that another one made.  A
 * thread holds the lock `holes` alone from the moment when it makes a hole until it has filled the
 * hole.  All other calls that may map share the lock.  malloc has one arena and takes small blocks
 * from the break, so a thread may allocate while a hole is open.  The lock `end_of_data` separates
 * the calls that move the break: malloc, sbrk and brk, and fork, which copies it.  free does not
 * move it.
 */
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    THREADS = 8,
    PLOTS = 48,
    BLOCKS = 32,
    PARTS = 4,
    CHILD_STEPS = 60,
    TRIES = 100,       /* at a hole that other threads may take */
    STRAY_BREAKS = 64, /* pieces of the break that malloc built upon */
    TOLD = 20,         /* lines of damage */
    PAGE = 4096,
    PAGE_WORDS = PAGE / sizeof(uint64_t),
    MAPPED_BLOCK = 128 << 10, /* malloc maps such blocks */
    DOUBTFUL_BLOCK = MAPPED_BLOCK / 2
};

/* A piece of memory with a pattern; `words` is NULL for an unused entry. */
struct plot {
    uint64_t *words;
    size_t count;
    uint64_t stamp;
    uint64_t first;  /* the number of words[0] in the pattern */
    bool is_of_file; /* from a memfd: another plot shows the same words */
};

struct owner {
    unsigned number;
    uint64_t chance;
    uint64_t sequence; /* sequence number of its plots */
    struct plot plots[PLOTS];
    struct plot blocks[BLOCKS];
    struct plot heap; /* at the break; belongs to the first owner */
    unsigned stray_breaks;
};

#define PREFER_WRITERS PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP

static pthread_rwlock_t holes = PREFER_WRITERS;
static pthread_rwlock_t end_of_data = PREFER_WRITERS;
static struct owner owners[THREADS];
static atomic_uint damaged;
static unsigned long steps; /* 0: until `deadline` */
static time_t deadline;
static bool is_child;

static _Noreturn void give_up(const char *what)
{
    perror(what);
    _exit(2);
}

/* ---- chance ---------------------------------------------------------------------- */

/* Source: Marsaglia, Xorshift RNGs (2003), with a multiplication to scramble. */
static uint64_t draw(struct owner *owner)
{
    owner->chance ^= owner->chance >> 12;
    owner->chance ^= owner->chance << 25;
    owner->chance ^= owner->chance >> 27;
    return owner->chance * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

/* From 1 to `most`. */
static size_t draw_count(struct owner *owner, size_t most)
{
    return 1 + draw(owner) % most;
}

/* Mostly small.  A chunk of a trace fits into a large one. */
static size_t draw_pages(struct owner *owner)
{
    uint64_t kind = draw(owner) % 20;

    return draw_count(owner, kind < 14 ? 16 : kind < 19 ? 256 : 1024);
}

/* ---- patterns -------------------------------------------------------------------- */

static uint64_t expected(const struct plot *plot, size_t i)
{
    return plot->stamp + plot->first + i;
}

static void *end_of(const struct plot *plot)
{
    return plot->words + plot->count;
}

static size_t bytes_of(const struct plot *plot)
{
    return plot->count * sizeof *plot->words;
}

static void tell(const void *place, uint64_t wanted, uint64_t found, const char *what)
{
    if (atomic_fetch_add(&damaged, 1) < TOLD)
        dprintf(STDOUT_FILENO, "damaged: %p: expected %#llx, found %#llx: %s\n", place,
                (unsigned long long)wanted, (unsigned long long)found, what);
}

static void check(const struct plot *plot)
{
    for (size_t i = 0; i < plot->count; i++)
        if (plot->words[i] != expected(plot, i)) {
            tell(&plot->words[i], expected(plot, i), plot->words[i], "a word of a plot");
            return;
        }
}

static void check_zero(const struct plot *plot, size_t from)
{
    for (size_t i = from; i < plot->count; i++)
        if (plot->words[i] != 0) {
            tell(&plot->words[i], 0, plot->words[i], "a word of a new page");
            return;
        }
}

static void sow(struct owner *owner, struct plot *plot)
{
    plot->stamp = (uint64_t)(owner->number + 1) << 56 | (++owner->sequence & UINT32_MAX) << 24;
    plot->first = 0;
    for (size_t i = 0; i < plot->count; i++)
        plot->words[i] = expected(plot, i);
}

/* Two plots of the same file: each shows the other's words. */
static void sow_twice(struct owner *owner, struct plot *one, struct plot *other)
{
    one->is_of_file = other->is_of_file = true;
    sow(owner, one);
    other->stamp = one->stamp;
    check(other);
}

/* ---- places ---------------------------------------------------------------------- */

static struct plot *find_place(struct owner *owner)
{
    for (int i = 0; i < PLOTS; i++)
        if (!owner->plots[i].words)
            return &owner->plots[i];
    return NULL;
}

static bool has_places(const struct owner *owner, unsigned count)
{
    unsigned places = 0;

    for (int i = 0; i < PLOTS; i++)
        places += !owner->plots[i].words;
    return places >= count;
}

static struct plot *draw_plot(struct owner *owner)
{
    size_t from = draw(owner) % PLOTS;

    for (size_t i = 0; i < PLOTS; i++)
        if (owner->plots[(from + i) % PLOTS].words)
            return &owner->plots[(from + i) % PLOTS];
    return NULL;
}

/* A plot whose words may change. */
static struct plot *draw_own_plot(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);

    return plot && !plot->is_of_file ? plot : NULL;
}

static struct plot *put(struct owner *owner, void *at, size_t pages)
{
    struct plot *plot = find_place(owner);

    *plot = (struct plot){.words = at, .count = pages * PAGE_WORDS};
    return plot;
}

static void put_new(struct owner *owner, void *at, size_t pages)
{
    struct plot *plot = put(owner, at, pages);

    check_zero(plot, 0);
    sow(owner, plot);
}

/* ---- calls ----------------------------------------------------------------------- */

static void hold(pthread_rwlock_t *lock)
{
    pthread_rwlock_rdlock(lock);
}

static void hold_alone(pthread_rwlock_t *lock)
{
    pthread_rwlock_wrlock(lock);
}

static void let_go(pthread_rwlock_t *lock)
{
    pthread_rwlock_unlock(lock);
}

static void *map(void *at, size_t pages, int protection, int flags)
{
    return mmap(at, pages * PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

static void *map_anywhere(size_t pages, int protection)
{
    void *place = map(NULL, pages, protection, 0);

    if (place == MAP_FAILED)
        give_up("mmap");
    return place;
}

static void *map_file(void *at, size_t pages, int flags, int descriptor)
{
    void *place = mmap(at, pages * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | flags, descriptor, 0);

    if (place == MAP_FAILED)
        give_up("mmap of a file");
    return place;
}

static int open_memory(size_t pages)
{
    int descriptor = memfd_create("mapper", MFD_CLOEXEC);

    if (descriptor < 0 || ftruncate(descriptor, (off_t)(pages * PAGE)) != 0)
        give_up("memfd_create");
    return descriptor;
}

static void unmap(void *at, size_t size)
{
    if (munmap(at, size) != 0)
        give_up("munmap");
}

/* Work for a profiler: now and then more than a chunk holds. */
static void churn(struct owner *owner)
{
    size_t pairs = draw(owner) % 16 == 0 ? 4000 : draw(owner) % 200;

    hold(&end_of_data);
    for (size_t i = 0; i < pairs; i++) {
        char *volatile block = malloc(draw_count(owner, 500));

        free(block);
    }
    let_go(&end_of_data);
}

/* A place that was the program's a moment ago. */
static void *make_hole(struct owner *owner, size_t pages)
{
    void *hole = map_anywhere(pages, PROT_NONE);

    unmap(hole, pages * PAGE);
    churn(owner);
    return hole;
}

/* ---- mappings anywhere ------------------------------------------------------------ */

static void map_plot(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    void *place;

    if (!has_places(owner, 1))
        return;
    hold(&holes);
    place = map_anywhere(pages, PROT_READ | PROT_WRITE);
    let_go(&holes);
    put_new(owner, place, pages);
}

static void map_memory_twice(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    int descriptor;
    struct plot *plots[2];

    if (!has_places(owner, 2))
        return;
    descriptor = open_memory(pages);
    hold(&holes);
    for (int i = 0; i < 2; i++)
        plots[i] = put(owner, map_file(NULL, pages, 0, descriptor), pages);
    let_go(&holes);
    close(descriptor);
    sow_twice(owner, plots[0], plots[1]);
}

/* Several mappings in a row, in a reserved place. */
static void map_neighbours(struct owner *owner)
{
    size_t pages = draw_count(owner, 64);
    char *place;

    if (!has_places(owner, PARTS))
        return;
    hold(&holes);
    place = map_anywhere(PARTS * pages, PROT_NONE);
    let_go(&holes);
    for (int i = 0; i < PARTS; i++, place += pages * PAGE) {
        if (map(place, pages, PROT_READ | PROT_WRITE, MAP_FIXED) != place)
            give_up("mmap of a neighbour");
        put_new(owner, place, pages);
    }
}

/* A thread that does not hold the lock alone may lose its hole to another, and then tries again. */
static void map_after_tries(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    void *hole = NULL, *place = MAP_FAILED;

    if (!has_places(owner, 1))
        return;
    hold(&holes);
    for (int i = 0; i < TRIES && place == MAP_FAILED; i++) {
        hole = make_hole(owner, pages);
        place = map(hole, pages, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
    }
    let_go(&holes);
    if (place != MAP_FAILED)
        put_new(owner, place, pages);
}

/* ---- mappings in fresh holes ------------------------------------------------------- */

static void fill_in_halves(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    char *hole;

    if (!has_places(owner, 2))
        return;
    hold_alone(&holes);
    hole = make_hole(owner, 2 * pages);
    for (size_t i = 0; i < 2; i++)
        if (map(hole + i * pages * PAGE, pages, PROT_READ | PROT_WRITE, MAP_FIXED) == MAP_FAILED)
            give_up("mmap in a hole");
    let_go(&holes);
    put_new(owner, hole, pages);
    put_new(owner, hole + pages * PAGE, pages);
}

/* A ring buffer: bytes written after its end appear at its beginning, too. */
static void fill_with_ring(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    int descriptor;
    struct plot *plots[2];
    char *hole;

    if (!has_places(owner, 2))
        return;
    descriptor = open_memory(pages);
    hold_alone(&holes);
    hole = make_hole(owner, 2 * pages);
    for (size_t i = 0; i < 2; i++)
        plots[i] =
            put(owner, map_file(hole + i * pages * PAGE, pages, MAP_FIXED, descriptor), pages);
    let_go(&holes);
    close(descriptor);
    sow_twice(owner, plots[0], plots[1]);
}

static void fill_what_is_free(struct owner *owner)
{
    size_t pages = draw_pages(owner);
    void *hole, *place;

    if (!has_places(owner, 1))
        return;
    hold_alone(&holes);
    hole = make_hole(owner, pages);
    place = map(hole, pages, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE);
    let_go(&holes);
    if (place == hole)
        put_new(owner, place, pages);
    else
        tell(hole, 0, (uint64_t)errno, "a hole was taken, see errno");
}

static void move_into_hole(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);
    void *hole;

    if (!plot)
        return;
    check(plot);
    hold_alone(&holes);
    hole = make_hole(owner, plot->count / PAGE_WORDS);
    hole = mremap(plot->words, bytes_of(plot), bytes_of(plot), MREMAP_MAYMOVE | MREMAP_FIXED, hole);
    let_go(&holes);
    if (hole == MAP_FAILED)
        give_up("mremap into a hole");
    plot->words = hole;
    check(plot);
}

/* ---- changes ----------------------------------------------------------------------- */

static void grow(struct owner *owner)
{
    struct plot *plot = draw_own_plot(owner);
    size_t before, pages = draw_count(owner, 64);
    void *place;

    if (!plot || plot->count > 1024 * PAGE_WORDS)
        return;
    check(plot);
    before = plot->count;
    hold(&holes);
    place = mremap(plot->words, bytes_of(plot), bytes_of(plot) + pages * PAGE,
                   draw(owner) % 2 ? MREMAP_MAYMOVE : 0);
    let_go(&holes);
    if (place == MAP_FAILED) /* there is no room after it */
        return;
    plot->words = place;
    check(plot);
    plot->count += pages * PAGE_WORDS;
    check_zero(plot, before);
    sow(owner, plot);
}

static void shrink(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);
    size_t pages;

    if (!plot || plot->count < 2 * PAGE_WORDS)
        return;
    check(plot);
    pages = draw_count(owner, plot->count / PAGE_WORDS - 1);
    if (mremap(plot->words, bytes_of(plot), pages * PAGE, 0) != plot->words)
        give_up("mremap to less");
    plot->count = pages * PAGE_WORDS;
    check(plot);
}

/* Discard the pages of a plot; the new ones are zero. */
static void forget(struct owner *owner)
{
    struct plot *plot = draw_own_plot(owner);

    if (!plot)
        return;
    check(plot);
    if (madvise(plot->words, bytes_of(plot), MADV_DONTNEED) != 0)
        give_up("madvise");
    check_zero(plot, 0);
    sow(owner, plot);
}

static void protect(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);
    size_t from, size;

    if (!plot)
        return;
    from = draw(owner) % (plot->count / PAGE_WORDS) * PAGE_WORDS;
    size = draw_count(owner, (plot->count - from) / PAGE_WORDS) * PAGE;
    if (mprotect(plot->words + from, size, draw(owner) % 2 ? PROT_NONE : PROT_READ) != 0)
        give_up("mprotect");
    churn(owner);
    if (mprotect(plot->words + from, size, PROT_READ | PROT_WRITE) != 0)
        give_up("mprotect");
    check(plot);
}

/* ---- unmapping --------------------------------------------------------------------- */

static void unmap_plot(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);

    if (!plot)
        return;
    check(plot);
    unmap(plot->words, bytes_of(plot));
    plot->words = NULL;
}

/* The part after word `from` becomes a plot, unless the entries are used up. */
static void split(struct owner *owner, const struct plot *plot, size_t from)
{
    struct plot *rest = find_place(owner);

    *rest = *plot;
    rest->words += from;
    rest->first += from;
    rest->count -= from;
}

/* A part at the head, at the tail or in the middle. */
static void unmap_part(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);
    size_t from, to;

    if (!plot || !has_places(owner, 1))
        return;
    check(plot);
    from = draw(owner) % (plot->count / PAGE_WORDS) * PAGE_WORDS;
    to = from + draw_count(owner, (plot->count - from) / PAGE_WORDS) * PAGE_WORDS;
    if (to < plot->count)
        split(owner, plot, to);
    unmap(plot->words + from, (to - from) * sizeof *plot->words);
    plot->count = from;
    if (from == 0)
        plot->words = NULL;
}

static struct plot *find_plot_at(struct owner *owner, const void *place)
{
    for (int i = 0; i < PLOTS; i++)
        if (owner->plots[i].words == place)
            return &owner->plots[i];
    return NULL;
}

/* All plots in a row, with one call. */
static void unmap_neighbours(struct owner *owner)
{
    struct plot *plot = draw_plot(owner);
    char *begin, *end;

    if (!plot)
        return;
    begin = end = (char *)plot->words;
    for (; plot; plot = find_plot_at(owner, end)) {
        check(plot);
        end = end_of(plot);
        plot->words = NULL;
    }
    unmap(begin, (size_t)(end - begin));
}

/* ---- the heap ---------------------------------------------------------------------- */

static size_t draw_block_words(struct owner *owner)
{
    uint64_t kind = draw(owner) % 100;

    return draw_count(owner, kind < 80 ? 128 : kind < 95 ? 8192 : 65536);
}

static void *obtain(struct owner *owner, const struct plot *old, size_t size)
{
    if (old->words)
        return realloc(old->words, size);
    switch (draw(owner) % 3) {
    case 0: return calloc(1, size);
    case 1: return memalign(64, size);
    default: return malloc(size);
    }
}

/* Only blocks that malloc may map need the lock of the holes.  A mapped block stays mapped, however
 * small it becomes, and may move when it grows again. */
static void change_block(struct owner *owner, struct plot *block, size_t count)
{
    size_t size = count * sizeof *block->words;
    bool may_map = size >= DOUBTFUL_BLOCK || block->words;

    if (may_map)
        hold(&holes);
    hold(&end_of_data);
    block->words = obtain(owner, block, size);
    let_go(&end_of_data);
    if (may_map)
        let_go(&holes);
    if (!block->words)
        give_up("malloc");
}

static void obtain_block(struct owner *owner)
{
    struct plot *block = &owner->blocks[draw(owner) % BLOCKS];
    size_t count = draw_block_words(owner);

    if (block->words)
        check(block);
    change_block(owner, block, count);
    if (block->count > count)
        block->count = count;
    check(block);
    block->count = count;
    sow(owner, block);
}

static void free_block(struct owner *owner)
{
    struct plot *block = &owner->blocks[draw(owner) % BLOCKS];

    if (!block->words)
        return;
    check(block);
    free(block->words);
    *block = (struct plot){.words = NULL};
}

static void raise_break(struct owner *owner, bool is_at_end)
{
    size_t pages = draw_count(owner, 64);
    struct plot *heap = &owner->heap;
    void *place = sbrk((intptr_t)(pages * PAGE));

    if (place == (void *)-1)
        return;
    if (!is_at_end)
        *heap = (struct plot){.words = place};
    heap->count += pages * PAGE_WORDS;
}

/* If malloc has built on the last piece, that piece stays, and another starts. */
static void move_break(struct owner *owner)
{
    struct plot *heap = &owner->heap;
    bool is_at_end;

    if (owner->number != 0)
        return;
    check(heap);
    hold_alone(&end_of_data);
    is_at_end = heap->words && sbrk(0) == end_of(heap);
    if (is_at_end && draw(owner) % 2) {
        if (brk(heap->words) != 0)
            give_up("brk");
        *heap = (struct plot){.words = NULL};
    } else if (is_at_end || owner->stray_breaks++ < STRAY_BREAKS) {
        raise_break(owner, is_at_end);
    }
    let_go(&end_of_data);
    sow(owner, heap);
}

/* ---- threads, children and steps ---------------------------------------------------- */

/* Its stack is mapped, and the memory after it is obtained. */
static pthread_t start_thread(void *(*function)(void *of), void *of)
{
    pthread_t thread;

    hold(&holes);
    hold(&end_of_data);
    if (pthread_create(&thread, NULL, function, of) != 0)
        give_up("pthread_create");
    let_go(&end_of_data);
    let_go(&holes);
    return thread;
}

static void *live_as_thread(void *of)
{
    churn(of);
    return NULL;
}

/* Its owner waits for it. */
static void run_thread(struct owner *owner)
{
    pthread_join(start_thread(live_as_thread, owner), NULL);
}

static void fork_child(struct owner *owner);

/* An action, and how many steps of a hundred do it. */
static const struct action {
    void (*act)(struct owner *owner);
    unsigned share;
} actions[] = {
    {map_plot, 11},
    {map_memory_twice, 3},
    {map_neighbours, 4},
    {map_after_tries, 4},
    {fill_in_halves, 6},
    {fill_with_ring, 5},
    {fill_what_is_free, 6},
    {move_into_hole, 5},
    {grow, 6},
    {shrink, 4},
    {forget, 4},
    {protect, 5},
    {unmap_plot, 8},
    {unmap_part, 8},
    {unmap_neighbours, 4},
    {obtain_block, 8},
    {free_block, 4},
    {move_break, 2},
    {run_thread, 2},
    {fork_child, 1},
};

static void step(struct owner *owner)
{
    uint64_t lot = draw(owner) % 100;
    const struct action *action = actions;

    for (; lot >= action->share; action++)
        lot -= action->share;
    action->act(owner);
}

static void check_all(const struct owner *owner)
{
    for (int i = 0; i < PLOTS; i++)
        if (owner->plots[i].words)
            check(&owner->plots[i]);
    for (int i = 0; i < BLOCKS; i++)
        check(&owner->blocks[i]);
    check(&owner->heap);
}

/* Its thread is alone: nobody holds the other threads' things. */
static _Noreturn void live_as_child(struct owner *owner)
{
    static const pthread_rwlock_t fresh = PREFER_WRITERS;

    holes = end_of_data = fresh;
    is_child = true;
    damaged = 0;
    check_all(owner);
    for (int i = 0; i < CHILD_STEPS; i++)
        step(owner);
    check_all(owner);
    _exit(damaged != 0);
}

static void fork_child(struct owner *owner)
{
    pid_t child;
    int status;

    if (is_child)
        return;
    hold_alone(&end_of_data);
    child = fork();
    if (child == 0)
        live_as_child(owner);
    let_go(&end_of_data);
    if (child < 0 || waitpid(child, &status, 0) != child)
        give_up("fork");
    if (status != 0)
        tell(NULL, 0, (uint64_t)status, "the status of a child");
}

static bool goes_on(unsigned long done)
{
    return steps > 0 ? done < steps : time(NULL) < deadline;
}

static void *run(void *of)
{
    struct owner *owner = of;

    for (unsigned long done = 0; goes_on(done); done++)
        step(owner);
    check_all(owner);
    return NULL;
}

static void set_up_malloc(void)
{
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, MAPPED_BLOCK);
    mallopt(M_TRIM_THRESHOLD, -1);
}

static void run_threads(uint64_t seed)
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++) {
        owners[i].number = i;
        owners[i].chance = (seed * THREADS + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        threads[i] = start_thread(run, &owners[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(int count, char **arguments)
{
    if (count != 4)
        return 2;
    if (strcmp(arguments[1], "steps") == 0)
        steps = strtoul(arguments[2], NULL, 10);
    else
        deadline = time(NULL) + atoi(arguments[2]);
    set_up_malloc();
    run_threads(strtoull(arguments[3], NULL, 10));
    printf("%u damaged\n", damaged);
    return damaged != 0;
}
