/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table of layers, which grows to a bound.
 */
#include "torch/layers.h"

#include <string.h>

#include "platform/hash.h"
#include "platform/memory.h"
#include "platform/readable.h"
#include "record/facts.h"
#include "record/process.h"
#include "record/settings.h"
#include "record/strings.h"
#include "spec/python_layout.h"
#include "spec/trace.h"
#include "torch/attributes.h"

enum { LAYERS_MAX = 16384, PLACES = 2 * LAYERS_MAX, NAME_MAX_SIZE = 128 };

/* The key of a layer. */
struct key {
    uint64_t outer;
    uintptr_t object;
    uintptr_t type;
};

struct layers {
    struct trace_layer items[LAYERS_MAX]; /* by id; number 0 is unused */
    struct key keys[LAYERS_MAX];
    uint32_t index[PLACES]; /* ids */
    uint32_t count;         /* including number 0 */
};

static struct layers *layers; /* changed only under the process lock */

/* Returns: false when there is no type with a name at the place for an object's type. */
static bool read_name(uintptr_t type, char name[NAME_MAX_SIZE])
{
    uintptr_t text;

    if (type % sizeof type != 0 || !readable(type + PYTHON_TYPE_NAME, sizeof text))
        return false;
    memcpy(&text, (const void *)(type + PYTHON_TYPE_NAME), sizeof text);
    for (size_t i = 0; i + 1 < NAME_MAX_SIZE; i++) {
        if ((i == 0 || (text + i) % 4096 == 0) && !readable(text + i, 1))
            return false;
        name[i] = ((const char *)text)[i];
        if (name[i] == '\0')
            return i > 0;
    }
    name[NAME_MAX_SIZE - 1] = '\0';
    return true;
}

/* Find a layer, or the free entry where it belongs.  Returns: its id; 0: it is new. */
static uint32_t find(const struct key *key, uint32_t *at)
{
    for (*at = hash_fnv(key, sizeof *key) % PLACES; layers->index[*at] != 0;
         *at = (*at + 1) % PLACES)
        if (memcmp(&layers->keys[layers->index[*at]], key, sizeof *key) == 0)
            return layers->index[*at];
    return 0;
}

static bool has_table(void)
{
    if (layers)
        return true;
    layers = memory_map(sizeof *layers);
    if (layers)
        layers->count = 1;
    return layers != NULL;
}

/* Fills the id.  Returns: 0 when there is no room. */
static uint32_t add(const struct key *key, uint32_t at, const struct trace_layer *layer)
{
    uint32_t id = layers->count;

    if (id == LAYERS_MAX)
        return 0;
    layers->items[id] = *layer;
    layers->items[id].id = id;
    layers->keys[id] = *key;
    layers->index[at] = id;
    layers->count = id + 1;
    if (process->file.is_kept)
        facts_flush_of(layers_write_facts);
    return id;
}

static uint32_t find_known(const struct key *key)
{
    uint32_t id, at;

    lock_take(&process->lock);
    id = has_table() ? find(key, &at) : 0;
    lock_release(&process->lock);
    return id;
}

static uint32_t find_or_add(const struct key *key, const struct trace_layer *layer)
{
    uint32_t id = 0, at;

    lock_take(&process->lock);
    if (has_table())
        id = find(key, &at);
    if (layers && id == 0)
        id = add(key, at, layer);
    lock_release(&process->lock);
    return id;
}

/* A layer that calls itself is one layer at any depth.  The row of `outer` does not change any
 * more. */
static bool calls_itself(uint32_t outer, uintptr_t object)
{
    return outer != 0 && layers->keys[outer].object == object;
}

/* Returns: a string id; 0: unknown, or not requested. */
static uint32_t find_path(uint32_t outer, uintptr_t object)
{
    char path[ATTRIBUTES_SIZE];

    if (settings.ops != SETTINGS_OPS_PATHS || outer == 0 ||
        !attributes_find(layers->keys[outer].object, object, path))
        return 0;
    return strings_intern(path);
}

uint32_t layers_find(uint32_t outer, uintptr_t object)
{
    struct key key = {.outer = outer, .object = object};
    char name[NAME_MAX_SIZE];
    uint32_t id;

    if (object == 0 || calls_itself(outer, object) ||
        !readable(object + PYTHON_TYPE, sizeof key.type))
        return outer;
    memcpy(&key.type, (const void *)(object + PYTHON_TYPE), sizeof key.type);
    id = find_known(&key);
    if (id == 0 && read_name(key.type, name)) {
        const struct trace_layer layer = {
            .outer = outer, .name = strings_intern(name), .path = find_path(outer, object)};

        id = find_or_add(&key, &layer);
    }
    return id != 0 ? id : outer;
}

static bool write_layer(unsigned index)
{
    const struct trace_layer *layer = &layers->items[index + 1];

    return facts_write(TRACE_FACT_LAYER, layer, sizeof *layer, NULL, 0);
}

bool layers_write_facts(unsigned *written)
{
    return !layers || facts_write_list(written, layers->count - 1, write_layer);
}
