/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The memory that a program has mapped itself.
 *
 * Ranges that do not overlap, in the balanced tree of libc's <search.h>.  Overlapping ranges count
 * as equal in the tree, so a look-up finds any range in the way.  Each such range is removed, and
 * its remaining parts on both sides are put back.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tdestroy */
#endif
#include "model/mappings.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <string.h>

#include "base/memory.h"

struct mappings_range {
    uint64_t start;
    uint64_t end;
    uint32_t site;
    enum mappings_kind kind;
};

static int compare(const void *left, const void *right)
{
    const struct mappings_range *a = left;
    const struct mappings_range *b = right;

    if (a->end <= b->start)
        return -1;
    return b->end <= a->start;
}

void mappings_init(struct mappings *mappings, uint64_t page_size)
{
    bool is_power = page_size != 0 && (page_size & (page_size - 1)) == 0;

    *mappings = (struct mappings){.page_size = is_power ? page_size : 1, .epoch = 1};
    array_init(&mappings->sites, sizeof(struct mappings_site));
    marks_init(&mappings->marks);
}

void mappings_fini(struct mappings *mappings)
{
    tdestroy(mappings->ranges, free);
    array_fini(&mappings->sites);
    marks_fini(&mappings->marks);
    *mappings = (struct mappings){0};
}

/* Returns: the pages of an extent; an empty range when the extent is invalid. */
static struct mappings_range find_pages(const struct mappings *mappings,
                                        struct mappings_extent extent)
{
    uint64_t mask = mappings->page_size - 1;
    struct mappings_range range = {.start = extent.address & ~mask};

    if (extent.length > UINT64_MAX - mask - extent.address)
        return (struct mappings_range){.start = 0};
    range.end = (extent.address + extent.length + mask) & ~mask;
    return range;
}

static bool is_empty(struct mappings_range range)
{
    return range.end <= range.start;
}

void mappings_add_site(struct mappings *mappings)
{
    array_add(&mappings->sites);
}

static void note_peak(const struct mappings *mappings, struct mappings_site *site)
{
    if (site->epoch == mappings->epoch)
        return;
    site->peak_ranges = site->live_ranges;
    site->peak_bytes = site->live_bytes;
    site->epoch = mappings->epoch;
}

/* Returns: a site that is about to change. */
static struct mappings_site *change_site(struct mappings *mappings, uint32_t number)
{
    struct mappings_site *site = array_at(&mappings->sites, number);

    note_peak(mappings, site);
    return site;
}

/* Note every site up to the given marks. */
void mappings_pass_marks(struct mappings *mappings, uint32_t count, uint64_t length)
{
    const struct mappings_site *site = mappings->sites.items;
    const struct marks_live live = {site ? &site->live_bytes : NULL,
                                    sizeof *site / sizeof(uint64_t),
                                    (uint32_t)mappings->sites.count};

    if (count == mappings->marks.count && length == mappings->marks_length)
        return;
    for (; mappings->marks_length > 0 && mappings->marks_length < length;
         mappings->marks_length *= 2)
        marks_merge(&mappings->marks);
    mappings->marks_length = length;
    marks_pass(&mappings->marks, count, &live);
}

void mappings_restart(struct mappings *mappings, uint64_t ticks)
{
    struct mappings_site *site = mappings->sites.items;

    mappings->maps = mappings->unmaps = 0;
    mappings->peak_bytes = mappings->bytes;
    memcpy(mappings->peak_kind_bytes, mappings->kind_bytes, sizeof mappings->peak_kind_bytes);
    mappings->peak_ticks = ticks;
    mappings->epoch++;
    mappings->marks.count = 0;
    for (size_t i = 0; i < mappings->sites.count; i++) {
        site[i].calls = site[i].bytes = 0;
        memset(site[i].kind_bytes, 0, sizeof site[i].kind_bytes);
    }
}

void mappings_finish(struct mappings *mappings)
{
    for (uint32_t i = 0; i < mappings->sites.count; i++)
        note_peak(mappings, array_at(&mappings->sites, i));
}

static void count_bytes(struct mappings *mappings, struct mappings_range range)
{
    mappings->bytes += range.end - range.start;
    mappings->kind_bytes[range.kind] += range.end - range.start;
}

static void uncount_bytes(struct mappings *mappings, uint64_t bytes, enum mappings_kind kind)
{
    mappings->bytes -= bytes;
    mappings->kind_bytes[kind] -= bytes;
}

static void add(struct mappings *mappings, struct mappings_range range)
{
    if (is_empty(range))
        return;
    struct mappings_range *kept = memory_get(sizeof *kept);
    *kept = range;
    memory_have(tsearch(kept, &mappings->ranges, compare));
    struct mappings_site *site = change_site(mappings, range.site);
    site->live_ranges++;
    site->live_bytes += range.end - range.start;
    count_bytes(mappings, range);
}

/* Returns: whether the tree had an overlapping range; that range is removed, and copied to
 * `taken`. */
static bool take(struct mappings *mappings, struct mappings_range range,
                 struct mappings_range *taken)
{
    struct mappings_range *const *found = tfind(&range, &mappings->ranges, compare);

    if (!found)
        return false;
    struct mappings_range *kept = *found;
    *taken = *kept;
    tdelete(kept, &mappings->ranges, compare);
    free(kept);
    struct mappings_site *site = change_site(mappings, taken->site);
    site->live_ranges--;
    site->live_bytes -= taken->end - taken->start;
    uncount_bytes(mappings, taken->end - taken->start, taken->kind);
    return true;
}

/* Returns: one that overlaps, or NULL. */
static const struct mappings_range *find(const struct mappings *mappings,
                                         const struct mappings_range *range)
{
    struct mappings_range *const *found =
        is_empty(*range) ? NULL : tfind(range, &mappings->ranges, compare);

    return found ? *found : NULL;
}

/* Searches on both sides of a range that was found: no deeper than the tree. */
void mappings_visit(const struct mappings *mappings, struct mappings_extent extent,
                    void (*visit)(uint32_t site, uint64_t length, void *of), void *of)
{
    const struct mappings_range all = {extent.address, extent.address + extent.length, 0, 0};
    const struct mappings_range *found = find(mappings, &all);
    uint64_t start, end;

    if (!found)
        return;
    start = found->start > all.start ? found->start : all.start;
    end = found->end < all.end ? found->end : all.end;
    visit(found->site, end - start, of);
    mappings_visit(mappings, (struct mappings_extent){all.start, start - all.start}, visit, of);
    mappings_visit(mappings, (struct mappings_extent){end, all.end - end}, visit, of);
}

static void remove_range(struct mappings *mappings, struct mappings_range range)
{
    struct mappings_range taken;

    if (is_empty(range))
        return;
    while (take(mappings, range, &taken)) {
        struct mappings_range before = taken, after = taken;

        before.end = range.start;
        after.start = range.end;
        add(mappings, before);
        add(mappings, after);
    }
}

static void count_call(struct mappings *mappings, struct mappings_range range)
{
    struct mappings_site *site = array_at(&mappings->sites, range.site);
    uint64_t bytes = is_empty(range) ? 0 : range.end - range.start;

    site->calls++;
    site->bytes += bytes;
    site->kind_bytes[range.kind] += bytes;
}

static void replace(struct mappings *mappings, struct mappings_extent extent,
                    const struct mappings_origin *origin, enum mappings_kind kind)
{
    struct mappings_range range = find_pages(mappings, extent);

    range.site = origin->site;
    range.kind = kind;
    count_call(mappings, range);
    remove_range(mappings, range);
    add(mappings, range);
    if (mappings->bytes > mappings->peak_bytes) {
        mappings->peak_bytes = mappings->bytes;
        memcpy(mappings->peak_kind_bytes, mappings->kind_bytes, sizeof mappings->kind_bytes);
        mappings->peak_ticks = origin->ticks;
        mappings->epoch++;
    }
}

void mappings_map(struct mappings *mappings, struct mappings_extent extent,
                  const struct mappings_origin *origin)
{
    mappings->maps++;
    replace(mappings, extent, origin, origin->kind);
}

void mappings_unmap(struct mappings *mappings, struct mappings_extent extent)
{
    mappings->unmaps++;
    remove_range(mappings, find_pages(mappings, extent));
}

void mappings_remap(struct mappings *mappings, const struct mappings_move *move,
                    const struct mappings_origin *origin)
{
    struct mappings_range from = find_pages(mappings, move->from);
    bool is_shared = is_empty(from);
    struct mappings_range first = {.start = from.start, .end = from.start + 1};
    const struct mappings_range *known = find(mappings, is_shared ? &first : &from);

    if (!known)
        return;
    enum mappings_kind kind = known->kind;
    remove_range(mappings, from);
    replace(mappings, move->to, origin, kind);
}

void mappings_begin_move(struct mappings *mappings, struct mappings_extent extent,
                         struct mappings_moving *moving)
{
    struct mappings_range from = find_pages(mappings, extent);
    const struct mappings_range *known = find(mappings, &from);
    uint64_t before = mappings->bytes;

    *moving = (struct mappings_moving){0};
    if (!known)
        return;
    moving->kind = known->kind;
    remove_range(mappings, from);
    moving->bytes = before - mappings->bytes;
    mappings->bytes = before;
    mappings->kind_bytes[moving->kind] += moving->bytes;
}

void mappings_end_move(struct mappings *mappings, struct mappings_extent to,
                       const struct mappings_moving *moving, const struct mappings_origin *origin)
{
    if (moving->bytes == 0)
        return;
    uncount_bytes(mappings, moving->bytes, moving->kind);
    replace(mappings, to, origin, moving->kind);
}
