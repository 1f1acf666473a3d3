/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A table and strips: when the queues of devices ran commands.
 *
 * Commands come by their start, so the time that a queue was busy is the union of their times.
 */
#include "screen/timeline_queues.h"

#include <math.h>

#include "base/pool.h"
#include "base/units.h"
#include "devices/queue_tracks.h"
#include "model/session.h"

enum { QUEUE, DEVICE, FROM, BUSY, STARTED };

static const struct column columns[] = {
    [QUEUE] = {"queue", "queue", "its name, or its number", UNIT_TEXT, 0},
    [DEVICE] = {"device", "device", "that runs its commands", UNIT_TEXT, 0},
    [FROM] = {"from_ns", "from", "when the slice begins, since the start", UNIT_NS, 0},
    [BUSY] = {"busy_ns", "busy", "time in it with a command of the queue running", UNIT_NS, 0},
    [STARTED] = {"commands", "commands", "that started in it", UNIT_COUNT, 0},
};

static const struct table_schema schema = {"queues", "Queues of devices", columns,
                                           sizeof columns / sizeof *columns, NULL};

/* ---- times ---------------------------------------------------------------- */

/* A command that starts behind the last slice, by the error of its clock, belongs to that. */
static size_t find_slice(double ns, double slice_ns)
{
    return (size_t)fmin(ns / slice_ns, TIMELINE_SLICES - 1);
}

static void add_stretch(struct timeline_queue *queue, double from, double to, double slice_ns)
{
    to = fmin(to, slice_ns * TIMELINE_SLICES);
    if (!(to > from))
        return;
    queue->sum_ns += to - from;
    for (size_t i = find_slice(from, slice_ns); i < TIMELINE_SLICES && from < to; i++) {
        double border = fmin(to, slice_ns * (double)(i + 1));

        queue->busy_ns[i] += fmax(border - from, 0);
        from = fmax(border, from);
    }
}

struct timeline_queue *timeline_queues_find(const struct session *session, double slice_ns,
                                            uint64_t *untimed)
{
    const struct session_devices *devices = &session->devices;
    struct timeline_queue *queues = pool_get_zeros(devices->queues.count + 1, sizeof *queues);
    double *ends = pool_get_zeros(devices->queues.count + 1, sizeof *ends);
    struct queue_tracks tracks;

    queue_tracks_init(&tracks, session);
    for (size_t i = 0; i < tracks.marks.count; i++) {
        const struct queue_mark *mark = array_at(&tracks.marks, i);
        const struct session_command *command = session_command_at(devices, mark->command);
        uint32_t queue = session_command_sum_at(devices, command->sum)->queue;

        queues[queue].started[find_slice((double)command->start_ns, slice_ns)]++;
        add_stretch(&queues[queue], fmax((double)command->start_ns, ends[queue]),
                    (double)command->end_ns, slice_ns);
        ends[queue] = fmax(ends[queue], (double)command->end_ns);
    }
    *untimed = tracks.untimed;
    queue_tracks_fini(&tracks);
    return queues;
}

/* ---- rows for programs ---------------------------------------------------- */

static const char *device_of(const struct session *session, uint32_t queue)
{
    const struct session_devices *devices = &session->devices;

    return session_device_at(devices, session_queue_at(devices, queue)->device)->name;
}

static void set_name(struct value *value, const struct session *session, uint32_t queue)
{
    struct text name;

    text_init(&name);
    queue_append_name(&name, session, queue);
    value_take_text(value, &name);
}

static void add_rows(struct table *table, const struct session *session, uint32_t queue,
                     const struct timeline_queue *times, double slice_ns)
{
    for (size_t i = 0; i < TIMELINE_SLICES; i++) {
        struct value *row = table_add_row(table);

        set_name(&row[QUEUE], session, queue);
        value_set_text(&row[DEVICE], device_of(session, queue));
        value_set_rounded(&row[FROM], slice_ns * (double)i);
        value_set_rounded(&row[BUSY], times->busy_ns[i]);
        value_set_unsigned(&row[STARTED], times->started[i]);
    }
}

/* Queues whose commands have no times have no row. */
void timeline_queues_add(struct document *document, const struct session *session,
                         const struct timeline_queue *queues, double slice_ns)
{
    struct table *table = document_start_table(document, "queues", SECTION_IN_JSON, &schema);

    for (uint32_t i = 0; i < session->devices.queues.count; i++)
        if (queues[i].sum_ns > 0)
            add_rows(table, session, i, &queues[i], slice_ns);
}

/* ---- strips for people ---------------------------------------------------- */

static void add_strip(struct plot *plot, const char *name, const struct timeline_queue *queue,
                      double slice_ns)
{
    struct plot_series *strip = plot_add_series(plot, plot_keep(plot, "%s busy", name), 0);
    char share[UNITS_SIZE];

    strip->top = 1;
    strip->note = plot_keep(
        plot, "%s", units_format_percent(share, queue->sum_ns / slice_ns / TIMELINE_SLICES));
    for (size_t i = 0; i < TIMELINE_SLICES; i++)
        plot_add_point(&strip->points, slice_ns * (double)i, queue->busy_ns[i] / slice_ns);
}

void timeline_queues_draw(struct plot *plot, const struct session *session,
                          const struct timeline_queue *queues, double slice_ns)
{
    for (uint32_t i = 0; i < session->devices.queues.count; i++) {
        struct text name;

        if (queues[i].sum_ns <= 0)
            continue;
        text_init(&name);
        queue_append_name(&name, session, i);
        add_strip(plot, name.bytes, &queues[i], slice_ns);
        text_fini(&name);
    }
}
