/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The record of a request that was answered, and its place in the sums.
 *
 * Safety: the program's threads, outside of records; signal handlers.  The caller keeps errno.
 */
#ifndef REQUEST_ANSWERS_H
#define REQUEST_ANSWERS_H

#include <stdint.h>

#include "request/sums.h"
#include "spec/trace.h"

/* Write the record. */
void answers_write(const struct trace_request *request);

/* Write the trace and the span that the program published for this thread, if it did, for a request
 * whose start, connection and flags are filled in. */
void answers_write_context(const struct trace_request *request);

/* Count the request, or its growth since the last count.  Units: ticks.  `end`: of its answer. */
void answers_count(struct sums_counted *counted, const struct trace_request *request, uint64_t end);

#endif
