/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call trees of a session: by functions, and by regions, ops and kernels.
 */
#ifndef PAGE_STACKS_H
#define PAGE_STACKS_H

#include <stdbool.h>

#include "export/stacks.h"
#include "page/html.h"
#include "page/page_request.h"

/* Put an array of trees. */
void stacks_put(struct html *html, const struct page_request *request);

struct session;

/* The tree of a job, with processes instead of threads. */
struct stacks_job {
    struct export_stacks stacks;
    bool has[EXPORT_WEIGHTS]; /* any process has this weight */
};

void stacks_init_job(struct stacks_job *job);
void stacks_add_process(struct stacks_job *job, const struct session *session, const char *name);

/* Put the tree once. */
void stacks_put_job(struct html *html, struct stacks_job *job);

#endif
