/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stretches of time on one lane of the timeline, thinned to the number that a page can hold.
 *
 * If there are too many marks, short ones with short gaps between them are merged, with their
 * number and time; long marks and long gaps stay unchanged.
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
    uint64_t busy_ns; /* time in the merged marks */
    uint64_t longest_ns;
    uint32_t name; /* the caller's number; for merged marks, that of the longest */
    uint32_t count;
};

struct lane_marks {
    struct array list; /* of struct lane_mark, by their start once they are thinned */
    size_t added;
};

void lane_marks_init(struct lane_marks *marks);
void lane_marks_fini(struct lane_marks *marks);

/* Add a mark; if there are very many, the existing ones are thinned before. */
void lane_marks_add(struct lane_marks *marks, uint64_t start_ns, uint64_t end_ns, uint32_t name);

/* Sort the marks, and keep at most `most`; overlapping marks are merged if necessary. */
void lane_marks_thin(struct lane_marks *marks, size_t most);

/* Put the marks as members of a JSON object. */
void lane_marks_put(struct html *html, const struct lane_marks *marks);

#endif
