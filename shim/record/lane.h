/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane: what one thread needs to record without asking anyone.
 *
 * Every thread that records owns a lane: a place in an event chunk, tallies, and the kernels and
 * regions it is inside.  Nothing in a lane is shared, so nothing is locked.  When the thread is
 * gone, its lane serves another thread.
 *
 * Lanes live in memory that the kernel wipes in a forked child (MADV_WIPEONFORK): there every lane
 * reads as BLANK, the first record goes the slow way, and the child starts its own trace.  No fork
 * handler, no inherited lock, and a raw clone() is safe too.
 *
 *   operation              owner thread   signal handler on it   other threads
 *   lane_enter..leave      yes            refused: lane is BUSY  never
 *   lanes.c, lane_chunks.c yes            refused                under the lock
 *
 * Budget of lane_enter and lane_leave: one comparison and two stores.
 */
#ifndef RECORD_LANE_H
#define RECORD_LANE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "platform/attributes.h"
#include "record/lane_parts.h"
#include "spec/trace.h"

enum lane_state {
    LANE_BLANK, /* the thread has none yet, or was forked: go the slow way */
    LANE_READY,
    LANE_BUSY, /* a record is being written; what interrupts it is counted as lost */
    LANE_OFF,  /* this process records nothing */
    LANE_LOST  /* the thread got no lane: its records are counted as lost */
};

/* Why calls of kernels leave the usual way. */
enum lane_special {
    LANE_NO_COUNTER = 1,
    LANE_OVER_BUDGET = TRACE_SLOT_OVER_BUDGET /* short calls are sampled, in slots of their own */
};

/* The call chains of a lane, of chain/: the last one, and the tree of all. */
struct lane_chain;
struct lane_calls;

struct lane {
    /* The first line is what an allocation touches. */
    union {
        struct {
            uint32_t state;
            union {
                struct {
                    uint16_t frame_depth; /* calls of kernels that have not returned */
                    uint16_t specials;    /* enum lane_special */
                };
                uint32_t calls_mode; /* both: 0 before a call of the usual way, 1 in it */
            };
        };
        uint64_t state_and_mode;
    };
    uint64_t *cursor;
    uint64_t *limit;
    struct trace_chunk *chunk;
    uint64_t time;           /* the reader's time after the last record */
    uint64_t deadline;       /* when the rooms are to look up, in ticks */
    struct trace_node *node; /* innermost region, or the thread's own node */
    uint32_t node_index;
    uint32_t region_depth;

    uint64_t sample_distance;      /* to the byte of the next point; 0: it has hit */
    _Atomic int64_t *heap_balance; /* of record/live_heap.h */
    int32_t untimed_left;          /* calls of sampled kernels before the next is timed */
    int32_t untimed_gap;           /* what it was when the last was */
    uint64_t sampled_ticks;        /* over the budget kernels with a call below this are sampled */
    uint64_t events_each;          /* first calls of a slot that are all written */

    struct lane_place *index; /* open addressing, by the hash of the cell's key */
    uint32_t index_mask;
    struct lane_place recent[LANE_RECENT]; /* the last slot of a binding */
    uint32_t cell_count;
    uint32_t number; /* from 1 */
    int32_t thread;
    uint32_t table_count;
    uint32_t sequence;          /* of the event chunk */
    uint32_t refused_regions;   /* open regions without room in the lane */
    uint64_t clock_ask_ticks;   /* when to see whether the thread's processor time is to be read */
    uint64_t clock_due_ticks;   /* when it is to be read again */
    uint64_t clock_ns;          /* at the last reading */
    uint64_t clock_ticks;       /* when it was read */
    uint64_t clock_old_ticks;   /* how old a reading may become */
    uint64_t clock_random;      /* draws the calls of regions in which it is read */
    uint64_t reading_ns;        /* cost of a reading; 0 before the first, UINT64_MAX: never read */
    uint64_t owed_ticks;        /* cost of recording at the begin of a region not known yet */
    uint64_t cpu_open_ns;       /* processor time of the thread when it got the lane */
    uint64_t delay_open_ns;     /* how long it had been runnable without a processor by then */
    uint64_t border_ticks;      /* earliest next reading at a region's border */
    uint64_t event_bytes;       /* size of the event chunk */
    uint64_t full_bytes;        /* of records in the chunks before it */
    uint64_t sample_mean;       /* distance with which the next point was thrown */
    uint64_t chain_ticks;       /* when the chain of a drawn block was begun ... */
    uint64_t chain_empty_ticks; /* ... and what reading the clock took */
    uint64_t random;
    uint64_t gap_random;
    uint64_t call_random;
    uint64_t events_most;        /* first calls of a slot that may be written */
    uint8_t kernel_doublings;    /* of the calls behind them one in 2^this, at least, is written */
    uint8_t region_doublings;    /* the same of regions; 0: all calls are written */
    uint64_t retry_ticks;        /* when to claim a refused chunk again; 0 when none was refused */
    uint64_t retry_events_ticks; /* the same of events, for which the budget had no room */
    struct trace_node *thread_node;
    uint32_t thread_node_index;
    struct lane_chain *chain; /* both NULL when blocks have no chains */
    struct lane_calls *calls;
    struct lane **holder;    /* the thread's lane_self */
    atomic_bool is_finished; /* its thread ran its last destructor of ours */
    struct lane *next;

    struct lane_frame frames[LANE_FRAMES_MAX];
    struct lane_region regions[LANE_REGIONS_MAX];
    struct lane_label labels[LANE_LABELS];
    union trace_cell *tables[LANE_TABLES_MAX];

    uintptr_t wait_frame; /* of the wait that has not ended, on the stack; 0: none */
    uint64_t unmap_ticks; /* begin of the call that takes memory and has not returned; 0: none */
    uintptr_t gil_address; /* Python's condition variable that was waited for in vain */
    uint64_t gil_start;    /* since when */
    uint64_t gil_end;      /* of the last such wait */
    struct lane_place waits_recent[LANE_WAITS_RECENT]; /* the last cell of a wait's binding */
    uint64_t wakes;       /* calls that woke who had waited long */

    uint32_t innermost_op; /* its depth in regions, from 1; 0: none is open */
    uint32_t op_count;     /* ops begun since op_since */
    uint64_t op_since;     /* ticks */
    uint32_t refused_ops;  /* open ops without room in the lane */
    struct lane_op ops[LANE_REGIONS_MAX];
    struct lane_op_label op_labels[LANE_OP_LABELS];
    struct lane_op_label op_places[LANE_OP_PLACES];

    /* Of samples where blocks have no chains; else NULL. */
    struct lane_chain *sample_chain;
    struct lane_calls *sample_calls;

    /* Of blocks, while no chunk can be had for their records; else NULL. */
    struct lane_chain *idle_chain;
    struct lane_calls *idle_calls;
};

/* This thread's lane; a BLANK one until it has its own. */
extern _Thread_local struct lane *lane_self INITIAL_EXEC;

/* Make `lane_self` usable, or count the loss.  Returns: NULL when nothing can
 * be recorded now: recording is off, or this interrupts a record. */
COLD struct lane *lane_enter_slowly(void);

/* Begin writing.  Returns: the lane, BUSY, or NULL. */
static ALWAYS_INLINE struct lane *lane_enter(void)
{
    struct lane *lane = lane_self;

    if (UNLIKELY(lane->state != LANE_READY))
        return lane_enter_slowly();
    lane->state = LANE_BUSY;
    atomic_signal_fence(memory_order_seq_cst);
    return lane;
}

/* One load of the state alone: a load of it with its neighbour waits for the stores of both. */
static ALWAYS_INLINE bool lane_is_ready(const struct lane *lane)
{
    return atomic_load_explicit((const _Atomic uint32_t *)&lane->state, memory_order_relaxed) ==
           LANE_READY;
}

/* Is the lane ready, and its thread in no call?  One comparison; right behind a record it would
 * wait for the record's stores. */
static ALWAYS_INLINE bool lane_is_idle(const struct lane *lane)
{
    return lane->state_and_mode == LANE_READY;
}

/* The lane without beginning to write, for fields that only this thread and its signal
 * handlers touch, one inside the other. */
static ALWAYS_INLINE struct lane *lane_ready(void)
{
    struct lane *lane = lane_self;

    if (UNLIKELY(lane->state != LANE_READY)) {
        lane = lane_enter_slowly();
        if (lane)
            lane->state = LANE_READY;
    }
    return lane;
}

static ALWAYS_INLINE void lane_leave(struct lane *lane)
{
    atomic_signal_fence(memory_order_seq_cst);
    lane->state = LANE_READY;
}

/* Do the work that waits for a quiet moment: take readings, rescan after dlopen. */
REALIGNED void lane_look_up(struct lane *lane, uint64_t now);

static ALWAYS_INLINE void lane_check_deadline(struct lane *lane, uint64_t now)
{
    if (UNLIKELY(now >= lane->deadline))
        lane_look_up(lane, now);
}

/* Make the trace a file: a kernel or a region is worth one.  Keeps errno. */
REALIGNED void lane_keep(void);

/* Start serving a thread: give it a node of its own. */
COLD bool lane_open(struct lane *lane, int32_t thread, uint64_t now);

static ALWAYS_INLINE union trace_cell *lane_cell(const struct lane *lane, uint32_t index)
{
    return &lane->tables[index / TRACE_TALLY_CELLS][index % TRACE_TALLY_CELLS];
}

#endif
