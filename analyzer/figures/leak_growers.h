/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the sites that grew account for a heap's growth as those of a leak do.
 */
#ifndef FIGURES_LEAK_GROWERS_H
#define FIGURES_LEAK_GROWERS_H

#include "figures/memory_facts.h"
#include "model/session_heap.h"

struct session;

/* What the sites grew by between the first and the last mark in a window. */
struct leak_growers {
    bool is_known;        /* false: not told apart, sampled, or too few marks */
    double share_of_time; /* of the window, between these marks */
    double bytes;         /* all that grew */
    double lasting_bytes; /* of these: by sites that grew in most parts of the time */
    double largest_bytes; /* by the one that grew most */
    double suspect_bytes; /* by those that leak_is_suspect names */
};

struct leak_growers leak_growers_find(const struct session *session,
                                      const struct memory_window *window, double posterior);

/* Returns: the probability that the next block of a site is never freed, of which so many are. */
double leak_posterior(const struct session_site *site, uint64_t kept_blocks);

/* What a site grew by, and the standard error of that: 0 where it is exact. */
struct leak_growth {
    double bytes;
    double error;
};

/* Ask whether a site that grew for certain is suspect: it keeps its blocks, or has a twentieth of
 * what all such sites grew by. */
bool leak_is_suspect(bool is_kept, const struct leak_growth *growth, double all_bytes);

#endif
