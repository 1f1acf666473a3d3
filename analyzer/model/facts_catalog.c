/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The catalog of kernels, which a trace has in pieces.
 *
 * Decision: doc/decisions/packed-catalog.
 */
#include "base/memory.h"
#include "model/facts_parts.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/texts.h"
#include "spec/catalog_read.h"

/* The catalog that libtprof of this build writes. */
static const unsigned char own_catalog[] = {
#define PACKED(byte) byte,
#include "kernels.def"
#undef PACKED
    0};

enum { FACTS_OWN_SIZE = sizeof own_catalog - 1 };
enum { FACTS_CATALOG_MAX = 16 << 20 /* bytes; more is damage */ };

enum status facts_read_catalog(struct facts *facts, struct facts_payload payload)
{
    text_append_bytes(&facts->catalog, payload.bytes, payload.size);
    return STATUS_OK;
}

enum status facts_read_packed_catalog(struct facts *facts, struct facts_payload payload)
{
    text_append_bytes(&facts->packed, payload.bytes, payload.size);
    return STATUS_OK;
}

/* A missing part of the catalog looks like a mistake in it. */
static void doubt_catalog(struct facts *facts, const struct reader *reader,
                          const struct catalog_error *error)
{
    if (facts->is_catalog_cut || reader->torn_chunks > 0 || reader->header.failed_chunks > 0) {
        text_list_say(&facts->session->doubts, catalog_cut_text);
        return;
    }
    text_list_say(&facts->session->doubts, catalog_mistake_text, said_count(error->line),
                  said_words(error->text));
}

/* Append the contents of a frame as far as possible: its end may be missing. */
static void unpack(struct facts *facts, struct text *text)
{
    ZSTD_DStream *stream = memory_have(ZSTD_createDStream());
    ZSTD_inBuffer in = {facts->packed.bytes, facts->packed.size, 0};
    char *room = memory_get(ZSTD_DStreamOutSize());
    size_t left = 1, before = 0;
    ZSTD_outBuffer out = {room, ZSTD_DStreamOutSize(), 0};

    while (left > 0 && text->size < FACTS_CATALOG_MAX) {
        before = in.pos;
        out.pos = 0;
        left = ZSTD_decompressStream(stream, &out, &in);
        if (ZSTD_isError(left) || (in.pos == before && out.pos == 0))
            break;
        text_append_bytes(text, room, out.pos);
    }
    facts->is_catalog_cut = left != 0;
    free(room);
    ZSTD_freeDStream(stream);
}

/* The built-in catalog comes before the user's. */
static void join_catalog(struct facts *facts)
{
    struct text whole;

    if (facts->packed.size == 0)
        return;
    text_init(&whole);
    unpack(facts, &whole);
    text_append_bytes(&whole, facts->catalog.bytes, facts->catalog.size);
    text_fini(&facts->catalog);
    facts->catalog = whole;
}

/* Such a catalog has no mistake: the build read it. */
static bool is_own(const struct facts *facts)
{
    return FACTS_OWN_SIZE > 0 && facts->packed.size == FACTS_OWN_SIZE && facts->catalog.size == 0 &&
           memcmp(facts->packed.bytes, own_catalog, FACTS_OWN_SIZE) == 0;
}

/* Keeps the text: a kernel is read of it when somebody asks for it. */
static bool read_later(struct facts *facts)
{
    struct storage *storage = facts->storage;

    if (!catalog_later_open(&storage->later, &storage->arena, facts->catalog.bytes,
                            facts->catalog.size))
        return false;
    storage->catalog_text = facts->catalog;
    text_init(&facts->catalog);
    facts->session->catalog = storage->later.catalog;
    return true;
}

static void read_whole(struct facts *facts, const struct reader *reader)
{
    struct catalog_error error;

    if (!catalog_read(&facts->session->catalog, &facts->storage->arena, facts->catalog.bytes,
                      facts->catalog.size, &error) ||
        facts->is_catalog_cut)
        doubt_catalog(facts, reader, &error);
}

void facts_parse_catalog(struct facts *facts, const struct reader *reader)
{
    bool is_later = is_own(facts);

    join_catalog(facts);
    if (facts->catalog.size == 0 && !facts->is_catalog_cut)
        return;
    facts->storage->arena =
        (struct catalog_arena){memory_get(CATALOG_ARENA_SIZE), CATALOG_ARENA_SIZE, 0};
    if (!is_later || !read_later(facts))
        read_whole(facts, reader);
}

const struct catalog_kernel *facts_find_kernel(const struct facts *facts, uint32_t index)
{
    const struct catalog *catalog = &facts->session->catalog;

    if (index >= catalog->kernel_count)
        return NULL;
    if (facts->storage->catalog_text.size > 0)
        return catalog_later_get(&facts->storage->later, index);
    return &catalog->kernels[index];
}
