/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A user's facts on a model, which no trace holds.
 */
#ifndef KERNELS_FLOPS_OPTIONS_H
#define KERNELS_FLOPS_OPTIONS_H

struct flops_options {
    double parameters;  /* 0: not given */
    double model_flops; /* FLOPs without recomputation; 0: not given */
};

#endif
