/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The part of steps.h for ops of PyTorch.
 */
#ifndef STEPS_STEPS_PARTS_H
#define STEPS_STEPS_PARTS_H

#include "steps/steps.h"

/* Find steps by the beats of ops: each step ends with a step of an optimizer, or else with a
 * backward pass, or else is a call of an outermost layer.  Sets the reason if there is only one
 * step. */
void steps_find_ops(struct steps *steps, const struct session *session);

/* Were all ops recorded, to the end? */
bool steps_has_all_ops(const struct session *session);

#endif
