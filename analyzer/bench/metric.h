/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers that a program prints: a name, and the regular expression whose first
 * group is the number.
 */
#ifndef BENCH_METRIC_H
#define BENCH_METRIC_H

#include <regex.h>

#include "base/status.h"

struct metric {
    char *name;
    regex_t pattern;
};

/* Read "accuracy=ACC: ([0-9.]+)"; without a name, the metric is called "metric".
 * Errors: STATUS_USAGE: no regular expression. */
enum status metric_read(struct metric *metric, const char *text,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* The same from a name and a pattern. */
enum status metric_init(struct metric *metric, const char *name, const char *pattern,
                        struct diagnostic *diagnostic) MUST_CHECK;

void metric_fini(struct metric *metric);

/* Give the number of the last match: its first group, or the whole match if the pattern has no
 * group.  ^ and $ match at each line.  A unit may follow: "12 ms", "12ms".  The value is NAN when
 * nothing matches, or when the match is a word such as "nan".
 * Errors: STATUS_USAGE with a diagnostic: the match starts as a number but is malformed, such as
 * "9de1" or "1,234"; its first digits would be another number. */
enum status metric_find(const struct metric *metric, const char *output, double *value,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
