/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of runs as text for monitoring: Prometheus's, and OpenMetrics', which ends with a line of
 * its own.
 */
#ifndef EXPORT_METRICS_H
#define EXPORT_METRICS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "base/status.h"
#include "base/text.h"
#include "base/text_index.h"

struct session;

enum metrics_family {
#define METRIC(id, name, help) METRICS_##id,
#include "export/metrics.def"
#undef METRIC
    METRICS
};

/* The samples of a family follow one another, over all runs. */
struct metrics {
    struct text families[METRICS];
    struct text_index processes; /* by their labels */
    struct array images;         /* of size_t: how many programs each has been */
};

void metrics_init(struct metrics *metrics);
/* Add a run. */
void metrics_add(struct metrics *metrics, const struct session *session);

/* Write all of them; `is_open` as OpenMetrics. */
void metrics_write(const struct metrics *metrics, bool is_open, FILE *out);

#endif
