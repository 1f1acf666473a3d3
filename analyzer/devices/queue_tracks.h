/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of devices over time, on the tracks of their queues.
 *
 * Commands of a queue without order overlap, so a queue has as many tracks as commands ran at once.
 */
#ifndef DEVICES_QUEUE_TRACKS_H
#define DEVICES_QUEUE_TRACKS_H

#include <stdint.h>

#include "base/array.h"
#include "base/text.h"

struct session;
struct session_command_sum;

struct queue_track {
    uint32_t queue;  /* index in queues */
    uint32_t lane;   /* of the queue, from 0 on */
    uint64_t end_ns; /* of its last command */
};

struct queue_mark {
    uint32_t command; /* index in commands */
    uint32_t track;   /* index in tracks */
    uint64_t start_ns;
};

/* How many commands of a queue have not started. */
struct queue_depth {
    uint32_t queue;
    uint64_t time_ns;
    uint64_t waiting;
};

struct queue_tracks {
    struct array tracks; /* of struct queue_track, by queue and lane */
    struct array marks;  /* of struct queue_mark, by the start of their commands */
    uint64_t untimed;    /* commands on queues that have no times: they have no mark */
};

/* Lay a session's commands on tracks.  The caller frees them by queue_tracks_fini. */
void queue_tracks_init(struct queue_tracks *tracks, const struct session *session);
void queue_tracks_fini(struct queue_tracks *tracks);

/* Fill an array of struct queue_depth, which is not initialized, by queue and time.  Queues of
 * devices that do not tell when a command was queued have none. */
void queue_depths_fill(struct array *depths, const struct session *session);

/* Append a queue's own name, or "queue 1". */
void queue_append_name(struct text *text, const struct session *session, uint32_t queue);

/* Returns: the name of a command's kernel, or its kind; the second, its kind. */
const char *command_name(const struct session_command_sum *sum);
const char *command_kind(const struct session_command_sum *sum);

#endif
