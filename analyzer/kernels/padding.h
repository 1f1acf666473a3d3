/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * FLOPs that a convolution executes.
 *
 * The FLOPs of a model are the published ones: every tap counts, even in the padding.  Rates and
 * roofs use the executed FLOPs: for 7 by 7 places with a window of 3 by 3, these are 361 of 441
 * taps.
 */
#ifndef KERNELS_PADDING_H
#define KERNELS_PADDING_H

#include "model/session_kernels.h"

/* Returns: FLOPs of one call without the taps on padding, if its shape shows them; else those of
 * its formula.  NAN when these are unknown. */
long double padding_executed_flops(const struct session_slot *slot);

#endif
