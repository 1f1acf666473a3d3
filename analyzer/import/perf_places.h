/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The places on the chains of perf script: functions and files by the names that perf gave them.
 *
 * No file of this machine is read.  Addresses in the trace are made up, as a log may contain
 * several processes: each file has a range of its own, with an address for each place in the log.
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
    struct array addresses; /* of uint64_t, by place */
    struct array bases;     /* of uint64_t, by library */
    uint64_t taken_count;
    uint64_t moved_count; /* places whose address another one has */
};

void perf_places_init(struct perf_places *places, struct import_trace *trace);
void perf_places_fini(struct perf_places *places);

/* Find a place by its lines: that of a frame, behind those of frames that are inlined into it.
 * Returns: its address in the trace; 0: they make no sense. */
uint64_t perf_places_find(struct perf_places *places, const struct text *lines);

#endif
