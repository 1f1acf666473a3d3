/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace that was not recorded: threads with calls of kernels, regions, ops and samples, made from
 * another tool's log.
 *
 * A tick is a nanosecond.  The trace remembers that memory ran out, and import_trace_write reports
 * it.
 */
#ifndef IMPORT_TRACE_H
#define IMPORT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_index.h"
#include "spec/catalog.h"
#include "spec/trace.h"

/* Calls of one kernel with one shape. */
struct import_shape {
    const struct catalog_kernel *kernel; /* NULL: unknown */
    int64_t values[CATALOG_SHAPE_MAX];
    const char *implementation;
};

struct import_child;

/* A thread. */
struct import_lane {
    struct array cells;         /* union trace_cell; the first is the thread */
    struct array events;        /* of struct import_event, in their order */
    struct array calls;         /* of struct trace_call */
    struct import_child *nodes; /* by the outer node and the label */
    struct import_child *chains; /* by the outer call and the address */
    uint64_t first_ns, last_ns;
};

struct import_trace {
    const struct catalog *catalog;
    struct text facts;
    struct array lanes; /* of struct import_lane */
    struct text_index strings;
    uint32_t string_count;
    struct text_index shapes; /* slots, all of the first thread */
    uint64_t first_ns, last_ns;
    uint64_t realtime_ns; /* the time of first_ns since 1970; 0: unknown */
    uint64_t period_ns;   /* period that a sample represents; 0: there are none */
    uint32_t pid;
    bool has_failed;
};

/* An index of a thread, of a node in it, or of a call in it.  Node 0 is the thread itself. */
typedef uint32_t import_index;

/* The calls around all others; the second, if there were more calls. */
enum { IMPORT_CHAIN_WHOLE, IMPORT_CHAIN_CUT };

void import_trace_init(struct import_trace *trace);
void import_trace_fini(struct import_trace *trace);

void import_trace_property(struct import_trace *trace, const char *key, const char *value);
void import_trace_fact(struct import_trace *trace, enum trace_fact_kind kind,
                       const struct text *payload);

/* Returns: the id of a text. */
uint32_t import_trace_string(struct import_trace *trace, const char *text);

/* Kernels are of this catalog, and are called by one function. */
void import_trace_catalog(struct import_trace *trace, const struct catalog *catalog,
                          const char *text, const char *function);

/* Returns: the index of a new thread. */
import_index import_trace_thread(struct import_trace *trace, uint32_t id);

/* Returns: the number of a string in an index. */
size_t import_trace_number(struct text_index *index, const char *words);

/* Returns: the node of a label inside another node; labels are as in struct trace_node. */
import_index import_trace_node(struct import_trace *trace, import_index thread, import_index around,
                               uint32_t label);

/* The call of a node begins, and ends.  Calls nest, in the order of time. */
void import_trace_enter(struct import_trace *trace, import_index thread, import_index node,
                        uint64_t ns);
void import_trace_leave(struct import_trace *trace, import_index thread, import_index node,
                        uint64_t start_ns, uint64_t end_ns);

/* Add a call to the first thread; calls come in the order of their ends. */
void import_trace_call(struct import_trace *trace, const struct import_shape *shape,
                       uint64_t start_ns, uint64_t end_ns);

/* Returns: the call from an address in a thread, under the call around it. */
import_index import_trace_chain(struct import_trace *trace, import_index thread,
                                import_index around, uint64_t address);

/* Add a sample; a thread's samples come in the order of time.  Without a chain, `call` is the
 * outermost one. */
void import_trace_sample(struct import_trace *trace, import_index thread, import_index call,
                         uint32_t periods, uint64_t ns);

/* Write the trace.  A failure is an error of `out`. */
void import_trace_write(const struct import_trace *trace, FILE *out);

#endif
