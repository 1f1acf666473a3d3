/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The call trees of a session: by functions, and by regions, ops and kernels.
 */
#ifndef PAGE_STACKS_H
#define PAGE_STACKS_H

#include "page/html.h"
#include "page/page_request.h"

/* Put an array of trees. */
void stacks_put(struct html *html, const struct page_request *request);

struct call_tree;
struct session;

/* Make the tree of a job, whose processes stand where threads do otherwise; and add one. */
void stacks_init_job(struct call_tree *tree);
void stacks_add_process(struct call_tree *tree, const struct session *session, const char *name);

#endif
