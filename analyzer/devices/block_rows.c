/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Replays the blocks of devices to their peaks.
 *
 * The peak of a device over all places is found from the records of its blocks.  The peak of each
 * place alone is in the trace, exact even if records are lost.
 */
#include "devices/block_rows.h"

#include <stdlib.h>

#include "model/session.h"
#include "model/session_unknown.h"
#include "rows/fold.h"

static const char *const places_keys[TRACE_DEVICE_PLACES] = {
#define DEVICE_PLACE(place, key, help) [TRACE_DEVICE_PLACE_##place] = key,
#include "spec/device_places.def"
#undef DEVICE_PLACE
};

struct change {
    uint64_t time_ns;
    int64_t bytes;
};

static const struct session_device_block *block_at(const struct session *session, size_t index)
{
    return array_at(&session->devices.blocks, index);
}

/* Blocks of a pool lie in blocks that the pool got from the device.  Memory of the host that a GPU
 * reads itself is in no memory of the GPU. */
bool block_rows_are_in(const struct session *session, uint32_t device,
                       enum trace_device_place place)
{
    const struct session_device *of = session_device_at(&session->devices, device);

    if (place == TRACE_DEVICE_PLACE_HOST)
        return (of->fact.flags & TRACE_DEVICE_SHARES_MEMORY) != 0;
    return place != TRACE_DEVICE_PLACE_PROGRAM && place != TRACE_DEVICE_PLACE_POOL;
}

/* Frees go first: memory is given back before it is obtained again. */
static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return a->bytes < b->bytes ? -1 : a->bytes > b->bytes;
}

static void add_change(struct array *changes, uint64_t time_ns, int64_t bytes)
{
    struct change *change = array_add(changes);

    *change = (struct change){time_ns, bytes};
}

static uint64_t find_peak(const struct array *changes, uint64_t *time_ns)
{
    int64_t live = 0, peak = 0;

    *time_ns = SESSION_UNKNOWN;
    for (size_t i = 0; i < changes->count; i++) {
        const struct change *change = array_at(changes, i);

        live += change->bytes;
        if (live <= peak)
            continue;
        peak = live;
        *time_ns = change->time_ns;
    }
    return (uint64_t)peak;
}

uint64_t block_rows_peak(const struct session *session, uint32_t device, uint64_t *time_ns)
{
    struct array changes;
    uint64_t peak;

    array_init(&changes, sizeof(struct change));
    for (size_t i = 0; i < session->devices.blocks.count; i++) {
        const struct session_device_block *block = block_at(session, i);

        if (block->device != device || !block_rows_are_in(session, device, block->place))
            continue;
        add_change(&changes, block->start_ns, (int64_t)block->bytes);
        if (block->end_ns != SESSION_UNKNOWN)
            add_change(&changes, block->end_ns, -(int64_t)block->bytes);
    }
    if (changes.count > 0)
        qsort(changes.items, changes.count, sizeof(struct change), compare_changes);
    peak = find_peak(&changes, time_ns);
    array_fini(&changes);
    return peak;
}

uint64_t block_rows_most(const struct session *session, uint32_t device)
{
    uint64_t time_ns, peak = block_rows_peak(session, device, &time_ns);

    for (size_t i = 0; i < session->devices.memory.count; i++) {
        const struct session_device_memory *memory = array_at(&session->devices.memory, i);

        if (memory->device == device && block_rows_are_in(session, device, memory->fact.place) &&
            memory->fact.peak_bytes > peak)
            peak = memory->fact.peak_bytes;
    }
    return peak;
}

struct filling {
    const struct session *session;
    struct places *places;
    struct fold fold;
    struct array *rows;
    const uint64_t *peaks_ns; /* by device */
};

static void append_place(struct text *text, struct filling *filling,
                         const struct session_device_block *block)
{
    struct place owner;

    if (block->chain != SESSION_NONE && places_find_owner_of(filling->places, block->chain, &owner))
        place_append(text, &owner);
    else
        text_append(text, "(unknown)");
}

static void add(struct block_row *row, const struct session_device_block *block, uint64_t peak_ns)
{
    bool is_live = block->start_ns <= peak_ns && block->end_ns > peak_ns;

    row->allocations++;
    row->allocated_bytes += block->bytes;
    if (is_live && peak_ns != SESSION_UNKNOWN) {
        row->peak_bytes += block->bytes;
        row->peak_blocks++;
    }
    if (block->end_ns == SESSION_UNKNOWN) {
        row->end_bytes += block->bytes;
        row->end_blocks++;
    }
}

static void add_block(struct filling *filling, const struct session_device_block *block)
{
    struct block_row *row;
    struct text place;
    uint32_t index;

    text_init(&place);
    append_place(&place, filling, block);
    fold_by_text(&filling->fold, place.bytes);
    fold_by_number(&filling->fold, block->device);
    fold_by_number(&filling->fold, block->place);
    if (fold_find(&filling->fold, &index)) {
        row = array_at(filling->rows, index);
        row->place = fold_keep(&filling->fold, place.bytes);
        row->device = session_device_at(&filling->session->devices, block->device)->name;
        row->where = places_keys[block->place];
    }
    text_fini(&place);
    add(array_at(filling->rows, index), block, filling->peaks_ns[block->device]);
}

void block_rows_fill(struct array *rows, const struct session *session, places_finder find)
{
    const struct session_devices *devices = &session->devices;
    struct filling filling = {.session = session, .rows = rows};
    struct array peaks;

    array_init(rows, sizeof(struct block_row));
    array_init(&peaks, sizeof(uint64_t));
    fold_init(&filling.fold, rows);
    filling.places = places_new(session, find);
    for (size_t i = 0; i < devices->devices.count; i++) {
        uint64_t *peak_ns = array_add(&peaks);

        block_rows_peak(session, (uint32_t)i, peak_ns);
    }
    filling.peaks_ns = peaks.items;
    for (size_t i = 0; i < devices->blocks.count; i++)
        add_block(&filling, block_at(session, i));
    array_fini(&peaks);
}
