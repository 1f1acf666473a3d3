/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames by the texts that distinguish them.
 */
#include "stacks/call_frame.h"

#include <string.h>

#include "base/text.h"
#include "places/places.h"
#include "symbols/storage.h"

const char *call_label_name(enum call_label label)
{
    static const char *const names[] = {
#define LABEL(id, name) name,
#include "stacks/labels.def"
#undef LABEL
    };

    return names[label];
}

void call_frames_init(struct call_frames *frames)
{
    *frames = (struct call_frames){.by = CALL_FRAMES_BY_LINE, .texts = storage_new()};
    text_index_init(&frames->keys);
    array_init(&frames->items, sizeof(struct call_frame));
}

static const char *keep(struct call_frames *frames, const char *text)
{
    return text ? storage_keep(frames->texts, text, strlen(text)) : NULL;
}

static void add(struct call_frames *frames, const struct call_frame *of)
{
    struct call_frame *frame = array_add(&frames->items);

    *frame = *of;
    frame->name = keep(frames, of->name);
    frame->library = keep(frames, of->library);
    frame->file = keep(frames, of->file);
    for (int i = 0; i < CALL_LABELS; i++)
        frame->labels[i] = keep(frames, of->labels[i]);
}

static void fill_key(struct text *key, enum call_frames_by by, const struct call_frame *frame)
{
    bool is_by_line = by == CALL_FRAMES_BY_LINE;

    text_index_append_part(key, frame->name);
    text_index_append_part(key, frame->library);
    if (is_by_line || (by == CALL_FRAMES_BY_PLACE && !frame->library))
        text_index_append_part(key, frame->file);
    for (int i = 0; i < CALL_LABELS && frame->kind == CALL_FRAME_LABELS; i++)
        text_index_append_part(key, frame->labels[i]);
    text_appendf(key, "%u,%u%s", (unsigned)frame->kind,
                 by == CALL_FRAMES_BY_FUNCTION ? 0 : (unsigned)frame->line,
                 is_by_line && frame->is_inlined ? "i" : "");
}

size_t call_frames_find(struct call_frames *frames, const struct call_frame *frame)
{
    struct text key;
    size_t number;

    text_init(&key);
    fill_key(&key, frames->by, frame);
    number = (size_t)text_index_add(&frames->keys, &key);
    if (number == frames->items.count)
        add(frames, frame);
    return number;
}

struct call_frame call_frame_of_place(const struct place *place)
{
    return (struct call_frame){
        .library = place->function->module,
        .file = place->file,
        .line = place->line,
        .kind = place->function->is_python ? CALL_FRAME_PYTHON : CALL_FRAME_NATIVE,
        .is_inlined = place->is_inlined};
}

size_t call_frames_find_place(struct call_frames *frames, const struct place *place)
{
    struct call_frame frame = call_frame_of_place(place);
    struct text name;
    size_t number;

    text_init(&name);
    places_append_function(&name, place->function, false);
    frame.name = name.bytes;
    number = call_frames_find(frames, &frame);
    return number;
}

const struct call_frame *call_frames_at(const struct call_frames *frames, size_t number)
{
    return array_at(&frames->items, number);
}
