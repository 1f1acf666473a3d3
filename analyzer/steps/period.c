/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds repeats by anchors.  An anchor is a word that occurs more than once; a word is 1, 2, 4, ...
 * symbols in a row.  Two occurrences of an anchor enclose a segment.  The most frequent segment of
 * an anchor is a candidate for the period.  A word that occurs once a step makes steps the
 * segments.  A word that occurs in each layer makes layers the segments.
 *
 * Words get numbers by doubling, as in the construction of suffix arrays (R. Karp, R. Miller,
 * A. Rosenberg, 1972).  Segments are compared by hashes.  The chosen candidate is searched for
 * symbol by symbol, so a wrong hash cannot change the result.
 *
 * The longest candidate wins if it explains nearly as much of the sequence as any other.
 * Words grow to WORD_MAX symbols, and each doubling is one pass, so the work is linear.
 *
 * Decision: doc/decisions/steps-by-anchors.
 */
#include "steps/period.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

enum { WORD_MAX = 64, LEAST_REPEATS = 2 };

static const double least_coverage = 0.3;   /* share of the sequence that repeats cover */
static const double enough_coverage = 0.85; /* share of the best candidate's coverage */
static const double alone_coverage = 0.95;  /* the same for a single symbol: a symbol that is only
                                               frequent is no step */

/* A stretch of `length` symbols that occurs at `first` and elsewhere. */
struct candidate {
    size_t first;
    size_t length;
    size_t covered; /* symbols in its repeats, including cut ones at the ends */
};

/* The numbers of words, by the numbers of their two halves. */
struct name_table {
    uint64_t *keys; /* UINT64_MAX: free */
    uint32_t *names;
    size_t mask;
    uint32_t used;
};

struct finder {
    const uint32_t *symbols;
    size_t count;
    uint64_t *hashes; /* hash of the first i symbols; shape: count + 1 */
    uint64_t *powers;
    uint32_t *names; /* number of the word that starts at a place */
    size_t words;    /* number of places where a word can start */
    struct name_table table;
    uint32_t *firsts; /* index of a word's first occurrence in `places` */
    uint32_t *places; /* sorted by word, then by position */
    struct array candidates;
};

/* The finalizer of splitmix64 (S. Vigna). */
static uint64_t mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

static void fill_hashes(struct finder *finder)
{
    const uint64_t base = UINT64_C(0x5851f42d4c957f2d); /* odd */

    finder->hashes[0] = 0;
    finder->powers[0] = 1;
    for (size_t i = 0; i < finder->count; i++) {
        finder->hashes[i + 1] = finder->hashes[i] * base + mix(finder->symbols[i]);
        finder->powers[i + 1] = finder->powers[i] * base;
    }
}

static uint64_t hash_of(const struct finder *finder, size_t from, size_t length)
{
    return finder->hashes[from + length] - finder->hashes[from] * finder->powers[length];
}

/* Count the equal symbols from two positions on.  The second position is behind the first. */
static size_t count_same_after(const struct finder *finder, size_t first, size_t second)
{
    size_t low = 0, high = finder->count - second;

    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;

        if (hash_of(finder, first, middle) == hash_of(finder, second, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static size_t count_same_before(const struct finder *finder, size_t first, size_t second)
{
    size_t low = 0, high = first;

    while (low < high) {
        size_t middle = low + (high - low + 1) / 2;

        if (hash_of(finder, first - middle, middle) == hash_of(finder, second - middle, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static uint32_t find_name(struct name_table *table, uint64_t key)
{
    size_t at = mix(key) & table->mask;

    while (table->keys[at] != UINT64_MAX && table->keys[at] != key)
        at = (at + 1) & table->mask;
    if (table->keys[at] == UINT64_MAX) {
        table->keys[at] = key;
        table->names[at] = table->used++;
    }
    return table->names[at];
}

static void clear_table(struct name_table *table)
{
    memset(table->keys, 0xff, (table->mask + 1) * sizeof *table->keys);
    table->used = 0;
}

static void name_symbols(struct finder *finder)
{
    clear_table(&finder->table);
    finder->words = finder->count;
    for (size_t i = 0; i < finder->count; i++)
        finder->names[i] = find_name(&finder->table, finder->symbols[i]);
}

/* Double the length of all words, from `size` symbols. */
static void name_doubled(struct finder *finder, size_t size)
{
    clear_table(&finder->table);
    finder->words -= size;
    for (size_t i = 0; i < finder->words; i++)
        finder->names[i] =
            find_name(&finder->table, (uint64_t)finder->names[i] << 32 | finder->names[i + size]);
}

/* Sort the places by word. */
static void sort_places(struct finder *finder)
{
    uint32_t *firsts = finder->firsts;
    size_t used = finder->table.used;

    memset(firsts, 0, (used + 1) * sizeof *firsts);
    for (size_t i = 0; i < finder->words; i++)
        firsts[finder->names[i] + 1]++;
    for (size_t i = 0; i < used; i++)
        firsts[i + 1] += firsts[i];
    for (size_t i = 0; i < finder->words; i++)
        finder->places[firsts[finder->names[i]]++] = (uint32_t)i;
    for (size_t i = used; i > 0; i--)
        firsts[i] = firsts[i - 1];
    firsts[0] = 0;
}

static size_t segment_length(const uint32_t *places, size_t index)
{
    return places[index + 1] - places[index];
}

static bool are_same(const struct finder *finder, const uint32_t *places, size_t one, size_t other)
{
    size_t length = segment_length(places, one);

    return length == segment_length(places, other) &&
           hash_of(finder, places[one], length) == hash_of(finder, places[other], length);
}

/* Find the segment that equals more than half of all segments, if there is one.
 * Source: R. Boyer, J. Moore, "MJRTY - a fast majority vote algorithm", 1991. */
static size_t find_majority(const struct finder *finder, const uint32_t *places, size_t segments)
{
    size_t chosen = 0, votes = 0;

    for (size_t i = 0; i < segments; i++) {
        if (votes == 0)
            chosen = i;
        votes += votes == 0 || are_same(finder, places, chosen, i) ? 1 : (size_t)-1;
    }
    return chosen;
}

/* Make a candidate of the segments between the occurrences of a word, if they cover enough. */
static void weigh_word(struct finder *finder, const uint32_t *places, size_t segments)
{
    size_t chosen = find_majority(finder, places, segments);
    size_t length = segment_length(places, chosen), repeats = 0, first = SIZE_MAX, last = 0;

    for (size_t i = 0; i < segments; i++) {
        if (!are_same(finder, places, chosen, i))
            continue;
        repeats++;
        first = first == SIZE_MAX ? i : first;
        last = i;
    }
    if ((double)((repeats + 2) * length) < least_coverage * (double)finder->count)
        return;
    struct candidate candidate = {.first = places[first], .length = length};
    candidate.covered = repeats * length +
                        count_same_before(finder, places[first], places[first] + length) +
                        count_same_after(finder, places[last], places[last] + length);
    if (candidate.covered < LEAST_REPEATS * length ||
        (length == 1 && (double)candidate.covered < alone_coverage * (double)finder->count))
        return;
    struct candidate *kept = array_add(&finder->candidates);
    *kept = candidate;
}

static void weigh_words(struct finder *finder)
{
    sort_places(finder);
    for (size_t i = 0; i < finder->table.used; i++) {
        size_t count = finder->firsts[i + 1] - finder->firsts[i];

        if (count > 1)
            weigh_word(finder, finder->places + finder->firsts[i], count - 1);
    }
}

static void gather_candidates(struct finder *finder)
{
    fill_hashes(finder);
    name_symbols(finder);
    weigh_words(finder);
    for (size_t size = 1; size < WORD_MAX; size *= 2) {
        if (finder->words <= size || finder->table.used == finder->words)
            break;
        name_doubled(finder, size);
        weigh_words(finder);
    }
}

static void finder_init(struct finder *finder, const uint32_t *symbols, size_t count)
{
    size_t capacity = 16;

    while (capacity < 2 * count)
        capacity *= 2;
    *finder = (struct finder){.symbols = symbols, .count = count};
    array_init(&finder->candidates, sizeof(struct candidate));
    finder->hashes = pool_get((count + 1) * sizeof *finder->hashes);
    finder->powers = pool_get((count + 1) * sizeof *finder->powers);
    finder->names = pool_get(count * sizeof *finder->names);
    finder->table.keys = pool_get(capacity * sizeof *finder->table.keys);
    finder->table.names = pool_get(capacity * sizeof *finder->table.names);
    finder->table.mask = capacity - 1;
    finder->firsts = pool_get((count + 2) * sizeof *finder->firsts);
    finder->places = pool_get(count * sizeof *finder->places);
    if (finder->hashes && finder->powers && finder->names && finder->table.keys &&
        finder->table.names && finder->firsts && finder->places)
        return;
}

/* Find how much of a pattern still matches after a mismatch.
 * Source: D. Knuth, J. Morris, V. Pratt, "Fast pattern matching in strings", 1977. */
static void fill_borders(size_t *borders, const uint32_t *pattern, size_t length)
{
    size_t border = 0;

    borders[0] = 0;
    for (size_t i = 1; i < length; i++) {
        while (border > 0 && pattern[i] != pattern[border])
            border = borders[border - 1];
        if (pattern[i] == pattern[border])
            border++;
        borders[i] = border;
    }
}

/* Find occurrences of a pattern without overlaps, at most `limit`. */
static void match(struct array *starts, const struct period_sequence *sequence,
                  const struct period_sequence *pattern, size_t limit)
{
    size_t *borders = pool_get(pattern->count * sizeof *borders);
    size_t fitting = 0;

    array_truncate(starts, 0);
    fill_borders(borders, pattern->symbols, pattern->count);
    for (size_t i = 0; i < sequence->count && starts->count < limit; i++) {
        while (fitting > 0 && sequence->symbols[i] != pattern->symbols[fitting])
            fitting = borders[fitting - 1];
        if (sequence->symbols[i] == pattern->symbols[fitting])
            fitting++;
        if (fitting < pattern->count)
            continue;
        size_t *start = array_add(starts);
        *start = i + 1 - pattern->count;
        fitting = 0;
    }
}

/* Move the start of the first repeat back: its anchor may be inside the repeat. */
static size_t find_begin(const struct period_sequence *sequence, size_t first, size_t length)
{
    size_t begin = first;

    while (begin > 0 && first - begin + 1 < length &&
           sequence->symbols[begin - 1] == sequence->symbols[begin - 1 + length])
        begin--;
    return begin;
}

static void take(struct period *period, const struct period_sequence *sequence, size_t place,
                 size_t length)
{
    struct period_sequence pattern = {sequence->symbols + place, length, sequence->enough};
    size_t begin;

    match(&period->starts, sequence, &pattern, 1);
    period->length = 0;
    if (period->starts.count == 0)
        return;
    begin = find_begin(sequence, *(const size_t *)array_at(&period->starts, 0), length);
    pattern.symbols = sequence->symbols + begin;
    match(&period->starts, sequence, &pattern, SIZE_MAX);
    if (period->starts.count >= LEAST_REPEATS)
        period->length = length;
}

/* Order candidates from the longest to the shortest. */
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *one = left, *other = right;

    if (one->length != other->length)
        return one->length > other->length ? -1 : 1;
    if (one->covered != other->covered)
        return one->covered > other->covered ? -1 : 1;
    return one->first < other->first ? -1 : one->first > other->first;
}

/* Give the largest coverage of candidates with `repeats` or more. */
static double most_covered(const struct array *candidates, size_t repeats)
{
    const struct candidate *candidate = candidates->items;
    size_t most = 0;

    for (size_t i = 0; i < candidates->count; i++)
        if (candidate[i].covered >= repeats * candidate[i].length && candidate[i].covered > most)
            most = candidate[i].covered;
    return (double)most;
}

/* Take the longest candidate with `repeats` or more and enough coverage. */
static void take_longest(struct period *period, const struct finder *finder,
                         const struct period_sequence *sequence, size_t repeats)
{
    const struct candidate *candidate = finder->candidates.items;
    size_t offset = (size_t)(finder->symbols - sequence->symbols), tried = 0;
    double enough = enough_coverage * most_covered(&finder->candidates, repeats);

    for (size_t i = 0; i < finder->candidates.count && period->length == 0; i++) {
        if (candidate[i].covered < repeats * candidate[i].length ||
            (double)candidate[i].covered < enough || candidate[i].length == tried)
            continue;
        take(period, sequence, offset + candidate[i].first, candidate[i].length);
        tried = candidate[i].length;
    }
}

/* Two equal stretches are weak evidence if others repeat more often: both halves of a run may end
 * with the same stray call. */
static void choose(struct period *period, const struct finder *finder,
                   const struct period_sequence *sequence)
{
    double all = most_covered(&finder->candidates, LEAST_REPEATS);

    if (finder->candidates.count > 0)
        qsort(finder->candidates.items, finder->candidates.count, sizeof(struct candidate),
              compare_candidates);
    if (2 * most_covered(&finder->candidates, sequence->enough) >= all)
        take_longest(period, finder, sequence, sequence->enough);
    if (period->length == 0)
        take_longest(period, finder, sequence, LEAST_REPEATS);
}

void period_find(struct period *period, const struct period_sequence *sequence)
{
    size_t window = sequence->count < PERIOD_WINDOW ? sequence->count : PERIOD_WINDOW;
    struct finder finder;

    period->length = 0;
    array_init(&period->starts, sizeof(size_t));
    if (sequence->count < LEAST_REPEATS)
        return;
    finder_init(&finder, sequence->symbols + (sequence->count - window) / 2, window);
    gather_candidates(&finder);
    choose(period, &finder, sequence);
    if (period->length == 0)
        array_truncate(&period->starts, 0);
}

