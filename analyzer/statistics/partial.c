/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Estimating a sum of parts of known wholes.
 *
 * Decision: doc/decisions/region-clocks.
 */
#include "statistics/partial.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>

/* A group has at least this many drawn parts, if there are enough. */
static const double least_drawn = 10;

struct sums {
    double count, whole;
};

/* Wholes of similar length, whose part was read, bounded, or neither; and, for parts that represent
 * others, the weighted sums that the ratio needs. */
struct group {
    struct sums all, read, bounded;
    double read_part, least, most;
    double drawn, weight, weighted_whole, weighted_part;
    double squares; /* sum of squares of weighted deviations from the ratio */
    double scatter; /* weighted squares of deviations */
};

struct groups {
    struct group of[PARTIAL_BINS];
    int number[PARTIAL_BINS]; /* the group of a bin */
    bool takes_first; /* too few represent others, so those that represent only themselves count,
                         too */
};

static int bin_of(double whole)
{
    int bin = whole >= 1 ? ilogb(whole) : 0;

    return bin < PARTIAL_BINS ? bin : PARTIAL_BINS - 1;
}

void partial_add(struct partial_all *all, double whole)
{
    all->count[bin_of(whole)]++;
    all->whole[bin_of(whole)] += whole;
}

static bool is_read(const struct partial_reading *reading)
{
    return reading->least == reading->most;
}

/* How many unread parts a part represents. */
static double weight_of(const struct groups *groups, const struct partial_reading *reading)
{
    if (!is_read(reading))
        return 0;
    if (groups->takes_first)
        return fmax(1, reading->drawn_of - 1);
    return fmax(0, reading->drawn_of - 1);
}

static void add_reading(const struct groups *groups, struct group *group,
                        const struct partial_reading *reading)
{
    struct sums *sums = is_read(reading) ? &group->read : &group->bounded;
    double weight = weight_of(groups, reading);

    sums->count++;
    sums->whole += reading->whole;
    if (is_read(reading)) {
        group->read_part += reading->most;
    } else {
        group->least += reading->least;
        group->most += reading->most;
    }
    group->drawn += weight > 0;
    group->weight += weight;
    group->weighted_whole += weight * reading->whole;
    group->weighted_part += weight * reading->most;
}

static struct sums loose(const struct group *group)
{
    struct sums sums = {group->all.count - group->read.count - group->bounded.count, 0};

    if (sums.count > 0)
        sums.whole = fmax(0, group->all.whole - group->read.whole - group->bounded.whole);
    return sums;
}

static void merge(struct group *to, const struct group *from)
{
    double *sums = (double *)to;
    const double *added = (const double *)from;

    for (size_t i = 0; i < offsetof(struct group, squares) / sizeof *sums; i++)
        sums[i] += added[i];
}

/* Long wholes that are all bounded need no share of others. */
static bool stands_alone(const struct group *group)
{
    return loose(group).count <= 0 && group->drawn < least_drawn;
}

/* Merges bins, the shortest wholes first, until a group has enough drawn parts.
 * The rest joins the group before it. */
static void merge_bins(struct groups *groups)
{
    int open = -1, last = -1;

    for (int bin = 0; bin < PARTIAL_BINS; bin++) {
        struct group *group = &groups->of[bin];

        groups->number[bin] = bin;
        if (stands_alone(group))
            continue;
        if (open >= 0) {
            merge(&groups->of[open], group);
            *group = (struct group){0};
            groups->number[bin] = open;
        } else {
            open = bin;
        }
        if (groups->of[open].drawn >= least_drawn) {
            last = open;
            open = -1;
        }
    }
    for (int bin = open; open >= 0 && last >= 0 && bin < PARTIAL_BINS; bin++)
        if (groups->number[bin] == open)
            groups->number[bin] = last;
    if (open >= 0 && last >= 0) {
        merge(&groups->of[last], &groups->of[open]);
        groups->of[open] = (struct group){0};
    }
}

static double ratio_of(const struct group *group)
{
    return group->weighted_whole > 0 ? group->weighted_part / group->weighted_whole : 0.5;
}

static void gather(struct groups *groups, const struct partial_all *all,
                   const struct partial_reading *readings, size_t count)
{
    double drawn = 0;

    for (size_t i = 0; i < count; i++)
        drawn += is_read(&readings[i]) && readings[i].drawn_of > 1;
    groups->takes_first = drawn < least_drawn;
    for (int bin = 0; bin < PARTIAL_BINS; bin++)
        groups->of[bin].all = (struct sums){all->count[bin], all->whole[bin]};
    for (size_t i = 0; i < count; i++)
        add_reading(groups, &groups->of[bin_of(readings[i].whole)], &readings[i]);
    merge_bins(groups);
    for (size_t i = 0; i < count; i++) {
        struct group *group = &groups->of[groups->number[bin_of(readings[i].whole)]];
        double weight = weight_of(groups, &readings[i]);
        double away = readings[i].most - ratio_of(group) * readings[i].whole;

        group->squares += weight * weight * away * away;
        group->scatter += weight * away * away;
    }
}

/* The variance of the estimate for the rest: that of the ratio, plus that of the rest about the
 * ratio. */
static double variance_of(const struct group *group, struct sums rest)
{
    double n = group->drawn;
    double of_ratio =
        group->squares * n / (n - 1) / (group->weighted_whole * group->weighted_whole);

    of_ratio = fmax(of_ratio, 1 / ((n + 2) * (n + 2)));
    return rest.whole * rest.whole * of_ratio + rest.count * group->scatter / group->weight;
}

static void add_by_ratio(struct partial *partial, const struct group *group, struct sums rest)
{
    partial->sum += ratio_of(group) * rest.whole;
    if (group->drawn < 2) {
        partial->slack += rest.whole / 2;
        return;
    }
    partial->error = hypot(partial->error, sqrt(variance_of(group, rest)));
    partial->freedom += group->drawn - 1;
}

/* Bounded parts are estimated by their bounds or by the ratio, whichever is narrower. */
static bool takes_bounds(const struct group *group, struct sums all, struct sums without)
{
    double slack = (group->most - group->least) / 2;

    return group->drawn < 2 ||
           slack + 2 * sqrt(variance_of(group, without)) < 2 * sqrt(variance_of(group, all));
}

static void add_group(struct partial *partial, const struct group *group)
{
    struct sums rest = loose(group);
    struct sums all = {rest.count + group->bounded.count, rest.whole + group->bounded.whole};

    partial->read += group->read.count;
    partial->count += group->all.count;
    partial->sum += group->read_part;
    partial->least += group->read_part + group->least;
    partial->most += group->read_part + group->most + rest.whole;
    if (group->bounded.count > 0 && takes_bounds(group, all, rest)) {
        partial->sum += (group->least + group->most) / 2;
        partial->slack += (group->most - group->least) / 2;
        all = rest;
    }
    if (all.count > 0)
        add_by_ratio(partial, group, all);
}

struct partial partial_estimate(const struct partial_all *all,
                                const struct partial_reading *readings, size_t count)
{
    struct groups groups = {0};
    struct partial partial = {0};

    gather(&groups, all, readings, count);
    for (int bin = 0; bin < PARTIAL_BINS; bin++)
        add_group(&partial, &groups.of[bin]);
    partial.sum = fmin(partial.most, fmax(partial.least, partial.sum));
    return partial;
}

struct statistics_interval partial_interval(const struct partial *partial, double confidence)
{
    double half = partial->slack;

    if (partial->error > 0)
        half +=
            partial->error * gsl_cdf_tdist_Pinv((1 + confidence) / 2, fmax(1, partial->freedom));
    return (struct statistics_interval){fmax(partial->least, partial->sum - half),
                                        fmin(partial->most, partial->sum + half)};
}
