/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the symbols that tprof pack stored.  Accepted symbols are found again, and stay the
 * same after writing and reading them.  See tests/fuzz/local.mk for how it runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spec/trace.h"
#include "symbols/stored_symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct read_back {
    struct storage *storage;
    struct stored_symbols *stored;
    const struct stored_file *last; /* the last accepted file */
};

static void open_stored(struct read_back *of)
{
    *of = (struct read_back){.storage = storage_new()};
    of->stored = of->storage ? stored_symbols_new(of->storage) : NULL;
    if (!of->stored)
        abort();
}

static void close_stored(struct read_back *of)
{
    stored_symbols_free(of->stored);
    storage_free(of->storage);
}

/* A text of the fact ends in it, otherwise the fact would not have been accepted. */
static const struct stored_file *find_file(const struct stored_symbols *stored, const char *bytes)
{
    const char *build_id = bytes + sizeof(struct trace_file);
    const struct stored_file *file =
        stored_symbols_find(stored, build_id, build_id + strlen(build_id) + 1);

    if (!file)
        abort();
    return file;
}

/* Only for the last file, whose name is known. */
static void write_place(struct text *facts, const struct stored_file *file, const char *bytes)
{
    const struct stored_place *place;
    struct trace_place head;

    memcpy(&head, bytes, sizeof head);
    if (head.file != file->id)
        return;
    place = stored_file_find(file, head.address);
    if (!place || place->count != head.count)
        abort();
    stored_symbols_write_place(facts, file->id,
                               &(struct symbols_known){file->key, file->problem, place->address,
                                                       place->frames, place->count});
}

/* Takes a fact, and writes the accepted part behind others. */
static void take(struct read_back *of, enum trace_fact_kind kind, const struct text *fact,
                 struct text *facts)
{
    static const stored_symbols_reader readers[TRACE_FACT_KINDS] = {
        [TRACE_FACT_FILE] = stored_symbols_read_file,
        [TRACE_FACT_PLACE] = stored_symbols_read_place,
        [TRACE_FACT_FUNCTION] = stored_symbols_read_function,
    };

    if (readers[kind](of->stored, fact->bytes, fact->size))
        return;
    if (kind == TRACE_FACT_FILE) {
        of->last = find_file(of->stored, fact->bytes);
        stored_symbols_write_file(facts, of->last);
    } else if (kind == TRACE_FACT_PLACE) {
        write_place(facts, of->last, fact->bytes);
    }
}

/* A fact is its kind, two bytes of its size, and its bytes, in memory of its own. */
static void take_all(struct read_back *of, const uint8_t *data, size_t size, struct text *facts)
{
    static const enum trace_fact_kind kinds[] = {TRACE_FACT_FILE, TRACE_FACT_PLACE,
                                                 TRACE_FACT_PLACE, TRACE_FACT_FUNCTION};

    while (size >= 3) {
        size_t length = (size_t)data[1] << 8 | data[2];
        char *bytes;

        length = length < size - 3 ? length : size - 3;
        bytes = malloc(length > 0 ? length : 1);
        if (!bytes)
            abort();
        memcpy(bytes, data + 3, length);
        take(of, kinds[data[0] % 4], &(struct text){.bytes = bytes, .size = length}, facts);
        free(bytes);
        data += 3 + length;
        size -= 3 + length;
    }
}

/* Written symbols are accepted as a whole. */
static struct stored_symbols_count take_written(const struct text *facts)
{
    struct read_back again;
    struct stored_symbols_count count;

    open_stored(&again);
    for (size_t at = 0; at < facts->size;) {
        struct trace_fact head;
        const char *bytes = facts->bytes + at + sizeof head;

        memcpy(&head, facts->bytes + at, sizeof head);
        if (head.kind == TRACE_FACT_FILE
                ? stored_symbols_read_file(again.stored, bytes, head.size)
                : stored_symbols_read_place(again.stored, bytes, head.size))
            abort();
        at += sizeof head + (head.size + 7) / 8 * 8;
    }
    count = stored_symbols_count(again.stored);
    close_stored(&again);
    return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct read_back of;
    struct text facts;

    text_init(&facts);
    open_stored(&of);
    take_all(&of, data, size, &facts);
    if (take_written(&facts).files != stored_symbols_count(of.stored).files)
        abort();
    close_stored(&of);
    text_fini(&facts);
    return 0;
}
