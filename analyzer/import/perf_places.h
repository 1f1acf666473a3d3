/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places on the chains of perf script: perf's own names of functions and files.
 *
 * No file of this machine is read.  Addresses in the trace are synthetic, as a log may contain
 * several processes: each file has its own range, with an address for each place in the log.
 */
#ifndef IMPORT_PERF_PLACES_H
#define IMPORT_PERF_PLACES_H

#include <stdint.h>

#include "base/array.h"
#include "base/text.h"
#include "base/text_index.h"
#include "import/trace.h"

struct perf_places {
    struct import_trace *trace;
    struct text_index ids, libraries, taken;
    struct array addresses; /* uint64_t, by place */
    struct array bases;     /* uint64_t, by library */
    uint64_t taken_count;
    uint64_t moved_count; /* places whose address belongs to another place */
};

void perf_places_init(struct perf_places *places, struct import_trace *trace);
void perf_places_fini(struct perf_places *places);

/* Find a place by its lines: the lines of inlined frames first, then the line of the frame around
 * them.
 * Returns: its address in the trace; 0: the lines are invalid. */
uint64_t perf_places_find(struct perf_places *places, const struct text *lines);

#endif
