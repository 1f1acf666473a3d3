/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Amdahl's law: the speed-up of the whole by a faster part.
 * Source: G. Amdahl, "Validity of the single processor approach", AFIPS 1967.
 */
#ifndef STEPS_AMDAHL_H
#define STEPS_AMDAHL_H

#include "analysis/analysis.h"
#include "base/array.h"

enum amdahl_kind {
    AMDAHL_FRACTION, /* stated by the user */
    AMDAHL_KERNEL,
    AMDAHL_REGION,
    AMDAHL_OPERATION, /* an operation or class of kernels: "attention", "matmul" */
    AMDAHL_KINDS
};

struct amdahl_target {
    const char *name; /* in the user's words; NULL for a fraction */
    double fraction;  /* share of the whole */
    double speedup;   /* the requested speed-up; INFINITY: the target vanishes; NAN: none
                         requested */
    enum amdahl_kind kind;
    size_t matches; /* kernels or regions that the name means */
};

struct amdahl {
    struct array targets; /* of struct amdahl_target */
    double whole_ns;      /* wall time without our own cost; NAN without a trace */
};

/* Compute how many times faster the whole is with the speed-up of each target; or, unless `speedup`
 * is NAN, with `speedup` for all targets. */
double amdahl_of(const struct amdahl *amdahl, double speedup);

/* Sum of the fractions. */
double amdahl_fraction(const struct amdahl *amdahl);

/* Find the fractions of the named targets in a session.
 * Errors: STATUS_USAGE with a diagnostic: a name is unknown, or two targets have the same time.
 * STATUS_NOT_ENOUGH_DATA: the time of a target is unknown. */
enum status amdahl_find(struct amdahl *amdahl, const struct session *session,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Make a document of the result. */
void amdahl_build(const struct amdahl *amdahl, struct document *document);

#endif
