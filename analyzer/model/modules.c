/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which module held an address.
 *
 * Ranges overlap only if one library replaced another.  So they are sorted by their start, each
 * with the farthest end up to there: the search goes back from the last start and stops when no
 * range reaches the address.
 */
#include "model/modules.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session_kernels.h"
#include "model/session_unknown.h"

struct modules_range {
    uint64_t start;
    uint64_t end;
    uint64_t reach; /* the farthest end of this and all earlier ranges */
    uint32_t epoch;
    uint32_t gone_epoch;
    uint32_t index;
};

static int compare(const void *left, const void *right)
{
    const struct modules_range *a = left;
    const struct modules_range *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static void note_reach(struct modules *modules)
{
    uint64_t reach = 0;

    for (size_t i = 0; i < modules->count; i++) {
        struct modules_range *range = &modules->ranges[i];

        reach = range->end > reach ? range->end : reach;
        range->reach = reach;
    }
}

void modules_init(struct modules *modules, const struct array *session_modules)
{
    const struct session_module *module = session_modules->items;
    size_t count = session_modules->count;

    *modules = (struct modules){memory_get_zeros(count + 1, sizeof *modules->ranges), count};
    for (size_t i = 0; i < count; i++)
        modules->ranges[i] = (struct modules_range){.start = module[i].fact.start,
                                                    .end = module[i].fact.end,
                                                    .epoch = module[i].fact.epoch,
                                                    .gone_epoch = module[i].gone_epoch,
                                                    .index = (uint32_t)i};
    qsort(modules->ranges, count, sizeof *modules->ranges, compare);
    note_reach(modules);
}

void modules_fini(struct modules *modules)
{
    free(modules->ranges);
    *modules = (struct modules){0};
}

/* Returns: how many ranges start at the address or before it. */
static size_t count_started(const struct modules *modules, uint64_t address)
{
    size_t low = 0;
    size_t high = modules->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (modules->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_earlier(const struct modules_range *a, const struct modules_range *b)
{
    return a->epoch != b->epoch ? a->epoch < b->epoch : a->index < b->index;
}

uint32_t modules_find(const struct modules *modules, uint64_t address, uint32_t epoch)
{
    const struct modules_range *found = NULL;

    for (size_t i = count_started(modules, address); i > 0; i--) {
        const struct modules_range *range = &modules->ranges[i - 1];

        if (range->reach <= address)
            break;
        if (range->end > address && range->gone_epoch > epoch &&
            (!found || is_earlier(range, found)))
            found = range;
    }
    return found ? found->index : SESSION_NONE;
}
