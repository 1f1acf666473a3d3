/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A lane: all that one thread needs to record without asking another.
 *
 * Every recording thread owns a lane: a place in an event chunk, tallies, and the kernels and
 * regions that it is inside.  Nothing in a lane is shared, so nothing is locked.  When the thread
 * is gone, its lane serves another thread.
 *
 * Lanes are in memory that the kernel wipes in a forked child (MADV_WIPEONFORK): there every lane
 * reads as BLANK, the first record takes the slow path, and the child starts its own trace.  This
 * needs no fork handler, no lock is inherited, and a raw clone() is safe, too.
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
#include "platform/single_add.h"
#include "record/lane_parts.h"
#include "spec/trace.h"

enum lane_state {
    LANE_BLANK, /* the thread has no lane yet, or was forked: take the slow path */
    LANE_READY,
    LANE_BUSY, /* a record is being written; records of interrupting code are lost and counted */
    LANE_OFF,  /* this process records nothing */
    LANE_LOST  /* the thread got no lane: its records are counted as lost */
};

/* Why calls of kernels leave the usual path. */
enum lane_special {
    LANE_NO_COUNTER = 1,
    LANE_OVER_BUDGET = TRACE_SLOT_OVER_BUDGET /* short calls are sampled, in slots of their own */
};

/* The call chains of a lane, of chain/: the last one, and the tree of all. */
struct lane_chain;
struct lane_calls;

struct lane {
    /* The first line has the fields that an allocation touches. */
    union {
        struct {
            uint32_t state;
            union {
                struct {
                    uint16_t frame_depth; /* calls of kernels that have not returned */
                    uint16_t specials;    /* enum lane_special */
                };
                uint32_t calls_mode; /* both: 0 before a usual call, 1 in it */
            };
        };
        uint64_t state_and_mode;
    };
    uint64_t *cursor;
    uint64_t *limit;
    struct trace_chunk *chunk;
    uint64_t time;           /* the reader's time after the last record */
    uint64_t deadline;       /* when the rooms next look up, in ticks */
    struct trace_node *node; /* innermost region, or the thread's own node */
    uint32_t node_index;
    uint32_t region_depth;

    uint64_t sample_distance;      /* distance to the next point, or a part of it; 0: the point
                                      has hit */
    struct lane_balance *balance;  /* from record/live_heap.h */
    int32_t untimed_left;          /* calls of sampled kernels before the next is timed */
    int32_t untimed_gap;           /* its value after the last timed one */
    uint64_t sampled_ticks;        /* over the budget, kernels with shorter calls are sampled */
    uint64_t events_each;          /* first calls of a slot that all have records */

    struct trace_open *open; /* what the thread is in, for those who watch */

    struct lane_place *index; /* open addressing, by the hash of the cell's key */
    uint32_t index_mask;
    struct lane_place recent[LANE_RECENT]; /* the last slot of a binding */
    uint32_t cell_count;
    uint32_t number; /* from 1 */
    int32_t thread;
    uint32_t table_count;
    uint32_t sequence;          /* sequence number of the event chunk */
    uint32_t refused_regions;   /* open regions without room in the lane */
    uint64_t clock_ask_ticks;   /* when to check whether a clock reading is due */
    uint64_t clock_due_ticks;   /* when the next reading is due */
    uint64_t clock_ns;          /* at the last reading */
    uint64_t clock_ticks;       /* when it was read */
    uint64_t clock_old_ticks;   /* how old a reading may become */
    uint64_t clock_random;      /* draws the calls of regions whose clock is read */
    uint64_t reading_ns;        /* cost of a reading; 0 before the first, UINT64_MAX: never read */
    uint64_t owed_ticks;        /* cost of recording at the start of a region, to be charged to the
                                   next node */
    uint64_t cpu_open_ns;       /* processor time of the thread when it got the lane */
    uint64_t delay_open_ns;     /* time until then that it was runnable without a processor */
    uint64_t border_ticks;      /* earliest next reading at a region's border */
    uint64_t event_bytes;       /* size of the event chunk */
    uint64_t full_bytes;        /* bytes of records in the chunks before it */
    uint64_t sample_mean;       /* mean distance of points when the next one was thrown */
    uint64_t sample_beyond;     /* distance to the point after sample_distance */
    uint64_t sample_behind_large; /* to the point, behind a large block that is drawn now */
    uint64_t chain_ticks;       /* when the chain of a drawn block was started */
    uint64_t chain_empty_ticks; /* cost of reading the clock then */
    uint64_t random;
    uint64_t gap_random;
    uint64_t call_random;
    uint64_t events_most;        /* first calls of a slot that may be written */
    uint8_t kernel_doublings;    /* at least one in 2^kernel_doublings of the later calls has a
                                    record */
    uint8_t region_doublings;    /* the same for regions; 0: all calls have one */
    uint64_t retry_ticks;        /* when to claim a refused chunk again; 0: none was refused */
    uint64_t retry_events_ticks; /* the same for events that the budget had no room for */
    struct trace_node *thread_node;
    uint32_t thread_node_index;
    struct lane_chain *chain; /* both NULL if blocks have no chains */
    struct lane_calls *calls;
    struct lane **holder;    /* the thread's lane_self */
    atomic_bool is_finished; /* its thread ran our last destructor */
    struct lane *next;

    struct lane_frame frames[LANE_FRAMES_MAX];
    struct lane_region regions[LANE_REGIONS_MAX];
    struct lane_label labels[LANE_LABELS];
    union trace_cell *tables[LANE_TABLES_MAX];

    uintptr_t wait_frame; /* frame of the wait in progress, on the stack; 0: none */
    uint64_t unmap_ticks; /* start of the call in progress that removes memory; 0: none */
    uintptr_t gil_address; /* Python's condition variable whose wait timed out */
    uint64_t gil_start;    /* start of the waiting */
    uint64_t gil_end;      /* end of the last such wait */
    struct lane_place waits_recent[LANE_WAITS_RECENT]; /* the last cell of a call and place */
    uint64_t wakes;       /* calls that woke a long-waiting thread */
    uint32_t spans;       /* started here: the number of the last one */
    uint32_t answered;    /* a connection whose answer is not recorded, and 1; 0: none */
    uint64_t ciphered;    /* a connection whose encrypted bytes it read: sessions.h; 0: none */

    uint32_t innermost_op; /* its depth in regions, from 1; 0: none is open */
    uint32_t op_count;     /* ops begun since op_since */
    uint64_t op_since;     /* ticks */
    uint32_t refused_ops;  /* open ops without room in the lane */
    struct lane_op ops[LANE_REGIONS_MAX];
    struct lane_op_label op_labels[LANE_OP_LABELS];
    struct lane_op_label op_places[LANE_OP_PLACES];

    /* For samples, if blocks have no chains; else NULL. */
    struct lane_chain *sample_chain;
    struct lane_calls *sample_calls;

    /* For blocks, while their records get no chunk; else NULL. */
    struct lane_chain *idle_chain;
    struct lane_calls *idle_calls;
};

/* This thread's lane; a BLANK one until it has its own. */
extern _Thread_local struct lane *lane_self INITIAL_EXEC;

/* Make `lane_self` usable, or count the loss.
 * Returns: NULL when nothing can be recorded now: recording is off, or this
 * code interrupts a record. */
COLD struct lane *lane_enter_slowly(void);

/* Start writing if the lane is READY. */
static ALWAYS_INLINE bool lane_try_to_enter(struct lane *lane)
{
    if (UNLIKELY(lane->state != LANE_READY))
        return false;
    lane->state = LANE_BUSY;
    atomic_signal_fence(memory_order_seq_cst);
    return true;
}

/* Start writing.  Returns: the lane, BUSY, or NULL. */
static ALWAYS_INLINE struct lane *lane_enter(void)
{
    struct lane *lane = lane_self;

    return lane_try_to_enter(lane) ? lane : lane_enter_slowly();
}

/* Loads only the state: a load together with its neighbour would wait for the stores of both. */
static ALWAYS_INLINE bool lane_is_ready(const struct lane *lane)
{
    return single_is(&lane->state, LANE_READY);
}

/* Ask whether the lane is ready, and its thread in no call.  One comparison; directly after a
 * record it would wait for the record's stores. */
static ALWAYS_INLINE bool lane_is_idle(const struct lane *lane)
{
    return lane->state_and_mode == LANE_READY;
}

/* Give the lane without starting to write, for fields that only this thread and its nested signal
 * handlers touch. */
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

/* Tell watchers what the thread is in: a call of a kernel, a wait, an innermost region.  Budget: a
 * load and two stores; at the end of a call one store. */
static ALWAYS_INLINE void lane_show_call(struct lane *lane, uint32_t slot, uint64_t start)
{
    lane->open->call_ticks = start;
    atomic_signal_fence(memory_order_seq_cst);
    lane->open->call = slot;
}

static ALWAYS_INLINE void lane_show_wait(struct lane *lane, uint32_t cell, uint64_t start)
{
    lane->open->wait_ticks = start;
    atomic_signal_fence(memory_order_seq_cst);
    lane->open->wait = cell;
}

static ALWAYS_INLINE void lane_show_node(struct lane *lane, uint32_t node, uint64_t start)
{
    lane->open->node_ticks = start;
    atomic_signal_fence(memory_order_seq_cst);
    lane->open->node = node;
}

/* Make the trace a file: a kernel or a region is worth one.  Keeps errno. */
REALIGNED void lane_keep(void);

/* Start serving a thread: give it its own node. */
COLD bool lane_open(struct lane *lane, int32_t thread, uint64_t now);

static ALWAYS_INLINE union trace_cell *lane_cell(const struct lane *lane, uint32_t index)
{
    return &lane->tables[index / TRACE_TALLY_CELLS][index % TRACE_TALLY_CELLS];
}

#endif
