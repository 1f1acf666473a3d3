/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that grows outside of malloc: mapped by the program's own calls, or resident outside the
 * live heap, as by sbrk.
 */
#ifndef HEAP_LEAK_OUTSIDE_H
#define HEAP_LEAK_OUTSIDE_H

#include "heap/memory_facts.h"

/* Growth in bytes in a window; 0 without a trend, or if too little to matter; NAN when unknown. */
struct leak_outside {
    double mapped_bytes;
    double resident_bytes;
    double undated_bytes; /* bytes since the recording started, without readings that date them */
};

void leak_outside_find(struct leak_outside *outside, const struct session *session,
                       const struct memory_window *window, double confidence);

/* Memory beside suppressed mappings, at some times in a window. */
struct leak_outside_rest {
    struct memory_window window;
    struct heap_course mapped; /* mapped by calls that are not suppressed */
    struct heap_course hidden; /* mapped by suppressed calls, at the same times */
};

/* Find the growth of the rest.  Suppressed memory may be resident, and at most that much is
 * subtracted. */
void leak_outside_find_rest(struct leak_outside *outside, const struct session *session,
                            const struct leak_outside_rest *rest, double confidence);

/* Ask whether any such memory grew. */
bool leak_outside_grew(const struct leak_outside *outside);

/* Say which memory grew, and by how much, one sentence each. */
void leak_outside_say(struct text *text, const struct leak_outside *outside);

#endif
