/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judging kernels by the limits of their machine: only this file finds the bound of a call, for the
 * roofline, the timing and the report.
 *
 * Conventions.  FLOPs are the executed ones: taps of a convolution in its padding are left out.
 * Bytes are compulsory traffic: each operand once.  A call whose bytes fit a cache is judged by
 * that cache's bandwidth: that of the loop which moves memory like the kernel (moves.def), else the
 * highest of the streams.  A precision without a peak has no roof.  An unknown precision is judged
 * as float or double, whichever is faster: few programs compute in shorter numbers, whose peaks are
 * several times as high, and these are recognizable.
 */
#ifndef KERNELS_JUDGE_H
#define KERNELS_JUDGE_H

#include "base/text.h"
#include "kernels/groups.h"
#include "model/machine.h"

enum judge_bound {
    JUDGE_UNKNOWN, /* no calibration, unknown FLOPs or bytes, or invalid */
    JUDGE_COMPUTE,
    JUDGE_MEMORY,
    JUDGE_LATENCY /* too short to be near either roof */
};

/* The missing part of a row's roof, if there is a calibration. */
enum judge_lack {
    JUDGE_LACKS_NOTHING, /* the row has a roof or is invalid, or there is no calibration */
    JUDGE_LACKS_WORK,    /* its FLOPs or bytes are unknown */
    JUDGE_LACKS_PEAK,    /* the peak of its precision */
    JUDGE_LACKS_BANDWIDTH,
    JUDGE_LACKS_LOOP, /* the calibration is older than the loop that moves memory so */
    JUDGE_LACKS
};

/* The source of the number of threads of a call. */
enum judge_threads_from {
    JUDGE_FROM_OPTION,
    JUDGE_FROM_ENVIRONMENT, /* OPENBLAS_NUM_THREADS or the like was set */
    JUDGE_FROM_TIME         /* processor time beyond the threads that call kernels */
};

struct judge {
    const struct machine *machine; /* NULL: no judgement, only rates */
    unsigned threads;              /* threads of a call */
    enum judge_threads_from threads_from;
    unsigned workers;     /* threads of a library that worked for the only calling thread */
    unsigned set_threads; /* set by the user, perhaps more than there are processors; 0: not set */
    double short_ns;      /* calls below this may be bound by latency */
};

/* The mean of a row's calls that own their FLOPs.  NAN: unknown. */
struct judgement {
    enum machine_precision precision; /* MACHINE_PRECISIONS: unknown */
    enum judge_bound bound;
    enum judge_lack lack;
    bool lacks_loop; /* and is above the fastest of the others: no roof holds */
    bool is_invalid; /* above 105 % of a limit: something is wrong, not good */
    struct machine_roof roof;
    double call_ns; /* time of the calls after the first ones; NAN: there are none */
    double call_bytes;
    double flops_per_second;
    double bytes_per_second;
    double intensity; /* FLOPs a byte */
    double attainable_flops_per_second;
    double peak_fraction;      /* share of the roof's peak */
    double bandwidth_fraction; /* share of the roof's bandwidth */
    double stream_fraction;    /* share of STREAM's triad from DRAM */
    double roof_fraction;      /* least time by time */
    double least_ns;           /* least time of all calls */
    double wasted_ns;          /* beyond it */
};

struct judge judge_init(const struct session *session, const struct analysis_options *options);

struct judgement judge_group(const struct judge *judge, const struct group *group);

/* Is this share of a limit beyond the errors of clocks and calibrations? */
bool judge_is_impossible(double fraction);

/* Say which figure of an invalid judgement was impossible, and the likely cause. */
enum { JUDGE_INVALID_NOTES = 3 };
void judge_append_invalid(struct text *text, const struct judgement *judgement);

/* Note the invalid kernels and shapes of a session, whatever the rows are. */
void judge_note_impossible(struct table *table, const struct session *session,
                           const struct analysis_options *options);

/* Note an invalid row, at most JUDGE_INVALID_NOTES of them; then note that there are more, `count`
 * in all. */
void judge_note_invalid(struct table *table, const struct group *group,
                        const struct judgement *judgement);
void judge_note_more_invalid(struct table *table, size_t count);

/* "compute", "memory", "latency"; NULL when unknown. */
const char *judge_bound_name(enum judge_bound bound);

/* Say why a row has no roof: "the peak of bf16 is not known". */
void judge_append_lack(struct text *text, enum judge_lack lack, enum machine_precision precision);

/* The peak for a precision with this many threads; NAN. */
double judge_peak(const struct machine *machine, enum machine_precision precision,
                  unsigned threads);

#endif
