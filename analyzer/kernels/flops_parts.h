/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of `tprof flops`, used only by flops.c.
 */
#ifndef KERNELS_FLOPS_PARTS_H
#define KERNELS_FLOPS_PARTS_H

#include "kernels/compute.h"

/* A row a kernel, with its shape or without. */
void flops_build_kernels(const struct groups *groups, struct table *table);

/* A row a class, operation, thread or place. */
void flops_build_groups(const struct groups *groups, struct table *table);

/* Regions as a tree, each with and without its inner regions. */
void flops_build_regions(const struct session *session, struct table *table);

#endif
