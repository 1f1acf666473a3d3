/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable array of items of one size.
 *
 * Used by every part of the analyzer.  Each array belongs to one thread at a time; the array has no
 * lock.
 */
#include "base/array.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"

enum { ARRAY_FIRST_CAPACITY = 8 };

/* Doubling makes adding n items cost at most 2n copies in all.
 * Returns: a capacity of at least `count` items. */
static size_t grown_capacity(const struct array *array, size_t count)
{
    size_t capacity = array->capacity;

    if (capacity < ARRAY_FIRST_CAPACITY)
        capacity = ARRAY_FIRST_CAPACITY;
    else if (capacity <= SIZE_MAX / 2)
        capacity *= 2;
    return capacity < count ? count : capacity;
}

void array_init(struct array *array, size_t item_size)
{
    *array = (struct array){.item_size = item_size, .pool = pool_in_use()};
}

void array_init_owned(struct array *array, size_t item_size)
{
    *array = (struct array){.item_size = item_size};
}

void array_fini(struct array *array)
{
    pool_free(array->pool, array->items);
    *array = (struct array){.item_size = array->item_size, .pool = array->pool};
}

void array_reserve(struct array *array, size_t count)
{
    size_t capacity = grown_capacity(array, count);

    if (count <= array->capacity)
        return;
    assert(array->item_size > 0);
    if (capacity > SIZE_MAX / array->item_size)
        memory_ran_out();
    array->items = pool_resize(array->pool, array->items, capacity * array->item_size);
    array->capacity = capacity;
}

void *array_add(struct array *array)
{
    void *item = array_add_raw(array);

    memset(item, 0, array->item_size);
    return item;
}

size_t array_first_from(const struct array *array, const void *key,
                        int (*compare)(const void *item, const void *key))
{
    size_t low = 0, high = array->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(array_at(array, middle), key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void array_fit(struct array *array)
{
    if (array->count == 0)
        return;
    array->items = pool_resize(array->pool, array->items, array->count * array->item_size);
    array->capacity = array->count;
}

void array_truncate(struct array *array, size_t count)
{
    if (count < array->count)
        array->count = count;
}
