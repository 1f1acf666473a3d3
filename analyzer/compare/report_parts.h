/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of a comparison's document, used only by its files.
 */
#ifndef COMPARE_REPORT_PARTS_H
#define COMPARE_REPORT_PARTS_H

#include "compare/report.h"

/* A pair with its figures, which are judged together. */
struct compared {
    struct pair pair;
    struct array figures; /* of struct figure, by part in the order of the pair */
};

void compared_init(struct compared *compared, const struct run_side *base,
                   const struct run_side *changed, const struct figure_options *options);
void compared_fini(struct compared *compared);

/* Returns: NULL when there is none. */
const struct figure *compared_find(const struct compared *compared, const struct pair_part *part,
                                   enum run_quantity quantity);
const struct figure *compared_whole(const struct compared *compared, enum run_quantity quantity);

/* A median of a quantity of the whole, or of a metric, over the runs of a side; NAN. */
double side_median(const struct run_side *side, double (*give)(const struct run *, const void *),
                   const void *of);
double side_whole(const struct run_side *side, enum run_quantity quantity);
double side_metric(const struct run_side *side, const char *metric);

/* Fill tables with the rows of a pair. */
void report_add_structure(struct table *table, const struct compared *compared);
void report_add_times(struct table *table, const struct compared *compared);
/* Name the kernels whose calls changed with certainty in the opposite direction to their total. */
void report_note_calls(struct table *table, const struct compared *compared);
void report_add_memory(struct table *table, const struct compared *compared);
void report_add_rates(struct table *table, const struct compared *compared);
void report_add_metrics(struct table *table, const struct compared *compared);
extern const struct table_schema report_structure_schema, report_times_schema, report_memory_schema,
    report_rates_schema, report_metrics_schema;

/* The sentences at the top, and the record of the same for programs. */
void report_add_headline(struct text_list *lines, const struct compared *compared,
                         const struct figure_options *options);
void report_add_whole(struct document *document, const struct compared *compared,
                      const struct report_request *request);

/* All sides, one in each row; and, for a chain, the course of the wall time. */
enum status report_add_sides(struct report *report, const struct report_request *request,
                             struct diagnostic *diagnostic) MUST_CHECK;
void report_add_chain(struct table *table, const struct report_request *request);
extern const struct table_schema report_chain_schema;

#endif
