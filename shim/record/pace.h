/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decides which records to reduce to keep two budgets: processor time and disk.
 *
 * Now and then a thread adds up the cost and the bytes of recording so far.  pace_decide compares
 * them with the budgets and chooses the stages to start, or to make coarser or finer.  It reads no
 * clock and knows no process, so a test drives it through days in a moment.
 *
 * Each budget is an account.  Each look adds the spent amount to its debt and subtracts the allowed
 * amount; who is in debt records less.  So a peak that the account has saved for changes nothing,
 * and a program far beyond its budget is reduced at once.
 *
 *   of time   The account starts with a credit: everything is exact until that is spent.  Looks
 *             come each 16th of the run, so the first ones a millisecond apart.  In debt, CHAINS
 *             starts, or BLOCKS at once if chains are not enough, with points at the distance
 *             that fits; later the points are thrown farther apart.  Kernels have their own rule
 *             (record/lane_budget.h).
 *   of disk   Beyond a quarter of the budget, the kinds of events that wrote it are drawn from then
 *             on.  Later a second may write the bytes left divided by four times the seconds so
 *             far.  So the bytes left fall with the fourth root of the time and are never used up.
 *
 * The interval of readings doubles each time they have written another 1/1024 of the disk budget.
 * After 16 doublings they have written 1/64, and starting from 100 ms, 16 doublings last a year and
 * more.
 *
 * Only the distance of points and the number of calls become finer again: by 2 at most, after an
 * eighth of the run or a minute without a change, and only if an eighth of the bytes were used.
 * The drawn blocks must have taken a quarter of their part without a debt, or a 32nd of the allowed
 * time.  A finer step doubles the use, so it is never taken back under the same load.
 *
 * Decision: doc/decisions/budgets-as-accounts.
 *
 * Safety: the caller guards the struct.
 */
#ifndef RECORD_PACE_H
#define RECORD_PACE_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/trace.h"

/* The kinds of records, with room in a trace and time of the program. */
enum pace_kind {
    PACE_BLOCKS,
    PACE_KERNELS,
    PACE_REGIONS,
    PACE_READINGS,
    PACE_OTHERS, /* never shed: maps, requests; opening chunks, scans */
    PACE_KINDS
};

enum {
    PACE_PARTS_OF_BEGINNING =
        4,               /* one part of the disk budget is for the beginning, one for chains */
    PACE_CHANGES_MAX = 8 /* changes of one look */
};

/* The budgets, and the kinds of records that can be shed. */
struct pace_terms {
    uint64_t overhead_ppm; /* share of the processor time; 0: no limit */
    uint64_t credit_ms;    /* of processor time, whose part everything may take at the start */
    uint64_t disk_bytes;   /* size of the trace; 0: no limit */
    uint64_t distance;     /* distance of sampling points at first; 0: no points, so no block is
                              drawn */
    uint64_t interval_ns;  /* interval of readings at first; 0: no readings */
    bool has_chains;       /* every block has a call chain */
    bool has_blocks;       /* every block has a record */
    bool is_distance_free; /* the user has not set it */
};

/* The state at a look, as sums since the process began. */
struct pace_look {
    uint64_t now_ns; /* since the process began */
    uint64_t cpu_ns; /* processor time of the process */
    uint64_t live_bytes; /* of the heap */
    uint64_t cost_ns[PACE_KINDS];
    uint64_t drawn_ns;                  /* part of the cost of blocks: drawn ones and their
                                           chains */
    uint64_t records_ns;                /* part of the cost of blocks: records, without chains */
    uint64_t written_bytes[PACE_KINDS]; /* bytes of events */
    uint64_t size_bytes;                /* size of the file, as claimed */
    uint64_t stack_bytes;               /* the part for call chains */
};

struct pace_change {
    enum trace_stage stage;
    enum trace_stage_cause cause;
    uint64_t from;
    uint64_t to;
};

struct pace {
    struct pace_terms terms;
    struct pace_look last;
    uint64_t limit_bytes; /* limit of the file: disk_bytes, or less on a nearly full disk; 0:
                             none */
    bool is_for_space;    /* the limit is lower because of the disk */
    bool is_beyond;       /* the beginning has ended */
    bool is_in_force;     /* the budget of time: its credit was spent once */
    unsigned begun;       /* a bit a stage */
    uint64_t values[TRACE_STAGES]; /* present: a distance, an interval, n for one call in n */
    enum trace_stage_cause causes[TRACE_STAGES]; /* causes of the last change */
    int64_t debt_ns;
    int64_t debt_bytes;
    uint64_t readings_bytes; /* bytes of readings, when their interval was last doubled */
    struct pace_look changed; /* at the last change, or when a finer step was last considered */
};

/* Start with everything exact. */
void pace_start(struct pace *pace, const struct pace_terms *terms);

/* The time until the next look, in nanoseconds. */
uint64_t pace_interval_ns(const struct pace *pace);

/* Note the free space of the file system, beyond the file's own `size_bytes`.  A trace uses at most
 * a tenth of it. */
void pace_note_free(struct pace *pace, uint64_t size_bytes, uint64_t free_bytes);

/* Ask whether a look is worthwhile when a chunk is opened.  `now_ns`: since the process started. */
bool pace_is_due(const struct pace *pace, uint64_t now_ns, uint64_t size_bytes);

/* Give the size that events may bring the file to.  The rest is for totals and facts. 0: any. */
uint64_t pace_events_limit(const struct pace *pace);

/* Ask whether another chunk may have call chains, in addition to `stack_bytes`.  Chains may use a
 * quarter. */
bool pace_has_room_for_stacks(const struct pace *pace, uint64_t stack_bytes);

/* Decide.  Returns: the number of changes in `changes`; the caller makes them at once. */
unsigned pace_decide(struct pace *pace, const struct pace_look *look,
                     struct pace_change changes[PACE_CHANGES_MAX]);

#endif
