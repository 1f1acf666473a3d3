/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The recorded kernels on another machine, by the roofline model.
 *
 * "Here" is the machine of the trace, "there" the other one.  At best, a call reaches the full roof
 * there.  The usual estimate is that it reaches the same share of the roof as here.  A call bound
 * by latency keeps its excess over the least time, or has the launch cost of an accelerator
 * instead.  Code outside kernels, and kernels without a roof there, take as long as here: G.
 * Amdahl, Validity of the single processor approach, AFIPS 1967.
 *
 * Kernels in several threads at once share their wall time evenly: waits/wall.h.
 */
#ifndef MONEY_WHATIF_H
#define MONEY_WHATIF_H

#include "kernels/groups.h"
#include "kernels/judge.h"
#include "waits/wall.h"

enum { WHATIF_NAME_SIZE = 128 };

/* The other machine. */
struct whatif_place {
    char name[WHATIF_NAME_SIZE];
    struct machine machine; /* its limits */
    unsigned threads;       /* threads of a call there */
    bool is_accelerator;
    double product_peaks[MACHINE_PRECISIONS]; /* peaks of units for matrix products; NAN: the same
                                                 as other work */
    double launch_ns;                         /* cost of a call there */
    double link_bytes_per_second; /* bandwidth from the host, one way; NAN: no transfer is needed */
};

enum whatif_bound { WHATIF_UNKNOWN, WHATIF_COMPUTE, WHATIF_MEMORY, WHATIF_LAUNCH };

/* A kernel of one shape. */
struct whatif_row {
    const struct group *group;
    struct judgement here;
    struct machine_roof roof; /* there */
    double here_ns;           /* time of the calls that own their FLOPs: group_work_ns */
    double best_ns;           /* time there at the roof; NAN: no roof there */
    double there_ns;          /* at the same share of the roof as here; best_ns if the share is
                                 unknown */
    double transfer_ns;       /* transfer of each operand of each call, once; NAN: unknown */
    enum whatif_bound bound;  /* there */
};

/* Sums over all kernels, and wall times. */
struct whatif_sums {
    double wall_ns;         /* here */
    double kernel_fraction; /* share of the wall time in kernels; NAN: none was recorded */
    double here_ns;         /* time of all kernels */
    double there_ns;        /* time of all kernels; the time here, for those without a roof there */
    double best_ns;
    double roofless_ns;    /* here, of kernels without a roof there */
    double unjudged_ns;    /* here, of kernels with an unknown share of the roof here */
    double transfer_ns;    /* NAN: there is no link */
    double whole_there_ns; /* wall time there */
    double whole_best_ns;
};

/* The recorded run. */
struct whatif_source {
    const struct session *session;
    const struct analysis_options *options;
    const struct groups *groups; /* groups of the session, by shape */
    const struct wall *wall;     /* expensive to find in a long recording */
};

struct whatif {
    const struct session *session;
    const struct whatif_place *place;
    struct judge judge;
    struct array rows; /* of struct whatif_row, the longest here first */
    struct whatif_sums sums;
};

/* Estimate the times of the recorded kernels there. */
void whatif_init(struct whatif *whatif, const struct whatif_source *source,
                 const struct whatif_place *place);
/* "compute", "memory", "launch"; NULL when unknown. */
const char *whatif_bound_name(enum whatif_bound bound);

/* Start a place without any known figures. */
void whatif_place_init(struct whatif_place *place);
void whatif_place_fini(struct whatif_place *place);

/* Give the peak of a precision there, for matrix products or other work.  An unknown precision has
 * the highest peak. */
double whatif_peak(const struct whatif_place *place, enum machine_precision precision,
                   bool is_product);

#endif
