/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One quantity of one part, compared: the difference of the sides, its certainty, and the least
 * visible change.
 *
 * The unit of replication is the process run: calls within a run depend on one another, and
 * processes differ more than their calls do (Kalibera and Jones, ISMM 2013).  With one run a side
 * the calls are compared, in batches whose means are independent, and the result is about these two
 * runs, not about programs.
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
    FIGURE_OF_NOTHING, /* unknown on a side */
    FIGURE_OF_ONE,     /* a side has one value: a ratio, and no test */
    FIGURE_OF_CALLS,   /* calls of one run a side */
    FIGURE_OF_RUNS     /* two or more a side */
};

enum figure_outcome {
    FIGURE_UNKNOWN, /* nothing to compare, or no test is possible */
    FIGURE_SAME,    /* all values of both sides are equal */
    FIGURE_LESS,    /* certain, after adjusting for all figures */
    FIGURE_MORE,
    FIGURE_UNDECIDED, /* no difference was certain */
    FIGURE_DIFFERS    /* in these runs; there are too few for a test, so it says nothing about the
                         programs */
};

/* NAN: unknown. */
struct figure {
    const struct pair_part *part;
    enum run_quantity quantity;
    enum figure_basis basis;
    enum figure_outcome outcome;
    enum figure_test test; /* source of p and the interval */
    size_t base_count;     /* values */
    size_t changed_count;
    size_t batch; /* calls in the mean that makes a value, FIGURE_OF_CALLS */
    double base;  /* medians */
    double changed;
    struct statistics_interval base_range; /* smallest and largest */
    struct statistics_interval changed_range;
    bool is_fixed; /* every run of the base has the same value */
    double ratio;  /* changed / base; NAN if one is below 0 or base is 0 */
    struct statistics_interval ratio_interval;
    double base_error; /* standard errors of estimates: see run_row.errors */
    double changed_error;
    struct statistics_interval error_ratio; /* factors of the ratio due to
                                               errors; 1: no error */
    double difference; /* changed - base: the shift by ranks, or of means */
    double p_value;
    double adjusted_p_value; /* for all figures judged together; the main figure's is not
                                adjusted */
    bool is_main;            /* the figure of the main question; set before it is judged */
    double least_p_value;    /* the smallest p value possible with this few values */
    double cliffs_delta;
    double least_ratio; /* smallest change that is seen with a chance of 0.8 */
};

/* Compare a quantity of a part; the test is judged later. */
void figure_init(struct figure *figure, const struct pair_part *part, enum run_quantity quantity,
                 const struct figure_options *options);

/* Adjust figures for their number (Benjamini and Hochberg), and judge them.  The main figure is not
 * adjusted: it was chosen before the data were seen, and other rows do not make it less certain.
 * Shape: `figures` of struct figure. */
void figures_judge(struct array *figures, const struct figure_options *options);

/* Give the probability of such samples if changed were at most `bound` times base.  The test is
 * one-sided: the question is only whether `changed` is more. */
void figure_test_beyond(const struct figure *figure, double bound,
                        const struct figure_options *options, double *p_value);

/* Ask whether a side is an estimate. */
bool figure_is_estimate(const struct figure *figure);

/* Ask whether the ratio is above or below a bound even with the largest errors of counts.  Exact
 * and measured figures are left to the test. */
bool figure_is_more(const struct figure *figure, double bound);
bool figure_is_less(const struct figure *figure, double bound);

/* Ask whether there is one run a side, with too few samples to distinguish the two runs. */
bool figure_is_chance(const struct figure *figure);

/* Find the errors of both sides of a described figure, and widen its interval accordingly, for
 * figure_init. */
void figure_find_errors(struct figure *figure, double confidence);
void figure_widen(struct figure *figure);

/* Tell how many runs a side the test needs to reach `level` at all among `tests` tests adjusted by
 * Holm. */
size_t figure_runs_needed(enum figure_test test, double level, size_t tests);

/* Give the median of a quantity over the rows that know it; NAN without such rows. */
void figure_median(const struct array *rows, enum run_quantity quantity, double *median);

#endif
