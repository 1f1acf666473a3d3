/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Selecting by digits.  The first pass counts the values by bucket: those below
 * 2^12 each have their own, above them a bucket is the 2048th part of a power of
 * two.  The second collects the buckets that hold a rank, in which the digits that
 * are left are sorted.  Few values are one such bucket.
 *
 * Decision: doc/decisions/ranks-by-buckets.
 */
#include "statistics/selection.h"

#include <stdlib.h>
#include <string.h>

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
static enum status sort(uint64_t *numbers, size_t count, unsigned bits)
{
    uint64_t *scratch = malloc(count * sizeof *scratch);

    if (!scratch)
        return STATUS_OUT_OF_MEMORY;
    for (unsigned shift = 0; shift < bits; shift += DIGIT_BITS) {
        sort_by_digit(scratch, numbers, count, shift);
        memcpy(numbers, scratch, count * sizeof *numbers);
    }
    free(scratch);
    return STATUS_OK;
}

static enum status find_in_few(const struct selection *of, const size_t *ranks, size_t count,
                               uint64_t *found)
{
    uint64_t *numbers = malloc(of->count * sizeof *numbers), any = 0;
    enum status status;

    if (!numbers)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < of->count; i++) {
        numbers[i] = number_of(of, i);
        any |= numbers[i];
    }
    status = sort(numbers, of->count, any ? 64 - (unsigned)__builtin_clzll(any) : 0);
    for (size_t i = 0; i < count && !status; i++)
        found[i] = numbers[ranks[i] - 1];
    free(numbers);
    return status;
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
    uint8_t *places; /* by bucket: which of the wanted it is, counted from 1 */
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

static enum status collect(struct search *search, const struct selection *of)
{
    size_t size = 0;

    for (size_t i = 0; i < search->wanted_count; i++)
        size += search->wanted[i].count;
    search->collected = malloc(size * sizeof *search->collected);
    if (!search->collected)
        return STATUS_OUT_OF_MEMORY;
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
    return STATUS_OK;
}

static enum status sort_wanted(struct search *search)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < search->wanted_count && !status; i++) {
        struct wanted *wanted = &search->wanted[i];

        status = sort(wanted->numbers, wanted->count, open_bits(wanted->numbers[0]));
    }
    return status;
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

static enum status find_in_many(const struct selection *of, const size_t *ranks, size_t count,
                                uint64_t *found)
{
    struct search search = {.counts = calloc(BUCKETS, sizeof *search.counts),
                            .places = calloc(BUCKETS, sizeof *search.places)};
    enum status status = STATUS_OUT_OF_MEMORY;

    if (search.counts && search.places) {
        for (size_t i = 0; i < of->count; i++)
            search.counts[bucket_of(number_of(of, i))]++;
        find_wanted(&search, ranks, count);
        status = collect(&search, of);
    }
    if (!status)
        status = sort_wanted(&search);
    if (!status)
        pick(&search, ranks, count, found);
    free(search.counts);
    free(search.places);
    free(search.collected);
    return status;
}

enum status selection_find(const struct selection *of, const size_t *ranks, size_t count,
                           uint64_t *found)
{
    if (of->count <= FEW)
        return find_in_few(of, ranks, count, found);
    return find_in_many(of, ranks, count, found);
}
