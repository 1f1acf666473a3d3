/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of perf script to the modules and places of a trace.
 */
#include "import/perf_places.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "import/perf_line.h"

enum {
    LIBRARY_SHIFT = 48,
    LIBRARIES_MOST = 1 << 13,
    INLINED_MOST = TRACE_FRAMES_AT_PLACE
};

static const uint64_t low_bits = (UINT64_C(1) << (LIBRARY_SHIFT - 1)) - 1;

void perf_places_init(struct perf_places *places, struct import_trace *trace)
{
    *places = (struct perf_places){.trace = trace};
    array_init(&places->addresses, sizeof(uint64_t));
    array_init(&places->bases, sizeof(uint64_t));
}

void perf_places_fini(struct perf_places *places)
{
    array_fini(&places->addresses);
    array_fini(&places->bases);
    text_index_fini(&places->ids);
    text_index_fini(&places->libraries);
    text_index_fini(&places->taken);
}

static void add_module(struct perf_places *places, uint32_t id, uint64_t base, const char *library)
{
    const uint64_t start = (uint64_t)id << LIBRARY_SHIFT;
    const struct trace_module module = {
        .id = id, .base = base, .start = start, .end = start + (UINT64_C(1) << LIBRARY_SHIFT)};
    const struct trace_file file = {id, TRACE_FILE_READ | TRACE_FILE_ALONE};
    struct text payload;

    text_init(&payload);
    text_append_bytes(&payload, (const char *)&module, sizeof module);
    text_append(&payload, library);
    import_trace_fact(places->trace, TRACE_FACT_MODULE, &payload);
    text_clear(&payload);
    text_append_bytes(&payload, (const char *)&file, sizeof file);
    text_append_bytes(&payload, "", 1); /* no build-id */
    text_append_bytes(&payload, library, strlen(library) + 1);
    text_append_bytes(&payload, "", 1); /* no problem */
    import_trace_fact(places->trace, TRACE_FACT_FILE, &payload);
    text_fini(&payload);
}

/* Fills the base address of a library's places.  Libraries beyond the most are one.
 * Returns: its id, from 1 on. */
static uint32_t find_library(struct perf_places *places, const struct perf_frame *frame,
                             uint64_t *base)
{
    size_t number = import_trace_number(&places->libraries, frame->library);
    const char *name = number < LIBRARIES_MOST ? frame->library : "[other files]";
    uint32_t id = (uint32_t)(number < LIBRARIES_MOST ? number : LIBRARIES_MOST) + 1;
    uint64_t *place;

    if (id <= places->bases.count) {
        *base = *(uint64_t *)array_at(&places->bases, id - 1);
        return id;
    }
    place = array_add(&places->bases);
    *base = *place = ((uint64_t)id << LIBRARY_SHIFT) - (frame->address & ~low_bits);
    add_module(places, id, *base, name);
    return id;
}

/* The address is perf's own, unless another place has it already, as with code compiled at run
 * time, or with another process. */
static uint64_t find_address(struct perf_places *places, uint32_t library, uint64_t told)
{
    const uint64_t start = (uint64_t)library << LIBRARY_SHIFT, address = start | (told & low_bits);
    char words[20];

    snprintf(words, sizeof words, "%llx", (unsigned long long)address);
    if (import_trace_number(&places->taken, words) == places->taken_count) {
        places->taken_count++;
        return address;
    }
    return start + low_bits + ++places->moved_count;
}

static void add_frame(struct text *frames, struct text *names, const struct perf_frame *frame)
{
    const struct trace_frame head = {0, frame->offset < UINT32_MAX / 2 ? (uint32_t)frame->offset
                                                                       : 0};

    text_append_bytes(frames, (const char *)&head, sizeof head);
    text_append_bytes(names, frame->function, strlen(frame->function) + 1);
    text_append_bytes(names, "", 1); /* no file */
}

/* Reads the lines of a place.  Returns: the frames; 0: the lines are invalid. */
static uint32_t read_frames(char *lines, struct text *frames, struct text *names,
                            struct perf_frame *last)
{
    uint32_t count = 0;

    for (char *line; (line = strsep(&lines, "\n"));) {
        if (!perf_line_read_frame(line, last))
            return 0;
        if (++count <= INLINED_MOST)
            add_frame(frames, names, last);
    }
    return count <= INLINED_MOST ? count : 0;
}

static uint64_t put_place(struct perf_places *places, uint32_t count, const struct perf_frame *last,
                          const struct text *frames, const struct text *names)
{
    uint64_t base = 0;
    uint32_t library = find_library(places, last, &base);
    uint64_t address = library ? find_address(places, library, last->address) : 0;
    const struct trace_place head = {library, count, address - base};
    struct text payload;

    if (address == 0)
        return 0;
    text_init(&payload);
    text_append_bytes(&payload, (const char *)&head, sizeof head);
    text_append_bytes(&payload, frames->bytes, frames->size);
    text_append_bytes(&payload, names->bytes, names->size);
    import_trace_fact(places->trace, TRACE_FACT_PLACE, &payload);
    text_fini(&payload);
    return address;
}

/* Returns: the address of a new place; 0: its lines are invalid. */
static uint64_t add_place(struct perf_places *places, const char *lines)
{
    struct perf_frame last = {0};
    struct text frames, names;
    char *copy = memory_copy(lines);
    uint64_t address = 0;
    uint32_t count;

    text_init(&frames);
    text_init(&names);
    count = read_frames(copy, &frames, &names, &last);
    if (count > 0)
        address = put_place(places, count, &last, &frames, &names);
    text_fini(&frames);
    text_fini(&names);
    free(copy);
    return address;
}

/* The lines of a place are its identity. */
uint64_t perf_places_find(struct perf_places *places, const struct text *lines)
{
    size_t number = import_trace_number(&places->ids, lines->bytes);
    uint64_t address, *place;

    if (number < places->addresses.count)
        return *(uint64_t *)array_at(&places->addresses, number);
    address = add_place(places, lines->bytes);
    place = array_add(&places->addresses);
    *place = address;
    return address;
}
