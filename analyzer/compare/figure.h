/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One quantity of one part, compared: how far apart the sides are, how sure that is,
 * and what could not have been seen.
 *
 * The unit of replication is the run of a process: calls within one run depend on one
 * another, and processes differ by more than their calls do (Kalibera and Jones, ISMM
 * 2013).  With one run a side the calls are compared, as means of so many in a row that
 * they are independent, and the result is about these two runs, not about programs.
 */
#ifndef COMPARE_FIGURE_H
#define COMPARE_FIGURE_H

#include <stdbool.h>

#include "compare/pair.h"
#include "statistics/interval.h"

enum figure_test {
    FIGURE_BY_RANK, /* Mann and Whitney, Hodges and Lehmann */
    FIGURE_BY_MEAN  /* Welch, Fieller; by rank where no side varies */
};

struct figure_options {
    enum figure_test test;
    double confidence;
};

enum figure_basis {
    FIGURE_OF_NOTHING, /* a side does not know it */
    FIGURE_OF_ONE,     /* a side has one value: a ratio, and no test */
    FIGURE_OF_CALLS,   /* calls of one run a side */
    FIGURE_OF_RUNS     /* two or more a side */
};

enum figure_outcome {
    FIGURE_UNKNOWN, /* nothing to compare, or no test is possible */
    FIGURE_SAME,    /* all values of both sides are equal */
    FIGURE_LESS,    /* certain, at the confidence and for all figures together */
    FIGURE_MORE,
    FIGURE_UNDECIDED, /* cannot be told apart */
    FIGURE_DIFFERS    /* in these runs; too few for any test, so nothing follows about programs */
};

/* NAN: unknown. */
struct figure {
    const struct pair_part *part;
    enum run_quantity quantity;
    enum figure_basis basis;
    enum figure_outcome outcome;
    enum figure_test test; /* that gave p and the interval */
    size_t base_count;     /* values */
    size_t changed_count;
    size_t batch; /* calls in a row of which a value is the mean, FIGURE_OF_CALLS */
    double base;  /* medians */
    double changed;
    struct statistics_interval base_range; /* smallest and largest */
    struct statistics_interval changed_range;
    bool is_fixed; /* every run of the base has one and the same value */
    double ratio;  /* changed / base; NAN where one of them is below 0, or base 0 */
    struct statistics_interval ratio_interval;
    double base_error; /* standard errors of estimates: see run_row.errors */
    double changed_error;
    struct statistics_interval error_ratio; /* factors by which errors may change the ratio; 1: by
                                               nothing */
    double difference; /* changed - base: the shift by ranks, or of means */
    double p_value;
    double adjusted_p_value; /* of all figures judged together; of the main one as it is */
    bool is_main;            /* what is asked first of all; set before it is judged */
    double least_p_value;    /* that so few values can reach */
    double cliffs_delta;
    double least_ratio; /* smallest change that would be seen with a chance of 0.8 */
};

/* Compare a quantity of a part; a test is not yet judged. */
void figure_init(struct figure *figure, const struct pair_part *part, enum run_quantity quantity,
                 const struct figure_options *options);

/* Adjust for their number (Benjamini and Hochberg) and judge figures.  The main one stands
 * alone: it was asked for before anything was seen, and no row beside it makes it dearer.
 * Shape: `figures` of struct figure. */
void figures_judge(struct array *figures, const struct figure_options *options);

/* Tell how probable such samples are if changed were at most `bound` times base.
 * One-sided: only more is asked for. */
void figure_test_beyond(const struct figure *figure, double bound,
                        const struct figure_options *options, double *p_value);

/* Ask whether a side is an estimate. */
bool figure_is_estimate(const struct figure *figure);

/* Ask whether the ratio is above or below a bound whatever the errors of what is counted; what is
 * exact or measured is left to the test. */
bool figure_is_more(const struct figure *figure, double bound);
bool figure_is_less(const struct figure *figure, double bound);

/* Ask whether one run a side was sampled too little to tell a difference of these two runs. */
bool figure_is_chance(const struct figure *figure);

/* Find the errors of both sides of a figure that is described, and widen its interval by them, for
 * figure_init. */
void figure_find_errors(struct figure *figure, double confidence);
void figure_widen(struct figure *figure);

/* How many runs a side the test needs to reach `level` at all, with so many tests that
 * are adjusted after Holm. */
size_t figure_runs_needed(enum figure_test test, double level, size_t tests);

/* Give the median of a quantity over the rows that know it; NAN of none. */
void figure_median(const struct array *rows, enum run_quantity quantity, double *median);

#endif
