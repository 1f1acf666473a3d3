/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of resident memory, which follow a reading.
 *
 * Of memory without a file the trace has addresses: what the program mapped there itself is known
 * from the replay of its calls.
 */
#include "model/events_parts.h"

#include "model/session_process.h"
#include "model/session_resident.h"
#include "model/session_unknown.h"

/* Each block has a record until HEAP_BLOCKS. */
static void take_heap(struct session_resident *resident, const struct events *events,
                      const struct session_reading *reading)
{
    const struct heap *heap = &events->heap;
    bool is_exact = heap->stage != HEAP_BLOCKS && heap->options.sample_bytes == 0;

    resident->usable_bytes = reading->usable_heap_bytes;
    resident->blocks = heap_live_blocks(heap);
    resident->requested_bytes = is_exact ? heap->live_bytes : SESSION_UNKNOWN;
    resident->chunk_bytes = is_exact ? heap->chunks.bytes : SESSION_UNKNOWN;
    resident->large_bytes = is_exact ? heap->chunks.large_bytes : SESSION_UNKNOWN;
    resident->large_requested = is_exact ? heap->chunks.large_requested : SESSION_UNKNOWN;
}

/* Returns: the moment of the lane's last reading; NULL when there is no reading. */
static struct session_resident *find_resident(struct events *events,
                                              const struct reader_event *event)
{
    struct session *session = events->session;
    struct events_lane *lane = events_find_lane(events, event);
    struct session_reading *reading = events_find_reading(events, event);
    struct session_resident *resident;

    if (!reading)
        return NULL;
    if (lane->resident > 0 && lane->resident_reading == lane->reading)
        return array_at(&session->residents, lane->resident - 1);
    resident = array_add(&session->residents);
    resident->time_ns = reading->time_ns;
    resident->label = reading->label;
    resident->zeros_mapping = SESSION_NONE;
    resident->unseen_bytes = events->mappings.kind_bytes[MAPPINGS_MEMORY];
    take_heap(resident, events, reading);
    lane->resident = session->residents.count;
    lane->resident_reading = lane->reading;
    return resident;
}

void events_on_part(struct events *events, const struct reader_event *event)
{
    struct session_resident *resident = find_resident(events, event);

    if (!resident || event->words[0] >= TRACE_RESIDENT_KINDS) {
        events_skip(events);
        return;
    }
    resident->bytes += event->words[1];
    resident->parts[event->words[0]] = (struct session_part){
        .bytes = event->words[1],
        .huge_bytes = event->words[2],
        .shared_bytes = event->words[3],
        .name = event->words[4] == 0 ? NULL : facts_string(events->from.facts, event->words[4]),
    };
}

/* An area, and what the program mapped of it. */
struct area {
    struct session *session;
    uint32_t resident;
    uint64_t length;
    uint64_t bytes;
    uint64_t mapped_length;
};

static struct session_resident_site *find_site(struct session *session, uint32_t resident,
                                               uint32_t mapping)
{
    struct session_resident_site *site = session->resident_sites.items;

    for (size_t i = session->resident_sites.count; i > 0 && site[i - 1].resident == resident; i--)
        if (site[i - 1].mapping == mapping)
            return &site[i - 1];
    site = array_add(&session->resident_sites);
    *site = (struct session_resident_site){resident, mapping, 0};
    return site;
}

static uint64_t share_of(uint64_t bytes, uint64_t part, uint64_t whole)
{
    return part >= whole ? bytes : (uint64_t)((double)bytes * ((double)part / (double)whole));
}

static void add_mapped(uint32_t mapping, uint64_t length, void *of)
{
    struct area *area = of;

    area->mapped_length += length;
    find_site(area->session, area->resident, mapping)->bytes +=
        share_of(area->bytes, length, area->length);
}

void events_on_area(struct events *events, const struct reader_event *event)
{
    struct session_resident *resident = find_resident(events, event);
    const struct mappings_extent extent = {event->words[0], event->words[1]};
    struct area area = {
        .session = events->session, .length = extent.length, .bytes = event->words[2]};

    if (!resident || extent.length == 0 || extent.address + extent.length < extent.address) {
        events_skip(events);
        return;
    }
    area.resident =
        (uint32_t)(resident - (struct session_resident *)events->session->residents.items);
    mappings_visit(&events->mappings, extent, add_mapped, &area);
    resident->known_bytes += area.bytes;
    resident->unseen_bytes -=
        area.mapped_length < resident->unseen_bytes ? area.mapped_length : resident->unseen_bytes;
    resident->mapped_bytes += share_of(area.bytes, area.mapped_length, area.length);
    resident->mapped_huge += share_of(event->words[3], area.mapped_length, area.length);
}

/* Called once where one site has the start of the mapping. */
static void set_zeros_mapping(uint32_t mapping, uint64_t length, void *of)
{
    (void)length;
    ((struct session_resident *)of)->zeros_mapping = mapping;
}

void events_on_zeros(struct events *events, const struct reader_event *event)
{
    struct session_resident *resident = find_resident(events, event);
    const struct mappings_extent start = {event->words[0], 1};

    if (!resident || event->words[4] > event->words[3]) {
        events_skip(events);
        return;
    }
    resident->zeros = (struct session_zeros){event->words[0], event->words[1], event->words[2],
                                             event->words[3], event->words[4]};
    mappings_visit(&events->mappings, start, set_zeros_mapping, resident);
}
