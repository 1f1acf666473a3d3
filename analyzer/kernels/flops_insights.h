/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the mix of operations says of the model.
 */
#ifndef KERNELS_FLOPS_INSIGHTS_H
#define KERNELS_FLOPS_INSIGHTS_H

#include "base/status.h"
#include "base/text.h"
#include "document/document.h"

struct session;

/* Describe the model by the roles of the kernels: the ratio of attention to
 * feed-forward, its rule, and the growth of its work; in lines of the summary
 * for people, in a record for programs. */
void flops_add_insights(struct document *document, struct record *summary,
                        const struct session *session);

/* Say which sort of network the mix of operations looks like, and how its work grows; nothing
 * when it looks like none, or kernels take too little time. */
void flops_append_network(struct text *line, const struct session *session);

#endif
