/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The beats of a session: moments when a step of the program may start or end, with the heap at
 * that time.
 */
#ifndef MODEL_SESSION_BEATS_H
#define MODEL_SESSION_BEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct session;

/* The kind of a step. */
enum session_beat_kind {
    BEAT_NONE,      /* no beat after all: only its heap counts */
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
    bool records;   /* at a FORWARD's start: its ops recorded data for gradients */
    uint32_t op;    /* its first, or its last; of a REGION its index */
    uint32_t layer; /* outermost, of a FORWARD; 0: none */
    uint32_t thread;
    uint64_t time_ns;
    uint64_t live_bytes;      /* live bytes of the heap */
    uint64_t obtained_bytes;  /* since the start; UNKNOWN: some blocks have no record */
    uint64_t obtained_blocks; /* the same */
    uint64_t peak_bytes;      /* the highest since the beat before it */
    uint32_t peak_op;         /* the innermost open op at that time; 0: none */
};

/* Returns: the index of the beat at this time; SIZE_MAX: there is none. */
size_t session_find_beat(const struct session *session, uint64_t time_ns);

#endif
