/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * State for finding the beats of a session, in the order of each thread's outermost ops: see
 * events_beats.c.
 */
#ifndef MODEL_BEATS_H
#define MODEL_BEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "model/op_groups.h"
#include "model/session_beats.h"

struct events_lane;

/* The peak of the heap. */
struct beats_peak {
    uint64_t bytes;
    uint32_t op;
};

/* The surroundings of a lane's outermost ops. */
struct beats_lane {
    enum session_beat_kind kind;
    uint32_t layer;           /* outermost */
    uint32_t last_call;       /* last call of its last op: see struct op_groups */
    size_t begin;             /* index of its first beat */
    bool is_open;             /* inside an op that is a beat by itself: inner ops do not count */
    struct session_beat last; /* its end, if no more ops of it follow */
    uint64_t last_ticks;
};

/* An outermost layer, with the ops that start and end its calls. */
struct beats_layer {
    uint32_t outermost;
    uint32_t first_call; /* plus one; 0: unknown */
    uint32_t last_call;
    uint64_t calls; /* calls so far */
};

struct beats {
    struct op_groups groups;
    struct beats_layer *layers; /* layers by number */
    struct array returns;       /* of struct beats_return */
    struct beats_peak peak;     /* since the last beat */
    struct beats_peak since;    /* since the last op of `of`, which ends a beat if no more follow */
    const struct events_lane *of;
    uint64_t obtained_bytes;
    uint64_t obtained_blocks;
};

#endif
