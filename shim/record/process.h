/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process: its trace, its lanes, its start and its end.
 *
 * All of it lies in memory that a fork wipes, so a child finds it blank and
 * starts anew at its first record.
 */
#ifndef RECORD_PROCESS_H
#define RECORD_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/attributes.h"
#include "platform/lock.h"
#include "record/budget.h"
#include "record/lane.h"
#include "record/live_heap.h"
#include "record/room.h"
#include "record/stages.h"
#include "trace/file.h"

enum process_state { PROCESS_BLANK, PROCESS_STARTING, PROCESS_RECORDING, PROCESS_OFF };

/* The facts that are in the file already. */
struct facts {
    struct trace_chunk *chunk;
    uint32_t sequence;
    unsigned written[FACT_WRITERS_MAX]; /* a count for each row of fact_writers */
};

struct strings_place {
    uint32_t number; /* 0: free */
    uint32_t start;  /* of the text */
};

struct strings {
    struct strings_place *places;
    char *texts;
    uint32_t used;
    uint32_t count;
    uint32_t written;      /* the first so many texts are in the trace */
    uint32_t written_size; /* their bytes */
    unsigned refused;      /* times that a text found no place */
};

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
    struct lane *half_lane; /* the next one, which did not get all its chunks yet */
    uint32_t lane_count;
    atomic_bool has_snapshot;    /* a signal asked for one: the trace is worth a file */
    atomic_bool awaits_snapshot; /* the next record must take it */
    bool is_root;                /* its parent is not under the shim */
    bool is_told;                /* the line with the path of the trace was printed */
    int32_t pid;
    atomic_uint_fast64_t next_reading_ns;
    atomic_uint asking; /* threads that ask for a sandbox: nothing is recorded meanwhile */
    atomic_uint missed; /* records since then */
    atomic_uint samples;         /* of processor time */
    atomic_uint sampled_periods; /* that these stand for; counted until the file is kept */
    atomic_uint_fast64_t sample_ticks; /* that they cost */
};

/* NULL until the first record of the program. */
extern struct process *process;

/* Ready the process for its first record.  Called on every thread that has
 * no lane.  Returns: false when this process records nothing.
 * Safety: any thread; allocates nothing; errno is the caller's to keep. */
bool process_start(void);

/* From now on there is something worth keeping: a kernel, a region, a second
 * thread, a full first chunk.  Returns: whether the trace is a file.
 * The caller holds the process lock. */
bool process_keep(void);

/* The same, taking the lock; does nothing where it is done, has failed, or is forbidden. */
void process_keep_now(void);

/* Say, in the first process, that nothing is recorded, and why. */
void process_tell_obstacle(const char *obstacle);

/* Is this the process of `process`, and not a vfork child in its memory? */
bool process_is_own(void);

/* Is this the child of a vfork, which runs in its parent's memory? */
bool process_is_borrowed(void);

/* Store how the process ends, close the books and print one line.  `status`:
 * TRACE_STATUS_UNKNOWN where it is unknown. */
REALIGNED void process_end(enum trace_ending ending, int status);

/* Another program cut the trace, which is lost: end recording.  Threads end with their next
 * record.  Safety: a handler of signals, too. */
void process_cut(void);

/* Was it cut? */
bool process_is_cut(void);

/* Say so. */
void process_tell_cut(void);

/* The program changes memory at our addresses: close the books, and end recording for good. */
void process_yield(void);

/* Our memory goes: nobody reads it from now on.  Recording has ended, and children that are forked
 * later record nothing, either. */
void process_leave_memory(void);

/* Add to the time that the shim spent off the hot path. */
void process_add_slow_ticks(uint64_t ticks);

/* Store the status given to exit(), once the books are closed, or to
 * quick_exit(), before. */
void process_store_status(int status);

/* Take back an ending: exec failed. */
void process_resume(void);

/* Close the books, here and in children that are forked from now on, since the system calls
 * that a sandbox allows are unknown.  `is_for_all`: all threads enter it, and have ended their
 * present records when this returns.  Returns: false when there is nothing to close: the
 * process is in a sandbox already, or a vfork child. */
bool process_enter_sandbox(bool is_for_all);

/* Is the process in a sandbox, or entering one? */
bool process_is_sandboxed(void);

/* The sandbox was entered. */
void process_stay_in_sandbox(void);

/* The sandbox was refused: go on. */
void process_leave_sandbox(void);

/* Count a record that was not taken, if the sandbox may still be refused. */
void process_miss_record(void);

/* Is this a forked child that has recorded nothing yet? */
bool process_is_new(void);

/* Has recording begun and not ended?  Only then may slow work be done. */
bool process_is_recording(void);

#endif
