/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the thread and line that woke a thread waiting for work.
 *
 * The wake that ended a wait was for the same address and started during the wait.  If several
 * places may have ended it, the wake stays unknown.  Wakes by a library's own code are not counted:
 * a worker that passes on a wake does not hand out work.
 *
 * Decision: doc/decisions/wakes.
 */
#ifndef WAITS_WAKERS_H
#define WAITS_WAKERS_H

#include <stdint.h>

#include "base/array.h"
#include "base/text_list.h"
#include "places/places.h"

struct session;

struct wakers {
    int32_t *place_of;       /* by wait call, an index in `places` or enum waker_unknown */
    struct text_list places; /* "train.py:33 main" */
};

enum waker_unknown {
    WAKER_NONE = -1,    /* the wait needed no wake, ended in vain, or was ended by a library */
    WAKER_UNKNOWN = -2, /* a wake ended it, from an unknown place */
};

/* The waits of one group that one place ended. */
struct waker_share {
    uint32_t group;
    const char *place; /* belongs to the wakers */
    uint64_t waits;
    uint64_t all; /* waits of the group that any wake ended, even an unknown one */
};

/* Find the wakers of all long waits. */
void wakers_init(struct wakers *wakers, const struct session *session, places_finder find);

/* Fill an array of struct waker_share, by group, the largest first.  `group_of`: by wait of the
 * session; SESSION_NONE: no group. */
void wakers_share(struct array *shares, const struct wakers *wakers, const struct session *session,
                  const uint32_t *group_of);

#endif
