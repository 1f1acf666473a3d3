/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stretches of time on one lane of the timeline, thinned to the number that a page can hold.
 *
 * If there are too many, short ones with short gaps between them become one, with their number and
 * time; long ones and long gaps stay unchanged.
 */
#ifndef PAGE_LANE_MARKS_H
#define PAGE_LANE_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "page/html.h"

/* Units: nanoseconds since the start. */
struct lane_mark {
    uint64_t start_ns;
    uint64_t end_ns;
    uint64_t busy_ns; /* in the marks that it stands for */
    uint64_t longest_ns;
    uint32_t name; /* the caller's number; of several, that of the longest */
    uint32_t count;
};

struct lane_marks {
    struct array list; /* of struct lane_mark, by their start once they are thinned */
    size_t added;
};

void lane_marks_init(struct lane_marks *marks);
void lane_marks_fini(struct lane_marks *marks);

/* Add one; of very many those that are there are thinned before. */
void lane_marks_add(struct lane_marks *marks, uint64_t start_ns, uint64_t end_ns, uint32_t name);

/* Order them, and leave `most` at most; those that overlap become one where they must. */
void lane_marks_thin(struct lane_marks *marks, size_t most);

/* Put them as members of an object of JSON. */
void lane_marks_put(struct html *html, const struct lane_marks *marks);

#endif
