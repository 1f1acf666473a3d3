/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a session: the places of its threads after each period of their processor time.
 */
#ifndef MODEL_SESSION_SAMPLES_H
#define MODEL_SESSION_SAMPLES_H

#include <stdint.h>

/* Besides enum trace_sample_flag: another thread called the kernel of the slot, and this thread
 * worked for it.  See model/cpu_workers.h. */
enum { SESSION_SAMPLE_WORKER = 1 << 16 };

/* Samples of one thread at one call chain, in one region or kernel, with the same flags. */
struct session_sample {
    uint32_t thread;  /* index in threads; SESSION_NONE: unknown */
    uint32_t region;  /* index in regions: of the kernel, if there is one */
    uint32_t op;      /* index in ops, the same; or the op that the thread worked for */
    uint32_t other_op; /* the only open op of other threads, if this thread had none; or 0 */
    uint32_t slot;    /* index in slots: the innermost running timed kernel, or the kernel of
                         another thread that this one worked for; or SESSION_NONE */
    uint32_t call;    /* innermost of the chain; index in calls; 0: no chain */
    uint32_t flags;   /* enum trace_sample_flag, SESSION_SAMPLE_WORKER */
    uint64_t count;   /* number of signals */
    uint64_t periods; /* periods of processor time that they represent; at least their count */
};

/* A single sample. */
struct session_tick {
    uint64_t time_ns;
    uint32_t sample; /* index in samples */
    uint32_t periods;
};

/* The sampling of the process. */
struct session_sampling {
    uint64_t period_ns; /* period of a thread's processor time; 0: not sampled */
    const char *off;    /* why sampling was off or ended; NULL: it was on */
    uint64_t off_ns;    /* when that began; UNKNOWN: at the start, or never */
    uint32_t signal;    /* the signal of the samples */
    double cost_ns;     /* cost of one sample, measured by the shim on itself */
    uint64_t untimed;   /* threads without a timer */
    uint64_t lost_periods; /* periods without a record, because none could be written */
    uint64_t count;        /* number of all samples */
    uint64_t periods;      /* periods that they represent */
    uint32_t ticks_of;     /* `ticks` has one in this many samples, in stretches
                              of SESSION_TICKS_STRETCH in a row */
};

enum { SESSION_TICKS_STRETCH = 1024, SESSION_TICKS_MAX = 1 << 20 };

#endif
