/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the shapes of objects.
 */
#include "call/object_facts.h"

#include <string.h>

#include "call/object.h"
#include "record/facts.h"

static bool write_shape(unsigned index)
{
    const struct object_shape *shape = &object_shapes[index];
    struct trace_shape fact = {shape->id, shape->kernel, shape->count, 0};
    char bytes[sizeof shape->values + sizeof shape->text];
    size_t values_size = shape->count * sizeof *shape->values;
    size_t text_size = strlen(shape->text);

    memcpy(bytes, shape->values, values_size);
    memcpy(bytes + values_size, shape->text, text_size);
    return facts_write(TRACE_FACT_SHAPE, &fact, sizeof fact, bytes, values_size + text_size);
}

bool object_facts_write(unsigned *written)
{
    return facts_write_list(
        written, atomic_load_explicit(&object_shape_count, memory_order_acquire), write_shape);
}
