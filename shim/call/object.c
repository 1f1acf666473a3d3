/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores shapes and objects.  Runs when an object is first executed, or was made; never between the
 * clock reads of a call.
 */
#include "call/object.h"

#include <errno.h>
#include <string.h>

#include "platform/lock.h"
#include "platform/memory.h"
#include "record/facts.h"
#include "record/lane.h"
#include "record/process.h"

enum { INDEX_PLACES = 2 * OBJECT_SHAPES };

const struct object_shape object_unknown, object_open;
struct object_place *_Atomic object_places;
struct object_shape *object_shapes;
atomic_uint object_shape_count;

static uint16_t *shape_index; /* numbers of shapes by their hash; 0: free */

/* In memory that a fork wipes: another thread may have held it. */
static struct lock *lock;

_Static_assert(OBJECT_SHAPES <= UINT16_MAX, "a shape's number fits the index");

void object_init(void)
{
    lock = memory_keep_wiped(sizeof *lock);
}

/* Under the lock.  Returns: false when there is no memory. */
static bool open_tables(void)
{
    if (object_places)
        return true;
    if (!object_shapes)
        object_shapes = memory_keep(OBJECT_SHAPES * sizeof *object_shapes);
    if (!shape_index)
        shape_index = memory_keep(INDEX_PLACES * sizeof *shape_index);
    if (object_shapes && shape_index)
        object_places = memory_keep((OBJECT_PLACES + OBJECT_WINDOW) * sizeof(struct object_place));
    return object_places != NULL;
}

static uint32_t hash_shape(const struct object_shape *shape)
{
    uint64_t hash = shape->kernel;

    for (uint32_t i = 0; i < shape->count; i++)
        hash = (hash ^ (uint64_t)shape->values[i]) * HASH_FACTOR;
    for (const char *text = shape->text; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3); /* FNV-1a */
    return (uint32_t)(hash >> 32);
}

static bool is_same(const struct object_shape *a, const struct object_shape *b)
{
    return a->kernel == b->kernel && a->count == b->count &&
           memcmp(a->values, b->values, a->count * sizeof *a->values) == 0 &&
           strcmp(a->text, b->text) == 0;
}

/* The count is raised last, so that a forked child finds whole rows only. */
static const struct object_shape *add_shape(const struct object_shape *like, uint16_t *index)
{
    unsigned count = atomic_load(&object_shape_count);
    struct object_shape *shape = &object_shapes[count];

    if (count == OBJECT_SHAPES)
        return NULL;
    *shape = *like;
    shape->id = count + 1;
    *index = (uint16_t)shape->id;
    atomic_store_explicit(&object_shape_count, shape->id, memory_order_release);
    return shape;
}

/* Under the lock, so that no two shapes have one number. */
static struct object_shape number_shape(const struct object_shape *like)
{
    unsigned count = atomic_load(&object_shape_count);
    struct object_shape numbered = *like;

    numbered.values[0] = 1;
    for (unsigned i = 0; i < count; i++) {
        const struct object_shape *known = &object_shapes[i];

        if (known->kernel != like->kernel)
            continue;
        numbered.values[0] = known->values[0];
        if (is_same(known, &numbered))
            return numbered;
        numbered.values[0]++;
    }
    return numbered;
}

/* A fork may leave a number in the index whose row was never written. */
static const struct object_shape *intern_shape(const struct object_shape *like)
{
    unsigned count = atomic_load(&object_shape_count);
    uint32_t at;

    if (like == &object_unknown || like == &object_open)
        return like;
    at = hash_shape(like) % INDEX_PLACES;
    for (; shape_index[at] != 0; at = (at + 1) % INDEX_PLACES)
        if (shape_index[at] <= count && is_same(&object_shapes[shape_index[at] - 1], like))
            return &object_shapes[shape_index[at] - 1];
    return add_shape(like, &shape_index[at]);
}

static struct object_place *find_free(const void *object)
{
    struct object_place *place = object_window(object);

    for (unsigned i = 0; place && i < OBJECT_WINDOW; i++)
        if (atomic_load_explicit(&place[i].object, memory_order_relaxed) == 0)
            return &place[i];
    return NULL;
}

static bool place_object(const void *object, const struct object_shape *shape)
{
    struct object_place *place = object_find_place(object);

    if (!place)
        place = find_free(object);
    if (!place)
        return false;
    place->shape = shape;
    atomic_store_explicit(&place->object, (uintptr_t)object, memory_order_release);
    return true;
}

static void count_loss(void)
{
    atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_shapes, 1);
}

static const struct object_shape *intern(const struct object_shape *like)
{
    struct object_shape numbered;

    if (!open_tables())
        return NULL;
    if (!like->is_numbered)
        return intern_shape(like);
    numbered = number_shape(like);
    return intern_shape(&numbered);
}

static const struct object_shape *remember(const void *object, const struct object_shape *like)
{
    const struct object_shape *shape = intern(like);

    if (!shape) {
        count_loss();
        shape = &object_unknown;
    }
    if (!object || place_object(object, shape))
        return shape;
    count_loss();
    return NULL;
}

/* The lane is BUSY meanwhile, so that blocks allocated here do not count as the program's. */
const struct object_shape *object_remember(const void *object, const struct object_shape *like)
{
    int saved_errno = errno;
    struct lane *lane = lock ? lane_enter() : NULL;
    const struct object_shape *shape;
    unsigned count;

    if (!lane)
        return NULL;
    lock_take(lock);
    count = atomic_load(&object_shape_count);
    shape = remember(object, like);
    lock_release(lock);
    if (atomic_load(&object_shape_count) != count)
        facts_flush_now();
    lane_leave(lane);
    errno = saved_errno;
    return shape;
}

/* Takes no lock: the place belongs to this object until it is freed. */
void object_forget(const void *object)
{
    struct object_place *place = object ? object_find_place(object) : NULL;

    if (place)
        atomic_store_explicit(&place->object, 0, memory_order_release);
}
