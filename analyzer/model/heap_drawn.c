/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places of drawn blocks, and the rows of their sums.
 */
#include "model/heap_drawn.h"

#include "base/memory.h"
#include "model/heap_weight.h"

void heap_drawn_init(struct heap_drawn *drawn)
{
    *drawn = (struct heap_drawn){.free = 0};
    array_init(&drawn->blocks, sizeof(struct heap_drawn_block));
    array_init(&drawn->rows, sizeof(struct heap_drawn_row));
    array_init(&drawn->first, sizeof(uint32_t));
    marks_init(&drawn->marks);
    marks_init(&drawn->rests);
}

void heap_drawn_fini(struct heap_drawn *drawn)
{
    array_fini(&drawn->blocks);
    array_fini(&drawn->rows);
    array_fini(&drawn->first);
    marks_fini(&drawn->marks);
    marks_fini(&drawn->rests);
}

void heap_drawn_claim(struct heap_drawn *drawn, const struct heap_drawn_block *block,
                      uint32_t *number)
{
    struct heap_drawn_block *place;

    *number = drawn->free > 0 ? drawn->free - 1 : (uint32_t)drawn->blocks.count;
    if (*number == HEAP_DRAWN - 1) /* more than a number of theirs can say */
        memory_ran_out();
    if (drawn->free == 0)
        array_add(&drawn->blocks);
    place = heap_drawn_at(drawn, *number);
    if (drawn->free > 0)
        drawn->free = place->row;
    *place = *block;
}

void heap_drawn_leave(struct heap_drawn *drawn, uint32_t number)
{
    heap_drawn_at(drawn, number)->row = drawn->free;
    drawn->free = (number & ~HEAP_DRAWN) + 1;
}

static void add_sites(struct heap_drawn *drawn, uint32_t site)
{
    while (drawn->first.count <= site) {
        uint32_t *first = array_add(&drawn->first);

        *first = HEAP_NO_ROW;
    }
}

static void add_row(struct heap_drawn *drawn, uint32_t site, uint32_t class)
{
    uint32_t *first = array_at(&drawn->first, site);
    struct heap_drawn_row *row = array_add(&drawn->rows);

    *row = (struct heap_drawn_row){
        .site = site, .class = class, .next = *first, .min_size = UINT64_MAX, .epoch = 0};
    *first = (uint32_t)drawn->rows.count - 1;
}

void heap_drawn_find_row(struct heap_drawn *drawn, uint32_t site, uint32_t class, uint32_t *row)
{
    add_sites(drawn, site);

    *row = *(uint32_t *)array_at(&drawn->first, site);
    while (*row != HEAP_NO_ROW && heap_drawn_row_at(drawn, *row)->class != class)
        *row = heap_drawn_row_at(drawn, *row)->next;
    if (*row != HEAP_NO_ROW)
        return;
    *row = (uint32_t)drawn->rows.count;
    add_row(drawn, site, class);
}

static void change(struct heap_amount *amount, const struct heap_drawn_block *block, uint64_t bytes,
                   bool is_added)
{
    const uint64_t sign = is_added ? 1 : UINT64_MAX;
    double variance = is_added ? heap_rest_variance(block->rest) : -heap_rest_variance(block->rest);
    double size = (double)bytes;

    amount->blocks += sign;
    amount->bytes += sign * bytes;
    amount->rest_blocks += sign * heap_units(block->rest, HEAP_BLOCK_POINT);
    amount->rest_bytes += sign * heap_units(block->rest * size, HEAP_BYTE_POINT);
    amount->blocks_variance += variance;
    amount->bytes_variance += size * size * variance;
}

void heap_amount_add(struct heap_amount *to, const struct heap_drawn_block *block, uint64_t bytes)
{
    change(to, block, bytes, true);
}

/* Differences of doubles leave a remainder: zero blocks have no variance. */
void heap_amount_take(struct heap_amount *from, const struct heap_drawn_block *block,
                      uint64_t bytes)
{
    change(from, block, bytes, false);
    if (from->blocks == 0)
        from->blocks_variance = from->bytes_variance = 0;
}

void heap_part_add(struct heap_part *to, const struct heap_drawn_block *block, uint64_t amount,
                   unsigned point)
{
    to->drawn += amount;
    to->rest += heap_units(block->rest * (double)amount, point);
}
