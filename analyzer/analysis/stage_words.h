/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time until a table's figures are exact, and the records after that, in words.
 */
#ifndef ANALYSIS_STAGE_WORDS_H
#define ANALYSIS_STAGE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "document/table.h"
#include "spec/trace.h"

struct session;

/* Stages that may thin the records under a table: bits 1 << TRACE_STAGE_... */
enum stage_words_of {
    STAGES_OF_SITES = 1 << TRACE_STAGE_CHAINS | 1 << TRACE_STAGE_BLOCKS | 1 << TRACE_STAGE_STACKS,
    STAGES_OF_BLOCKS = 1 << TRACE_STAGE_BLOCKS,
    STAGES_OF_KERNELS = 1 << TRACE_STAGE_KERNELS,
    STAGES_OF_REGIONS = 1 << TRACE_STAGE_REGIONS,
    STAGES_OF_READINGS = 1 << TRACE_STAGE_READINGS,
    STAGES_OF_ALL = (1 << TRACE_STAGES) - 1
};

/* Ask whether one of the stages started.  Blocks that TPROF_ALLOC=sample draws from the start are
 * no stage. */
bool stage_words_are_due(const struct session *session, enum stage_words_of stages);

/* Returns: when the first of the stages began; UNKNOWN where none did. */
uint64_t stages_exact_until_ns(const struct session *session, enum stage_words_of stages);

/* Returns: the largest mean distance between blocks with an owner, in bytes; 0: not known. */
uint64_t stages_block_distance(const struct session *session);

/* Append "The trace is exact until 48.00 s.  Then one block in 512 KiB was recorded, from 12.0 min
 * on one in 1.00 MiB."; nothing if no stage started. */
void stage_words_append(struct text *text, const struct session *session,
                        enum stage_words_of stages);

/* Add these sentences below a table. */
void stage_words_add_note(struct table *table, const struct session *session,
                          enum stage_words_of stages);

/* Append the records and times of all stages, by their cause. */
void stage_words_append_causes(struct text *text, const struct session *session);

/* Append a rate in the unit of its stage: "one in 512 KiB", "one in 16", "every 1.000 s". */
void stage_words_append_rate(struct text *text, enum trace_stage stage, uint64_t rate);

/* Give the records of a stage: "drawn blocks alone". */
const char *stage_words_recorded(enum trace_stage stage);

/* The key of a stage, "blocks", and of a cause, "disk". */
const char *stage_words_key(enum trace_stage stage);
const char *stage_words_cause_key(enum trace_stage_cause cause);

#endif
