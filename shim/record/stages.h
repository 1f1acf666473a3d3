/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The stages of recording within a budget (spec/stages.def): those that have begun, and their
 * effects.
 *
 * The budget starts a stage by stages_begin (record/stages_change.h); recording code asks here.  A
 * stage never ends.  The state is in memory that a fork wipes, and the mode of blocks, read by hot
 * code, is reset before the first record of a process: so a forked child starts with exact records.
 *
 *   operation                          BUSY lane   without a lane
 *   stages_alloc_mode, _return_mode    yes         may be that of the parent, in a forked child
 *                                                  that has recorded nothing
 *   stages_distance, stages_has_begun  yes         once the process records
 *   stages_begin, stages_change...     yes         never: they write a record
 *
 * Budget of stages_alloc_mode and stages_return_mode: one load.
 */
#ifndef RECORD_STAGES_H
#define RECORD_STAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "spec/trace.h"

/* The blocks that have a record, from all to none.  A stage only moves down. */
enum stages_alloc {
    STAGES_ALLOC_ALONE,  /* every block, without its call chain, by the user's choice */
    STAGES_ALLOC_EVENTS, /* every block, with its call chain */
    STAGES_ALLOC_CHAINS, /* every block, and the call chains of drawn ones */
    STAGES_ALLOC_DRAWN,  /* drawn blocks */
    STAGES_ALLOC_COUNTS, /* no records, but blocks are counted */
    STAGES_ALLOC_NOTHING
};

/* The effect of a free.  It only moves downwards, too. */
enum stages_returns {
    STAGES_RETURNS_RECORDED,  /* the free has a record */
    STAGES_RETURNS_FORGOTTEN, /* the free has a record, and a drawn block is forgotten */
    STAGES_RETURNS_DRAWN      /* only frees of drawn blocks have a record, and these blocks are
                                 forgotten */
};

enum { STAGES_DISTANCE_FIRST = 1 << 19 }; /* bytes; enough for 0.4 % of a heap of 32 GiB */

extern atomic_uint stages_alloc HIDDEN;
extern atomic_uint stages_returns HIDDEN;

static ALWAYS_INLINE enum stages_alloc stages_alloc_mode(void)
{
    return (enum stages_alloc)atomic_load_explicit(&stages_alloc, memory_order_relaxed);
}

static ALWAYS_INLINE enum stages_returns stages_return_mode(void)
{
    return (enum stages_returns)atomic_load_explicit(&stages_returns, memory_order_relaxed);
}

/* The functions that the exported ones jump to, by the present modes.  The jump is all that a call
 * pays for having modes. */
struct stages_ways {
    void *(*_Atomic obtain)(size_t size);
    void *(*_Atomic obtain_zeroed)(size_t count, size_t size);
    void *(*_Atomic resize)(void *block, size_t size);
    void (*_Atomic give_back)(void *block);
};

extern struct stages_ways stages_ways HIDDEN;

enum stages_way {
    STAGES_WAY_USUAL,
    STAGES_WAY_SPARSE, /* no chain is taken but of a drawn block */
    STAGES_WAY_PASSED, /* most blocks are just counted; the size stands before them */
    STAGES_WAY_COUNTED,
    STAGES_WAY_REAL,
    STAGES_WAY_DEFERRED, /* record/deferral.h */
    STAGES_WAYS
};

/* Their functions, from interpose/alloc.c. */
extern const struct stages_ways stages_each_way[STAGES_WAYS] HIDDEN;

/* Recording is deferred until stages_start. */
void stages_defer(void);

/* Set stages_ways by the present modes.  Called after each change. */
void stages_choose_ways(void);

/* May blocks pass?  Their sizes must stand before them.  At the end of a process each is counted at
 * once: libc's exit frees some more, and nobody would move them (record/passed.h). */
void stages_let_pass(bool may);

/* Forget drawn blocks when they are freed, from now on. */
void stages_forget_returned(void);

/* Start with exact records, by the settings.  Called once a process, before its first record. */
void stages_start(void);

/* Are points thrown on the bytes of blocks? */
bool stages_throw_points(void);

/* Returns: the present mean distance of points, in bytes; 0: no points are thrown. */
uint64_t stages_distance(void);

bool stages_has_begun(enum trace_stage stage);

/* Returns: the last `to` of a stage; 0: the stage has not started. */
uint64_t stages_value(enum trace_stage stage);

/* Does this stage shed blocks? */
static inline bool stages_is_of_blocks(enum trace_stage stage)
{
    return stage == TRACE_STAGE_CHAINS || stage == TRACE_STAGE_BLOCKS;
}

/* For stages_change.c: note the value of a stage, and lower the mode of blocks to it. */
void stages_set_value(enum trace_stage stage, uint64_t value);
void stages_lower_alloc(enum trace_stage stage);

/* Note the cost of the call chain of a drawn block: record/mean_cost.h. */
void stages_note_chain(int64_t ticks, uint64_t count);

/* The mean cost of a block's call chain, measured on drawn blocks while every block has one.
 * Units: parts of a tick, TRACE_OVERHEAD_SCALE each.  Returns: 0 while it is unknown. */
uint64_t stages_chain_cost(void);

#endif
