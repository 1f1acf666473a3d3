/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `tprof flops`, for flops.c alone.
 */
#ifndef KERNELS_FLOPS_PARTS_H
#define KERNELS_FLOPS_PARTS_H

#include "figures/compute.h"

/* A row a kernel, with its shape or without. */
enum status flops_build_kernels(const struct groups *groups, struct table *table) MUST_CHECK;

/* A row a class, operation, thread or place. */
enum status flops_build_groups(const struct groups *groups, struct table *table) MUST_CHECK;

/* Regions as a tree, with what is inside of each and without. */
enum status flops_build_regions(const struct session *session, struct table *table) MUST_CHECK;

/* Say what the roles of the kernels tell of the model: how attention stands to
 * feed-forward, by which rule, and how its work grows; in lines of the summary
 * for people, in a record for programs.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status flops_add_insights(struct document *document, struct record *summary,
                               const struct session *session) MUST_CHECK;

/* Say which sort of network the mix of operations looks like, and how its work grows;
 * nothing when it looks like none, or kernels take little and their mix does not tell.
 * Errors: STATUS_OUT_OF_MEMORY. */
enum status flops_append_network(struct text *line, const struct session *session) MUST_CHECK;

#endif
