/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conclusions from the mix of operations.
 */
#ifndef KERNELS_FLOPS_INSIGHTS_H
#define KERNELS_FLOPS_INSIGHTS_H

#include "base/status.h"
#include "base/text.h"
#include "document/document.h"

struct session;

/* Describe the model by the roles of the kernels: the ratio of attention to feed-forward, its rule,
 * and the growth of its work.  People get lines of the summary, programs a record. */
void flops_add_insights(struct document *document, struct record *summary,
                        const struct session *session);

/* Say which sort of network the mix of operations resembles, and how its work grows; nothing when
 * it resembles none, or when kernels take too little time. */
void flops_append_network(struct text *line, const struct session *session);

#endif
