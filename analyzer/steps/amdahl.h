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
    const char *name; /* as the user wrote it; NULL of a fraction */
    double fraction;  /* of the whole */
    double speedup;   /* that is asked about; INFINITY: it vanishes; NAN: none was asked */
    enum amdahl_kind kind;
    size_t matches; /* kernels or regions that the name stands for */
};

struct amdahl {
    struct array targets; /* of struct amdahl_target */
    double whole_ns;      /* wall time without our own cost; NAN without a trace */
};

/* How many times faster the whole is when each target is as much faster as it
 * says, or all of them by `speedup` where that is no NAN. */
double amdahl_of(const struct amdahl *amdahl, double speedup);

/* Sum of the fractions. */
double amdahl_fraction(const struct amdahl *amdahl);

/* Find the fractions of the named targets in a session.
 * Errors: STATUS_USAGE with a diagnostic: a name is unknown, or two targets have the same time.
 * STATUS_NOT_ENOUGH_DATA: the time of a target is unknown. */
enum status amdahl_find(struct amdahl *amdahl, const struct session *session,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Make a document of it. */
void amdahl_build(const struct amdahl *amdahl, struct document *document);

#endif
