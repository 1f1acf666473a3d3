/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The rows of all tables that sum over allocation sites: by site, function, line and kernel, and
 * the suspects of a leak report.
 */
#ifndef HEAP_HEAP_ROWS_H
#define HEAP_HEAP_ROWS_H

#include "analysis/stage_words.h"
#include "heap/chain_rows.h"
#include "heap/heap_sums.h"
#include "places/places.h"

/* The subject of a row. */
struct heap_row {
    struct heap_sums sums;
    const struct place *place; /* NULL: only `name` is known */
    const char *name;          /* name shown; kept by the caller; NULL: from the place */
    const char *kernel;        /* the kernel around the site; NULL: none, or several */
    const struct array *chain; /* of struct place, or NULL */
    size_t owner;              /* index of `place` in the chain */
};

/* Common to all rows. */
struct heap_view {
    enum analysis_measure measure;
    uint64_t whole;            /* total for shares: the measure over all sites */
    struct chain_rows *chains; /* NULL: no row has one */
    size_t callers;            /* shown below a row */
    const struct session *session;
};

/* Start a table.  Estimates have a column of errors. */
void heap_rows_init(struct table *table, const struct heap_view *view);

/* Add a row. */
void heap_rows_add(struct table *table, const struct heap_view *view, const struct heap_row *row);

/* Add "(3 others)" with their sums. */
void heap_rows_add_others(struct table *table, const struct heap_view *view,
                          const struct heap_sums *sums, size_t count);

/* Note the whole of the shares, and the estimated columns. */
void heap_rows_add_notes(struct table *table, const struct session *session,
                         const struct heap_view *view);

/* Note the time until the rows are exact and the records after that, if some blocks or chains were
 * not recorded. */
void heap_rows_note_estimates(struct table *table, const struct session *session,
                              enum stage_words_of stages);

/* Note that records are missing, and why, when they are. */
void heap_rows_note_missing(struct table *table, const struct session *session);

/* Note the estimates and the losses of the trace. */
void heap_rows_add_doubts(struct table *table, const struct session *session);

/* Add a note about missing call chains or names, if any are missing. */
void heap_rows_note_names(struct table *table, const struct session *session);

/* Returns: the whole for a sentence: "1.20 GiB", or a count. */
struct said heap_rows_whole(const struct heap_view *view);

#endif
