/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The document of a comparison: two sides, or a chain of sides, each compared with the first and
 * with the one before.
 */
#ifndef COMPARE_REPORT_H
#define COMPARE_REPORT_H

#include "compare/figure.h"
#include "document/document.h"

enum { REPORT_DERIVED_MAX = 16, REPORT_CURRENCY_SIZE = 8 };

/* A column of the user's: NAME=EXPRESSION. */
struct report_derived {
    const char *name;
    const char *expression;
};

struct report_request {
    const struct run_side *sides;
    size_t count; /* at least two */
    struct figure_options figure;
    struct report_derived derived[REPORT_DERIVED_MAX];
    size_t derived_count;
    double price_per_hour;               /* price of the machine; NAN: the user gave none */
    char currency[REPORT_CURRENCY_SIZE]; /* empty: the user gave none */
    bool shows_sides;                    /* the table of all sides, for two too */
};

/* A report and the schemas made for it, which live as long as its document. */
struct report {
    struct document document;
    struct array columns; /* of struct column */
    struct table_schema sides_schema;
    char cost_title[32];
};

/* Errors: STATUS_USAGE with a diagnostic, for a derived column; finish the report even then. */
enum status report_compare(struct report *report, const struct report_request *request,
                           struct diagnostic *diagnostic) MUST_CHECK;
void report_fini(struct report *report);

#endif
