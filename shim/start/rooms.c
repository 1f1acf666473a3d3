/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The tables of record/room.h.  Code that records something new adds a row here, and nothing
 * in record/.
 */
#include "record/budget_look.h"
#include "record/room.h"

#include "call/awaited.h"
#include "call/library.h"
#include "call/object_facts.h"
#include "call/tls.h"
#include "call/waited.h"
#include "chain/callchain.h"
#include "chain/mixed.h"
#include "chain/tree.h"
#include "cuda/cuda.h"
#include "cuda/cuda_readings.h"
#include "cuda/cuda_times.h"
#include "device/blocks.h"
#include "device/device.h"
#include "device/readings.h"
#include "hip/hip.h"
#include "hook/hook.h"
#include "hook/hook_facts.h"
#include "hook/python_objects.h"
#include "interpose/alloc.h"
#include "interpose/joining.h"
#include "opencl/opencl.h"
#include "python/codes.h"
#include "python/runtime.h"
#include "python/sites.h"
#include "ranges/ranges.h"
#include "record/incidents.h"
#include "record/process_facts.h"
#include "record/resident.h"
#include "record/strings.h"
#include "record/surroundings.h"
#include "record/usage.h"
#include "request/connections.h"
#include "request/sessions.h"
#include "sampler/cpu_timers.h"
#include "sampler/reading.h"
#include "sampler/snapshot.h"
#include "start/overhead.h"
#include "torch/layers.h"
#include "torch/torch.h"

/* The label of snapshots is the first string of the trace.  Their look-up is the last, so it sees
 * requests that came meanwhile. */
const struct room rooms[] = {
    {.open_lane = tree_open, .begin_thread = callchain_begin_thread},
    {.begin_thread = alloc_end_deferral},
    {.keep = overhead_keep},
    {.keep = usage_keep},
    {.keep = surroundings_keep},
    {.begin = budget_begin, .look_up = budget_look_up, .keep = budget_keep, .end = budget_end},
    {.look_up = hook_look_up, .end = hook_scan_at_end},
    {.begin = cpu_timers_begin,
     .defer = cpu_timers_defer,
     .begin_thread = cpu_timers_begin_lane,
     .look_up = cpu_timers_look_up},
    {.look_up = reading_look_up, .end = resident_end},
    {.look_up = cuda_readings_look_up},
    {.end = joining_end},
    {.leave = waited_leave},
    {.leave = awaited_leave},
    {.finish = connections_finish, .leave = connections_leave},
    {.leave = sessions_leave},
    {.keep = incidents_keep},
    {.look_up = snapshot_look_up, .keep = snapshot_keep, .end = snapshot_end},
};
const unsigned room_count = sizeof rooms / sizeof *rooms;

/* Libraries whose functions are wrapped by name.  An adapter is a row here. */
const struct library *const libraries_known[] = {&opencl_library,      &cuda_runtime_library,
                                                 &cuda_driver_library, &cupti_library,
                                                 &hip_library,         &tls_library};
const unsigned library_count = sizeof libraries_known / sizeof *libraries_known;

/* Facts that others refer to are written first. */
const fact_writer fact_writers[] = {
    strings_write_facts,
    process_facts_write,
    hook_facts_write_catalog,
    hook_facts_write_modules,
    hook_facts_write_gone,
    hook_facts_write_bindings,
    python_write_facts,
    python_objects_write_facts,
    torch_write_facts,
    codes_write_facts,
    layers_write_facts,
    sites_write_facts,
    codes_write_refused,
    mixed_write_unread,
    object_facts_write,
    waited_write_facts,
    hook_facts_write_hooks,
    hook_facts_write_allocator,
    hook_facts_write_objects_left_out,
    hook_facts_write_hooks_left_out,
    hook_facts_write_in_spaces,
    hook_facts_write_deep_unseen,
    strings_write_refused,
    snapshot_write_facts,
    device_write_facts,
    device_write_queues,
    blocks_write_facts,
    library_write_left_alone,
    cuda_times_write_state,
    cuda_times_write_unmatched,
    cuda_times_write_left_out,
    cuda_readings_write_state,
    readings_write_facts,
    resident_write_facts,
    joining_write_facts,
    ranges_write_threads,
    ranges_write_refused_tables,
    ranges_write_refused_spans,
    surroundings_write_facts,
};
const unsigned fact_writer_count = sizeof fact_writers / sizeof *fact_writers;

_Static_assert(sizeof fact_writers / sizeof *fact_writers <= FACT_WRITERS_MAX,
               "a process counts what each has written");
