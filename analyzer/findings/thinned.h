/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A sample of a kernel's calls: every n-th of very many calls, so that the rules do not delay a
 * report of ten million calls.
 */
#ifndef FINDINGS_THINNED_H
#define FINDINGS_THINNED_H

#include "kernels/groups.h"
#include "statistics/summary.h"

enum { THINNED_MOST = 20000 };

struct thinned {
    uint64_t *values; /* warm-up and our own cost left out */
    size_t count;
    struct summary summary;
};

void thinned_init(struct thinned *thinned, const struct group *group, double confidence);
void thinned_fini(struct thinned *thinned);

double thinned_median(const struct thinned *thinned);

#endif
