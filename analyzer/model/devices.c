/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Joins the clocks of devices with the session's.
 *
 * The trace has instants on both clocks, each with an error.  Between two instants of a device the
 * difference of the clocks changes evenly; outside of them it is that of the nearest.
 */
#include "model/devices.h"

#include <stdlib.h>

#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "model/texts.h"

void devices_init(struct session_devices *devices)
{
    *devices = (struct session_devices){0};
    array_init(&devices->devices, sizeof(struct session_device));
    array_init(&devices->queues, sizeof(struct session_queue));
    array_init(&devices->memory, sizeof(struct session_device_memory));
    array_init(&devices->sums, sizeof(struct session_command_sum));
    array_init(&devices->commands, sizeof(struct session_command));
    array_init(&devices->blocks, sizeof(struct session_device_block));
    array_init(&devices->numbers, sizeof(struct session_device_number));
    array_init(&devices->instants, sizeof(struct session_device_instant));
}

void devices_fini(struct session_devices *devices)
{
    array_fini(&devices->devices);
    array_fini(&devices->queues);
    array_fini(&devices->memory);
    array_fini(&devices->sums);
    array_fini(&devices->commands);
    array_fini(&devices->blocks);
    array_fini(&devices->numbers);
    array_fini(&devices->instants);
}

uint32_t devices_find(const struct session_devices *devices, uint32_t id)
{
    for (size_t i = 0; i < devices->devices.count; i++)
        if (session_device_at(devices, i)->fact.id == id)
            return (uint32_t)i;
    return SESSION_NONE;
}

/* Ids count from 1 in their order, unless facts are missing. */
uint32_t devices_find_queue(const struct session_devices *devices, uint32_t id)
{
    size_t count = devices->queues.count;

    if (id > 0 && id <= count && session_queue_at(devices, id - 1)->fact.id == id)
        return id - 1;
    for (size_t i = 0; i < count; i++)
        if (session_queue_at(devices, i)->fact.id == id)
            return (uint32_t)i;
    return SESSION_NONE;
}

const struct session_device *session_device_of(const struct session_devices *devices,
                                               const struct session_command_sum *sum)
{
    if (sum->queue == SESSION_NONE)
        return NULL;
    return session_device_at(devices, session_queue_at(devices, sum->queue)->device);
}

/* ---- clocks --------------------------------------------------------------- */

static int compare_instants(const void *left, const void *right)
{
    const struct session_device_instant *a = left, *b = right;

    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    return a->device_ns < b->device_ns ? -1 : a->device_ns > b->device_ns;
}

/* The instants of one device. */
struct span {
    const struct session_device_instant *first;
    size_t count;
};

static struct span find_span(const struct session_devices *devices, uint32_t device)
{
    const struct session_device_instant *instants = devices->instants.items;
    size_t count = devices->instants.count, from = 0, to;

    while (from < count && instants[from].device != device)
        from++;
    for (to = from; to < count && instants[to].device == device;)
        to++;
    return (struct span){instants + from, to - from};
}

static double difference(const struct session_device_instant *instant)
{
    return (double)(int64_t)(instant->host_ns - instant->device_ns);
}

/* Is one of these instants, near the first, less than half as wide? */
static bool has_better(const struct session_device_instant *instant,
                       const struct session_device_instant *other)
{
    return other->device == instant->device && 2 * other->error_ns < instant->error_ns;
}

/* A rough instant says nothing where a good one is near.  They stand in the order of time. */
static bool is_rough(const struct array *instants, size_t index)
{
    enum { NEAR_NS = 1000000000 };
    const struct session_device_instant *at = instants->items, *instant = &at[index];

    for (size_t i = index; i-- > 0 && instant->device_ns - at[i].device_ns < NEAR_NS;)
        if (has_better(instant, &at[i]))
            return true;
    for (size_t i = index + 1;
         i < instants->count && at[i].device_ns - instant->device_ns < NEAR_NS; i++)
        if (has_better(instant, &at[i]))
            return true;
    return false;
}

static void drop_rough(struct session_devices *devices)
{
    const struct session_device_instant *instants = devices->instants.items;
    struct array kept;

    array_init(&kept, sizeof *instants);
    for (size_t i = 0; i < devices->instants.count; i++)
        if (!is_rough(&devices->instants, i))
            *(struct session_device_instant *)array_add(&kept) = instants[i];
    array_fini(&devices->instants);
    devices->instants = kept;
}

/* Returns: the nanoseconds to add to a time of the device. */
static double find_difference(const struct span *span, uint64_t device_ns)
{
    size_t low = 0, high = span->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (span->first[middle].device_ns <= device_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return difference(&span->first[0]);
    if (low == span->count)
        return difference(&span->first[low - 1]);
    const struct session_device_instant *a = &span->first[low - 1], *b = &span->first[low];
    double part = (double)(device_ns - a->device_ns) / (double)(b->device_ns - a->device_ns);
    return difference(a) + part * (difference(b) - difference(a));
}

static uint64_t move(uint64_t device_ns, double ns)
{
    double moved = (double)(int64_t)device_ns + ns;

    return moved > 0 ? (uint64_t)moved : 0;
}

/* Lengths stay unchanged: all four times are moved alike. */
static void move_command(const struct span *span, struct session_command *command)
{
    double ns;

    if (command->queued_ns == SESSION_UNKNOWN)
        return;
    if (span->count == 0) {
        command->queued_ns = command->submitted_ns = SESSION_UNKNOWN;
        command->start_ns = command->end_ns = SESSION_UNKNOWN;
        return;
    }
    uint64_t submitted = command->submitted_ns - command->queued_ns;
    uint64_t started = command->start_ns - command->queued_ns;
    uint64_t ended = command->end_ns - command->queued_ns;
    ns = find_difference(span, command->queued_ns);
    command->queued_ns = move(command->queued_ns, ns);
    command->submitted_ns = command->queued_ns + submitted;
    command->start_ns = command->queued_ns + started;
    command->end_ns = command->queued_ns + ended;
}

static void set_error(struct session_device *device, const struct span *span)
{
    device->error_ns = span->count > 0 ? 0 : SESSION_UNKNOWN;
    for (size_t i = 0; i < span->count; i++)
        if (span->first[i].error_ns > device->error_ns)
            device->error_ns = span->first[i].error_ns;
}

static void join_clocks(struct session_devices *devices)
{
    struct session_device *device = devices->devices.items;
    struct session_command *command = devices->commands.items;
    const struct session_device *of;

    if (devices->instants.count > 0)
        qsort(devices->instants.items, devices->instants.count,
              sizeof(struct session_device_instant), compare_instants);
    drop_rough(devices);
    for (size_t i = 0; i < devices->devices.count; i++) {
        const struct span span = find_span(devices, (uint32_t)i);

        set_error(&device[i], &span);
        for (size_t c = 0; c < devices->commands.count; c++) {
            of = session_device_of(devices, session_command_sum_at(devices, command[c].sum));
            if (of == &device[i])
                move_command(&span, &command[c]);
        }
    }
}

/* ---- a window ------------------------------------------------------------- */

static void restart_sums(struct session_devices *devices)
{
    struct session_command_sum *sum = devices->sums.items;

    for (size_t i = 0; i < devices->sums.count; i++) {
        sum[i].calls = sum[i].refused = sum[i].host_ns = sum[i].bytes = sum[i].work = 0;
        sum[i].timed = sum[i].failed = sum[i].run_ns = sum[i].wait_ns = sum[i].timed_bytes = 0;
        sum[i].max_ns = 0;
        sum[i].min_ns = SESSION_UNKNOWN;
    }
}

static void count(struct session_command_sum *sum, const struct session_command *command)
{
    uint64_t ns = command->end_ns - command->start_ns;

    sum->calls++;
    sum->host_ns += command->call_end_ns - command->call_start_ns;
    sum->bytes += command->bytes;
    sum->work += command->work;
    if (command->start_ns == SESSION_UNKNOWN)
        return;
    sum->timed++;
    sum->run_ns += ns;
    sum->wait_ns += command->start_ns - command->queued_ns;
    sum->timed_bytes += command->bytes;
    sum->min_ns = ns < sum->min_ns ? ns : sum->min_ns;
    sum->max_ns = ns > sum->max_ns ? ns : sum->max_ns;
}

/* The clock of a window begins at its start, so earlier commands are at 0. */
static bool is_inside(const struct session *session, const struct session_command *command)
{
    uint64_t length_ns = session->window.to_ns - session->window.from_ns;

    return command->call_start_ns > 0 && command->call_start_ns < length_ns;
}

/* The same holds for readings. */
static void cut_numbers(struct session *session)
{
    struct session_device_number *number = session->devices.numbers.items;
    uint64_t length_ns = session->window.to_ns - session->window.from_ns;
    size_t kept = 0;

    for (size_t i = 0; i < session->devices.numbers.count; i++)
        if (number[i].time_ns > 0 && number[i].time_ns < length_ns)
            number[kept++] = number[i];
    array_truncate(&session->devices.numbers, kept);
}

static void cut(struct session *session)
{
    struct session_devices *devices = &session->devices;
    struct session_command *command = devices->commands.items;
    size_t kept = 0;

    restart_sums(devices);
    for (size_t i = 0; i < devices->commands.count; i++) {
        if (!is_inside(session, &command[i]))
            continue;
        count(array_at(&devices->sums, command[i].sum), &command[i]);
        command[kept++] = command[i];
    }
    array_truncate(&devices->commands, kept);
}

/* A call around it did its work by it, as one of hipBLAS by rocBLAS. */
static void mark_slot(struct session *session, uint32_t place)
{
    struct session_slot *slots = session->slots.items;
    const struct session_around *around = slots[place].around.items;

    slots[place].is_on_device = true;
    for (size_t i = 0; slots[place].nested && i < slots[place].around.count; i++)
        if (around[i].slot != SESSION_NONE)
            slots[around[i].slot].is_on_device = true;
}

/* A call of such a kernel returns before its commands have ended. */
static void mark_slots(struct session *session)
{
    const struct session_devices *devices = &session->devices;

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->slot == SESSION_NONE || sum->kind == TRACE_COMMAND_BUILD ||
            sum->flags & TRACE_COMMAND_BLOCKS)
            continue;
        mark_slot(session, sum->slot);
    }
}

void devices_settle(struct session *session)
{
    mark_slots(session);
    join_clocks(&session->devices);
    if (!session->window.is_cut)
        return;
    cut(session);
    cut_numbers(session);
}

/* ---- doubts --------------------------------------------------------------- */

static const struct reason {
    const char *key;
    const char *words;
} reasons[] = {
#define DEVICE_TIMES(reason, key, words) [TRACE_TIMES_##reason] = {key, words},
#include "model/device_times.def"
#undef DEVICE_TIMES
};

/* A build has no times on a device. */
static uint64_t count_untimed(const struct session *session, uint32_t device)
{
    const struct session_devices *devices = &session->devices;
    uint64_t untimed = 0;

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->queue == SESSION_NONE || sum->kind == TRACE_COMMAND_BUILD ||
            session_queue_at(devices, sum->queue)->device != device)
            continue;
        untimed +=
            sum->calls > sum->timed + sum->failed ? sum->calls - sum->timed - sum->failed : 0;
    }
    return untimed;
}

static uint64_t times_of(const struct session *session, uint32_t device)
{
    switch (session_device_at(&session->devices, device)->fact.api) {
    case TRACE_DEVICE_API_CUDA: return session->process.device_times;
    case TRACE_DEVICE_API_HIP: return TRACE_TIMES_NOT_RECORDED;
    default: return TRACE_TIMES_HAD;
    }
}

/* Returns: NULL when the times are known, or the interface gives no reason. */
static const struct reason *find_reason(const struct session *session, uint32_t device)
{
    uint64_t reason = times_of(session, device);

    if (reason == TRACE_TIMES_HAD || reason >= sizeof reasons / sizeof *reasons ||
        count_untimed(session, device) == 0)
        return NULL;
    return &reasons[reason];
}

const char *session_untimed_reason(const struct session *session, uint32_t device)
{
    const struct reason *reason = find_reason(session, device);

    return reason ? reason->key : NULL;
}

void session_say_untimed(struct text_list *lines, const struct session *session)
{
    const struct session_process *process = &session->process;

    for (uint32_t i = 0; i < session->devices.devices.count; i++) {
        const struct reason *reason = find_reason(session, i);

        if (reason)
            text_list_say(lines, device_times_unknown_text, said_count(count_untimed(session, i)),
                          said_words(session_device_at(&session->devices, i)->name),
                          said_words(reason->words));
    }
    if (process->device_times_unmatched > 0)
        text_list_say(lines, device_times_unmatched_text,
                      said_count(process->device_times_unmatched));
    if (process->device_times_left_out > 0)
        text_list_say(lines, device_times_left_out_text,
                      said_count(process->device_times_left_out));
}
