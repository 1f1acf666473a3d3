/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stretches of time when records of a thread are missing.
 */
#ifndef MODEL_SESSION_HOLES_H
#define MODEL_SESSION_HOLES_H

#include <stdint.h>

enum session_hole_cause {
#define HOLE(cause, key, words) SESSION_HOLE_##cause,
#include "model/holes.def"
#undef HOLE
    SESSION_HOLE_CAUSES
};

/* The thread is unknown between its records before and behind. */
struct session_hole {
    uint32_t thread; /* index in the session */
    enum session_hole_cause cause;
    uint64_t from_ns;
    uint64_t to_ns;
};

#endif
