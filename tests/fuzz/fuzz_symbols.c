/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Any bytes as the symbols that tprof pack stored from the files of modules.
 *
 * The input is cut into facts: a byte for the kind, a byte for the size, and that many bytes.  One
 * file exists before, so that places and functions can belong to it.  Then addresses in it are
 * looked up; the accepted symbols are written and read again.  See tests/fuzz/local.mk for how it
 * runs.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "spec/trace.h"
#include "symbols/stored_symbols.h"
#include "symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char build_id[] = "ab", path[] = "/nowhere/file";

static const stored_symbols_reader readers[] = {stored_symbols_read_file, stored_symbols_read_place,
                                                stored_symbols_read_function};

enum { READERS = sizeof readers / sizeof *readers };

/* An exact copy on the heap, so that a sanitizer notices each byte read behind it. */
static enum status read_fact(struct stored_symbols *stored, stored_symbols_reader read,
                             const void *bytes, size_t size)
{
    char *copy = malloc(size + (size == 0));
    enum status status = STATUS_OK;

    if (copy) {
        memcpy(copy, bytes, size);
        status = read(stored, copy, size);
    }
    free(copy);
    return status;
}

static void read_facts(struct stored_symbols *stored, const uint8_t *data, size_t size)
{
    while (size >= 2) {
        stored_symbols_reader read = readers[data[0] % READERS];
        size_t length = data[1];

        data += 2;
        size -= 2;
        length = length < size ? length : size;
        (void)!read_fact(stored, read, data, length);
        data += length;
        size -= length;
    }
}

static void add_own_file(struct stored_symbols *stored)
{
    char bytes[64] = {0};
    const struct trace_file head = {1, TRACE_FILE_READ};
    size_t used = sizeof head;

    memcpy(bytes, &head, sizeof head);
    memcpy(bytes + used, build_id, sizeof build_id);
    used += sizeof build_id;
    memcpy(bytes + used, path, sizeof path);
    used += sizeof path + 1; /* and no problem */
    if (read_fact(stored, stored_symbols_read_file, bytes, used))
        abort();
}

/* A place that was read is written unchanged. */
static void write_again(const struct stored_file *file)
{
    for (const struct stored_place *place = file->places; place; place = place->hh.next) {
        const struct symbols_known known = {file->key, NULL, place->address, place->frames,
                                            place->count};
        struct text facts;

        text_init(&facts);
        stored_symbols_write_place(&facts, 1, &known);
        if (facts.size % 8 != 0)
            abort();
        text_fini(&facts);
    }
}

static void ask(struct symbols *symbols)
{
    const struct symbols_module module = {path, build_id, 0};

    for (uint64_t address = 0; address < 64; address++) {
        const struct symbols_frame *frames;
        size_t count;

        symbols_find(symbols, &module, address, &frames, &count);
        if (count == 0 || frames[count - 1].is_inlined)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct symbols *symbols = symbols_new();

    if (!symbols)
        abort();
    struct stored_symbols *stored = symbols_stored(symbols);
    add_own_file(stored);
    read_facts(stored, data, size);
    write_again(stored_symbols_find(stored, build_id, path));
    ask(symbols);
    symbols_free(symbols);
    return 0;
}
