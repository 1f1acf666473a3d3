/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What every site had live at marks, equal distances of time apart.
 */
#include "model/marks.h"

#include <stdlib.h>
#include <string.h>

#include "model/moments.h"

enum { MARKS_FIRST_SITES = 64 };

void marks_init(struct marks *marks)
{
    *marks = (struct marks){.count = 1};
    for (unsigned i = 0; i < SESSION_MARKS; i++)
        marks->rows[i] = (uint8_t)i;
}

void marks_fini(struct marks *marks)
{
    free(marks->bytes);
    marks->bytes = NULL;
}

/* Before the first site there is none. */
static uint64_t *row_of(const struct marks *marks, uint32_t mark)
{
    return marks->bytes ? marks->bytes + (size_t)marks->rows[mark] * marks->capacity : NULL;
}

static enum status grow(struct marks *marks, uint32_t capacity)
{
    struct marks grown = *marks;

    grown.capacity = capacity;
    grown.bytes = malloc((size_t)SESSION_MARKS * capacity * sizeof *grown.bytes);
    if (!grown.bytes)
        return STATUS_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < marks->count; i++)
        if (marks->sites[i] > 0)
            memcpy(row_of(&grown, i), row_of(marks, i), marks->sites[i] * sizeof *grown.bytes);
    free(marks->bytes);
    *marks = grown;
    return STATUS_OK;
}

enum status marks_reserve(struct marks *marks, uint32_t sites)
{
    uint32_t capacity = marks->capacity > 0 ? marks->capacity : MARKS_FIRST_SITES;

    while (capacity < sites)
        capacity *= 2;
    return capacity == marks->capacity ? STATUS_OK : grow(marks, capacity);
}

static void note(uint64_t *row, const struct marks_live *live)
{
    for (size_t i = 0; i < live->count; i++)
        row[i] = live->bytes[i * live->stride];
}

void marks_pass(struct marks *marks, uint32_t count, const struct marks_live *live)
{
    for (; marks->count < count; marks->count++) {
        note(row_of(marks, marks->count), live);
        marks->sites[marks->count] = live->count;
    }
}

/* The rows of the marks that go are for marks to come. */
static void exchange(struct marks *marks, uint32_t one, uint32_t other)
{
    uint8_t row = marks->rows[one];

    marks->rows[one] = marks->rows[other];
    marks->rows[other] = row;
    marks->sites[one] = marks->sites[other];
}

void marks_merge(struct marks *marks)
{
    for (uint32_t i = 1; 2 * i < marks->count; i++)
        exchange(marks, i, 2 * i);
    marks->count = (marks->count + 1) / 2;
}

void marks_scale(struct marks *marks, uint32_t mark, double ratio)
{
    uint64_t *row = row_of(marks, mark);

    for (uint32_t i = 0; i < marks->sites[mark]; i++)
        row[i] = moments_scale(row[i], ratio);
}

uint64_t marks_at(const struct marks *marks, uint32_t mark, uint32_t site)
{
    return site < marks->sites[mark] ? row_of(marks, mark)[site] : 0;
}
