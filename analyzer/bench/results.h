/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs of each point, merged and compared with another point.
 */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include "bench/plan.h"
#include "bench/sample.h"
#include "statistics/interval.h"
#include "statistics/two_samples.h"

/* The time of a run to compare. */
enum measure {
    MEASURE_WALL,
    MEASURE_CPU,
    MEASURE_KERNELS, /* summed over threads */
    MEASURE_REGION   /* inclusive, summed over threads */
};

/* The word of --measure; "=" and a path follow "region". */
const char *measure_words(enum measure measure);

/* Find a measure by its word.  Returns: false when there is none. */
bool measure_find(const char *word, enum measure *measure);

enum reference_choice {
    REFERENCE_FIRST,
    REFERENCE_FASTEST,
    REFERENCE_NAMED /* a label of a command or point */
};

struct results_options {
    enum measure measure;
    const char *region; /* path of a region, for MEASURE_REGION */
    enum reference_choice choice;
    const char *reference; /* label, for REFERENCE_NAMED */
    double confidence;
};

enum verdict {
    VERDICT_NONE, /* nothing to compare with */
    VERDICT_REFERENCE,
    VERDICT_FASTER,
    VERDICT_SLOWER,
    VERDICT_SAME,   /* no visible difference */
    VERDICT_TOO_FEW /* too few runs to see any */
};

/* Choose the reference by a word, which is stored: first, fastest or a label. */
void results_choose_reference(struct results_options *options, const char *word);

/* Numbers of one kind, one a run. */
struct spread {
    size_t count;
    double mean;
    double sd;
    double minimum;
    double maximum;
    double median;
    struct statistics_interval median_interval; /* from order statistics */
};

/* The results of a point.  NAN: unknown. */
struct result {
    const struct plan_point *point;
    struct array times_ns; /* double, of the runs that count, in the order of time */
    struct spread time;    /* spread of these times */
    unsigned failures;
    unsigned timeouts;
    double wall_ns; /* medians */
    double user_ns;
    double system_ns;
    double peak_rss_bytes; /* highest of all runs, as is the next */
    double peak_heap_bytes;
    double flops; /* FLOPs of a run; NAN also when runs differ */
    bool flops_differ;
    double overhead; /* median */
    unsigned traces; /* most of any run */
    double items;
    struct array metrics; /* double, in the order of the plan: medians */
    size_t reference;     /* index of the result it is compared with; its own: none */
    struct rank_comparison comparison;
    double p_adjusted;  /* for all tests of the results */
    double least_ratio; /* smallest change that would be seen, as a fraction */
    enum verdict verdict;
};

struct results {
    const struct plan *plan;
    const struct array *samples; /* of struct sample */
    struct results_options options;
    struct array points; /* of struct result, in the order of the plan */
    size_t tests;        /* the tests that p is adjusted for */
};

/* Sort numbers, none of them NAN, and describe them. */
struct spread spread_of(double *numbers, size_t count, double confidence);

/* Give the chosen time of a run; NAN. */
double results_time(const struct results_options *options, const struct sample *sample);

/* Throughput in items a second, with the interval of its time; NAN. */
double result_item_rate(const struct result *result);
struct statistics_interval result_item_rate_interval(const struct result *result);

/* FLOPs by time. */
double result_flop_rate(const struct result *result);

/* Time of a batch. */
double result_latency_ns(const struct result *result);

/* Check before any run whether the reference exists.
 * Errors: STATUS_USAGE with a diagnostic. */
enum status results_check(const struct plan *plan, const struct results_options *options,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* The number of runs that each point of an expanded plan needs for a verdict.
 * Returns: 0 if no points are compared. */
unsigned results_runs_needed(const struct plan *plan, const struct results_options *options);

/* Turn the samples into results.  The plan and the samples must outlive the results. */
void results_init(struct results *results, const struct plan *plan, const struct array *samples,
                  const struct results_options *options);
void results_fini(struct results *results);

#endif
