/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The totals of commands.
 */
#include "model/tallies_parts.h"

#include "model/devices.h"
#include "model/session.h"
#include "model/session_unknown.h"

void commands_add(struct tallies *tallies, const struct trace_command *raw,
                  const struct tallies_cell *node, const struct tallies_cell *slot)
{
    struct session_devices *devices = &tallies->session->devices;
    struct session_command_sum *sum = array_add(&devices->sums);

    *sum = (struct session_command_sum){
        .kind = raw->what,
        .flags = raw->flags,
        .queue = devices_find_queue(devices, raw->queue),
        .name = raw->name != 0 ? facts_string(tallies->facts, raw->name) : NULL,
        .thread = node->thread,
        .region = node->index,
        .op = node->op,
        .site = raw->site,
        .slot = slot ? slot->index : SESSION_NONE,
        .chain = SESSION_NONE,
        .calls = raw->calls,
        .refused = raw->refused,
        .host_ns = clock_convert_length(tallies->clock, raw->host_ticks),
        .bytes = raw->bytes,
        .work = raw->work,
        .timed = raw->timed,
        .failed = raw->failed,
        .run_ns = raw->run_ns,
        .wait_ns = raw->wait_ns,
        .min_ns = raw->timed > 0 ? raw->min_ns : SESSION_UNKNOWN,
        .max_ns = raw->max_ns,
        .timed_bytes = raw->timed_bytes,
    };
}
