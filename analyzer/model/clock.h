/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Converts the ticks of a trace to nanoseconds since its start.
 */
#ifndef MODEL_CLOCK_H
#define MODEL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_list.h"
#include "reader/reader_chunks.h"

struct clock {
    uint64_t start_ticks;
    double ns_per_tick;
    uint64_t last_ns; /* time of the trace's latest pair, since the start */
};

/* Find the rate of the clock from all pairs of instants in the trace, and add doubts about the rate
 * to `doubts`.
 */
void clock_measure(struct clock *clock, const struct reader *reader, struct text_list *doubts);

/* Convert an instant.
 *
 * Units: from ticks to nanoseconds since the start; 0 for an earlier instant.
 */
uint64_t clock_convert(const struct clock *clock, uint64_t ticks);

/* Convert a length of time, from ticks to nanoseconds. */
uint64_t clock_convert_length(const struct clock *clock, uint64_t ticks);

/* Find the shortest length in ticks that converts to `ns` or more; UINT64_MAX when there is
 * none. */
uint64_t clock_find_length(const struct clock *clock, uint64_t ns);

#endif
