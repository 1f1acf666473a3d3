/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a program did between two moments: by its samples, and by its long waits.
 */
#ifndef ALERTS_ALERT_THEN_H
#define ALERTS_ALERT_THEN_H

#include <stdint.h>

#include "base/text.h"
#include "places/places.h"

struct session;

/* What ran most, and was waited for longest; empty texts and NULL: nothing is known. */
struct alert_then {
    const char *region; /* path; the outermost has none */
    const char *op;
    struct text place;
    struct text waiting;
};

/* Find the work and the waiting between two times.  The texts are of the pool in use. */
void alert_then_find(struct alert_then *then, const struct session *session, struct places *places,
                     uint64_t from_ns, uint64_t to_ns);

#endif
