/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose memory follows a known course, a millisecond a round.
 *
 * usage: courses grow ROUNDS    one buffer that realloc makes larger and never frees
 *        courses tidy ROUNDS    the same, freed at the end
 *        courses late ROUNDS    a small block that is kept in each of the last quarter
 *        courses two ROUNDS     a large load, then two functions that keep a block each
 *        courses map ROUNDS     a mapping of its own in each round, which is touched
 *        courses break ROUNDS   the same by sbrk
 *        courses silent ROUNDS  the same, and no block in between
 *        courses shrink ROUNDS  a large block that realloc makes tiny at once
 *        courses stairs ROUNDS  six blocks that are kept, and nothing else
 *        courses turns ROUNDS   a block is kept in each round, by one call chain after another
 *        courses swing ROUNDS   a large block that is touched and freed in each round
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ROUND_US = 1000,
    GROWTH = 20000,
    LARGE = 64 << 20,
    TINY = 16,
    PAGES = 1 << 16,
    SMALL = 2000,
    STAIRS = 6,
    STAIR = 1000000,
    CHAINS = 12,
    USAGE = 2
};

/* The compiler must not see that nobody reads the blocks. */
static void *volatile kept;

/* The compiler must not know that a call is the last action of a function. */
static volatile int returned;

/* The compiler must not know that a block is freed at once. */
static void use_block(size_t size)
{
    void *volatile block = malloc(size);

    free(block);
}

static void go_on(void)
{
    usleep(ROUND_US);
}

static void grow(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        kept = realloc(kept, (size_t)(i + 1) * GROWTH);
        go_on();
    }
}

static void tidy(int rounds)
{
    grow(rounds);
    free(kept);
}

static void late(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        use_block(SMALL);
        if (i >= rounds - rounds / 4)
            kept = malloc(SMALL);
        go_on();
    }
}

static __attribute__((noinline)) void load(void)
{
    kept = malloc(LARGE);
}

static __attribute__((noinline)) void known_leak(void)
{
    kept = malloc(SMALL);
}

static __attribute__((noinline)) void own_leak(void)
{
    kept = malloc(SMALL - TINY); /* unlike the other: equal functions become one */
}

static void two(int rounds)
{
    load();
    for (int i = 0; i < rounds; i++) {
        known_leak();
        own_leak();
        go_on();
    }
}

static void map(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        kept = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(kept, 1, PAGES);
        use_block(SMALL);
        go_on();
    }
}

static void raise_break(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        kept = sbrk(PAGES);
        memset(kept, 1, PAGES);
        use_block(SMALL);
        go_on();
    }
}

static void silent(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        memset(sbrk(PAGES), 1, PAGES);
        go_on();
    }
    kept = malloc(TINY);
}

static void shrink(int rounds)
{
    kept = realloc(malloc(LARGE), TINY);
    for (int i = 0; i < rounds; i++) {
        use_block(TINY);
        go_on();
    }
}

static void stairs(int rounds)
{
    for (int i = 1; i <= rounds; i++) {
        if (i % (rounds / STAIRS) == 0)
            kept = malloc(STAIR);
        go_on();
    }
}

/* A chain of `depth` calls more. */
static void keep_below(int depth)
{
    if (depth > 0)
        keep_below(depth - 1);
    else
        kept = malloc(GROWTH);
    returned = depth;
}

static void turns(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        keep_below(i * CHAINS / rounds);
        go_on();
    }
}

static void swing(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        kept = malloc(LARGE);
        memset(kept, 1, LARGE);
        go_on();
        free(kept);
    }
}

static const struct {
    const char *name;
    void (*run)(int rounds);
} courses[] = {{"grow", grow},     {"tidy", tidy},         {"late", late},     {"two", two},
               {"map", map},       {"break", raise_break}, {"silent", silent}, {"shrink", shrink},
               {"stairs", stairs}, {"turns", turns},       {"swing", swing}};

int main(int count, char **arguments)
{
    for (size_t i = 0; count == 3 && i < sizeof courses / sizeof *courses; i++) {
        if (strcmp(arguments[1], courses[i].name) != 0)
            continue;
        courses[i].run(atoi(arguments[2]));
        return EXIT_SUCCESS;
    }
    return USAGE;
}
