/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process: its trace, its lanes, and whether it records.
 *
 * All of the struct is in memory that a fork wipes, so a child finds it blank and starts its own
 * trace at its first record.
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/lock.h"
#include "record/lane.h"
#include "record/process_parts.h"
#include "trace/file.h"

enum process_state {
    PROCESS_BLANK,
    PROCESS_DEFERRED, /* record/deferral.h */
    PROCESS_RECORDING,
    PROCESS_OFF
};

/* In the order of a process's life. */
static inline bool process_has_begun(unsigned state)
{
    return state >= PROCESS_RECORDING;
}

struct process {
    atomic_uint state; /* enum process_state */
    struct stages stages;
    struct live_heap live_heap;
    struct lock lock; /* guards everything below */
    struct file file;
    struct budget budget;
    struct facts facts;
    struct strings strings;
    struct lane *lanes;
    struct lane *half_lane; /* the next one, which lacks some of its chunks */
    uint32_t lane_count;
    atomic_bool has_snapshot;    /* a signal asked for one, so the trace is worth a file */
    atomic_bool awaits_snapshot; /* the next record must take it */
    bool is_root;                /* its parent is not under the shim */
    bool is_told;                /* the line with the path of the trace was printed */
    bool is_counted;             /* it has no trace, and that of an ancestor tells it */
    int32_t pid;
    atomic_uint_fast64_t next_reading_ns;
    struct process_resident resident;
    struct process_incidents incidents;
    struct process_deferral deferral;
    atomic_uint asking; /* threads that ask for a sandbox: nothing is recorded meanwhile */
    atomic_uint missed; /* records missed since then */
    atomic_uint samples;         /* samples of processor time */
    atomic_uint sampled_periods; /* periods of these samples; counted until the file is kept */
    atomic_uint_fast64_t sample_ticks; /* the cost of these samples */
};

/* NULL until the first record of the program. */
extern struct process *process;

/* Is this the process of `process`, and not a vfork child in its memory? */
bool process_is_own(void);

/* Ask whether this is the child of a vfork, which runs in its parent's memory. */
bool process_is_borrowed(void);

/* Let every thread look up at its next record, as if its deadline had passed.
 * Safety: takes no lock; a signal handler may call it. */
void process_wake_lanes(void);

/* The cost of each kind of record, as in the header.  It is measured once, and forked children have
 * it from the start. */
struct process_prices {
    bool is_known;
    struct trace_overhead overhead;
    uint64_t sparse_cost;
    uint64_t undrawn_cost;
};

extern struct process_prices process_prices;

/* Write the prices to the header of the trace. */
void process_tell_prices(void);

/* Another program cut the trace: end recording.  Threads end with their next record.
 * Safety: a signal handler may call it. */
void process_cut(void);

/* Was the trace cut? */
bool process_is_cut(void);

/* Add to the time that the shim spent off the hot path. */
void process_add_slow_ticks(uint64_t ticks);

/* Store the status given to exit(), after the books are closed, or to quick_exit(), before. */
void process_store_status(int status);

/* Is the process in a sandbox? */
bool process_is_inside_sandbox(void);

/* Is the process in a sandbox, or entering one? */
bool process_is_sandboxed(void);

/* The sandbox was entered. */
void process_stay_in_sandbox(void);

/* Count a missed record, if the sandbox may still be refused. */
void process_miss_record(void);

/* Ask whether this process has recorded nothing yet, as a forked child. */
bool process_is_new(void);

/* Ask whether recording has started and not ended.  Only then may slow work be done. */
bool process_is_recording(void);

#endif
