/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of runs as text for monitoring: the formats of Prometheus and of OpenMetrics, which needs a
 * last line.
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
    struct text_index processes; /* the processes by their labels */
    struct array images;         /* size_t: how many programs each process has run */
    size_t image;                /* the number of the last one in its process */
};

void metrics_init(struct metrics *metrics);
void metrics_fini(struct metrics *metrics);

/* Add a run. */
void metrics_add(struct metrics *metrics, const struct session *session);

/* Add an alert that is raised, of the run that was added last. */
void metrics_add_alert(struct metrics *metrics, const struct session *session, const char *alert);

/* Append a label, as all metrics have them: key="value", with a comma before it or "". */
void metrics_append_label(struct text *text, const char *comma, const char *key, const char *value);

/* Write all metrics; `is_open`: as OpenMetrics. */
void metrics_write(const struct metrics *metrics, bool is_open, FILE *out);

#endif
