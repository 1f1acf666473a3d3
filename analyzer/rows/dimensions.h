/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dimensions of facts that have a thread, a region, an op or a place: each gives the meaning
 * and the name of a row.  Dimensions of a single table are next to that table.
 */
#ifndef ROWS_DIMENSIONS_H
#define ROWS_DIMENSIONS_H

#include "analysis/analysis.h"
#include "base/text.h"

struct session;

/* The place of an event: a call of a kernel, a wait, an op. */
struct fact {
    uint32_t thread; /* index in threads */
    uint32_t region; /* index in regions */
    uint32_t layer;  /* index in layers: a module of torch.nn; 0: in none */
    uint64_t site;   /* return address of the call */
};

/* Returns: the innermost module of torch.nn around an op; 0: there is none. */
uint32_t fact_layer(const struct session *session, uint32_t op);

/* Append the name of the row that a fact belongs to.  Facts of one name are one row. */
typedef void (*dimension)(struct text *name, const struct session *session,
                          const struct fact *fact);

/* Returns: the dimension; NULL: facts alone do not define it. */
dimension dimension_find(enum analysis_by by);

/* The same, for callers that append more. */
void dimension_append_region(struct text *name, const struct session *session,
                             const struct fact *fact);
void dimension_append_layer(struct text *name, const struct session *session,
                            const struct fact *fact);

/* Dimensions that facts alone define: a bit 1 << ANALYSIS_BY_... each. */
enum {
    DIMENSIONS_OF_PLACES = 1 << ANALYSIS_BY_SITE | 1 << ANALYSIS_BY_LINE |
                           1 << ANALYSIS_BY_FUNCTION | 1 << ANALYSIS_BY_FILE |
                           1 << ANALYSIS_BY_PYTHON,
    DIMENSIONS = DIMENSIONS_OF_PLACES | 1 << ANALYSIS_BY_THREAD | 1 << ANALYSIS_BY_REGION |
                 1 << ANALYSIS_BY_MODULE
};

#endif
