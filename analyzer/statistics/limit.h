/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Does a percentile keep a limit?  The test of MLPerf LoadGen: of independent values, the number
 * above a percentile is binomial, so few enough values above the limit prove that the percentile is
 * below it, and many enough that it is above.
 */
#ifndef STATISTICS_LIMIT_H
#define STATISTICS_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

enum limit_answer { LIMIT_KEPT, LIMIT_BROKEN, LIMIT_OPEN };

struct limit_verdict {
    enum limit_answer answer;
    size_t count;
    size_t over;        /* values above the limit */
    size_t allowed;     /* at most so many over prove that the limit is kept */
    size_t least_count; /* of values, where as many as now may be over; 0: more than 2^31 */
    bool can_be_kept;   /* there are enough values, if none were over */
};

/* Judge a sample.  Units: `fraction` such as 0.99 for p99; `confidence` such as 0.99: the chance of
 * each wrong answer is at most the rest.
 * Source: V. J. Reddi et al., MLPerf Inference Benchmark (2020), section on early stopping. */
struct limit_verdict limit_judge(size_t over, size_t count, double fraction, double confidence);

#endif
