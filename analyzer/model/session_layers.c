/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Layers below their outer layers.  An outer layer comes first, so there is no circle.
 */
#include "model/session_layers.h"

#include <string.h>

#include "base/text.h"
#include "model/session.h"

/* Counts the existing layers of its class. */
static void number(struct array *layers, struct session_layer *added)
{
    struct session_layer *layer = layers->items;

    added->number = 1;
    for (size_t i = 1; i + 1 < layers->count; i++) {
        if (layer[i].outer != added->outer || strcmp(layer[i].name, added->name) != 0)
            continue;
        added->number++;
        added->has_twins = layer[i].has_twins = true;
    }
}

void session_add_layer(struct session *session, const struct trace_layer *fact, const char *name,
                       const char *path)
{
    uint32_t outer = session_find_layer(session, fact->outer);
    struct session_layer *layer;

    if (session->layers.count == 0)
        array_add(&session->layers);
    layer = array_add(&session->layers);
    *layer = (struct session_layer){
        .name = name, .path = path, .id = fact->id, .outer = outer};
    number(&session->layers, layer);
}

/* Mostly none is lost, so that the id is the index. */
uint32_t session_find_layer(const struct session *session, uint32_t id)
{
    const struct session_layer *layer = session->layers.items;
    uint32_t count = (uint32_t)session->layers.count;

    if (id == 0 || (id < count && layer[id].id == id))
        return id;
    for (uint32_t i = 1; i < count; i++)
        if (layer[i].id == id)
            return i;
    return 0;
}

void session_append_layer(struct text *text, const struct session *session, uint32_t index)
{
    const struct session_layer *layer = array_at(&session->layers, index);

    if (layer->outer != 0) {
        const struct session_layer *outer = array_at(&session->layers, layer->outer);

        session_append_layer(text, session, layer->outer);
        text_append(text, layer->path && outer->path ? "." : "/");
    }
    text_append(text, layer->path ? layer->path : layer->name);
    if (layer->has_twins && !layer->path)
        text_appendf(text, "#%u", layer->number);
}
