/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Objects, such as a primitive of oneDNN or a plan of FFTW: a program makes an object in one call
 * and executes it in others.  The table has the kernel and the shape of each object's execution.
 *
 * It is a table of pointers with open addressing, in a window of OBJECT_WINDOW places from the
 * pointer's hash.  An object takes any free place of its window, so no object has to move, and a
 * removal leaves nothing behind.  Equal shapes are stored once, and never forgotten.
 *
 *   operation         any thread   signal handler
 *   object_find       yes          yes
 *   object_forget     yes          yes
 *   object_remember   one by one   not while it interrupts a record: it does nothing
 *
 * The table stays valid in a forked child; a row that another thread was writing at the fork is
 * missing.
 */
#ifndef CALL_OBJECT_H
#define CALL_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/hash.h"
#include "spec/trace.h"

enum {
    OBJECT_BITS = 16,
    OBJECT_PLACES = 1 << OBJECT_BITS,
    OBJECT_WINDOW = 32,
    OBJECT_SHAPES = 16384,
    OBJECT_TEXT = 56
};

/* The kernel and the shape of executing an object. */
struct object_shape {
    uint32_t id;      /* id of its fact; 0: unknown */
    uint32_t kernel;  /* in the catalog */
    uint32_t count;   /* number of values */
    bool owns;        /* its FLOPs are known */
    bool is_numbered; /* values[0] shall be its number among those of its kernel, from 1 */
    char text[OBJECT_TEXT];
    int64_t values[TRACE_WIDE_MAX];
};

struct object_place {
    atomic_uintptr_t object; /* 0: free; written after the shape */
    const struct object_shape *shape;
};

/* The shapes of an object with unknown shape, and of an object with another shape at each call. */
extern const struct object_shape object_unknown, object_open;

/* NULL before the first object, and when there is no memory; the array has room for a window after
 * the last place. */
extern struct object_place *_Atomic object_places;

/* Called once, before the functions below.  Memory is taken for the first object: most programs
 * have none. */
void object_init(void);

/* Returns: NULL while there is no table. */
static ALWAYS_INLINE struct object_place *object_window(const void *object)
{
    struct object_place *places = atomic_load_explicit(&object_places, memory_order_acquire);
    uint64_t hash = ((uintptr_t)object >> 4) * HASH_FACTOR;

    return places ? &places[hash >> (64 - OBJECT_BITS)] : NULL;
}

/* Find the place of an object.
 * Budget: mostly one load and one comparison.
 * Returns: NULL when it is not in the table. */
static ALWAYS_INLINE struct object_place *object_find_place(const void *object)
{
    struct object_place *place = object_window(object);

    for (unsigned i = 0; place && i < OBJECT_WINDOW; i++)
        if (atomic_load_explicit(&place[i].object, memory_order_acquire) == (uintptr_t)object)
            return &place[i];
    return NULL;
}

/* Find the shape of an object.  No other object can have its address while the program may use it,
 * so the shape is read without a lock.
 * Returns: NULL when it is not in the table. */
static ALWAYS_INLINE const struct object_shape *object_find(const void *object)
{
    const struct object_place *place = object_find_place(object);

    return place ? place->shape : NULL;
}

/* Note the shape of an object's execution, in place of an earlier one.  An object without room is
 * counted in the trace's header.  `object`: NULL to store only the shape.  `like`: its id and its
 * number are ignored; may be object_unknown or object_open.
 * Returns: the stored shape; NULL when the object is not in the table, because the table is full or
 * nothing is recorded. */
COLD const struct object_shape *object_remember(const void *object,
                                                const struct object_shape *like);

/* Remove an object from the table, if present. */
void object_forget(const void *object);

/* The kept shapes, with ids from 1, and the number of complete ones. */
extern struct object_shape *object_shapes;
extern atomic_uint object_shape_count;

#endif
