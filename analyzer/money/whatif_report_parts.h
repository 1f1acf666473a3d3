/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The unfinished answer of `tprof whatif`, which whatif_report.c fills table by table.
 */
#ifndef MONEY_WHATIF_REPORT_PARTS_H
#define MONEY_WHATIF_REPORT_PARTS_H

#include "money/crossover.h"
#include "money/whatif_report.h"

struct whatif_report {
    const struct whatif_question *question;
    const struct groups *groups;
    struct wall wall;
    struct crossover_line line; /* line of products here */
    struct crossover_line reference_line;
};

/* Add the table of machines. */
struct table *whatif_start_machines(struct document *document) MUST_CHECK;

/* Add a machine with its notes. */
void whatif_add_machine(struct table *table, const struct whatif_report *report,
                        const struct whatif *whatif);

/* The same for the kernels of all machines; the second function cuts them to the user's number. */
struct table *whatif_start_kernels(struct document *document,
                                   const struct whatif_question *question) MUST_CHECK;
void whatif_add_kernels(struct table *table, const struct whatif *whatif);
void whatif_end_kernels(struct table *table, const struct whatif_question *question);

#endif
