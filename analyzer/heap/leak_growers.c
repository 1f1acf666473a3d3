/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The growth of a heap's sites, from their live bytes at the marks of time.
 *
 * The posterior probability that a site's next block is never freed, by the rule of succession, 1 -
 * (frees + 1) / (allocations + 2), as in Scalene.
 */
#include "heap/leak_growers.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"

enum {
    PARTS = 4, /* parts of the window; a place that grows in most of them goes on growing */
    MOST_PARTS = 3,
    LEAST_MARKS = 2 * PARTS,
    REMADE_MOST = 4,        /* live blocks, two while one is copied */
    REMADE_TIMES = 16,      /* blocks for each of them */
    REMADE_LEAST = 64 << 10 /* bytes of each: a table.  A text that grows may be a log */
};

static const double suspect_share = 0.05; /* share of the growth of all sites */

/* If blocks are drawn, hundreds of sites seem to grow or shrink by chance, each by about its
 * standard error.  One in 740 seems to grow by three standard errors. */
static const double certain_errors = 3;

double leak_posterior(const struct session_site *site, uint64_t kept_blocks)
{
    double frees = (double)site->allocations - (double)kept_blocks;
    double posterior = 1 - (frees + 1) / ((double)site->allocations + 2);

    return posterior > 0 ? posterior : 0;
}

bool leak_is_suspect(bool is_kept, const struct leak_growth *growth, double all_bytes)
{
    return growth->bytes > certain_errors * growth->error &&
           (is_kept || growth->bytes >= suspect_share * all_bytes);
}

void leak_widen_trend(struct trend *trend, double error_bytes, double length_ns, double confidence)
{
    double half = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2) * error_bytes / length_ns;

    trend->low = fmin(trend->low, trend->slope - half);
    trend->high = fmax(trend->high, trend->slope + half);
}

void leak_find_site_trend(struct trend *trend, const struct session_heap *heap, size_t site,
                          const struct leak_span *span)
{
    const struct session_mark *marks = session_mark_at(heap, site);
    double x[SESSION_MARKS], y[SESSION_MARKS];
    size_t count = 0;

    for (unsigned i = span->first; i <= span->last && i < heap->mark_count; i++, count++) {
        x[count] = (double)heap->mark_ns[i];
        y[count] = (double)marks->live_bytes[i];
    }
    if (count < TREND_LEAST_POINTS)
        return;
    trend_find(trend, x, y, count, span->confidence);
    leak_widen_trend(trend, span->error_bytes, x[count - 1] - x[0], span->confidence);
}

struct span {
    unsigned first; /* marks */
    unsigned last;
};

static struct span find_span(const struct session_heap *heap, const struct memory_window *window)
{
    struct span span = {memory_find_mark(heap, window->from_ns), 0};

    span.last = span.first;
    while (span.last + 1 < heap->mark_count && heap->mark_ns[span.last + 1] <= window->to_ns)
        span.last++;
    return span;
}

static double growth_of(const struct session_mark *site, const struct span *span)
{
    return fmax(0, (double)site->live_bytes[span->last] - (double)site->live_bytes[span->first]);
}

double leak_marks_growth(const struct session_heap *heap, const struct session_mark *marks,
                         const struct memory_window *window)
{
    struct span span;

    if (heap->mark_count == 0)
        return 0;
    span = find_span(heap, window);
    return growth_of(marks, &span);
}

double leak_site_growth(const struct session *session, size_t site,
                        const struct memory_window *window)
{
    const struct session_heap *heap = &session->heap;

    return site < heap->mark_rows.count
               ? leak_marks_growth(heap, session_mark_at(heap, site), window)
               : 0;
}

/* Blocks that are live both times have the same error, so this is an upper bound. */
double leak_site_growth_error(const struct session *session, size_t site,
                              const struct memory_window *window)
{
    const struct session_heap *heap = &session->heap;
    const struct session_mark_error *errors;
    struct span span;

    if (heap->mark_errors.count == 0 || site >= heap->mark_rows.count || heap->mark_count == 0)
        return 0;
    errors = session_mark_error_at(heap, site);
    span = find_span(heap, window);
    return hypot((double)errors->live_bytes[span.first], (double)errors->live_bytes[span.last]);
}

static bool is_remade(const struct session_site *site)
{
    return !site->is_resized && site->peak_blocks != SESSION_UNKNOWN && site->peak_blocks > 0 &&
           site->peak_blocks <= REMADE_MOST &&
           site->allocations >= REMADE_TIMES * site->peak_blocks &&
           site->peak_bytes >= REMADE_LEAST * site->peak_blocks;
}

double leak_find_remade(const struct session *session, const struct memory_window *window)
{
    double bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++)
        if (is_remade(session_site_at(session, i)))
            bytes += leak_site_growth(session, i, window);
    return bytes;
}

/* Whether it grew in most parts of the time. */
static bool is_lasting(const struct session_mark *site, const struct span *span)
{
    unsigned parts = 0, marks = span->last - span->first;

    for (unsigned i = 0; i < PARTS; i++)
        parts += site->live_bytes[span->first + marks * (i + 1) / PARTS] >
                 site->live_bytes[span->first + marks * i / PARTS];
    return parts >= MOST_PARTS;
}

bool leak_marks_are_lasting(const struct session_heap *heap, const struct session_mark *marks,
                            const struct memory_window *window)
{
    struct span span = find_span(heap, window);

    return span.last - span.first >= PARTS && is_lasting(marks, &span);
}

static void add_site(struct leak_growers *growers, const struct session_mark *site,
                     const struct span *span)
{
    double bytes = growth_of(site, span);

    growers->bytes += bytes;
    growers->lasting_bytes += is_lasting(site, span) ? bytes : 0;
    growers->largest_bytes = fmax(growers->largest_bytes, bytes);
}

static void add_suspects(struct leak_growers *growers, const struct session *session,
                         const struct span *span, double posterior)
{
    const struct session_heap *heap = &session->heap;

    for (size_t i = 0; i < heap->mark_rows.count && i < session->sites.count; i++) {
        const struct session_site *of = session_site_at(session, i);
        const struct leak_growth growth = {growth_of(session_mark_at(heap, i), span), 0};
        bool is_kept = leak_posterior(of, of->live_blocks) >= posterior;

        if (leak_is_suspect(is_kept, &growth, growers->bytes))
            growers->suspect_bytes += growth.bytes;
    }
}

struct leak_growers leak_growers_find(const struct session *session,
                                      const struct memory_window *window, double posterior)
{
    const struct session_heap *heap = &session->heap;
    const struct session_mark *site = heap->marks.items;
    struct leak_growers growers = {.is_known = false};
    struct span span = find_span(heap, window);

    if (!heap->has_chains || heap->has_estimated_sites || span.last - span.first < LEAST_MARKS)
        return growers;
    growers.is_known = true;
    growers.share_of_time = (double)(heap->mark_ns[span.last] - heap->mark_ns[span.first]) /
                            (double)(window->to_ns - window->from_ns);
    for (size_t i = 0; i < heap->marks.count; i++)
        add_site(&growers, &site[i], &span);
    add_suspects(&growers, session, &span, posterior);
    return growers;
}
