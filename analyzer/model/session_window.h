/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window: a part of a run, as if only that part had been recorded.
 */
#ifndef MODEL_SESSION_WINDOW_H
#define MODEL_SESSION_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

/* Units: nanoseconds since the start of the recording. */
struct session_window {
    bool is_cut; /* the session is only this part; its times count from the part's start */
    uint64_t from_ns;
    uint64_t to_ns;    /* at most the end of the recording */
    uint64_t whole_ns; /* length of the recording */
};

#endif
