/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces made by hand, for tests of their readers.
 *
 * A trace grows in memory, chunk after chunk; records go into the last opened chunk.  Tests may
 * change any byte before it is written.  Impossible requests end the test.
 */
#ifndef UNIT_TRACE_BUILDER_H
#define UNIT_TRACE_BUILDER_H

#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

struct trace_builder {
    char *bytes;
    size_t size;
    size_t capacity;
    size_t chunk;   /* where the open chunk starts */
    uint64_t ticks; /* of the last event, in the reader's view */
};

struct trace_builder_block {
    uint64_t address;
    uint64_t size;
    uint32_t chain;
};

/* Of a block that a sampling point hit. */
struct trace_builder_draw {
    uint64_t distance;
    uint64_t excess; /* usable bytes beyond its size */
};

/* Of processor time. */
struct trace_builder_sample {
    uint32_t chain;
    uint32_t cell;
    unsigned flags; /* enum trace_sample_flag */
};

enum {
    BUILDER_PATH_SIZE = 64,
    BUILDER_READING_WORDS = sizeof(struct trace_reading) / sizeof(uint64_t)
};

/* Start a trace with a sound header: one tick is one nanosecond, recording
 * starts at tick 1000 and has ended with exit(0) a second later. */
void trace_builder_init(struct trace_builder *builder);
void trace_builder_fini(struct trace_builder *builder);

/* The structs are valid until the trace grows. */
struct trace_header *trace_builder_header(struct trace_builder *builder);
struct trace_chunk *trace_builder_head(struct trace_builder *builder);

/* Open a chunk of `size` bytes, opened at `ticks`. */
void trace_builder_chunk(struct trace_builder *builder, enum trace_chunk_kind kind, uint32_t lane,
                         uint32_t sequence, uint64_t size, uint64_t ticks);

/* Add bytes to the open chunk, unchanged. */
void trace_builder_add(struct trace_builder *builder, const void *bytes, size_t size);

/* Add a record of an allocation or a free, with a TIME record before it if needed.  Times are in
 * steps of 16 ticks. */
void trace_builder_block(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                         uint64_t address, uint64_t size);

/* The same with the number of a call chain. */
void trace_builder_chained(struct trace_builder *builder, enum trace_event_kind kind,
                           uint64_t ticks, const struct trace_builder_block *block);

/* Add a drawn block in place of a record of this kind. */
void trace_builder_drawn(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                         const struct trace_builder_block *block,
                         const struct trace_builder_draw *draw);

/* Add a KERNEL, ENTER or LEAVE. */
void trace_builder_call(struct trace_builder *builder, enum trace_event_kind kind, uint64_t ticks,
                        uint32_t cell, uint64_t duration);

void trace_builder_extended(struct trace_builder *builder, uint64_t ticks,
                            enum trace_extended_type type, const uint64_t *words, unsigned count);

/* Add a sample that represents this many periods. */
void trace_builder_sample(struct trace_builder *builder, uint64_t ticks, unsigned periods,
                          const struct trace_builder_sample *sample);

/* Add a cell to the open tally chunk.  Returns: its number. */
uint32_t trace_builder_node(struct trace_builder *builder, const struct trace_node *node);
uint32_t trace_builder_slot(struct trace_builder *builder, const struct trace_slot *slot);

/* Add a call to the open stack chunk, of 64 KiB.  Returns: its number. */
uint32_t trace_builder_stack(struct trace_builder *builder, const struct trace_call *call);

/* Add a fact of a head, followed by a text. */
void trace_builder_fact(struct trace_builder *builder, enum trace_fact_kind kind, const void *head,
                        size_t head_size, const char *text, size_t text_size);
void trace_builder_property(struct trace_builder *builder, const char *key, const char *value);
void trace_builder_string(struct trace_builder *builder, uint32_t id, const char *text);

/* Write the first `size` bytes to a new file and give its path. */
void trace_builder_write(const struct trace_builder *builder, size_t size,
                         char path[BUILDER_PATH_SIZE]);

#endif
