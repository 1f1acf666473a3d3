/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selection by digits.  The first pass counts the values by bucket: each value below 2^12 has its
 * own bucket; above, a bucket is the 2048th part of a power of two.  The second pass collects the
 * buckets with a wanted rank, and sorts their remaining digits.  A small sample is one bucket.
 *
 * Decision: doc/decisions/ranks-by-buckets.
 */
#include "statistics/selection.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum {
    DIGIT_BITS = 11,
    DIGITS = 1 << DIGIT_BITS,
    BUCKETS = (64 - DIGIT_BITS + 1) << DIGIT_BITS,
    FEW = 1 << 14 /* values that are sorted faster than buckets are looked through */
};

static inline uint64_t number_of(const struct selection *of, size_t index)
{
    uint64_t scaled = of->values[index] * of->scale;

    return scaled >= of->centre ? scaled - of->centre : of->centre - scaled;
}

/* How many low bits of a number its bucket leaves open. */
static inline unsigned open_bits(uint64_t number)
{
    return (unsigned)(63 - DIGIT_BITS - __builtin_clzll(number | DIGITS));
}

static inline size_t bucket_of(uint64_t number)
{
    unsigned bits = open_bits(number);

    return ((size_t)bits << DIGIT_BITS) + (size_t)(number >> bits);
}

static void sort_by_digit(uint64_t *to, const uint64_t *from, size_t count, unsigned shift)
{
    size_t places[DIGITS + 1] = {0};

    for (size_t i = 0; i < count; i++)
        places[(from[i] >> shift & (DIGITS - 1)) + 1]++;
    for (size_t i = 1; i < DIGITS; i++)
        places[i] += places[i - 1];
    for (size_t i = 0; i < count; i++)
        to[places[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

/* Numbers that differ in their low `bits` only; from the last digit to the first. */
static void sort(uint64_t *numbers, size_t count, unsigned bits)
{
    uint64_t *scratch = memory_get(count * sizeof *scratch);

    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        sort_by_digit(scratch, numbers, count, shift);
        memcpy(numbers, scratch, count * sizeof *numbers);
    }
    free(scratch);
}

static void find_in_few(const struct selection *of, const size_t *ranks, size_t count,
                        uint64_t *found)
{
    uint64_t *numbers = memory_get(of->count * sizeof *numbers), any = 0;

    for (size_t i = 0; i < of->count; i++) {
        numbers[i] = number_of(of, i);
        any |= numbers[i];
    }
    sort(numbers, of->count, any ? 64 - (unsigned)__builtin_clzll(any) : 0);
    for (size_t i = 0; i < count; i++)
        found[i] = numbers[ranks[i] - 1];
    free(numbers);
}

/* A bucket that holds a rank. */
struct wanted {
    size_t bucket;
    size_t before; /* numbers in lower buckets */
    size_t count;
    uint64_t *numbers; /* in `collected`, sorted in the end */
    size_t stored;
};

struct search {
    size_t *counts;  /* by bucket */
    uint8_t *places; /* by bucket: number of the wanted bucket, counted from 1 */
    struct wanted wanted[SELECTION_RANKS];
    size_t wanted_count;
    uint64_t *collected;
};

static void find_wanted(struct search *search, const size_t *ranks, size_t count)
{
    size_t bucket = 0, before = 0;

    for (size_t i = 0; i < count; i++) {
        while (before + search->counts[bucket] < ranks[i])
            before += search->counts[bucket++];
        if (search->places[bucket])
            continue;
        search->wanted[search->wanted_count++] =
            (struct wanted){bucket, before, search->counts[bucket], NULL, 0};
        search->places[bucket] = (uint8_t)search->wanted_count;
    }
}

static void collect(struct search *search, const struct selection *of)
{
    size_t size = 0;

    for (size_t i = 0; i < search->wanted_count; i++)
        size += search->wanted[i].count;
    search->collected = memory_get(size * sizeof *search->collected);
    size = 0;
    for (size_t i = 0; i < search->wanted_count; i++) {
        search->wanted[i].numbers = search->collected + size;
        size += search->wanted[i].count;
    }
    for (size_t i = 0; i < of->count; i++) {
        uint64_t number = number_of(of, i);
        unsigned place = search->places[bucket_of(number)];

        if (place > 0) {
            struct wanted *wanted = &search->wanted[place - 1];

            wanted->numbers[wanted->stored++] = number;
        }
    }
}

static void sort_wanted(struct search *search)
{
    for (size_t i = 0; i < search->wanted_count; i++) {
        struct wanted *wanted = &search->wanted[i];

        sort(wanted->numbers, wanted->count, open_bits(wanted->numbers[0]));
    }
}

static void pick(const struct search *search, const size_t *ranks, size_t count, uint64_t *found)
{
    const struct wanted *wanted = search->wanted;

    for (size_t i = 0; i < count; i++) {
        while (ranks[i] > wanted->before + wanted->count)
            wanted++;
        found[i] = wanted->numbers[ranks[i] - wanted->before - 1];
    }
}

static void find_in_many(const struct selection *of, const size_t *ranks, size_t count,
                         uint64_t *found)
{
    struct search search = {.counts = memory_get_zeros(BUCKETS, sizeof *search.counts),
                            .places = memory_get_zeros(BUCKETS, sizeof *search.places)};

    if (search.counts && search.places) {
        for (size_t i = 0; i < of->count; i++)
            search.counts[bucket_of(number_of(of, i))]++;
        find_wanted(&search, ranks, count);
        collect(&search, of);
    }
    sort_wanted(&search);
    pick(&search, ranks, count, found);
    free(search.counts);
    free(search.places);
    free(search.collected);
}

void selection_find(const struct selection *of, const size_t *ranks, size_t count, uint64_t *found)
{
    if (of->count <= FEW) {
        find_in_few(of, ranks, count, found);
        return;
    }
    find_in_many(of, ranks, count, found);
}
