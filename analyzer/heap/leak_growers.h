/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the sites that grew account for a heap's growth as those of a leak do.
 */
#ifndef HEAP_LEAK_GROWERS_H
#define HEAP_LEAK_GROWERS_H

#include "heap/memory_facts.h"
#include "model/session_heap.h"
#include "statistics/trend.h"

struct session;

/* The growth of the sites between the first and the last mark in a window. */
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

/* Returns: the probability that the next block of a site is never freed; `kept_blocks` of its
 * blocks never were. */
double leak_posterior(const struct session_site *site, uint64_t kept_blocks);

/* The growth of a site, and its standard error: 0 where it is exact. */
struct leak_growth {
    double bytes;
    double error;
};

/* Ask whether a site that grew for certain is suspect: it keeps its blocks, or has a twentieth of
 * the growth of all such sites. */
bool leak_is_suspect(bool is_kept, const struct leak_growth *growth, double all_bytes);

/* Let the interval of a slope be at least that of the growth by its standard error: the weight
 * of drawn blocks is off in one direction for as long as they live, which no scatter about a
 * line shows. */
void leak_widen_trend(struct trend *trend, double error_bytes, double length_ns, double confidence);

/* The marks of a trend, and the rest that its interval needs. */
struct leak_span {
    unsigned first; /* marks */
    unsigned last;
    double error_bytes; /* standard error of the growth; 0 where it is exact */
    double confidence;
};

/* Find the trend of a site's live bytes at marks, which must exist; few marks have none. */
void leak_find_site_trend(struct trend *trend, const struct session_heap *heap, size_t site,
                          const struct leak_span *span);

#endif
