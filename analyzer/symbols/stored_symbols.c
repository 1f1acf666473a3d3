/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The symbols that were stored in the trace when it was packed.
 */
#include "symbols/stored_symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "spec/trace.h"

struct stored_symbols {
    struct storage *storage;
    struct stored_file *files;
    struct stored_file *files_by_key;
};

struct stored_symbols *stored_symbols_new(struct storage *storage)
{
    struct stored_symbols *stored = memory_get_zeros(1, sizeof *stored);

    stored->storage = storage;
    return stored;
}

static void stored_file_free(struct stored_file *file)
{
    struct stored_place *place, *next;

    HASH_ITER(hh, file->places, place, next)
    {
        HASH_DEL(file->places, place);
        free(place);
    }
    array_fini(&file->functions);
    free(file->key);
    free(file);
}

void stored_symbols_free(struct stored_symbols *stored)
{
    struct stored_file *file, *next;

    if (!stored)
        return;
    HASH_CLEAR(by_key, stored->files_by_key);
    HASH_ITER(hh, stored->files, file, next)
    {
        HASH_DEL(stored->files, file);
        stored_file_free(file);
    }
    free(stored);
}

static void stored_make_key(struct text *key, const char *build_id, const char *path)
{
    text_init(key);
    text_appendf(key, "%s %s", build_id, path);
}

const struct stored_file *stored_symbols_find_key(const struct stored_symbols *stored,
                                                  const char *key)
{
    struct stored_file *file;

    HASH_FIND(by_key, stored->files_by_key, key, strlen(key), file);
    return file;
}

const struct stored_file *stored_symbols_find(const struct stored_symbols *stored,
                                              const char *build_id, const char *path)
{
    const struct stored_file *file = NULL;
    struct text key;

    if (!stored->files)
        return NULL;
    stored_make_key(&key, build_id, path);
    file = stored_symbols_find_key(stored, key.bytes);
    text_fini(&key);
    return file;
}

const struct stored_place *stored_file_find(const struct stored_file *file, uint64_t address)
{
    struct stored_place *place;

    HASH_FIND(hh, file->places, &address, sizeof address, place);
    return place;
}

struct stored_symbols_count stored_symbols_count(const struct stored_symbols *stored)
{
    struct stored_symbols_count count = {HASH_COUNT(stored->files), 0};

    for (const struct stored_file *file = stored->files; file; file = file->hh.next)
        count.places += HASH_COUNT(file->places);
    return count;
}

static struct stored_file *stored_find_id(const struct stored_symbols *stored, uint32_t id)
{
    struct stored_file *file;

    HASH_FIND(hh, stored->files, &id, sizeof id, file);
    return file;
}

/* The rest of a fact. */
struct stored_rest {
    const char *bytes;
    size_t size;
};

static bool stored_take(struct stored_rest *rest, void *head, size_t size)
{
    if (rest->size < size)
        return false;
    memcpy(head, rest->bytes, size);
    rest->bytes += size;
    rest->size -= size;
    return true;
}

/* Returns: a text that ends with a zero byte, in the fact; NULL when there is none. */
static const char *stored_take_text(struct stored_rest *rest)
{
    size_t length = strnlen(rest->bytes, rest->size);
    const char *text = rest->bytes;

    if (length == rest->size)
        return NULL;
    rest->bytes += length + 1;
    rest->size -= length + 1;
    return text;
}

/* Keep a text; an empty text means unknown. */
static bool stored_keep(struct stored_symbols *stored, const char *text, const char **kept)
{
    *kept = text[0] != '\0' ? storage_keep(stored->storage, text, strlen(text)) : NULL;
    return *kept || text[0] == '\0';
}

static bool stored_add_file(struct stored_symbols *stored, struct stored_file *file)
{
    HASH_ADD(hh, stored->files, id, sizeof file->id, file);
    HASH_ADD_KEYPTR(by_key, stored->files_by_key, file->key, strlen(file->key), file);
    return true;
    HASH_DEL(stored->files, file);
    return false;
}

static char *stored_new_key(const char *build_id, const char *path)
{
    struct text key;
    char *copy;

    stored_make_key(&key, build_id, path);
    copy = memory_copy(key.bytes);
    text_fini(&key);
    return copy;
}

/* A map has no build-id. */
static enum symbols_cause stored_find_cause(const struct trace_file *head, const char *build_id,
                                            const char *path)
{
    static const char folder[] = "/tmp/perf-";

    if (build_id[0] == '\0' && strncmp(path, folder, strlen(folder)) == 0)
        return SYMBOLS_CAUSE_NOT_IN_MAP;
    if (head->flags & TRACE_FILE_READ)
        return SYMBOLS_CAUSE_NO_TABLE;
    return head->flags & TRACE_FILE_OTHER ? SYMBOLS_CAUSE_OTHER_FILE : SYMBOLS_CAUSE_NO_FILE;
}

enum status stored_symbols_read_file(struct stored_symbols *stored, const char *bytes, size_t size)
{
    struct stored_rest rest = {bytes, size};
    struct trace_file head;
    bool is_whole = stored_take(&rest, &head, sizeof head);
    const char *build_id = is_whole ? stored_take_text(&rest) : NULL;
    const char *path = build_id ? stored_take_text(&rest) : NULL;
    const char *problem = path ? stored_take_text(&rest) : NULL;

    if (!problem || stored_find_id(stored, head.id) || stored_symbols_find(stored, build_id, path))
        return STATUS_CORRUPT;
    struct stored_file *file = memory_get_zeros(1, sizeof *file);
    array_init(&file->functions, sizeof(struct stored_function));
    file->id = head.id;
    file->is_read = (head.flags & TRACE_FILE_READ) != 0;
    file->cause = stored_find_cause(&head, build_id, path);
    file->is_alone = (head.flags & TRACE_FILE_ALONE) != 0;
    file->has_inner = (head.flags & TRACE_FILE_INNER) != 0;
    file->is_symbolic = (head.flags & TRACE_FILE_SYMBOLIC) != 0;
    file->key = stored_new_key(build_id, path);
    file->path = storage_keep(stored->storage, path, strlen(path));
    stored_keep(stored, problem, &file->problem);
    stored_add_file(stored, file);
    return STATUS_OK;
}

/* A function without a name still has a place if its start is known. */
static void stored_set_offset(struct symbols_frame *frame, uint64_t address, uint32_t offset)
{
    frame->is_pausing = (offset & TRACE_FRAME_PAUSING) != 0;
    frame->offset = offset & ~(TRACE_FRAME_PLACED | TRACE_FRAME_PAUSING);
    if (frame->offset > address)
        frame->offset = 0;
    else if (offset & TRACE_FRAME_PLACED)
        frame->start = address - frame->offset;
}

/* The frames come before their texts. */
static enum status stored_read_frames(struct stored_symbols *stored, struct stored_place *place,
                                      struct stored_rest rest)
{
    struct stored_rest frames = {rest.bytes, place->count * sizeof(struct trace_frame)};
    struct stored_rest texts = {rest.bytes + frames.size, rest.size - frames.size};

    for (size_t i = 0; i < place->count; i++) {
        struct symbols_frame *frame = &place->frames[i];
        struct trace_frame raw = {0, 0};
        const char *function = stored_take_text(&texts);
        const char *file = function ? stored_take_text(&texts) : NULL;

        if (!file || !stored_take(&frames, &raw, sizeof raw))
            return STATUS_CORRUPT;
        frame->line = raw.line;
        stored_set_offset(frame, place->address, raw.offset);
        frame->is_inlined = i + 1 < place->count;
        stored_keep(stored, function, &frame->function);
        stored_keep(stored, file, &frame->file);
    }
    return STATUS_OK;
}

enum status stored_symbols_read_place(struct stored_symbols *stored, const char *bytes, size_t size)
{
    struct stored_rest rest = {bytes, size};
    struct trace_place head;
    struct stored_file *file =
        stored_take(&rest, &head, sizeof head) ? stored_find_id(stored, head.file) : NULL;

    if (!file || head.count == 0 || head.count > TRACE_FRAMES_AT_PLACE ||
        rest.size < head.count * sizeof(struct trace_frame) || stored_file_find(file, head.address))
        return STATUS_CORRUPT;
    struct stored_place *place =
        memory_get_zeros(1, sizeof *place + head.count * sizeof(struct symbols_frame));
    place->address = head.address;
    place->count = head.count;
    enum status status = stored_read_frames(stored, place, rest);
    if (!status) {
        struct symbols_frame *last = &place->frames[place->count - 1];

        if (!last->function && last->start == 0)
            last->cause = file->cause;
        for (size_t i = 0; i < place->count; i++)
            file->has_lines = file->has_lines || place->frames[i].file;
        HASH_ADD(hh, file->places, address, sizeof place->address, place);
        status = false;
    }
    if (status)
        free(place);
    return status;
}

enum status stored_symbols_read_function(struct stored_symbols *stored, const char *bytes,
                                         size_t size)
{
    struct stored_rest rest = {bytes, size};
    struct trace_function head;
    struct stored_file *file =
        stored_take(&rest, &head, sizeof head) ? stored_find_id(stored, head.file) : NULL;

    if (!file || rest.size == 0)
        return STATUS_CORRUPT;
    const char *name = storage_keep(stored->storage, rest.bytes, rest.size);
    struct stored_function *function = name ? array_add(&file->functions) : NULL;
    *function = (struct stored_function){name, head.is_exported != 0};
    return STATUS_OK;
}

enum { STORED_ALIGN = 8 };

static void stored_write(struct text *facts, enum trace_fact_kind kind, const struct text *payload)
{
    static const char zeros[STORED_ALIGN];
    const struct trace_fact head = {kind, (uint32_t)payload->size};
    size_t padding = (STORED_ALIGN - payload->size % STORED_ALIGN) % STORED_ALIGN;

    if (sizeof head + payload->size + padding > TRACE_PACKED_MAX)
        return;
    text_append_bytes(facts, (const char *)&head, sizeof head);
    text_append_bytes(facts, payload->bytes, payload->size);
    text_append_bytes(facts, zeros, padding);
}

/* With its zero byte. */
static void stored_write_text(struct text *payload, const char *text)
{
    text_append(payload, text ? text : "");
    text_append_bytes(payload, "", 1);
}

void stored_symbols_write_file(struct text *facts, const struct stored_file *file)
{
    bool is_other = file->cause == SYMBOLS_CAUSE_OTHER_FILE;
    const struct trace_file head = {file->id, (file->is_read ? TRACE_FILE_READ : 0u) |
                                                  (file->has_inner ? TRACE_FILE_INNER : 0u) |
                                                  (file->is_symbolic ? TRACE_FILE_SYMBOLIC : 0u) |
                                                  (is_other ? TRACE_FILE_OTHER : 0u) |
                                                  (file->is_alone ? TRACE_FILE_ALONE : 0u)};
    size_t build_id = strcspn(file->key, " ");
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&head, sizeof head);
    text_append_bytes(&payload, file->key, build_id);
    stored_write_text(&payload, "");
    stored_write_text(&payload, file->key + build_id + 1);
    stored_write_text(&payload, file->problem);
    stored_write(facts, TRACE_FACT_FILE, &payload);
    text_fini(&payload);
}

/* An offset that is too large is left out: no function is so long. */
static uint32_t stored_offset(const struct symbols_frame *frame)
{
    uint32_t placed = !frame->function && frame->start != 0 ? TRACE_FRAME_PLACED : 0;
    uint32_t pausing = frame->is_pausing ? TRACE_FRAME_PAUSING : 0;

    return frame->offset < TRACE_FRAME_PAUSING ? (uint32_t)frame->offset | placed | pausing
                                               : pausing;
}

void stored_symbols_write_place(struct text *facts, uint32_t file,
                                const struct symbols_known *known)
{
    const struct trace_place head = {file, (uint32_t)known->count, known->address};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&head, sizeof head);
    for (size_t i = 0; i < known->count; i++) {
        const struct symbols_frame *from = &known->frames[i];
        const struct trace_frame frame = {from->line, stored_offset(from)};

        text_append_bytes(&payload, (const char *)&frame, sizeof frame);
    }
    for (size_t i = 0; i < known->count; i++) {
        stored_write_text(&payload, known->frames[i].function);
        stored_write_text(&payload, known->frames[i].file);
    }
    stored_write(facts, TRACE_FACT_PLACE, &payload);
    text_fini(&payload);
}

void stored_symbols_write_function(struct text *facts, uint32_t file,
                                   const struct stored_function *function)
{
    const struct trace_function head = {file, function->is_exported};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&head, sizeof head);
    text_append(&payload, function->name);
    stored_write(facts, TRACE_FACT_FUNCTION, &payload);
    text_fini(&payload);
}
