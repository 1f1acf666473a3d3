/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Code objects by their ids, and the requested frames.
 */
#include "model/python.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/id_map.h"
#include "model/python_lines.h"
#include "symbols/storage.h"

enum { CODES_MOST = 1 << 20 };

struct code {
    const char *name;
    const char *file;
    int32_t first_line;
    uint32_t lines_size;
    unsigned char *lines;
};

struct python_place {
    uint64_t address;
    struct symbols_frame frame;
    UT_hash_handle hh;
};

struct python_codes {
    struct array codes; /* of struct code */
    struct id_map ids;
    struct array sites; /* of struct trace_site */
    struct id_map site_ids;
    struct storage *storage;
    struct python_place *places;
};

struct python_codes *python_codes_new(void)
{
    struct python_codes *codes = memory_get_zeros(1, sizeof *codes);

    array_init(&codes->codes, sizeof(struct code));
    array_init(&codes->sites, sizeof(struct trace_site));
    codes->storage = storage_new();
    if (codes->storage)
        return codes;
    free(codes);
    return NULL;
}

void python_codes_free(struct python_codes *codes)
{
    struct python_place *place, *next;
    struct code *code;

    if (!codes)
        return;
    HASH_ITER(hh, codes->places, place, next)
    {
        HASH_DEL(codes->places, place);
        free(place);
    }
    code = codes->codes.items;
    for (size_t i = 0; i < codes->codes.count; i++)
        free(code[i].lines);
    array_fini(&codes->codes);
    id_map_fini(&codes->ids);
    array_fini(&codes->sites);
    id_map_fini(&codes->site_ids);
    storage_free(codes->storage);
    free(codes);
}

/* The texts and the table behind a head that fits. */
static void fill(struct python_codes *codes, struct code *code, const struct trace_code *head,
                 const char *bytes)
{
    const char *file = bytes + head->name_size;
    const char *lines = file + head->file_size;

    code->first_line = head->first_line;
    code->lines_size = head->lines_size;
    code->name = storage_keep(codes->storage, bytes, head->name_size);
    code->file = storage_keep(codes->storage, file, head->file_size);
    code->lines = memory_get(head->lines_size + 1);
    memcpy(code->lines, lines, head->lines_size);
}

enum status python_codes_add(struct python_codes *codes, const char *bytes, size_t size)
{
    struct trace_code head;

    if (size < sizeof head || codes->codes.count == CODES_MOST)
        return STATUS_CORRUPT;
    memcpy(&head, bytes, sizeof head);
    if ((uint64_t)head.name_size + head.file_size + head.lines_size > size - sizeof head)
        return STATUS_CORRUPT;
    struct code *code = array_add(&codes->codes);
    fill(codes, code, &head, bytes + sizeof head);
    id_map_add(&codes->ids, head.id, codes->codes.count - 1);
    return STATUS_OK;
}

enum status python_codes_add_site(struct python_codes *codes, const char *bytes, size_t size)
{
    struct trace_site *site;

    if (size < offsetof(struct trace_site, line) || codes->sites.count == CODES_MOST)
        return STATUS_CORRUPT;
    site = array_add(&codes->sites);
    memcpy(site, bytes, size < sizeof *site ? offsetof(struct trace_site, line) : sizeof *site);
    id_map_add(&codes->site_ids, site->id, codes->sites.count - 1);
    return STATUS_OK;
}

const struct trace_site *python_codes_find_site(const struct python_codes *codes, uint64_t site)
{
    int64_t index =
        codes ? id_map_find(&codes->site_ids, (uint32_t)(site & UINT32_MAX)) : ID_MAP_NONE;

    return index == ID_MAP_NONE ? NULL : array_at(&codes->sites, (size_t)index);
}

static struct symbols_frame find(const struct python_codes *codes, uint64_t address)
{
    uint32_t id = (uint32_t)((address & ~PYTHON_CALL) >> TRACE_CODE_SHIFT);
    int64_t index = id_map_find(&codes->ids, id);
    const struct code *code;

    if (index == ID_MAP_NONE)
        return (struct symbols_frame){0};
    code = array_at(&codes->codes, (size_t)index);
    return (struct symbols_frame){
        .function = code->name[0] != '\0' ? code->name : NULL,
        .file = code->file[0] != '\0' ? code->file : NULL,
        .line = python_lines_find(code->lines, code->lines_size, code->first_line,
                                  (uint32_t)address),
    };
}

void python_codes_find(struct python_codes *codes, uint64_t address,
                       const struct symbols_frame **frame)
{
    struct python_place *place;

    HASH_FIND(hh, codes->places, &address, sizeof address, place);
    if (!place) {
        place = memory_get_zeros(1, sizeof *place);
        place->address = address;
        place->frame = find(codes, address);
        HASH_ADD(hh, codes->places, address, sizeof place->address, place);
    }
    *frame = &place->frame;
}

bool python_is_own_file(const char *name)
{
    return strncmp(name, "python", strlen("python")) == 0 ||
           strncmp(name, "libpython", strlen("libpython")) == 0;
}

const char *python_objects_words(uint64_t state)
{
    static const char *const words[] = {
#define PYTHON_OBJECTS(state, words) words,
#include "spec/python_objects.def"
#undef PYTHON_OBJECTS
    };

    return state < TRACE_PYTHON_OBJECTS_STATES ? words[state] : "not known";
}

const char *python_off_words(enum trace_python_off off)
{
    static const char *const words[] = {
#define PYTHON_OFF(off, key, words) words,
#include "spec/python_off.def"
#undef PYTHON_OFF
    };

    return words[off];
}

void python_append_version(struct text *text, uint32_t version)
{
    enum { MAJOR_SHIFT = 24, MINOR_SHIFT = 16, MICRO_SHIFT = 8, MASK = 0xff };

    text_appendf(text, "%u.%u.%u", version >> MAJOR_SHIFT, version >> MINOR_SHIFT & MASK,
                 version >> MICRO_SHIFT & MASK);
}
