/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lays the commands of queues on tracks, in the order of their start: a command goes to the first
 * track of its queue whose last command has ended.
 */
#include "devices/queue_tracks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_unknown.h"

enum { QUEUE_LANES_MOST = 64 }; /* the last one takes the others */

static const char *const kinds[TRACE_COMMAND_KINDS] = {
#define COMMAND(kind, key, help) [TRACE_COMMAND_##kind] = key,
#include "spec/commands.def"
#undef COMMAND
};

const char *command_kind(const struct session_command_sum *sum)
{
    return kinds[sum->kind];
}

const char *command_name(const struct session_command_sum *sum)
{
    return sum->name ? sum->name : kinds[sum->kind];
}

void queue_append_name(struct text *text, const struct session *session, uint32_t queue)
{
    const struct session_queue *row = session_queue_at(&session->devices, queue);

    if (*row->name)
        text_append(text, row->name);
    else
        text_appendf(text, "queue %u", (unsigned)row->fact.id);
}

/* Returns: the queue of a command; SESSION_NONE. */
static uint32_t queue_of(const struct session *session, const struct session_command *command)
{
    return session_command_sum_at(&session->devices, command->sum)->queue;
}

/* ---- marks ---------------------------------------------------------------- */

static void add_mark(struct queue_tracks *tracks, const struct session *session, size_t index)
{
    const struct session_command *command = session_command_at(&session->devices, index);
    struct queue_mark *mark;

    if (queue_of(session, command) == SESSION_NONE)
        return;
    if (command->start_ns == SESSION_UNKNOWN) {
        tracks->untimed++;
        return;
    }
    mark = array_add(&tracks->marks);
    *mark = (struct queue_mark){.command = (uint32_t)index, .start_ns = command->start_ns};
}

static int compare_marks(const void *left, const void *right)
{
    const struct queue_mark *a = left, *b = right;

    if (a->start_ns != b->start_ns)
        return a->start_ns < b->start_ns ? -1 : 1;
    return a->command < b->command ? -1 : a->command > b->command;
}

/* ---- tracks --------------------------------------------------------------- */

/* The number of each track that was made for a queue, by lane. */
struct lanes {
    uint32_t track[QUEUE_LANES_MOST];
    uint32_t count;
};

static uint32_t add_track(struct queue_tracks *tracks, struct lanes *lanes, uint32_t queue)
{
    struct queue_track *track = array_add(&tracks->tracks);

    *track = (struct queue_track){queue, lanes->count, 0};
    lanes->track[lanes->count] = (uint32_t)tracks->tracks.count - 1;
    return lanes->track[lanes->count++];
}

static struct queue_track *track_at(const struct queue_tracks *tracks, uint32_t index)
{
    return array_at(&tracks->tracks, index);
}

static uint32_t find_track(struct queue_tracks *tracks, struct lanes *lanes, uint32_t queue,
                           uint64_t start_ns)
{
    for (uint32_t i = 0; i < lanes->count; i++)
        if (track_at(tracks, lanes->track[i])->end_ns <= start_ns)
            return lanes->track[i];
    return lanes->count < QUEUE_LANES_MOST ? add_track(tracks, lanes, queue)
                                           : lanes->track[QUEUE_LANES_MOST - 1];
}

static void lay(struct queue_tracks *tracks, const struct session *session)
{
    struct lanes *lanes = memory_get_zeros(session->devices.queues.count + 1, sizeof *lanes);
    struct queue_mark *mark = tracks->marks.items;

    for (size_t i = 0; i < tracks->marks.count; i++) {
        const struct session_command *command =
            session_command_at(&session->devices, mark[i].command);
        uint32_t queue = queue_of(session, command);
        struct queue_track *track;

        mark[i].track = find_track(tracks, &lanes[queue], queue, command->start_ns);
        track = track_at(tracks, mark[i].track);
        if (command->end_ns > track->end_ns)
            track->end_ns = command->end_ns;
    }
    free(lanes);
}

/* Sorts the tracks by queue and lane. */
static void number_tracks(struct queue_tracks *tracks, const struct session *session)
{
    size_t count = tracks->tracks.count;
    uint32_t *now = memory_get_zeros(count + 1, sizeof *now);
    struct queue_mark *mark = tracks->marks.items;
    struct array sorted;

    array_init(&sorted, sizeof(struct queue_track));
    for (uint32_t queue = 0; queue < session->devices.queues.count; queue++)
        for (uint32_t i = 0; i < count; i++)
            if (track_at(tracks, i)->queue == queue) {
                now[i] = (uint32_t)sorted.count;
                *(struct queue_track *)array_add(&sorted) = *track_at(tracks, i);
            }
    for (size_t i = 0; i < tracks->marks.count; i++)
        mark[i].track = now[mark[i].track];
    array_fini(&tracks->tracks);
    tracks->tracks = sorted;
    free(now);
}

void queue_tracks_init(struct queue_tracks *tracks, const struct session *session)
{
    *tracks = (struct queue_tracks){0};
    array_init(&tracks->tracks, sizeof(struct queue_track));
    array_init(&tracks->marks, sizeof(struct queue_mark));
    for (size_t i = 0; i < session->devices.commands.count; i++)
        add_mark(tracks, session, i);
    if (tracks->marks.count == 0)
        return;
    qsort(tracks->marks.items, tracks->marks.count, sizeof(struct queue_mark), compare_marks);
    lay(tracks, session);
    number_tracks(tracks, session);
}

void queue_tracks_fini(struct queue_tracks *tracks)
{
    array_fini(&tracks->tracks);
    array_fini(&tracks->marks);
}

/* ---- depths --------------------------------------------------------------- */

/* A command that was queued, or that started. */
struct change {
    uint32_t queue;
    uint64_t time_ns;
    bool is_start;
};

static void add_change(struct array *changes, uint32_t queue, uint64_t time_ns, bool is_start)
{
    struct change *change = array_add(changes);

    *change = (struct change){queue, time_ns, is_start};
}

static void add_changes(struct array *changes, const struct session *session,
                        const struct session_command *command)
{
    const struct session_devices *devices = &session->devices;
    const struct session_command_sum *sum = session_command_sum_at(devices, command->sum);

    if (sum->queue == SESSION_NONE || command->start_ns == SESSION_UNKNOWN ||
        session_device_of(devices, sum)->fact.flags & TRACE_DEVICE_UNQUEUED)
        return;
    add_change(changes, sum->queue, command->queued_ns, false);
    add_change(changes, sum->queue, command->start_ns, true);
}

/* At one time a queueing goes before a start, so no depth is below 0. */
static int compare_changes(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    if (a->queue != b->queue)
        return a->queue < b->queue ? -1 : 1;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? -1 : 1;
    return (int)a->is_start - (int)b->is_start;
}

void queue_depths_fill(struct array *depths, const struct session *session)
{
    struct array changes;
    struct change *change;
    uint64_t waiting = 0;

    array_init(depths, sizeof(struct queue_depth));
    array_init(&changes, sizeof(struct change));
    for (size_t i = 0; i < session->devices.commands.count; i++)
        add_changes(&changes, session, session_command_at(&session->devices, i));
    change = changes.items;
    if (changes.count > 0)
        qsort(change, changes.count, sizeof *change, compare_changes);
    for (size_t i = 0; i < changes.count; i++) {
        struct queue_depth *depth;

        if (change[i].is_start)
            waiting--;
        else
            waiting++;
        if (i + 1 < changes.count && change[i + 1].queue == change[i].queue &&
            change[i + 1].time_ns == change[i].time_ns)
            continue;
        depth = array_add(depths);
        *depth = (struct queue_depth){change[i].queue, change[i].time_ns, waiting};
    }
    array_fini(&changes);
}
