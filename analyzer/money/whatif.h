/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The recorded kernels on another machine, by the roofline model.
 *
 * A call takes there the least time that the other machine's roof allows, at best; or
 * that by the share of its own machine's roof which it reaches here.  A call bound by
 * latency keeps what it takes beyond its least time, or has the launch cost of an
 * accelerator instead.  What is no kernel, or has no roof there, takes as long as here:
 * G. Amdahl, Validity of the single processor approach, AFIPS 1967.
 *
 * Kernels that run in several threads at once share their wall time evenly: time/wall.h.
 */
#ifndef MONEY_WHATIF_H
#define MONEY_WHATIF_H

#include "figures/groups.h"
#include "figures/judge.h"
#include "figures/wall.h"

enum { WHATIF_NAME_SIZE = 128 };

/* Where the kernels are to run. */
struct whatif_place {
    char name[WHATIF_NAME_SIZE];
    struct machine machine; /* its limits */
    unsigned threads;       /* of a call there */
    bool is_accelerator;
    double product_peaks[MACHINE_PRECISIONS]; /* of units for products of matrices; NAN: as
                                                 other work */
    double launch_ns;                         /* that each call costs there */
    double link_bytes_per_second; /* from the host, one way; NAN: no transfer is needed */
};

enum whatif_bound { WHATIF_UNKNOWN, WHATIF_COMPUTE, WHATIF_MEMORY, WHATIF_LAUNCH };

/* A kernel of one shape. */
struct whatif_row {
    const struct group *group;
    struct judgement here;
    struct machine_roof roof; /* there */
    double here_ns;           /* of the calls that own their FLOPs: group_work_ns */
    double best_ns;           /* there, at the roof; NAN: no roof there */
    double there_ns;          /* as near to the roof as here; equals best_ns where that is not
                                 known */
    double transfer_ns;       /* of all operands of all calls, once each; NAN */
    enum whatif_bound bound;  /* there */
};

/* Wall times and what they rest on. */
struct whatif_sums {
    double wall_ns;         /* here */
    double kernel_fraction; /* of the wall time, in kernels; NAN: none was seen */
    double here_ns;         /* of all kernels */
    double there_ns;        /* of these, what has no roof there as here */
    double best_ns;
    double roofless_ns;    /* here, of kernels without a roof there */
    double unjudged_ns;    /* here, of kernels whose share of the roof here is not known */
    double transfer_ns;    /* NAN: there is no link */
    double whole_there_ns; /* wall time there */
    double whole_best_ns;
};

/* What ran here. */
struct whatif_source {
    const struct session *session;
    const struct analysis_options *options;
    const struct groups *groups; /* of the session, by shape */
    const struct wall *wall;     /* dear in a long recording, so found once */
};

struct whatif {
    const struct session *session;
    const struct whatif_place *place;
    struct judge judge;
    struct array rows; /* of struct whatif_row, the longest here first */
    struct whatif_sums sums;
};

/* Place the kernels that ran here.  Errors: STATUS_OUT_OF_MEMORY. */
enum status whatif_init(struct whatif *whatif, const struct whatif_source *source,
                        const struct whatif_place *place) MUST_CHECK;
void whatif_fini(struct whatif *whatif);

/* "compute", "memory", "launch"; NULL when unknown. */
const char *whatif_bound_name(enum whatif_bound bound);

/* Start a place with nothing known. */
void whatif_place_init(struct whatif_place *place);
void whatif_place_fini(struct whatif_place *place);

/* The peak of a precision there, for products of matrices or other work; that of a
 * precision that is not known is the highest. */
double whatif_peak(const struct whatif_place *place, enum machine_precision precision,
                   bool is_product);

#endif
