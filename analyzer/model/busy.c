/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The union of the times of a device's commands.
 *
 * The borders of all commands are passed in the order of time; a device is busy while one is open.
 */
#include "model/busy.h"

#include <stdlib.h>

#include "model/session.h"
#include "model/session_unknown.h"

struct border {
    uint64_t time_ns;
    uint32_t command;
    bool is_start;
    bool is_copy;
};

static const struct session_command_sum *sum_of(const struct session *session,
                                                const struct session_command *command)
{
    return session_command_sum_at(&session->devices, command->sum);
}

bool busy_is_work(enum trace_command_kind kind)
{
    return kind != TRACE_COMMAND_MARK && kind != TRACE_COMMAND_HOST && kind != TRACE_COMMAND_BUILD;
}

static bool is_kernel(enum trace_command_kind kind)
{
    return kind == TRACE_COMMAND_KERNEL || kind == TRACE_COMMAND_GRAPH ||
           kind == TRACE_COMMAND_COLLECTIVE;
}

void busy_take_all(struct busy *busy)
{
    *busy = (struct busy){.to_ns = UINT64_MAX};
}

static void add_border(struct array *borders, uint64_t time_ns, uint32_t command, bool is_start,
                       bool is_copy)
{
    struct border *border = array_add(borders);

    *border = (struct border){time_ns, command, is_start, is_copy};
}

static uint64_t clip(const struct busy *busy, uint64_t time_ns)
{
    if (time_ns < busy->from_ns)
        return busy->from_ns;
    return time_ns < busy->to_ns ? time_ns : busy->to_ns;
}

/* A command of no length at a border of the stretch is in it. */
static void add_command(struct array *borders, struct busy *busy, const struct session *session,
                        size_t index)
{
    const struct session_command *command = session_command_at(&session->devices, index);
    bool is_copy = !is_kernel(sum_of(session, command)->kind);

    busy->is_timed = true;
    if (command->end_ns < busy->from_ns || command->start_ns > busy->to_ns)
        return;
    busy->commands++;
    add_border(borders, clip(busy, command->start_ns), (uint32_t)index, true, is_copy);
    add_border(borders, clip(busy, command->end_ns), (uint32_t)index, false, is_copy);
}

/* Starts go first, so that a command which begins when another ends leaves no gap. */
static int compare_borders(const void *left, const void *right)
{
    const struct border *a = left, *b = right;

    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    if (a->is_start != b->is_start)
        return a->is_start ? -1 : 1;
    return a->command < b->command ? -1 : a->command > b->command;
}

static bool is_of(const struct session_devices *devices, const struct session_command_sum *sum,
                  uint32_t device)
{
    if (sum->queue == SESSION_NONE)
        return false;
    return device == SESSION_NONE || session_queue_at(devices, sum->queue)->device == device;
}

static void gather(struct array *borders, struct busy *busy, const struct session *session,
                   uint32_t device)
{
    const struct session_devices *devices = &session->devices;

    busy->commands = busy->untimed = 0;
    busy->is_timed = false;
    array_init(borders, sizeof(struct border));
    for (size_t i = 0; i < devices->commands.count; i++) {
        const struct session_command *command = session_command_at(devices, i);
        const struct session_command_sum *sum = sum_of(session, command);

        if (!busy_is_work(sum->kind) || !is_of(devices, sum, device))
            continue;
        if (command->start_ns == SESSION_UNKNOWN) {
            busy->untimed++;
            continue;
        }
        add_command(borders, busy, session, i);
    }
    if (borders->count > 0)
        qsort(borders->items, borders->count, sizeof(struct border), compare_borders);
}

static void add_gap(struct busy *busy, uint64_t start_ns, uint64_t end_ns, uint32_t next)
{
    struct busy_span *gap;

    if (end_ns <= start_ns)
        return;
    gap = array_add(&busy->gaps);
    *gap = (struct busy_span){start_ns, end_ns, next};
}

static void add_time(struct busy *busy, double ns, unsigned kernels, unsigned copies)
{
    if (kernels + copies > 0)
        busy->busy_ns += ns;
    if (kernels > 0)
        busy->kernel_ns += ns;
    if (kernels == 0 && copies > 0)
        busy->copy_ns += ns;
    if (kernels > 0 && copies > 0)
        busy->both_ns += ns;
}

void busy_measure(struct busy *busy, const struct session *session, uint32_t device)
{
    unsigned open[2] = {0};
    uint64_t last_ns = busy->from_ns;
    struct array borders;

    busy->busy_ns = busy->kernel_ns = busy->copy_ns = busy->both_ns = 0;
    array_init(&busy->gaps, sizeof(struct busy_span));
    gather(&borders, busy, session, device);
    for (size_t i = 0; i < borders.count; i++) {
        const struct border *border = array_at(&borders, i);

        add_time(busy, (double)(border->time_ns - last_ns), open[0], open[1]);
        if (open[0] + open[1] == 0)
            add_gap(busy, last_ns, border->time_ns, border->command);
        last_ns = border->time_ns;
        if (border->is_start)
            open[border->is_copy]++;
        else
            open[border->is_copy]--;
    }
    add_gap(busy, last_ns, busy->to_ns, SESSION_NONE);
    array_fini(&borders);
}

static uint32_t device_of(const struct session *session, const struct border *border)
{
    const struct session_devices *devices = &session->devices;
    const struct session_command *command = session_command_at(devices, border->command);

    return session_queue_at(devices, sum_of(session, command)->queue)->device;
}

static void divide(double *parts_ns, const struct array *open, double ns)
{
    const unsigned *commands = open->items;
    size_t running = 0;

    for (size_t i = 0; i < open->count; i++)
        running += commands[i] > 0;
    for (size_t i = 0; i < open->count; i++)
        if (commands[i] > 0)
            parts_ns[i] += ns / (double)running;
}

void busy_divide(double *parts_ns, const struct busy *stretch, const struct session *session)
{
    struct busy busy = *stretch;
    uint64_t last_ns = busy.from_ns;
    struct array borders, open;

    array_init(&open, sizeof(unsigned));
    for (size_t i = 0; i < session->devices.devices.count; i++) {
        array_add(&open);
        parts_ns[i] = 0;
    }
    gather(&borders, &busy, session, SESSION_NONE);
    for (size_t i = 0; i < borders.count; i++) {
        const struct border *border = array_at(&borders, i);
        unsigned *commands = array_at(&open, device_of(session, border));

        divide(parts_ns, &open, (double)(border->time_ns - last_ns));
        last_ns = border->time_ns;
        *commands += border->is_start ? 1U : -1U;
    }
    array_fini(&open);
    array_fini(&borders);
}

uint64_t busy_clip(const struct busy *busy, uint64_t start_ns, uint64_t end_ns)
{
    return clip(busy, end_ns) - clip(busy, start_ns);
}
