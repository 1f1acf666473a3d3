/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The precision of a kernel, by the catalog, or by its name, its shape and its arguments.
 */
#ifndef KERNELS_KERNEL_PRECISION_H
#define KERNELS_KERNEL_PRECISION_H

#include "kernels/group.h"
#include "model/machine.h"
#include "model/session_kernels.h"

struct session;

/* Find the precision of a row's kernel: by the catalog, else by the types in its shape, else by its
 * name, else by its floating-point arguments.  Returns: MACHINE_PRECISIONS when unknown. */
enum machine_precision kernel_precision_of(const struct group *group);

/* The same for a slot's kernel. */
enum machine_precision kernel_precision_of_slot(const struct session *session,
                                                const struct session_slot *slot);

#endif
