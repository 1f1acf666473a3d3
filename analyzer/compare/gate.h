/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The gate decides whether new runs are worse than a baseline.
 *
 * A run fails if it ended badly, and unlike every run of the baseline: it did other work.  Exact
 * counts must be equal.  A count that varies must not differ with certainty, up or down.  A
 * measured figure is a regression when its slowdown is certain (beyond the allowed noise, adjusted
 * by Holm over all figures) and a slowdown as large as the threshold cannot be ruled out (the
 * interval reaches it, less half the noise).  An estimate above the threshold is not required: that
 * would miss every second slowdown of exactly this size.
 */
#ifndef COMPARE_GATE_H
#define COMPARE_GATE_H

#include "compare/figure.h"

enum gate_inconclusive {
    GATE_TELL, /* too few runs: STATUS_NOT_ENOUGH_DATA; undecided figures pass */
    GATE_PASS,
    GATE_FAIL
};

struct gate_policy {
    struct figure_options figure;
    double threshold;   /* 0.05: slowdowns from 5 % on matter */
    double noise;       /* 0.01: those up to 1 % never do */
    double least_share; /* share of wall time; smaller kernels and regions are not judged */
    bool allows_structure;
    bool is_minimal; /* the baseline has one number for each operation, so only ratios are judged */
    enum gate_inconclusive inconclusive;
    const char *source_root; /* left out of the paths of files; NULL: nothing */
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

/* The aspect of a part that a check is about. */
enum gate_aspect { GATE_OF_QUANTITY, GATE_OF_PRESENCE, GATE_OF_ENDING };

struct gate_check {
    struct figure figure; /* for an ending, only its part is known */
    enum gate_result result;
    enum gate_aspect aspect;
    double share;            /* share of wall time; NAN when it has none */
    double beyond_p_value;   /* for a slowdown beyond the noise, adjusted by Holm */
    double adjusted_p_value; /* for any difference, adjusted by Holm */
    size_t deviating;        /* new runs that differ from an exact value of the baseline */
    const char *ending;      /* the first bad ending, for a check of endings */
};

struct gate {
    const struct pair *pair;
    struct gate_policy policy;
    struct pair_part run; /* the whole run, for checks without a quantity */
    struct array checks;  /* of struct gate_check */
    size_t counts[GATE_RESULTS];
    size_t tests;        /* figures that are tested */
    size_t runs_needed;  /* for each side, before the test can decide; 0: there are enough */
    enum status verdict; /* OK, POLICY_FAILED or NOT_ENOUGH_DATA */
};

/* Judge.  The pair must outlive the gate. */
void gate_init(struct gate *gate, const struct pair *pair, const struct gate_policy *policy);
void gate_fini(struct gate *gate);

/* Returns: a run with an estimated heap if the threshold is 0, which no estimate can meet;
 * otherwise NULL. */
const struct run *gate_find_drawn(const struct gate *gate);

/* Reduce runs to the operations of a minimal baseline.  An operation is a region (by its path or
 * label) or a kernel (by its name), both with the time of a call, or the whole run (by the
 * program's name).  Each operation of the baseline gets its subject in the runs, or stays
 * RUN_OPERATION if no run has it.  `made` need not be initialized. */
void gate_reduce(struct run_side *made, const struct run_side *of, struct run *minimal);

#endif
