/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ops by the functions of PyTorch on a chain: if ops are not recorded, or no longer, samples still
 * show them.
 *
 *     function                                           op
 *     at::_ops::mm::call, at::_ops::div__Scalar::...     aten::mm, aten::div_
 *     torch::autograd::generated::MmBackward0::apply     MmBackward0
 *     torch::autograd::Engine::evaluate_function         autograd::engine::evaluate_function
 *
 * Source: PyTorch generates both functions for each op (torchgen), and calls each op by them.
 */
#ifndef OPS_OP_FRAMES_H
#define OPS_OP_FRAMES_H

#include <stdbool.h>

#include "places/places.h"

struct session;

/* Ask whether a function belongs to an op. */
bool place_is_op(const struct place *place);

/* Ask whether a function belongs to the engine of gradients, whose recorded ops have the gradient
 * in their names. */
bool place_is_engine(const struct place *place);

enum { OP_FRAMES_NAME = 128 };

/* Write the name of the op.  A function's name ends with the overload, "mul_Tensor": if it starts
 * with an op of the session, that op is the name. */
void op_frames_name(char name[OP_FRAMES_NAME], const struct session *session,
                    const struct place *place);

#endif
