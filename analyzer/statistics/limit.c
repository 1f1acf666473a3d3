/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Limits of percentiles, by the ranks of their one-sided bounds.
 */
#include "statistics/limit.h"

#include "statistics/percentile.h"

/* With this share on both sides, one side leaves the rest of the confidence. */
static double two_sided(double confidence)
{
    return 2 * confidence - 1;
}

/* The value at the upper rank is at most the limit, so this many values may be above it.
 * Returns: whether the sample is large enough for any. */
static bool find_allowed(size_t count, double fraction, double confidence, size_t *allowed)
{
    struct percentile_ranks ranks;

    *allowed = 0;
    if (count == 0)
        return false;
    ranks = percentile_ranks_of(fraction, count, two_sided(confidence));
    if (ranks.high > count)
        return false;
    *allowed = count - ranks.high;
    return true;
}

static bool suffices(size_t count, size_t over, double fraction, double confidence)
{
    size_t allowed;

    return find_allowed(count, fraction, confidence, &allowed) && over <= allowed;
}

/* The least count where as many may be over; the ranks grow with the count. */
static size_t find_least(size_t over, double fraction, double confidence)
{
    static const size_t most = (size_t)1 << 31;
    size_t low = over, high = over + 1;

    while (high < most && !suffices(high, over, fraction, confidence)) {
        low = high;
        high *= 2;
    }
    if (high >= most)
        return 0;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (suffices(middle, over, fraction, confidence))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static bool is_broken(size_t over, size_t count, double fraction, double confidence)
{
    struct percentile_ranks ranks;

    if (count == 0)
        return false;
    ranks = percentile_ranks_of(fraction, count, two_sided(confidence));
    return ranks.low > 0 && over > count - ranks.low;
}

struct limit_verdict limit_judge(size_t over, size_t count, double fraction, double confidence)
{
    struct limit_verdict verdict = {.answer = LIMIT_OPEN, .count = count, .over = over};

    verdict.can_be_kept = find_allowed(count, fraction, confidence, &verdict.allowed);
    verdict.least_count = find_least(over, fraction, confidence);
    if (verdict.can_be_kept && over <= verdict.allowed)
        verdict.answer = LIMIT_KEPT;
    else if (is_broken(over, count, fraction, confidence))
        verdict.answer = LIMIT_BROKEN;
    return verdict;
}
