/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Copies of code objects, as in a trace: each content once, and by address within one look.
 */
#include "where/python_names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "model/python.h"
#include "spec/python_code.h"
#include "where/frames.h"
#include "where/image.h"
#include "where/interpreter.h"

struct content {
    UT_hash_handle hh;
    uint32_t id;
    size_t size;
    char bytes[]; /* a record whose id is 0 */
};

struct known_code {
    UT_hash_handle hh;
    uint64_t address;
    uint32_t id; /* 0: there is no code */
};

struct python_names {
    struct python_codes *codes;
    struct content *contents;
    struct known_code *known;
    _Alignas(struct trace_code) char record[PYTHON_CODE_SIZE];
};

struct python_names *python_names_new(void)
{
    struct python_names *names = memory_get_zeros(1, sizeof *names);

    names->codes = python_codes_new();
    if (names->codes)
        return names;
    free(names);
    return NULL;
}

void python_names_free(struct python_names *names)
{
    struct content *content, *next;

    if (!names)
        return;
    python_names_forget(names);
    HASH_ITER(hh, names->contents, content, next)
    {
        HASH_DEL(names->contents, content);
        free(content);
    }
    python_codes_free(names->codes);
    free(names);
}

void python_names_forget(struct python_names *names)
{
    struct known_code *known, *next;

    HASH_ITER(hh, names->known, known, next)
    {
        HASH_DEL(names->known, known);
        free(known);
    }
}

static enum status add_content(struct python_names *names, size_t size, uint32_t *id)
{
    struct content *content = memory_get_zeros(1, sizeof *content + size);
    struct trace_code *head = (struct trace_code *)names->record;

    memcpy(content->bytes, names->record, size);
    content->size = size;
    content->id = HASH_COUNT(names->contents) + 1;
    HASH_ADD_KEYPTR(hh, names->contents, content->bytes, size, content);
    *id = head->id = content->id;
    return python_codes_add(names->codes, names->record, size);
}

/* The record of the code: of equal content there is one. */
static enum status keep(struct python_names *names, size_t size, uint32_t *id)
{
    struct content *content;

    HASH_FIND(hh, names->contents, names->record, size, content);
    if (!content)
        return add_content(names, size, id);
    *id = content->id;
    return STATUS_OK;
}

static bool read_memory(void *of, uint64_t address, void *bytes, size_t size)
{
    return size == 0 || image_read_now(of, address, bytes, size);
}

static enum status read_code(struct python_names *names, const struct interpreter *interpreter,
                             uint64_t address, uint32_t *id)
{
    const struct python_memory memory = {read_memory, interpreter->image};
    size_t size = interpreter_is_code(interpreter, address)
                      ? python_code_copy(&memory, &interpreter->layout, address,
                                         (struct trace_code *)names->record)
                      : 0;

    *id = 0;
    return size > 0 ? keep(names, size, id) : STATUS_OK;
}

static void find_code(struct python_names *names, const struct interpreter *interpreter,
                      uint64_t address, uint32_t *id)
{
    struct known_code *known;

    HASH_FIND(hh, names->known, &address, sizeof address, known);
    if (known) {
        *id = known->id;
        return;
    }
    enum status status = read_code(names, interpreter, address, id);
    known = status ? NULL : memory_get_zeros(1, sizeof *known);
    *known = (struct known_code){.address = address, .id = *id};
    HASH_ADD(hh, names->known, address, sizeof known->address, known);
    return;
    free(known);
}

void python_names_find(struct python_names *names, const struct interpreter *interpreter,
                       const struct frames_item *item, const struct symbols_frame **frame)
{
    uint64_t start = item->code + interpreter->layout.code_start;
    uint64_t offset = item->instruction > start ? item->instruction - start : 0;
    uint32_t id;

    find_code(names, interpreter, item->code, &id);
    *frame = NULL;
    if (id == 0)
        return;
    python_codes_find(names->codes, python_call(id, (uint32_t)offset), frame);
}
