/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An analysis turns a session into one table.  It never prints; it says in
 * the table's notes which whole its shares are of and what it does not know.
 *
 * The rows of analyses.def are the analyses there are; each is a constant at
 * the end of its own file, and a command of its name.
 */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include <stdbool.h>

#include "analysis/table.h"
#include "base/status.h"
#include "model/session.h"

/* What the rows of a table stand for. */
enum analysis_by { ANALYSIS_BY_SHAPE, ANALYSIS_BY_KERNEL };

struct analysis_options {
    enum analysis_by by;
    double confidence; /* of intervals, such as 0.95 */
    unsigned warmup;   /* first calls of a slot that statistics leave out */
    bool timeline;     /* memory: the readings in order, not the regions */
};

struct analysis {
    const char *name;
    const char *help;
    const char *sort_key; /* column by which rows are sorted unless asked otherwise; NULL: none */
    /* Fill a table that was not initialized.
     * Errors: STATUS_OUT_OF_MEMORY; the table may be finished all the same. */
    enum status (*build)(const struct session *session, const struct analysis_options *options,
                         struct table *table);
};

#define ANALYSIS(name) extern const struct analysis analysis_##name;
#include "analysis/analyses.def"
#undef ANALYSIS

/* The options as they are when the user says nothing. */
struct analysis_options analysis_defaults(void);

/* Give the analyses one by one.  Returns: NULL past the last. */
const struct analysis *analysis_at(size_t index);

/* Returns: the analysis of this name, or NULL. */
const struct analysis *analysis_find(const char *name);

#endif
