/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The live bytes of each site at marks, which are at equal distances of time.
 */
#include "model/marks.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "model/moments.h"

/* Fewer are copied less where one changes, and need more pointers. */
enum { BLOCK_SITES = 256 };

struct marks_block {
    uint32_t users; /* marks */
    uint64_t bytes[BLOCK_SITES];
};

static uint32_t count_blocks(uint32_t sites)
{
    return sites / BLOCK_SITES + (sites % BLOCK_SITES != 0);
}

static void release(struct marks_row *row)
{
    for (uint32_t i = 0; i < count_blocks(row->sites); i++)
        if (--row->blocks[i]->users == 0)
            free(row->blocks[i]);
    free(row->blocks);
    *row = (struct marks_row){.sites = 0};
}

void marks_init(struct marks *marks)
{
    *marks = (struct marks){.count = 1};
}

void marks_fini(struct marks *marks)
{
    for (int i = 0; i < SESSION_MARKS; i++)
        release(&marks->rows[i]);
}

/* Newer sites have nothing yet. */
static void gather(struct marks_block *block, const struct marks_live *live, uint32_t first)
{
    uint32_t left = live->count - first, count = left < BLOCK_SITES ? left : BLOCK_SITES;
    const uint64_t *bytes = live->bytes + first * live->stride;

    for (uint32_t i = 0; i < count; i++)
        block->bytes[i] = bytes[i * live->stride];
    memset(block->bytes + count, 0, (BLOCK_SITES - count) * sizeof *block->bytes);
}

static struct marks_block *share(const struct marks_block *gathered, struct marks_block *before)
{
    bool is_same = before && memcmp(before->bytes, gathered->bytes, sizeof before->bytes) == 0;
    struct marks_block *block = is_same ? before : memory_get(sizeof *block);

    if (!is_same)
        *block = *gathered;
    block->users = is_same ? block->users + 1 : 1;
    return block;
}

static void note(struct marks_row *row, const struct marks_row *before,
                 const struct marks_live *live)
{
    const uint32_t blocks = count_blocks(live->count), old = count_blocks(before->sites);
    struct marks_block gathered;

    row->blocks = memory_get(blocks * sizeof(struct marks_block *) + 1);
    for (uint32_t i = 0; i < blocks; i++) {
        gather(&gathered, live, i * BLOCK_SITES);
        row->blocks[i] = share(&gathered, i < old ? before->blocks[i] : NULL);
        row->sites = i + 1 < blocks ? (i + 1) * BLOCK_SITES : live->count;
    }
}

void marks_pass(struct marks *marks, uint32_t count, const struct marks_live *live)
{
    static const struct marks_row none;

    for (; marks->count < count; marks->count++) {
        struct marks_row *row = &marks->rows[marks->count];

        release(row);
        note(row, marks->count > 0 ? row - 1 : &none, live);
    }
}

void marks_merge(struct marks *marks)
{
    for (uint32_t i = 1; 2 * i < marks->count; i++) {
        release(&marks->rows[i]);
        marks->rows[i] = marks->rows[2 * i];
        marks->rows[2 * i] = (struct marks_row){.sites = 0};
    }
    marks->count = (marks->count + 1) / 2;
}

void marks_scale(struct marks *marks, uint32_t mark, double ratio)
{
    marks->rows[mark].is_scaled = true;
    marks->rows[mark].ratio = ratio;
}

uint64_t marks_at(const struct marks *marks, uint32_t mark, uint32_t site)
{
    const struct marks_row *row = &marks->rows[mark];

    if (site >= row->sites)
        return 0;
    uint64_t bytes = row->blocks[site / BLOCK_SITES]->bytes[site % BLOCK_SITES];
    return row->is_scaled ? moments_scale(bytes, row->ratio) : bytes;
}
