/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Deciding what to record less of, so that two budgets are kept: one of processor time, one of
 * the disk.
 *
 * About once a second somebody looks: what has recording cost and written by now?  pace_decide
 * compares that with the budgets and tells which stages begin, or go on coarser or finer.  It
 * reads no clock and knows no process, so a test drives it through days in a moment.
 *
 * Both budgets are kept like an account.  Each look adds what was spent and takes away what was
 * allowed; who is in debt by more than a second's allowance records less.  So a peak of a second
 * changes nothing, and a program that is far beyond its budget is answered at once.
 *
 *   of time   In force once the events are over that are exact whatever they cost: three million,
 *             and up to ten million as long as their debt is small.  CHAINS begins, or BLOCKS at
 *             once where chains are not enough, then points are thrown farther apart.  What the
 *             exact events took beyond the budget is paid back within a minute of processor time.
 *             Kernels answer for their time elsewhere (record/lane_budget.h).
 *   of disk   Beyond a quarter of the budget what wrote it is drawn from then on.  Later a second
 *             may write what is left, divided by four times the run so far: what is left falls
 *             with the fourth root of the time, and is not used up.
 *
 * The interval of readings doubles whenever they wrote another 1/1024 of the disk budget: 16 times
 * before that is 1/64, and from 100 ms on 16 doublings last a year and more.
 *
 * Finer goes only the distance of points and the number of calls, by 2 at most, once a minute at
 * most, and only if a quarter of the time and an eighth of the bytes were used.  A step finer
 * takes twice that, so it is never taken back under the same load.
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

/* What takes room in a trace, and time of the program. */
enum pace_kind {
    PACE_BLOCKS,
    PACE_KERNELS,
    PACE_REGIONS,
    PACE_READINGS,
    PACE_OTHERS, /* what nobody sheds: maps, requests; opening chunks, scans */
    PACE_KINDS
};

enum {
    PACE_PARTS_OF_BEGINNING =
        4,               /* of the disk budget one is for the beginning; one is for chains */
    PACE_CHANGES_MAX = 8 /* of one look */
};

/* What is to be kept, and what there is to shed. */
struct pace_terms {
    uint64_t overhead_ppm; /* of the processor time; 0: any */
    uint64_t disk_bytes;   /* of the trace; 0: any */
    uint64_t distance;     /* of sampling points at first; 0: none are thrown, no block is drawn */
    uint64_t interval_ns;  /* of readings at first; 0: none are taken */
    bool has_chains;       /* every block has a call chain */
    bool has_blocks;       /* every block has a record */
    bool is_distance_free; /* the user has not set it */
};

/* What is so at a look, as sums since the process began. */
struct pace_look {
    uint64_t now_ns; /* since the process began */
    uint64_t cpu_ns; /* of the process */
    uint64_t events;
    uint64_t cost_ns[PACE_KINDS];
    uint64_t drawn_ns;                  /* of the cost of blocks: drawn ones and their chains */
    uint64_t records_ns;                /* of the cost of blocks: records, without chains */
    uint64_t written_bytes[PACE_KINDS]; /* of events */
    uint64_t size_bytes;                /* of the file, as claimed */
    uint64_t stack_bytes;               /* of it, for call chains */
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
    uint64_t limit_bytes; /* of the file: disk_bytes, or less where little is free; 0: none */
    bool is_for_space;    /* less is free */
    bool is_beyond;       /* the beginning has ended */
    bool is_in_force;     /* the budget of time: the events that are exact always are over */
    unsigned begun;       /* a bit a stage */
    uint64_t values[TRACE_STAGES]; /* in force: a distance, an interval, one call of so many */
    enum trace_stage_cause causes[TRACE_STAGES]; /* of the last change */
    int64_t debt_ns;
    int64_t debt_bytes;
    uint64_t shed_ns;        /* when time was over its budget last */
    uint64_t readings_bytes; /* of readings, when their interval was doubled last */
    struct pace_look minute; /* when a minute began without a change */
};

/* Begin with all exact. */
void pace_start(struct pace *pace, const struct pace_terms *terms);

/* How many events are exact, whatever they cost: three million for 5 %, fewer in proportion; where
 * their debt is no more than a tenth of a second, ten million. */
uint64_t pace_exact_events(uint64_t overhead_ppm, int64_t debt_ns);

/* Learn how much is free beside a file of `size_bytes`.  A trace takes a tenth of it at most. */
void pace_note_free(struct pace *pace, uint64_t size_bytes, uint64_t free_bytes);

/* Is it worth a look already that a chunk is opened?  `now_ns`: since the process began. */
bool pace_is_due(const struct pace *pace, uint64_t now_ns, uint64_t size_bytes);

/* How large the file may become by events.  The rest is for totals and facts.  0: any. */
uint64_t pace_events_limit(const struct pace *pace);

/* May another chunk have call chains, beside so many bytes of them?  They take a quarter. */
bool pace_has_room_for_stacks(const struct pace *pace, uint64_t stack_bytes);

/* Decide.  Returns: how many changes were written to `changes`; they are to be made at once. */
unsigned pace_decide(struct pace *pace, const struct pace_look *look,
                     struct pace_change changes[PACE_CHANGES_MAX]);

#endif
