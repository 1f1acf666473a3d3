/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Judging kernels by the limits of their machine: the one place that finds the bound of a call, for
 * the roofline, the timing and the report.
 *
 * Conventions.  FLOPs are those that are executed: taps of a convolution in its padding are left
 * out.  Bytes are compulsory traffic: every operand once.  A call whose bytes fit a cache is
 * judged by that cache's bandwidth: that of the loop which moves memory as the kernel does
 * (moves.def), else the highest of the streams.  A precision without a peak has no roof; one
 * that is not known is judged as float or double, whichever is faster: few compute in shorter
 * numbers, whose peaks are several times as high, and these are recognizable.
 */
#ifndef KERNELS_JUDGE_H
#define KERNELS_JUDGE_H

#include "base/text.h"
#include "kernels/groups.h"
#include "model/machine.h"

enum judge_bound {
    JUDGE_UNKNOWN, /* no calibration, FLOPs or bytes unknown, or invalid */
    JUDGE_COMPUTE,
    JUDGE_MEMORY,
    JUDGE_LATENCY /* so short that neither roof is near */
};

/* The missing part of a row's roof, where there is a calibration. */
enum judge_lack {
    JUDGE_LACKS_NOTHING, /* it has one, is invalid, or there is no calibration */
    JUDGE_LACKS_WORK,    /* its FLOPs or bytes are unknown */
    JUDGE_LACKS_PEAK,    /* of its precision */
    JUDGE_LACKS_BANDWIDTH,
    JUDGE_LACKS_LOOP, /* the calibration is older than the loop that moves memory so */
    JUDGE_LACKS
};

/* How it is known how many threads a call takes. */
enum judge_threads_from {
    JUDGE_FROM_OPTION,
    JUDGE_FROM_ENVIRONMENT, /* OPENBLAS_NUM_THREADS or the like was set */
    JUDGE_FROM_TIME         /* processor time beyond the threads that call kernels */
};

struct judge {
    const struct machine *machine; /* NULL: no judgement, only rates */
    unsigned threads;              /* of a call */
    enum judge_threads_from threads_from;
    unsigned set_threads; /* from the user, maybe more than there are processors; 0: not set */
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
    double call_ns; /* of the calls after the first ones; NAN: there is no other */
    double call_bytes;
    double flops_per_second;
    double bytes_per_second;
    double intensity; /* FLOPs a byte */
    double attainable_flops_per_second;
    double peak_fraction;      /* of the roof's peak */
    double bandwidth_fraction; /* of the roof's bandwidth */
    double stream_fraction;    /* of STREAM's triad from DRAM */
    double roof_fraction;      /* least time by time */
    double least_ns;           /* for all calls */
    double wasted_ns;          /* beyond it */
};

struct judge judge_init(const struct session *session, const struct analysis_options *options);

struct judgement judge_group(const struct judge *judge, const struct group *group);

/* Is this share of a limit beyond the errors of clocks and calibrations? */
bool judge_is_impossible(double fraction);

/* Say which figure of an invalid judgement was impossible, and what may be behind it. */
enum { JUDGE_INVALID_NOTES = 3 };
void judge_append_invalid(struct text *text, const struct judgement *judgement);

/* Note the kernels and shapes of a session that are invalid, whatever the rows stand for. */
void judge_note_impossible(struct table *table, const struct session *session,
                           const struct analysis_options *options);

/* Note an invalid row, JUDGE_INVALID_NOTES at most; and that there are more, `count` in all. */
void judge_note_invalid(struct table *table, const struct group *group,
                        const struct judgement *judgement);
void judge_note_more_invalid(struct table *table, size_t count);

/* "compute", "memory", "latency"; NULL when unknown. */
const char *judge_bound_name(enum judge_bound bound);

/* Say why a row has no roof: "the peak of bf16 is not known". */
void judge_append_lack(struct text *text, enum judge_lack lack, enum machine_precision precision);

/* The peak that a precision is judged by, with so many threads; NAN. */
double judge_peak(const struct machine *machine, enum machine_precision precision,
                  unsigned threads);

#endif
