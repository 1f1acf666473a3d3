/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The members of struct process, one type for each file that keeps state a
 * process.
 */
#ifndef RECORD_PROCESS_PARTS_H
#define RECORD_PROCESS_PARTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "record/mean_cost.h"
#include "record/pace.h"
#include "record/room.h"
#include "record/deferred_block.h"
#include "spec/trace.h"

/* A part of struct process. */
struct stages {
    atomic_uint claimed;                   /* a bit a stage: a thread starts it, or has */
    atomic_uint begun;                     /* a bit a stage */
    _Atomic uint64_t values[TRACE_STAGES]; /* present: n for one call in n, or an interval */
    _Atomic uint64_t distance;
    struct mean_cost chain;
};

/* A part of struct process: the highest sum, and its time. */
struct live_heap {
    _Atomic int64_t peak;
    _Atomic uint64_t peak_ticks;
    _Atomic int64_t told;         /* the sum of the last record */
    _Atomic uint64_t told_due_ns; /* records between readings: when the next is due at that rate */
    struct mean_cost cost; /* cost of asking for a size */
};

/* A part of struct process: when the parts of resident memory were read. */
struct process_resident {
    atomic_bool is_read; /* a thread reads them */
    uint64_t last_bytes; /* resident at the last time, and at most; only that thread writes */
    uint64_t peak_bytes;
    uint64_t last_faults; /* page faults at the last time */
    uint64_t spent_ns;
};

enum { DEFERRED_MOST = 512 };

/* A part of struct process: record/deferral.h. */
struct process_deferral {
    struct trace_clock_pair start;
    struct trace_reading first;
    _Atomic uint64_t waits;
    _Atomic uint64_t wait_ticks;
    _Atomic uint64_t slow_ticks; /* of the shim's own work */
    atomic_bool is_entered;
    unsigned count;
    uint64_t bytes; /* obtained */
    struct deferred_block blocks[DEFERRED_MOST];
};

enum { PROCESS_STEP_LABELS = 32 };

/* A part of struct process: the conditions of TPROF_KEEP.  See record/incidents.h. */
struct process_incidents {
    struct trace_keep *keeps[TRACE_INCIDENT_CAUSES]; /* in the trace; NULL: not watched */
    _Atomic uint64_t last[TRACE_INCIDENT_CAUSES];    /* when the last incident ended, in ticks */
    atomic_uint count;                               /* places that are taken */
    uint64_t request_ticks;
    int64_t heap_limit;
    _Atomic int64_t heap_most;  /* more is an incident */
    _Atomic int64_t heap_least; /* less, and the limit can be passed again */
    atomic_bool is_signalled;   /* before there was a file */
    atomic_uint label_count;
    uint32_t labels[PROCESS_STEP_LABELS]; /* string ids of names of steps */
};

/* Sums since the process began. */
struct expense {
    uint64_t obtained; /* blocks */
    uint64_t obtained_bytes;
    uint64_t returned;
    uint64_t timed; /* calls of kernels ... */
    uint64_t untimed;
    uint64_t regions;
    uint64_t ops;
    uint64_t extended; /* records */
    uint64_t written;  /* bytes of all records */
};

/* Sums that other threads add to during a look.  Units: ticks. */
struct budget_notes {
    _Atomic uint64_t walks;    /* spent on call chains, as timed by sample */
    _Atomic uint64_t timed_walks;  /* how many of these */
    _Atomic uint64_t typical_walk; /* the last median of a lane */
    _Atomic uint64_t drawn;    /* spent on drawn blocks, with their walks, since CHAINS or BLOCKS */
    _Atomic uint64_t readings; /* time spent on readings; walks and readings are parts of
                                  slow_ticks */
    _Atomic uint64_t reading_count;
};

/* Sums at the last look. */
struct budget_last {
    struct expense expense;
    uint64_t slow;
    uint64_t walks;
    uint64_t drawn;
    uint64_t readings;
    uint64_t reading_count;
};

/* A part of struct process. */
struct budget {
    struct pace pace;
    struct pace_look look;
    struct budget_last last;
    struct budget_notes notes;
    uint64_t exact_blocks; /* obtained while each block had its record and chain ... */
    uint64_t exact_ticks;  /* ... and the cost of these records */
    uint64_t cpu_begin_ns; /* processor time of the process, including the time before an exec */
    _Atomic uint64_t due_ticks;
    atomic_bool is_in_force; /* the credit of time was spent once */
};

/* The facts that the file already has. */
struct facts {
    struct trace_chunk *chunk;
    uint32_t sequence;
    unsigned written[FACT_WRITERS_MAX]; /* a count for each row of fact_writers */
};

struct strings_place {
    uint32_t number; /* 0: free */
    uint32_t start;  /* start of the text */
};

struct strings {
    struct strings_place *places;
    char *texts;
    uint32_t used;
    uint32_t count;
    uint32_t written;      /* the number of the first texts that are in the trace */
    uint32_t written_size; /* their bytes */
    unsigned refused;      /* times that a text found no place */
};

#endif
