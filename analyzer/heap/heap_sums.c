/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums over allocation sites.
 */
#include "heap/heap_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_memo.h"
#include "model/session_unknown.h"

uint64_t heap_add(uint64_t sum, uint64_t part)
{
    return sum == SESSION_UNKNOWN || part == SESSION_UNKNOWN ? SESSION_UNKNOWN : sum + part;
}

void heap_sums_merge(struct heap_sums *sums, const struct heap_sums *more)
{
    bool is_first = sums->sites == 0;

    sums->sites += more->sites;
#define SUM(name) sums->name = heap_add(sums->name, more->name);
#define SIZE(name, order)                                                                          \
    if (is_first || more->name order sums->name)                                                   \
        sums->name = more->name;
#define VARIANCE(name, error) sums->name += more->name;
#include "heap/heap_sums.def"
    for (int i = 0; i < SESSION_SHARES; i++) {
        sums->drawn[i] += more->drawn[i];
        sums->shares[i].rest += more->shares[i].rest;
        sums->shares[i].variance += more->shares[i].variance;
    }
}

static void add_estimate(struct heap_sums *sums, const struct session_site *site)
{
    memcpy(sums->shares, site->estimate->shares, sizeof sums->shares);
    sums->drawn[SESSION_SHARE_CALLS] = sums->drawn[SESSION_SHARE_OBTAINED] = site->drawn;
    sums->drawn[SESSION_SHARE_LIVE] = site->estimate->live_drawn;
    sums->drawn[SESSION_SHARE_PEAK] = site->estimate->peak_drawn;
}

void heap_sums_add(struct heap_sums *sums, const struct session_site *site)
{
    struct heap_sums more = {
        .sites = 1,
#define SUM(name) .name = site->name,
#define SIZE(name, order) .name = site->name,
#define VARIANCE(name, error) .name = site->error * site->error,
#include "heap/heap_sums.def"
    };

    if (site->estimate)
        add_estimate(&more, site);
    heap_sums_merge(sums, &more);
}

bool heap_sums_are_recorded(const struct session *session)
{
    return session->sites.count > 0 || memory_is_known(&session->heap);
}

static struct heap_sums sums_of_totals(const struct session_heap *heap)
{
    struct heap_sums sums = {
#define SUM(name) .name = SESSION_UNKNOWN,
#define SIZE(name, order) .name = SESSION_UNKNOWN,
#define VARIANCE(name, error)
#include "heap/heap_sums.def"
    };

    sums.allocations = heap->allocations;
    sums.allocated_bytes = heap->allocated_bytes;
    sums.frees = heap->frees;
    return sums;
}

static struct heap_sums sum_up(const struct session *session)
{
    struct heap_sums sums = {0};

    for (size_t i = 0; i < session->sites.count; i++)
        heap_sums_add(&sums, session_site_at(session, i));
    return sums;
}

/* Lines, heads and tables of a report need the sums ten times. */
struct heap_sums heap_sums_of(const struct session *session)
{
    struct session_memo_item *item = session_memo_item(session, SESSION_MEMO_HEAP_SUMS);
    struct heap_sums sums, *kept = item ? item->of : NULL;

    if (!heap_sums_are_recorded(session))
        return sums_of_totals(&session->heap);
    if (kept)
        return *kept;
    sums = sum_up(session);
    kept = item ? memory_get(sizeof *kept) : NULL;
    if (!kept)
        return sums;
    *kept = sums;
    *item = (struct session_memo_item){kept, free};
    return sums;
}

uint64_t heap_sums_measure(const struct heap_sums *sums, enum analysis_measure measure)
{
    switch (measure) {
    case ANALYSIS_ALLOCATED: break;
    case ANALYSIS_PEAK: return sums->peak_bytes;
    case ANALYSIS_LIVE: return sums->live_bytes;
    case ANALYSIS_COUNT: return sums->allocations;
    case ANALYSIS_TEMPORARY: return sums->temporary;
    }
    return sums->allocated_bytes;
}

/* Uses the formula of model/shares.h, with the group as one row and all size classes as one: known
 * totals of the classes would make the variance smaller still.  The result never exceeds the sum of
 * the variances, which is right for independent parts. */
static double group_variance(const struct heap_sums *sums, const struct session_heap *heap,
                             enum session_share_of of, double sum)
{
    const struct session_share *group = &sums->shares[of], *all = &heap->shares[of];
    double share, off, variance;

    if (sums->sites <= 1 || !(all->variance > 0) || isnan(group->variance))
        return sum;
    share = group->rest / all->rest;
    off = group->rest / (all->rest * all->rest / all->variance + 1);
    variance = group->variance * (1 - 2 * share) + share * share * all->variance;
    return fmin(sum, fmax(0, variance) + 2 * off * off);
}

double heap_sums_share_error(const struct heap_sums *sums, const struct session_heap *heap,
                             enum session_share_of of)
{
    const double sum[SESSION_SHARES] = {
        [SESSION_SHARE_CALLS] = sums->allocations_variance,
        [SESSION_SHARE_OBTAINED] = sums->allocated_variance,
        [SESSION_SHARE_LIVE] = sums->live_variance,
        [SESSION_SHARE_PEAK] = sums->peak_variance,
    };

    return sqrt(group_variance(sums, heap, of, sum[of]));
}

/* Blocks without a record may belong to rows without a drawn block, too: nothing tells how many. */
double heap_sums_row_error(const struct heap_sums *sums, const struct session *session,
                           enum session_share_of of)
{
    bool is_estimate = of == SESSION_SHARE_PEAK ? memory_peak_is_estimate(session)
                                                : session->heap.has_estimated_sites;

    if (is_estimate && sums->drawn[of] == 0)
        return NAN;
    return heap_sums_share_error(sums, &session->heap, of);
}

/* Temporary allocations have no known error, because they are a part of the count. */
double heap_sums_error(const struct heap_sums *sums, const struct session *session,
                       enum analysis_measure measure)
{
    switch (measure) {
    case ANALYSIS_ALLOCATED: break;
    case ANALYSIS_PEAK: return heap_sums_row_error(sums, session, SESSION_SHARE_PEAK);
    case ANALYSIS_LIVE: return heap_sums_row_error(sums, session, SESSION_SHARE_LIVE);
    case ANALYSIS_COUNT: return heap_sums_row_error(sums, session, SESSION_SHARE_CALLS);
    case ANALYSIS_TEMPORARY: return NAN;
    }
    return heap_sums_row_error(sums, session, SESSION_SHARE_OBTAINED);
}

bool heap_measure_is_count(enum analysis_measure measure)
{
    return measure == ANALYSIS_COUNT || measure == ANALYSIS_TEMPORARY;
}

bool heap_measure_is_estimate(const struct session *session, enum analysis_measure measure)
{
    return measure == ANALYSIS_PEAK ? memory_peak_is_estimate(session)
                                    : session->heap.has_estimated_sites;
}

const char *heap_measure_whole(enum analysis_measure measure)
{
    static const char *const wholes[ANALYSIS_MEASURES] = {
        [ANALYSIS_ALLOCATED] = "allocated",
        [ANALYSIS_PEAK] = "live at the peak",
        [ANALYSIS_LIVE] = "live at the end",
        [ANALYSIS_COUNT] = "allocations",
        [ANALYSIS_TEMPORARY] = "temporary allocations",
    };

    return wholes[measure];
}

const char *heap_measure_help(enum analysis_measure measure)
{
    static const char *const helps[] = {
#define MEASURE(name, word, help) help,
#include "analysis/measures.def"
#undef MEASURE
    };

    return helps[measure];
}

const char *heap_name_others(char buffer[HEAP_OTHERS_SIZE], size_t count)
{
    snprintf(buffer, HEAP_OTHERS_SIZE, "(%zu other%s)", count, count == 1 ? "" : "s");
    return buffer;
}
