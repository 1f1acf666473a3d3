/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Events of devices: commands and their times, memory, clocks, readings.
 */
#include "model/events_parts.h"

#include "model/devices.h"
#include "model/session_unknown.h"

enum {
    CELL_MASK = (1 << TRACE_CELL_BITS) - 1,
    CHAIN_MASK = (1 << TRACE_CHAIN_BITS) - 1,
    FLAGS_SHIFT = 56
};

#define NUMBER_MASK ((UINT64_C(1) << FLAGS_SHIFT) - 1)

static uint32_t find_chain(const struct events *events, const struct events_lane *lane,
                           uint64_t word)
{
    uint32_t number = (uint32_t)word & CHAIN_MASK, chain = SESSION_NONE;

    if (number != 0)
        chains_find_call(events->from.chains, lane->chains, number, &chain);
    return chain;
}

void events_on_command(struct events *events, const struct reader_event *event)
{
    const struct clock *clock = events->from.clock;
    const struct events_lane *lane = events_find_lane(events, event);
    struct session_devices *devices = &events->session->devices;
    uint32_t number = (uint32_t)(event->words[0] >> TRACE_CHAIN_BITS) & CELL_MASK;
    const struct tallies_cell *cell = tallies_find_cell(lane->tallies, number, TRACE_CELL_COMMAND);

    if (!cell || event->words[2] > event->ticks) {
        events_skip(events);
        return;
    }
    struct session_command *command = array_add(&devices->commands);
    struct session_command_sum *sum = array_at(&devices->sums, cell->index);
    *command = (struct session_command){
        .sum = cell->index,
        .chain = find_chain(events, lane, event->words[0]),
        .call_start_ns = clock_convert(clock, event->ticks - event->words[2]),
        .call_end_ns = clock_convert(clock, event->ticks),
        .bytes = event->words[3],
        .work = event->words[4],
        .queued_ns = SESSION_UNKNOWN,
        .submitted_ns = SESSION_UNKNOWN,
        .start_ns = SESSION_UNKNOWN,
        .end_ns = SESSION_UNKNOWN,
        .number = event->words[1],
    };
    if (sum->chain == SESSION_NONE)
        sum->chain = command->chain;
    id_map_add(&events->commands, (uint32_t)command->number, devices->commands.count - 1);
}

/* Lengths that are longer than the time that a trace can have are damage. */
static bool is_length(uint64_t ns)
{
    return ns < UINT64_MAX / 8;
}

/* They are on the clock of the device until the clocks are joined. */
void events_on_command_times(struct events *events, const struct reader_event *event)
{
    struct session_devices *devices = &events->session->devices;
    const uint64_t *words = event->words;
    int64_t index = id_map_find(&events->commands, (uint32_t)(words[0] & NUMBER_MASK));

    if (index == ID_MAP_NONE) {
        devices->timeless++;
        return;
    }
    if (!is_length(words[1]) || !is_length(words[2]) || !is_length(words[3]) ||
        !is_length(words[4])) {
        events_skip(events);
        return;
    }
    if (words[0] >> FLAGS_SHIFT & TRACE_TIMES_FAILED)
        return;
    struct session_command *command = array_at(&devices->commands, (size_t)index);
    command->is_pageable = words[0] >> FLAGS_SHIFT & TRACE_TIMES_PAGEABLE;
    command->queued_ns = words[1];
    command->submitted_ns = command->queued_ns + words[2];
    command->start_ns = command->submitted_ns + words[3];
    command->end_ns = command->start_ns + words[4];
}

void events_on_device_clock(struct events *events, const struct reader_event *event)
{
    struct session_devices *devices = &events->session->devices;
    const struct clock *clock = events->from.clock;
    uint32_t device = devices_find(devices, (uint32_t)event->words[0]);

    if (device == SESSION_NONE || !is_length(event->words[1])) {
        events_skip(events);
        return;
    }
    struct session_device_instant *instant = array_add(&devices->instants);
    *instant = (struct session_device_instant){device, event->words[1],
                                               clock_convert(clock, event->words[2]),
                                               clock_convert_length(clock, event->words[3])};
}

void events_on_device_alloc(struct events *events, const struct reader_event *event)
{
    struct session_devices *devices = &events->session->devices;
    const struct events_lane *lane = events_find_lane(events, event);
    uint32_t device =
        devices_find(devices, (uint32_t)(event->words[0] >> TRACE_CHAIN_BITS) & CELL_MASK);
    uint32_t place = (uint32_t)(event->words[0] >> FLAGS_SHIFT);

    if (device == SESSION_NONE || place >= TRACE_DEVICE_PLACES) {
        events_skip(events);
        return;
    }
    struct session_device_block *block = array_add(&devices->blocks);
    *block = (struct session_device_block){
        .device = device,
        .place = place,
        .bytes = event->words[2],
        .start_ns = clock_convert(events->from.clock, event->ticks),
        .end_ns = SESSION_UNKNOWN,
        .chain = find_chain(events, lane, event->words[0]),
        .thread = events_find_thread(events, lane),
        .number = event->words[1],
    };
    id_map_add(&events->device_blocks, (uint32_t)block->number, devices->blocks.count - 1);
}

/* A block whose record was lost is not there. */
void events_on_device_free(struct events *events, const struct reader_event *event)
{
    struct session_devices *devices = &events->session->devices;
    int64_t index = id_map_find(&events->device_blocks, (uint32_t)event->words[0]);

    if (index == ID_MAP_NONE)
        return;
    struct session_device_block *block = array_at(&devices->blocks, (size_t)index);
    block->end_ns = clock_convert(events->from.clock, event->ticks);
}

void events_on_device_number(struct events *events, const struct reader_event *event)
{
    struct session_devices *devices = &events->session->devices;
    uint32_t device = devices_find(devices, (uint32_t)event->words[0]);
    uint32_t number = (uint32_t)(event->words[0] >> 32);

    if (device == SESSION_NONE || number >= TRACE_DEVICE_NUMBERS) {
        events_skip(events);
        return;
    }
    struct session_device_number *reading = array_add(&devices->numbers);
    *reading = (struct session_device_number){clock_convert(events->from.clock, event->ticks),
                                              device, number, event->words[1], event->words[2]};
}
