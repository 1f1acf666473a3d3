/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The samples of a session: where its threads were each time that a period of their
 * processor time had passed.
 */
#ifndef MODEL_SESSION_SAMPLES_H
#define MODEL_SESSION_SAMPLES_H

#include <stdint.h>

/* Beside enum trace_sample_flag: the kernel of the slot was called by another thread, for which
 * this one worked.  See model/cpu_workers.h. */
enum { SESSION_SAMPLE_WORKER = 1 << 16 };

/* Samples of one thread at one call chain, in one region or kernel, with the same flags. */
struct session_sample {
    uint32_t thread;  /* index in threads; SESSION_NONE: it is not known which */
    uint32_t region;  /* index in regions: of the kernel, where there is one */
    uint32_t op;      /* index in ops, the same; or of the op that it worked for */
    uint32_t other_op; /* the only op that was open in other threads, where it had none; or 0 */
    uint32_t slot;    /* index in slots: the innermost timed kernel that was running, or that
                         another thread called and this one worked for; or SESSION_NONE */
    uint32_t call;    /* innermost of the chain; index in calls; 0: it has none */
    uint32_t flags;   /* enum trace_sample_flag, SESSION_SAMPLE_WORKER */
    uint64_t count;   /* of signals that came */
    uint64_t periods; /* of processor time that they stand for; at least their count */
};

/* A sample in its turn. */
struct session_tick {
    uint64_t time_ns;
    uint32_t sample; /* index in samples */
    uint32_t periods;
};

/* How the process was sampled, and what came of it. */
struct session_sampling {
    uint64_t period_ns; /* of a thread's processor time; 0: none was sampled */
    const char *off;    /* why it was not sampled or no more; NULL: it was */
    uint64_t off_ns;    /* when that began; UNKNOWN: at the start, or never */
    uint32_t signal;    /* that brought the samples */
    double cost_ns;     /* of one sample, as the shim measured on itself */
    uint64_t untimed;   /* threads that got no timer */
    uint64_t lost_periods; /* that came where no record could be written */
    uint64_t count;        /* of all samples */
    uint64_t periods;      /* that they stand for */
    uint32_t ticks_of;     /* `ticks` has one of so many samples, in stretches of
                              SESSION_TICKS_STRETCH that follow one another */
};

enum { SESSION_TICKS_STRETCH = 1024, SESSION_TICKS_MAX = 1 << 20 };

#endif
