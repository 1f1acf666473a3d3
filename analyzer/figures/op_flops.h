/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The FLOPs of an op by its name and its inputs: a multiply-add is two.
 *
 * A sum over what products, convolutions and attention need; taps of convolutions in their padding
 * and what a mask leaves out count as well.
 */
#ifndef FIGURES_OP_FLOPS_H
#define FIGURES_OP_FLOPS_H

struct session;
struct session_op;

/* Returns: the FLOPs of one call; 0 where no rule tells. */
long double op_flops(const struct session *session, const struct session_op *op);

#endif
