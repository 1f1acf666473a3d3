/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A growable array of items of one size.
 *
 * The items lie next to each other, so a loop may take `items` as a plain C array of its type:
 * `const struct thread *threads = array.items`.  A zeroed struct is an empty array: it may be read
 * and finished, but nothing may be added.
 *
 * An address inside the array is valid until the next call that grows it.
 */
#ifndef BASE_ARRAY_H
#define BASE_ARRAY_H

#include <stddef.h>

struct pool;

struct array {
    void *items;
    size_t count;
    size_t capacity;
    size_t item_size;
    struct pool *pool; /* owner of the items; NULL: the array owns them */
};

/* Start an empty array in the pool in use, if there is one; it allocates no memory yet. */
void array_init(struct array *array, size_t item_size);

/* Start an empty array without a pool: the array outlives the work that fills it. */
void array_init_owned(struct array *array, size_t item_size);

/* Free the items.  The caller owns what the items point to.  The items of a pool are freed with the
 * pool. */
void array_fini(struct array *array);

/* Reserve room for `count` items in all, so that adding up to `count` succeeds.
 *
 * If the size in bytes overflows, the program ends as if memory ran out.
 */
void array_reserve(struct array *array, size_t count);

/* Add one item of zero bytes at the end.
 *
 * Returns: its address.
 */
void *array_add(struct array *array);

/* Add one item with undefined bytes, for code with very many events.
 *
 * Returns: as array_add.
 */
static inline void *array_add_raw(struct array *array)
{
    if (array->count == array->capacity)
        array_reserve(array, array->count + 1);
    return (char *)array->items + array->count++ * array->item_size;
}

/* Give the address of item `index`, which must exist. */
static inline void *array_at(const struct array *array, size_t index)
{
    return (char *)array->items + index * array->item_size;
}

/* Search an array in its order.
 * Returns: the index of the first item that is not below the key; the count when all items are
 * below it. */
size_t array_first_from(const struct array *array, const void *key,
                        int (*compare)(const void *item, const void *key));

/* Free the unused room behind the last item. */
void array_fit(struct array *array);

/* Drop the items from `count` on; nothing happens when there are no more than `count`. */
void array_truncate(struct array *array, size_t count);

#endif
