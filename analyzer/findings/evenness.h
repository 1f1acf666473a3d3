/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds rows with enough calls to judge how even these are, for WARMUP, BIMODAL and NOISE.
 */
#ifndef FINDINGS_EVENNESS_H
#define FINDINGS_EVENNESS_H

#include "findings/context.h"

enum { EVENNESS_LEAST_CALLS = 10 };

/* A share of the wall time: the unevenness of larger rows is grave. */
#define EVENNESS_GRAVE 0.1

/* Ask whether a row takes at least the given share of the wall time, and has enough calls. */
bool evenness_counts(const struct findings_context *context, const struct group *group,
                     double fraction);

#endif
