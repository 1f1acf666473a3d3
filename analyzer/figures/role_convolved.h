/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feed-forward beside depthwise convolutions, as of ConvNeXt.
 *
 * Each block convolves its d channels one by one at T places, and then goes from d to f
 * and back at each of them.  So there are as many products that sum over d, and over f,
 * as there are such convolutions, and in training twice as many of each and of gradients
 * of weights, which sum over T.
 *
 * Source: Z. Liu and others, "A ConvNet for the 2020s", 2022, section 2.6; the rule is ours.
 */
#ifndef FIGURES_ROLE_CONVOLVED_H
#define FIGURES_ROLE_CONVOLVED_H

#include "base/array.h"
#include "figures/role_families.h"

struct session;

/* Depthwise convolutions of one size, forward. */
struct role_convolved {
    int64_t channels;
    int64_t places; /* of all items */
    double calls;
    int64_t inner; /* width of the feed-forward behind them; 0: there is none */
};

/* Add such convolutions to an array of struct role_convolved, and give the feed-forward
 * behind them its role, where no other role was found.  Errors: STATUS_OUT_OF_MEMORY. */
enum status role_convolved_find(struct array *found, const struct session *session,
                                struct role_families *families) MUST_CHECK;

#endif
