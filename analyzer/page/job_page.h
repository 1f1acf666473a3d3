/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one job as one page: the output of `tprof report --job`, the timeline of each on
 * a common axis, and a flame graph of all.
 *
 * Sessions come one after the other, and each may be closed afterwards.  The page has the timelines
 * of the JOB_PAGE_PROCESSES with the most processor time.
 */
#ifndef PAGE_JOB_PAGE_H
#define PAGE_JOB_PAGE_H

#include <stdio.h>

#include "base/array.h"
#include "base/text_list.h"
#include "document/document.h"
#include "page/stacks.h"

struct session;

enum { JOB_PAGE_PROCESSES = 64 };

struct job_page {
    struct array shown;  /* of struct job_process, see job_page.c */
    struct array clocks; /* of struct job_clock, of all processes */
    struct stacks_job stacks;
    size_t marks;     /* the most marks of a process's timeline */
    size_t left_out;  /* processes without a timeline */
    uint64_t first_ns; /* the first start and the last end, since 1970 */
    uint64_t last_ns;
};

/* Prepare for `processes` processes, which share the marks of a page. */
void job_page_init(struct job_page *page, size_t processes);
void job_page_fini(struct job_page *page);

/* Add a process with its name for people. */
void job_page_add(struct job_page *page, const struct session *session, const char *name);

/* Add the peers that a process waited for in a function; `index`: its place among the added
 * ones. */
void job_page_link(struct job_page *page, uint32_t index, const char *function, const char *peers);

/* Write the page, once.  A failed write is an error of `out`. */
void job_page_write(struct job_page *page, const struct document *document, FILE *out);

#endif
