/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace that was not recorded: one thread and calls of kernels, made from what another tool
 * logged.
 */
#ifndef IMPORT_TRACE_H
#define IMPORT_TRACE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_index.h"
#include "spec/catalog.h"

/* Calls of one kernel with one shape. */
struct import_shape {
    const struct catalog_kernel *kernel; /* NULL: not known */
    int64_t values[CATALOG_SHAPE_MAX];
    const char *implementation;
};

/* A tick is a nanosecond. */
struct import_trace {
    const struct catalog *catalog;
    struct text facts;
    struct text events;      /* a struct import_call each */
    struct text slots;       /* a struct trace_slot each */
    struct text_index shapes;
    uint64_t first_ns, last_ns;
    uint64_t realtime_ns;    /* of first_ns, since 1970; 0: unknown */
};

/* Start a trace of the calls of one function.  A failure stays in the texts until
 * import_trace_write. */
void import_trace_init(struct import_trace *trace, const struct catalog *catalog,
                       const char *function);
void import_trace_fini(struct import_trace *trace);

void import_trace_property(struct import_trace *trace, const char *key, const char *value);
void import_trace_catalog(struct import_trace *trace, const char *text, size_t size);

/* Add a call; calls come in the order of their ends.  Errors: STATUS_OUT_OF_MEMORY. */
enum status import_trace_call(struct import_trace *trace, const struct import_shape *shape,
                              uint64_t start_ns, uint64_t end_ns) MUST_CHECK;

/* Write it.  What cannot be written is an error of `out`.  Errors: STATUS_OUT_OF_MEMORY. */
enum status import_trace_write(const struct import_trace *trace, FILE *out) MUST_CHECK;

#endif
