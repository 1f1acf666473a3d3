/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beats of a session: moments at which a step of the program may begin or end, and what the
 * heap was then.
 */
#ifndef MODEL_SESSION_BEATS_H
#define MODEL_SESSION_BEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* What begins or ends. */
enum session_beat_kind {
    BEAT_NONE,      /* nothing after all: it stands for its heap alone */
    BEAT_REGION,    /* a call of a region */
    BEAT_OPTIMIZER, /* a step of an optimizer */
    BEAT_LOADER,    /* a data loader gives a batch, or has no more */
    BEAT_BACKWARD,  /* a pass that computes gradients */
    BEAT_FORWARD,   /* a call of an outermost layer, or ops of no layer that record for gradients */
    BEAT_KINDS
};

struct session_beat {
    enum session_beat_kind kind;
    bool is_end;
    bool records;   /* of a FORWARD's begin: ops in it recorded what gradients need */
    uint32_t op;    /* the first, or the last of it; of a REGION its index */
    uint32_t layer; /* outermost, of a FORWARD; 0: none */
    uint32_t thread;
    uint64_t time_ns;
    uint64_t live_bytes;      /* of the heap */
    uint64_t obtained_bytes;  /* so far; UNKNOWN: not every block has a record */
    uint64_t obtained_blocks; /* the same */
    uint64_t peak_bytes;      /* the highest since the beat before it */
    uint32_t peak_op;         /* the innermost op that was open then; 0: none */
};

/* Returns: the index of the beat at this time; SIZE_MAX: there is none. */
size_t session_find_beat(const struct session *session, uint64_t time_ns);

#endif
