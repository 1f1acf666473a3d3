/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of requests by endpoint and hour, in facts of the trace that are updated in place.  So
 * counts are exact where the records of requests are overwritten or lost.
 *
 * Safety: sums_find takes the process lock for a new endpoint or hour; no connection is taken then.
 * Additions are atomic.  The facts stay mapped as long as the process records.
 */
#ifndef REQUEST_SUMS_H
#define REQUEST_SUMS_H

#include <stdint.h>

#include "platform/attributes.h"
#include "spec/trace.h"

/* Returns: the sums of an endpoint in the present hour; NULL when there is no room.  The trace is a
 * file.  The caller keeps errno. */
REALIGNED struct trace_request_sums *sums_find(uint32_t endpoint, uint16_t port, uint64_t now);

/* A counted request. */
struct sums_counted {
    struct trace_request_sums *sums; /* NULL: it is not counted */
    uint64_t ticks;
    uint64_t bytes_in;
    uint64_t bytes_out;
};

/* Count a request, or what it has grown by. */
void sums_count(struct sums_counted *counted, const struct trace_request *request);

#endif
