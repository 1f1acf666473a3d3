/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Throwing points, and remembering the blocks that they hit.
 */
#include "record/samples.h"

#include <errno.h>

#include "platform/clock.h"
#include "platform/fixed.h"
#include "platform/memory.h"
#include "record/stages.h"

enum { TABLES = 3, GROWTH_BITS = 2, UNIFORM_BITS = 53, FURTHER = 128 };

_Atomic uint16_t *samples_near;

/* A table has lines of addresses, followed by a mark for each line: how many it has, and FURTHER if
 * a block found it full and went into the next table.  Tables are mapped on demand, and stay,
 * because their lines are read without a lock. */
static _Atomic(void *) tables[TABLES];

static size_t count_lines(int table)
{
    return (size_t)1 << (SAMPLES_LINE_BITS + GROWTH_BITS * table);
}

static size_t size_of(int table)
{
    return count_lines(table) * (SAMPLES_LINE * sizeof(uintptr_t) + 1);
}

/* The table is wiped in a forked child, which has recorded none of its parent's blocks.  Returns:
 * NULL when the kernel refuses. */
static void *map_table(int table)
{
    int error = errno;
    void *there = memory_map_once(&tables[table], size_of(table), memory_map_wiped);

    errno = error;
    return there;
}

static void *find_table(int table)
{
    return atomic_load_explicit(&tables[table], memory_order_acquire);
}

/* How many remembered blocks may be at an address, by its low bits: 50,000 remembered blocks among
 * many make each piece near one, and their lines are too many for the inner caches.  A full count
 * stays. */
enum { SPOT_BITS = 4, SPOTS = 1 << 18, SPOT_FULL = 255 };
static _Atomic unsigned char *spots;

static _Atomic unsigned char *spot_of(uintptr_t block)
{
    return &spots[block >> SPOT_BITS & (SPOTS - 1)];
}

static void change_spot(uintptr_t block, int change)
{
    _Atomic unsigned char *spot = spot_of(block);
    unsigned char count = atomic_load_explicit(spot, memory_order_relaxed);

    while (count != SPOT_FULL &&
           !atomic_compare_exchange_weak(spot, &count, (unsigned char)(count + change)))
        continue;
}

bool samples_init(void)
{
    if (!samples_near)
        samples_near = memory_keep_wiped(SAMPLES_PIECES * sizeof *samples_near);
    if (!spots)
        spots = memory_keep_wiped(SPOTS * sizeof *spots);
    return samples_near && spots && (find_table(0) || map_table(0));
}

/* A line of a table, and its mark. */
struct line {
    _Atomic uintptr_t *blocks;
    _Atomic unsigned char *mark;
};

static struct line find_line(int table, void *of, uintptr_t block)
{
    _Atomic uintptr_t(*lines)[SAMPLES_LINE] = of;
    size_t line = (uint64_t)block * HASH_FACTOR >> (64 - SAMPLES_LINE_BITS - GROWTH_BITS * table);

    return (struct line){lines[line], (_Atomic unsigned char *)&lines[count_lines(table)] + line};
}

/* The place of a block, and the mark of that line. */
struct place {
    _Atomic uintptr_t *block; /* NULL: nowhere */
    _Atomic unsigned char *mark;
};

static struct place find_in_line(struct line line, uintptr_t block)
{
    for (int i = 0; i < SAMPLES_LINE; i++)
        if (atomic_load_explicit(&line.blocks[i], memory_order_relaxed) == block)
            return (struct place){&line.blocks[i], line.mark};
    return (struct place){NULL, line.mark};
}

static struct place find_block(uintptr_t block)
{
    struct place place = {NULL, NULL};

    for (int i = 0; i < TABLES && find_table(i) && !place.block; i++) {
        place = find_in_line(find_line(i, find_table(i), block), block);
        if (!(atomic_load_explicit(place.mark, memory_order_relaxed) & FURTHER))
            break;
    }
    return place;
}

static bool put_in(struct line line, uintptr_t block)
{
    atomic_fetch_add(line.mark, 1);
    for (int i = 0; i < SAMPLES_LINE; i++) {
        uintptr_t is_free = 0;

        if (atomic_compare_exchange_strong(&line.blocks[i], &is_free, block))
            return true;
    }
    atomic_fetch_or(line.mark, FURTHER);
    atomic_fetch_sub(line.mark, 1);
    return false;
}

static bool put_in_any(uintptr_t block)
{
    for (int i = 0; i < TABLES; i++) {
        void *table = find_table(i);

        if (i > 0)
            stages_forget_returned();
        if (!table)
            table = map_table(i);
        if (!table)
            return false;
        if (put_in(find_line(i, table, block), block))
            return true;
    }
    return false;
}

/* Written before they are read: otherwise their pages are faulted in twice, as memory_fill
 * tells. */
static void touch_line(uintptr_t block)
{
    struct line line = find_line(0, find_table(0), block);

    atomic_fetch_add(line.mark, 0);
    atomic_fetch_or(line.blocks, 0);
}

/* An address has only one entry, because a free removes one.  A full line may hold freed blocks:
 * from then on frees search.  Counters and marks are set before the block gets its entry, so a
 * thread that gets the block and frees it sees them. */
bool samples_remember(uintptr_t block)
{
    _Atomic uint16_t *near = &samples_near[samples_piece(block)];

    touch_line(block);
    if (find_block(block).block)
        return true;
    atomic_fetch_add(near, 1);
    change_spot(block, 1);
    if (put_in_any(block))
        return true;
    change_spot(block, -1);
    atomic_fetch_sub(near, 1);
    return false;
}

bool samples_forget_near(uintptr_t block)
{
    struct place place;

    if (atomic_load_explicit(spot_of(block), memory_order_relaxed) == 0)
        return false;
    place = find_block(block);
    if (!place.block)
        return false;
    change_spot(block, -1);
    atomic_store_explicit(place.block, 0, memory_order_relaxed);
    atomic_fetch_sub(place.mark, 1);
    atomic_fetch_sub(&samples_near[samples_piece(block)], 1);
    return true;
}

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled", 2016).  Returns: from 0 to below 2^UNIFORM_BITS. */
static uint64_t uniform(struct lane *lane)
{
    lane->random ^= lane->random >> 12;
    lane->random ^= lane->random << 25;
    lane->random ^= lane->random >> 27;
    return lane->random * UINT64_C(0x2545f4914f6cdd1d) >> (64 - UNIFORM_BITS);
}

/* A random number of the exponential distribution, found only by comparisons: the first number of a
 * falling run of uniform numbers with odd length, plus one for each run before it (von Neumann,
 * "Various techniques used in connection with random digits", 1951).  The method is exact, and
 * needs no logarithm.  Returns: a number with this mean. */
static uint64_t exponential(struct lane *lane, uint64_t mean)
{
    for (uint64_t whole = 0;; whole += mean) {
        uint64_t first = uniform(lane);
        uint64_t last = first;
        bool is_odd = true;

        for (uint64_t next = uniform(lane); next < last; next = uniform(lane)) {
            last = next;
            is_odd = !is_odd;
        }
        if (is_odd)
            return whole + fixed_multiply(mean, first >> (UNIFORM_BITS - FIXED_BITS));
    }
}

/* A longer way than WAY is walked in pieces: so one comparison finds large blocks, too, and a
 * thread comes to the end of a piece often enough to look at its deadline. */
static void set_way(struct lane *lane, uint64_t bytes)
{
    lane->sample_distance = bytes < SAMPLES_WAY ? bytes : SAMPLES_WAY;
    lane->sample_beyond = bytes - lane->sample_distance;
}

static void throw_next(struct lane *lane)
{
    lane->sample_mean = stages_distance();
    set_way(lane, 1 + exponential(lane, lane->sample_mean));
}

bool samples_reach(struct lane *lane, size_t size)
{
    uint64_t way = lane->sample_distance + lane->sample_beyond;

    if (lane->sample_mean == 0) {
        set_way(lane, UINT64_MAX);
        return false;
    }
    if (size >= SAMPLES_LARGE) {
        lane->sample_behind_large = way;
        return true;
    }
    if (size + SAMPLES_CALL_BYTES >= way)
        return true;
    set_way(lane, way - size - SAMPLES_CALL_BYTES);
    return false;
}

uint64_t samples_throw(struct lane *lane)
{
    uint64_t distance = lane->sample_mean;

    if (lane->sample_behind_large != 0) {
        set_way(lane, lane->sample_behind_large);
        lane->sample_behind_large = 0;
        return 1;
    }
    throw_next(lane);
    return distance;
}

void samples_adopt(struct lane *lane)
{
    if (stages_throw_points() && lane->sample_mean != stages_distance() &&
        lane->sample_distance != 0)
        throw_next(lane);
}

/* Threads differ in their number, runs in the clock. */
void samples_start(struct lane *lane)
{
    lane->random = clock_read() * HASH_FACTOR ^ (uint64_t)lane->thread << 32 ^ 1;
    set_way(lane, UINT64_MAX);
    if (stages_throw_points())
        throw_next(lane);
}
