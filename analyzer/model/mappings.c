/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mappings.c: the memory that a program has mapped itself.
 *
 * Ranges that do not overlap, in the balanced tree of libc's <search.h>.  To
 * it two ranges are equal when they overlap, so a look-up finds a range that
 * is in the way, whatever its size: each is taken out, and what is left of it
 * on either side is put back.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* tdestroy */
#endif
#include "model/mappings.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>

struct mappings_range {
    uint64_t start;
    uint64_t end;
    uint32_t site;
};

static int mappings_compare(const void *left, const void *right)
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

/* Returns: the pages of an extent; an empty range when it makes no sense. */
static struct mappings_range mappings_find_pages(const struct mappings *mappings,
                                                 struct mappings_extent extent)
{
    uint64_t mask = mappings->page_size - 1;
    struct mappings_range range = {.start = extent.address & ~mask};

    if (extent.length > UINT64_MAX - mask - extent.address)
        return (struct mappings_range){.start = 0};
    range.end = (extent.address + extent.length + mask) & ~mask;
    return range;
}

static bool mappings_is_empty(struct mappings_range range)
{
    return range.end <= range.start;
}

/* ---- sites ------------------------------------------------------------- */

enum status mappings_add_site(struct mappings *mappings)
{
    if (!array_add(&mappings->sites) || marks_add_site(&mappings->marks))
        return STATUS_OUT_OF_MEMORY;
    marks_note(&mappings->marks, (uint32_t)mappings->sites.count - 1, 0);
    return STATUS_OK;
}

static void mappings_note_peak(const struct mappings *mappings, struct mappings_site *site)
{
    if (site->epoch == mappings->epoch)
        return;
    site->peak_ranges = site->live_ranges;
    site->peak_bytes = site->live_bytes;
    site->epoch = mappings->epoch;
}

/* Returns: a site that is about to change. */
static struct mappings_site *mappings_change_site(struct mappings *mappings, uint32_t number)
{
    struct mappings_site *site = array_at(&mappings->sites, number);

    mappings_note_peak(mappings, site);
    return site;
}

/* Every site is noted up to the marks that were told. */
void mappings_pass_marks(struct mappings *mappings, uint32_t count, uint64_t length)
{
    const struct mappings_site *site = mappings->sites.items;

    if (count == mappings->marks.count && length == mappings->marks_length)
        return;
    for (; mappings->marks_length > 0 && mappings->marks_length < length;
         mappings->marks_length *= 2)
        marks_merge(&mappings->marks);
    mappings->marks_length = length;
    mappings->marks.count = count;
    for (uint32_t i = 0; i < mappings->sites.count; i++)
        marks_note(&mappings->marks, i, site[i].live_bytes);
}

void mappings_finish(struct mappings *mappings)
{
    for (uint32_t i = 0; i < mappings->sites.count; i++)
        mappings_note_peak(mappings, array_at(&mappings->sites, i));
}

/* ---- ranges ------------------------------------------------------------ */

static enum status mappings_add(struct mappings *mappings, struct mappings_range range)
{
    if (mappings_is_empty(range))
        return STATUS_OK;
    struct mappings_range *kept = malloc(sizeof *kept);
    if (!kept)
        return STATUS_OUT_OF_MEMORY;
    *kept = range;
    if (!tsearch(kept, &mappings->ranges, mappings_compare)) {
        free(kept);
        return STATUS_OUT_OF_MEMORY;
    }
    struct mappings_site *site = mappings_change_site(mappings, range.site);
    site->live_ranges++;
    site->live_bytes += range.end - range.start;
    mappings->bytes += range.end - range.start;
    return STATUS_OK;
}

/* Returns: whether something was in the way of a range; it is then out of the
 * tree, in `taken`. */
static bool mappings_take(struct mappings *mappings, struct mappings_range range,
                          struct mappings_range *taken)
{
    struct mappings_range *const *found = tfind(&range, &mappings->ranges, mappings_compare);

    if (!found)
        return false;
    struct mappings_range *kept = *found;
    *taken = *kept;
    tdelete(kept, &mappings->ranges, mappings_compare);
    free(kept);
    struct mappings_site *site = mappings_change_site(mappings, taken->site);
    site->live_ranges--;
    site->live_bytes -= taken->end - taken->start;
    mappings->bytes -= taken->end - taken->start;
    return true;
}

static enum status mappings_remove(struct mappings *mappings, struct mappings_range range)
{
    struct mappings_range taken;
    enum status status = STATUS_OK;

    if (mappings_is_empty(range))
        return STATUS_OK;
    while (!status && mappings_take(mappings, range, &taken)) {
        status =
            mappings_add(mappings, (struct mappings_range){taken.start, range.start, taken.site});
        if (!status)
            status =
                mappings_add(mappings, (struct mappings_range){range.end, taken.end, taken.site});
    }
    return status;
}

static void mappings_count_call(struct mappings *mappings, struct mappings_range range)
{
    struct mappings_site *site = array_at(&mappings->sites, range.site);

    site->calls++;
    site->bytes += mappings_is_empty(range) ? 0 : range.end - range.start;
}

static enum status mappings_replace(struct mappings *mappings, struct mappings_extent extent,
                                    const struct mappings_origin *origin)
{
    struct mappings_range range = mappings_find_pages(mappings, extent);

    range.site = origin->site;
    mappings_count_call(mappings, range);
    enum status status = mappings_remove(mappings, range);
    if (!status)
        status = mappings_add(mappings, range);
    if (mappings->bytes > mappings->peak_bytes) {
        mappings->peak_bytes = mappings->bytes;
        mappings->peak_ticks = origin->ticks;
        mappings->epoch++;
    }
    return status;
}

enum status mappings_map(struct mappings *mappings, struct mappings_extent extent,
                         const struct mappings_origin *origin)
{
    mappings->maps++;
    return mappings_replace(mappings, extent, origin);
}

enum status mappings_unmap(struct mappings *mappings, struct mappings_extent extent)
{
    mappings->unmaps++;
    return mappings_remove(mappings, mappings_find_pages(mappings, extent));
}

enum status mappings_remap(struct mappings *mappings, const struct mappings_move *move,
                           const struct mappings_origin *origin)
{
    struct mappings_range from = mappings_find_pages(mappings, move->from);
    bool is_shared = mappings_is_empty(from);
    struct mappings_range first = {.start = from.start, .end = from.start + 1};

    if (!tfind(is_shared ? &first : &from, &mappings->ranges, mappings_compare))
        return STATUS_OK;
    enum status status = mappings_remove(mappings, from);
    return status ? status : mappings_replace(mappings, move->to, origin);
}

enum status mappings_begin_move(struct mappings *mappings, struct mappings_extent extent,
                                uint64_t *moving)
{
    uint64_t before = mappings->bytes;
    enum status status = mappings_remove(mappings, mappings_find_pages(mappings, extent));

    *moving = before - mappings->bytes;
    mappings->bytes = before;
    return status;
}

enum status mappings_end_move(struct mappings *mappings, struct mappings_extent to, uint64_t moving,
                              const struct mappings_origin *origin)
{
    if (moving == 0)
        return STATUS_OK;
    mappings->bytes -= moving;
    return mappings_replace(mappings, to, origin);
}
