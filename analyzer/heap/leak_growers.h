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
    bool is_known;        /* false: not distinguishable, sampled, or too few marks */
    double share_of_time; /* share of the window between these marks */
    double bytes;         /* bytes of all growing sites */
    double lasting_bytes; /* part of sites that grew in most parts of the time */
    double largest_bytes; /* part of the site that grew most */
    double suspect_bytes; /* part of the sites that leak_is_suspect names */
};

struct leak_growers leak_growers_find(const struct session *session,
                                      const struct memory_window *window, double posterior);

/* Returns: the growth of a site in a window, in bytes; 0: it shrank, or has no marks. */
double leak_site_growth(const struct session *session, size_t site,
                        const struct memory_window *window);

/* Returns: the standard error of that growth, at most; 0 when it is exact. */
double leak_site_growth_error(const struct session *session, size_t site,
                              const struct memory_window *window);

/* Returns: the growth in a window by these marks. */
double leak_marks_growth(const struct session_heap *heap, const struct session_mark *marks,
                         const struct memory_window *window);

/* Returns: the growth in a window of sites that have just a few live blocks at the peak, and freed
 * many before: each is a larger copy of the last.  A block that grows by realloc is not among them:
 * containers that nobody empties grow so, too, and are leaks. */
double leak_find_remade(const struct session *session, const struct memory_window *window);

/* Ask whether a site or mapping with these marks grew in most parts of a window. */
bool leak_marks_are_lasting(const struct session_heap *heap, const struct session_mark *marks,
                            const struct memory_window *window);

/* Returns: the probability that a site never frees its next block; it never freed `kept_blocks` of
 * its blocks. */
double leak_posterior(const struct session_site *site, uint64_t kept_blocks);

/* The growth of a site, and its standard error: 0 where it is exact. */
struct leak_growth {
    double bytes;
    double error;
};

/* Ask whether a site that certainly grew is suspect: it keeps its blocks, or has a twentieth of the
 * growth of all such sites. */
bool leak_is_suspect(bool is_kept, const struct leak_growth *growth, double all_bytes);

/* Widen the interval of a slope to at least that of the growth by its standard error.  The weight
 * of drawn blocks is off in one direction as long as they live, and scatter about a line does not
 * show this. */
void leak_widen_trend(struct trend *trend, double error_bytes, double length_ns, double confidence);

/* The marks of a trend, and the rest that its interval needs. */
struct leak_span {
    unsigned first; /* marks */
    unsigned last;
    double error_bytes; /* standard error of the growth; 0 when exact */
    double confidence;
};

/* Find the trend of a site's live bytes at marks.  The marks must exist; with few marks there is no
 * trend. */
void leak_find_site_trend(struct trend *trend, const struct session_heap *heap, size_t site,
                          const struct leak_span *span);

#endif
