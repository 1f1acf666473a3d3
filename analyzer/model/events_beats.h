/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the beats of a session in the order of each thread's outermost ops.
 */
#ifndef MODEL_EVENTS_BEATS_H
#define MODEL_EVENTS_BEATS_H

#include "base/array.h"
#include "base/attributes.h"
#include "base/status.h"
#include "model/op_groups.h"
#include "model/session_beats.h"

struct events;
struct events_lane;
struct reader_event;
struct session;

/* The highest that the heap was. */
struct beats_peak {
    uint64_t bytes;
    uint32_t op;
};

/* What a lane's outermost ops are in. */
struct beats_lane {
    enum session_beat_kind kind;
    uint32_t layer;           /* outermost */
    uint32_t last_call;       /* of its last op: see struct op_groups */
    size_t begin;             /* index of its first beat */
    bool is_open;             /* an op is that tells all by itself: what is inside does not count */
    struct session_beat last; /* where it ends if no more ops of it follow */
    uint64_t last_ticks;
};

/* An outermost layer: by which op its calls begin and end. */
struct beats_layer {
    uint32_t outermost;
    uint32_t first_call; /* and one; 0: not known */
    uint32_t last_call;
    uint64_t calls; /* so far */
};

struct beats {
    struct op_groups groups;
    struct beats_layer *layers; /* by layer */
    struct array returns;       /* of struct beats_return */
    struct beats_peak peak;     /* since the last beat */
    struct beats_peak since;    /* since an op of `of` ended, which ends a beat if no more follow */
    const struct events_lane *of;
    uint64_t obtained_bytes;
    uint64_t obtained_blocks;
};

/* Errors: STATUS_OUT_OF_MEMORY; it may be finished all the same. */
enum status beats_init(struct beats *beats, const struct session *session) MUST_CHECK;
void beats_fini(struct beats *beats);

/* A block was obtained, and the heap has taken it. */
void beats_obtain(struct events *events, const struct events_lane *lane, uint64_t size);

/* Amounts of the heap so far change their unit. */
void beats_scale(struct events *events, double ratio);

/* An op that ends. */
struct beats_op {
    uint32_t op;
    bool records; /* it or one inside recorded what gradients need */
};

/* An outermost op begins, and ends.  Errors: STATUS_OUT_OF_MEMORY. */
enum status beats_enter_op(struct events *events, struct events_lane *lane,
                           const struct reader_event *event, uint32_t op) MUST_CHECK;
enum status beats_leave_op(struct events *events, struct events_lane *lane,
                           const struct reader_event *event,
                           const struct beats_op *ended) MUST_CHECK;

/* A call of a region begins, or ends.  Errors: STATUS_OUT_OF_MEMORY. */
enum status beats_add_region(struct events *events, const struct events_lane *lane,
                             const struct reader_event *event, uint32_t region) MUST_CHECK;

/* The thread of a lane ends.  Errors: STATUS_OUT_OF_MEMORY. */
enum status beats_end_lane(struct events *events, struct events_lane *lane) MUST_CHECK;

/* A window begins. */
void beats_restart(struct events *events);

/* Nothing comes any more.  Errors: STATUS_OUT_OF_MEMORY. */
enum status beats_finish(struct events *events) MUST_CHECK;

#endif
