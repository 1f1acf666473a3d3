/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which of many ranges of addresses holds an address.
 *
 * A sorted array; each item has a link to the one around it.  All intervals around the start of an
 * item are on the chain of these links, so a look-up is a binary search plus as many steps as
 * ranges nest.
 */
#include "symbols/intervals.h"

#include <stdlib.h>

enum { INTERVALS_NONE = UINT32_MAX };

void intervals_init(struct intervals *intervals)
{
    array_init(&intervals->items, sizeof(struct interval));
}

void intervals_fini(struct intervals *intervals)
{
    array_fini(&intervals->items);
}

void intervals_add(struct intervals *intervals, uint64_t start, uint64_t end, uint32_t value)
{
    if (start >= end)
        return;
    struct interval *item =
        intervals->items.count < INTERVALS_NONE ? array_add(&intervals->items) : NULL;
    *item = (struct interval){.start = start, .end = end, .value = value};
}

/* Of two items with the same start the longer comes first, because it encloses the other. */
static int compare(const void *left, const void *right)
{
    const struct interval *a = left;
    const struct interval *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->value < b->value ? -1 : a->value > b->value;
}

static uint32_t find_outer(const struct interval *items, uint32_t index)
{
    uint32_t outer = index > 0 ? index - 1 : INTERVALS_NONE;

    while (outer != INTERVALS_NONE && items[outer].end <= items[index].start)
        outer = items[outer].outer;
    return outer;
}

void intervals_sort(struct intervals *intervals)
{
    struct interval *items = intervals->items.items;
    uint32_t count = (uint32_t)intervals->items.count;

    if (count > 0)
        qsort(items, count, sizeof *items, compare);
    for (uint32_t i = 0; i < count; i++)
        items[i].outer = find_outer(items, i);
}

/* Returns: how many items start at or before an address. */
static uint32_t count_until(const struct intervals *intervals, uint64_t address)
{
    const struct interval *items = intervals->items.items;
    uint32_t low = 0;
    uint32_t high = (uint32_t)intervals->items.count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (items[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct interval *intervals_find(const struct intervals *intervals, uint64_t address)
{
    const struct interval *items = intervals->items.items;
    uint32_t count = count_until(intervals, address);
    uint32_t index = count > 0 ? count - 1 : INTERVALS_NONE;

    while (index != INTERVALS_NONE && items[index].end <= address)
        index = items[index].outer;
    return index == INTERVALS_NONE ? NULL : &items[index];
}
