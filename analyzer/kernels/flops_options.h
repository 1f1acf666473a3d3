/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a user tells of a model, which no trace holds.
 */
#ifndef KERNELS_FLOPS_OPTIONS_H
#define KERNELS_FLOPS_OPTIONS_H

struct flops_options {
    double parameters;  /* 0: the user did not tell */
    double model_flops; /* without recomputation; 0: the user did not say */
};

#endif
