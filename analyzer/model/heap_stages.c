/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live heap once a stage has started, and the blocks that are drawn before.
 */
#include "model/heap_parts.h"

#include <string.h>

#include "model/heap_weight.h"
#include "model/session_unknown.h"

/* Inherited blocks have no owner here.  Fewer bytes than this may be the difference of usable and
 * requested bytes, or a counter that lags behind. */
static const double inherited_share = 0.25;
static const uint64_t inherited_least = 1 << 20;

static struct heap_drawn_row *row_of(const struct heap *heap, const struct heap_block *block)
{
    return heap_drawn_row_at(&heap->drawn, heap_drawn_at(&heap->drawn, block->site)->row);
}

/* Bytes of a drawn block, in the unit of the live heap. */
static uint64_t live_size(const struct heap *heap, const struct heap_block *block)
{
    return heap->stage == HEAP_BLOCKS && heap->is_counted
               ? heap_drawn_at(&heap->drawn, block->site)->usable
               : block->size;
}

static uint64_t round_units(uint64_t units, unsigned point)
{
    return (units >> point) + (units >> (point - 1) & 1);
}

uint64_t heap_live_blocks(const struct heap *heap)
{
    const struct heap_amount *live = &heap->drawn.live;

    if (heap->stage != HEAP_BLOCKS)
        return heap->block_count;
    return live->blocks + round_units(live->rest_blocks, HEAP_BLOCK_POINT);
}

/* By drawn blocks. */
static uint64_t estimate_live(const struct heap *heap)
{
    return heap->drawn.live.bytes + round_units(heap->drawn.live.rest_bytes, HEAP_BYTE_POINT);
}

void heap_note_counted_peak(struct heap *heap)
{
    heap->peak_estimate = estimate_live(heap);
    heap->peak = (struct heap_peak){
        .epoch = ++heap->epoch,
        .bytes = heap->options.counted.peak_bytes,
        .blocks = heap_live_blocks(heap),
        .ticks = heap->options.counted.peak_ticks,
        .site = SESSION_NONE,
        .region = SESSION_NONE,
        .thread = SESSION_NONE,
    };
}

static void set_live(struct heap *heap)
{
    uint64_t live = estimate_live(heap) + (uint64_t)heap->drift;

    heap->live_bytes = (int64_t)live > 0 || heap->drift == 0 ? live : 0;
}

void heap_set_live(struct heap *heap, uint64_t live_bytes)
{
    heap->drift = (int64_t)(live_bytes - estimate_live(heap));
    heap->live_bytes = live_bytes;
}

void heap_note_row(struct heap *heap, uint32_t number)
{
    struct heap_drawn_row *row = heap_drawn_row_at(&heap->drawn, number);

    if (row->epoch == heap->epoch)
        return;
    row->peak = row->live;
    row->epoch = heap->epoch;
}

/* ---- blocks that come and go ------------------------------------------- */

static uint64_t usable_of(const struct reader_event *event)
{
    uint64_t excess = event->distance > 0 ? event->excess : 0;

    return event->size <= UINT64_MAX - excess ? event->size + excess : event->size;
}

static uint64_t distance_of(const struct heap *heap, const struct reader_event *event)
{
    return event->distance > 0 ? event->distance : heap->options.sample_bytes;
}

/* A size that damage made must not wrap around. */
static double rest_of(const struct heap *heap, const struct reader_event *event)
{
    uint64_t more = heap->options.call_bytes;

    return heap_rest(distance_of(heap, event),
                     event->size <= UINT64_MAX - more ? event->size + more : event->size);
}

static void claim(struct heap *heap, const struct reader_event *event, uint32_t site,
                  uint32_t *number)
{
    const struct heap_drawn_block drawn = {
        .rest = rest_of(heap, event),
        .usable = usable_of(event),
        .site = site,
        .row = HEAP_NO_ROW,
    };

    heap_drawn_claim(&heap->drawn, &drawn, number);
}

/* The block counts for its site, and is remembered. */
static void add_exact(struct heap *heap, const struct heap_lane *lane,
                      const struct reader_event *event, uint32_t site)
{
    struct heap_block *place;
    uint32_t number;

    heap_add_plain(heap, lane, event, site);
    claim(heap, event, site, &number);
    place = heap_map_find(&heap->map, event->address);
    place->site = number | HEAP_DRAWN;
}

/* The block that made the peak is counted before its record has a time. */
static void note_late_peak(struct heap *heap, uint64_t ticks)
{
    if (ticks <= heap->peak_end && estimate_live(heap) > heap->peak_estimate)
        heap_note_counted_peak(heap);
}

static void note_estimated_peak(struct heap *heap, const struct heap_lane *lane, uint32_t site,
                                uint64_t ticks)
{
    moments_raise(&heap->moments, heap->live_bytes);
    if (heap->is_counted)
        note_late_peak(heap, ticks);
    if (heap->is_counted || heap->live_bytes <= heap->peak.bytes)
        return;
    heap->peak = (struct heap_peak){
        .epoch = ++heap->epoch,
        .bytes = heap->live_bytes,
        .blocks = heap_live_blocks(heap),
        .ticks = ticks,
        .variance = heap->stage == HEAP_BLOCKS ? heap->drawn.live.bytes_variance : 0,
        .site = site | HEAP_DRAWN,
        .region = lane->region,
        .thread = lane->thread,
    };
}

/* The block is live in its row, and so in the heap. */
static void add_live(struct heap *heap, const struct heap_block *block)
{
    const struct heap_drawn_block *drawn = heap_drawn_at(&heap->drawn, block->site);
    struct heap_drawn_row *row = row_of(heap, block);
    uint64_t size = live_size(heap, block);
    double bytes = (double)size;

    heap_note_row(heap, drawn->row);
    heap_amount_add(&row->live, drawn, size);
    row->added_rest += drawn->rest * bytes;
    row->added_variance += heap_rest_variance(drawn->rest) * bytes * bytes;
    heap->block_count++;
    if (heap->stage == HEAP_BLOCKS) {
        heap_amount_add(&heap->drawn.live, drawn, size);
        set_live(heap);
    } else {
        heap->live_bytes += block->size;
        heap_chunks_add(&heap->chunks, block->address, block->size);
    }
}

static void drop_live(struct heap *heap, const struct heap_block *block)
{
    const struct heap_drawn_block *drawn = heap_drawn_at(&heap->drawn, block->site);
    uint64_t size = live_size(heap, block);

    heap_note_row(heap, drawn->row);
    heap_amount_take(&row_of(heap, block)->live, drawn, size);
    heap->block_count--;
    if (heap->stage == HEAP_BLOCKS) {
        heap_amount_take(&heap->drawn.live, drawn, size);
        set_live(heap);
    } else {
        heap->live_bytes -= block->size;
        heap_chunks_take(&heap->chunks, block->address, block->size);
    }
}

/* The block as it counted before it was drawn: for its site. */
static struct heap_block plain_of(const struct heap *heap, const struct heap_block *block)
{
    struct heap_block plain = *block;

    plain.site = heap_drawn_at(&heap->drawn, block->site)->site;
    return plain;
}

static bool counts_for_site(const struct heap *heap, const struct heap_block *block)
{
    return heap_drawn_at(&heap->drawn, block->site)->row == HEAP_NO_ROW;
}

void heap_drop_drawn(struct heap *heap, const struct heap_block *block)
{
    if (counts_for_site(heap, block)) {
        const struct heap_block plain = plain_of(heap, block);

        heap_drop_plain(heap, &plain);
        return;
    }
    drop_live(heap, block);
}

static void make_room(struct heap *heap)
{
    if (heap_map_is_full(&heap->map, heap->block_count))
        heap_map_grow(&heap->map);
}

void heap_put_drawn(struct heap *heap, const struct heap_lane *lane, const struct heap_block *block,
                    uint64_t ticks)
{
    const struct heap_block plain = plain_of(heap, block);

    heap_find_place(heap, block, ticks);
    if (counts_for_site(heap, block))
        heap_put_plain(heap, &plain);
    else
        add_live(heap, block);
    note_estimated_peak(heap, lane, plain.site, ticks);
    make_room(heap);
}

static void count_bins(struct session_histogram *to, unsigned bin, uint64_t blocks, uint64_t bytes)
{
    to->counts[bin] += blocks;
    to->bytes[bin] += bytes;
}

/* While the other blocks have records, they are in the histogram themselves. */
static void count_in(struct heap *heap, struct session_histogram *exact,
                     struct session_histogram *rests, const struct heap_drawn_block *drawn,
                     uint64_t size, unsigned bin)
{
    count_bins(exact, bin, 1, size);
    if (heap->stage == HEAP_BLOCKS)
        count_bins(rests, bin, heap_units(drawn->rest, HEAP_BLOCK_POINT),
                   heap_units(drawn->rest * (double)size, HEAP_BYTE_POINT));
}

static void count_obtained(struct heap *heap, const struct heap_block *block)
{
    const struct heap_drawn_block *drawn = heap_drawn_at(&heap->drawn, block->site);
    struct heap_drawn_row *row = row_of(heap, block);

    heap_amount_add(&row->obtained, drawn, block->size);
    row->min_size = block->size < row->min_size ? block->size : row->min_size;
    row->max_size = block->size > row->max_size ? block->size : row->max_size;
    count_in(heap, &heap->sizes, &heap->drawn.sizes, drawn, block->size, heap_bin(block->size));
}

static void add_drawn(struct heap *heap, const struct heap_lane *lane,
                      const struct reader_event *event, uint32_t site, uint32_t class)
{
    struct heap_block block = {event->address, event->size, event->ticks, 0, lane->thread};
    uint64_t distance = distance_of(heap, event);
    uint32_t number, row;

    claim(heap, event, site, &number);
    heap_drawn_find_row(&heap->drawn, site, class, &row);
    heap_drawn_at(&heap->drawn, number)->row = row;
    block.site = number | HEAP_DRAWN;
    if (distance > heap->drawn.coarsest)
        heap->drawn.coarsest = distance;
    count_obtained(heap, &block);
    heap_put_drawn(heap, lane, &block, event->ticks);
}

static uint32_t class_of(const struct heap *heap, const struct reader_event *event)
{
    return heap->owner_count + heap_bin(event->size);
}

void heap_add_other(struct heap *heap, const struct heap_lane *lane,
                    const struct reader_event *event, uint32_t site)
{
    switch (heap->stage) {
    case HEAP_EXACT: add_exact(heap, lane, event, site); return;
    case HEAP_CHAINS:
        if (event->distance > 0)
            add_drawn(heap, lane, event, site, heap_bin(event->size));
        else
            heap_add_plain(heap, lane, event, class_of(heap, event));
        return;
    case HEAP_BLOCKS: break;
    }
    if (distance_of(heap, event) == 0)
        return; /* the record is late */
    add_drawn(heap, lane, event, site, HEAP_OVERALL);
}

static void count_life(struct heap_lives *lives, const struct heap_drawn_block *drawn, double life)
{
    lives->drawn += life;
    lives->rest += drawn->rest * life;
}

static void count_habit(struct heap_part *to, const struct heap_drawn_block *drawn, bool has_it)
{
    if (has_it)
        heap_part_add(to, drawn, 1, HEAP_BLOCK_POINT);
}

static void count_freed(struct heap *heap, const struct heap_freed *freed)
{
    const struct heap_block *block = &freed->block;
    const struct heap_drawn_block *drawn = heap_drawn_at(&heap->drawn, block->site);
    struct heap_drawn_row *row = row_of(heap, block);
    uint64_t life = heap_life_of(freed);

    heap_amount_add(&row->freed, drawn, block->size);
    count_life(&row->lives, drawn, (double)(int64_t)life);
    count_habit(&row->temporary, drawn, freed->is_temporary && !freed->goes_on);
    count_habit(&row->short_lived, drawn, life < heap->short_ticks && !freed->goes_on);
    count_habit(&row->strange_frees, drawn, freed->thread != block->thread);
    count_in(heap, &heap->lifetimes, &heap->drawn.lifetimes, drawn, block->size,
             heap_life_bin(heap, life));
    heap->freed_bytes[freed->region] += block->size;
    if (heap->stage == HEAP_BLOCKS)
        heap->freed_rests[freed->region] +=
            heap_units(drawn->rest * (double)block->size, HEAP_BYTE_POINT);
}

void heap_count_drawn(struct heap *heap, const struct heap_freed *freed)
{
    struct heap_freed plain = *freed;

    if (counts_for_site(heap, &freed->block)) {
        plain.block = plain_of(heap, &freed->block);
        heap_count_freed(heap, &plain);
    } else {
        count_freed(heap, freed);
    }
    heap_drawn_leave(&heap->drawn, freed->block.site);
}

static void count_row_moved(struct heap *heap, const struct reader_event *event, uint32_t site,
                            bool is_moved, uint64_t grown)
{
    const struct heap_drawn_block drawn = {.rest = rest_of(heap, event)};
    uint32_t number;

    heap_drawn_find_row(&heap->drawn, site, heap_bin(event->size), &number);
    struct heap_drawn_row *row = heap_drawn_row_at(&heap->drawn, number);
    count_habit(&row->moved, &drawn, is_moved);
    heap_part_add(&row->grown, &drawn, grown, HEAP_BYTE_POINT);
}

void heap_count_moved(struct heap *heap, const struct heap_lane *lane,
                      const struct reader_event *event, uint32_t site)
{
    const struct heap_block *old = &lane->release.block;
    uint64_t grown = event->size > old->size ? event->size - old->size : 0;
    bool is_moved = old->address != event->address;

    if (event->distance > 0) {
        count_row_moved(heap, event, site, is_moved, grown);
        return;
    }
    heap->sites[class_of(heap, event)].moved += is_moved;
    heap->sites[class_of(heap, event)].grown_bytes += grown;
}

/* ---- stages that start ------------------------------------------------- */

/* The sites that were made before keep their numbers. */
static void begin_chains(struct heap *heap)
{
    uint32_t owners = heap->owner_count;

    for (int i = 0; i < HEAP_CLASSES; i++)
        heap_add_site(heap);
    heap->owner_count = owners;
    heap->stage = HEAP_CHAINS;
}

static bool was_counted(const struct heap *heap)
{
    uint64_t inherited = heap->inherited_bytes;

    return heap->options.sample_bytes == 0 && heap->options.counted.peak_bytes > 0 &&
           (inherited <= inherited_least ||
            (double)inherited <= inherited_share * (double)heap->options.counted.peak_bytes);
}

static double ratio_of(const struct heap *heap)
{
    return heap->is_counted && heap->usable_ratio > 0 ? heap->usable_ratio : 1;
}

static bool take_over(struct heap *heap, struct heap_block *block)
{
    struct heap_drawn_block *drawn = heap_drawn_at(&heap->drawn, block->site);
    uint32_t row;

    heap_drawn_find_row(&heap->drawn, drawn->site, HEAP_OVERALL, &row);
    drawn->row = row;
    add_live(heap, block);
    return true;
}

/* Blocks that were not drawn are forgotten. */
static void thin_out(struct heap *heap)
{
    size_t count = HEAP_MAP_BUCKET * (heap->map.mask + 1);

    for (size_t i = 0; i < count; i++) {
        struct heap_block *block = &heap->map.places[i];

        if (block->address == 0)
            continue;
        if (heap_is_drawn(block))
            take_over(heap, block);
        else
            heap_map_clear(&heap->map, block);
    }
}

static void forget_live(struct heap *heap)
{
    struct heap_drawn_row *row = heap->drawn.rows.items;

    for (size_t i = 0; i < heap->drawn.rows.count; i++)
        row[i].live = (struct heap_amount){0};
    memset(heap->owed, 0, sizeof heap->owed);
    heap->owed_open = 0;
    heap->block_count = 0;
}

static void begin_blocks(struct heap *heap)
{
    heap->is_counted = was_counted(heap);
    if (heap->options.on_blocks)
        heap->options.on_blocks(heap->options.listener, ratio_of(heap));
    heap_note_all(heap);
    if (heap->is_counted)
        heap_convert_course(heap, ratio_of(heap));
    heap->blocks_left = heap->block_count;
    heap->counted.live_bytes = moments_scale(heap->live_bytes, ratio_of(heap));
    heap->blocks_epoch = heap->epoch;
    forget_live(heap);
    heap->stage = HEAP_BLOCKS;
    heap->is_lenient = heap->options.sample_bytes == 0;
    thin_out(heap);
    if (heap->is_counted)
        heap_set_live(heap, heap->counted.live_bytes);
}

void heap_begin(struct heap *heap)
{
    const struct heap_options *options = &heap->options;

    heap->borders.chains = options->chains_ticks > 0 ? options->chains_ticks : UINT64_MAX;
    heap->borders.blocks = options->blocks_ticks > 0 ? options->blocks_ticks : UINT64_MAX;
    heap->borders.peak = options->counted.peak_bytes > 0 ? options->counted.peak_ticks : UINT64_MAX;
    if (options->sample_bytes > 0)
        begin_blocks(heap);
    heap_set_border(heap);
}

void heap_enter_stage(struct heap *heap, enum heap_stage stage)
{
    if (heap->stage >= stage)
        return;
    if (stage == HEAP_CHAINS)
        begin_chains(heap);
    else
        begin_blocks(heap);
}

void heap_begin_stage(struct heap *heap, enum heap_stage stage, uint64_t ticks)
{
    heap_check_time(heap, ticks);
    heap_enter_stage(heap, stage);
}
