/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate: whether new runs are worse than a baseline.
 *
 * A run that ended badly, and as none of the baseline did, fails: its times are those of
 * another work.  What is counted exactly must be the same; a count of work that varies must not
 * differ for certain, up or down.  A measured figure is a regression when its slowdown is certain
 * (beyond the noise that is allowed, tested after Holm over all figures) and one as large as the
 * threshold cannot be excluded (the interval reaches it, less half the noise).  To ask that the
 * estimate itself exceeds the threshold would miss every second slowdown of exactly that size.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/figure.h"

enum gate_inconclusive {
    GATE_TELL, /* too few runs: STATUS_NOT_ENOUGH_DATA; what is undecided passes */
    GATE_PASS,
    GATE_FAIL
};

struct gate_policy {
    struct figure_options figure;
    double threshold;   /* 0.05: slowdowns from 5 % on matter */
    double noise;       /* 0.01: those up to 1 % never do */
    double least_share; /* of wall time, below which a kernel or region is not judged */
    bool allows_structure;
    bool is_minimal; /* the baseline has one number an operation: ratios alone */
    enum gate_inconclusive inconclusive;
};

/* 5 %, 1 %, 1 %, by rank at 95 %. */
struct gate_policy gate_defaults(void);

enum gate_result {
#define RESULT(id, name, help) GATE_##id,
#include "compare/gate_results.def"
#undef RESULT
    GATE_RESULTS
};

/* "worse". */
const char *gate_result_name(enum gate_result result);

/* What of its part a check is about. */
enum gate_aspect { GATE_OF_QUANTITY, GATE_OF_PRESENCE, GATE_OF_ENDING };

struct gate_check {
    struct figure figure; /* its part alone is known, of an ending */
    enum gate_result result;
    enum gate_aspect aspect;
    double share;            /* of wall time; NAN when it has none */
    double beyond_p_value;   /* of a slowdown beyond the noise, adjusted after Holm */
    double adjusted_p_value; /* of any difference, the same */
    size_t deviating;        /* new runs that differ, of what the baseline has exactly */
    const char *ending;      /* of the first of them, of an ending */
};

struct gate {
    const struct pair *pair;
    struct gate_policy policy;
    struct pair_part run; /* the whole run, for what is no quantity of it */
    struct array checks;  /* of struct gate_check */
    size_t counts[GATE_RESULTS];
    size_t tests;        /* figures that are tested */
    size_t runs_needed;  /* a side, for the test to be able to decide; 0: there are enough */
    enum status verdict; /* OK, POLICY_FAILED or NOT_ENOUGH_DATA */
};

/* Judge.  The pair must outlive the gate. */
void gate_init(struct gate *gate, const struct pair *pair, const struct gate_policy *policy);
void gate_fini(struct gate *gate);

/* Returns: a run with an estimated heap, where the threshold is 0, which no estimate keeps; or
 * NULL. */
const struct run *gate_find_drawn(const struct gate *gate);

/* Make runs that have only the operations of a minimal baseline.  An operation is a region (by
 * its path or label) or a kernel (by its name), both with the time of a call, or the whole run
 * (by the program's name).  The baseline learns which of these each operation is.  An operation
 * that no run has stays RUN_OPERATION.  `made` need not be initialized. */
void gate_reduce(struct run_side *made, const struct run_side *of, struct run *minimal);

#endif
