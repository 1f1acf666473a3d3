/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Splits of the linear layers of a model into projections and feed-forward.
 */
#include "figures/role_splits.h"

#include <math.h>

/* Products of one width for each pass of a layer. */
struct share {
    double projections;
    double inputs; /* of the projections, those of the layer's input */
    double feed_forward;
};

/* A width that linear layers lead to or from, and its products by batch. */
struct column {
    int64_t width;
    double products[ROLE_BATCHES_MAX];
};

enum { COLUMNS_MAX = 64 };

struct counts {
    const struct role_reading *reading;
    struct column columns[COLUMNS_MAX];
    struct share shares[COLUMNS_MAX];
    unsigned count;
    double surplus; /* that a width may have beside a split, in layers */
    enum role_splits found;
};

static struct column *find_column(struct counts *counts, int64_t width)
{
    for (unsigned i = 0; i < counts->count; i++)
        if (counts->columns[i].width == width)
            return &counts->columns[i];
    return NULL;
}

/* What several batches make of the same sizes was told apart before. */
static double count_told(const struct role_batches *batches, unsigned batch, int64_t width,
                         double counted)
{
    for (unsigned i = 0; i < batches->width_count; i++)
        if (batches->widths[i].width == width)
            return batches->widths[i].each * batches->batch[batch].products;
    for (unsigned i = 0; i < batches->count; i++)
        if (i != batch && batches->batch[i].tokens == width)
            return 0;
    return counted;
}

/* Returns: false when there are more widths than can be held. */
static bool add_counted(struct counts *counts, const struct role_family *family, unsigned batch)
{
    const struct role_batches *batches = counts->reading->batches;
    int64_t width = role_family_third(family, batches->batch[batch].tokens, batches->width);
    struct column *column = find_column(counts, width);

    if (width == 0)
        return true;
    if (!column) {
        if (counts->count == COLUMNS_MAX)
            return false;
        column = &counts->columns[counts->count++];
        *column = (struct column){.width = width};
    }
    column->products[batch] = count_told(batches, batch, width, role_family_products(family));
    return true;
}

static bool count_all(struct counts *counts)
{
    const struct array *families = &counts->reading->families->items;

    for (size_t i = 0; i < families->count; i++)
        for (unsigned j = 0; j < counts->reading->batches->count; j++)
            if (!add_counted(counts, array_at(families, i), j))
                return false;
    return true;
}

/* What is left is a layer that a model has once, as a head, where it has several of these: at
 * most half of their products.  Where no split leaves so little, it may have but one of these. */
static bool fits_column(const struct share *share, double products, const struct role_batch *batch,
                        double surplus)
{
    double asked = share->projections + share->feed_forward;
    double left = products - asked * batch->products;

    return left >= -share->inputs * batch->trained &&
           left <= (asked > 0 ? surplus : 1) * batch->products;
}

static bool fits(const struct counts *counts)
{
    const struct role_batches *batches = counts->reading->batches;

    for (unsigned i = 0; i < counts->count; i++)
        for (unsigned j = 0; j < batches->count; j++)
            if (!fits_column(&counts->shares[i], counts->columns[i].products[j], &batches->batch[j],
                             counts->surplus))
                return false;
    return true;
}

static void add_parts(struct role_parts *parts, const struct counts *counts, unsigned column,
                      const struct role_batch *batch)
{
    const struct share *share = &counts->shares[column];
    double products = counts->columns[column].products[batch - counts->reading->batches->batch];
    double feed = share->feed_forward * batch->products;
    double each = 2 * (double)batch->tokens * (double)counts->reading->batches->width *
                  (double)counts->columns[column].width;

    parts->projections += each * fmin(share->projections * batch->products, products - feed);
    parts->feed_forward += each * feed;
}

static struct role_parts sum_parts(const struct counts *counts)
{
    const struct role_batches *batches = counts->reading->batches;
    struct role_parts parts = {0, 0};

    for (unsigned i = 0; i < counts->count; i++)
        for (unsigned j = 0; j < batches->count; j++)
            add_parts(&parts, counts, i, &batches->batch[j]);
    return parts;
}

static void try_split(struct counts *counts)
{
    const struct role_reading *reading = counts->reading;
    struct role_parts parts;

    if (!fits(counts))
        return;
    parts = sum_parts(counts);
    if (fabs(parts.projections - reading->parts.projections) > reading->tolerance ||
        fabs(parts.feed_forward - reading->parts.feed_forward) > reading->tolerance)
        counts->found = ROLE_SPLITS_SEVERAL;
    else if (counts->found == ROLE_SPLITS_NONE)
        counts->found = ROLE_SPLITS_ONE;
}

/* Add to the share of a width.  Returns: whether there are products of it. */
static bool take(struct counts *counts, int64_t width, struct share more)
{
    struct column *column = find_column(counts, width);
    struct share *share;

    if (!column)
        return false;
    share = &counts->shares[column - counts->columns];
    share->projections += more.projections;
    share->inputs += more.inputs;
    share->feed_forward += more.feed_forward;
    return true;
}

static void try_feed_forward(struct counts *counts, int64_t width)
{
    static const struct {
        int64_t times; /* of the width, once; 0: nothing else */
        double each;
    } forms[] = {{0, 2}, {0, 3}, {2, 1}};

    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct share each = {.feed_forward = forms[i].each}, once = {.feed_forward = 1};
        int64_t wider = forms[i].times * width;

        if (wider > 0 && !take(counts, wider, once))
            continue;
        take(counts, width, each);
        try_split(counts);
        take(counts, width, (struct share){.feed_forward = -each.feed_forward});
        take(counts, wider, (struct share){.feed_forward = -1});
    }
}

static void try_feed_forwards(struct counts *counts)
{
    try_split(counts);
    for (unsigned i = 0; i < counts->count; i++)
        try_feed_forward(counts, counts->columns[i].width);
}

/* Projections of a layer: those of a width that follows from that of keys, and those of the
 * model's. */
struct projections {
    int64_t more; /* of the width, beside so many times that of keys */
    int64_t times;
    struct share keys;
    struct share squares;
};

/* Returns: whether all heads share as many heads of keys. */
static bool may_be_keys(const struct role_reading *reading, int64_t keys)
{
    return keys > 0 && keys % reading->head_width == 0 && reading->batches->width % keys == 0;
}

static void try_projections(struct counts *counts, int64_t wide, const struct projections *of)
{
    int64_t width = counts->reading->batches->width, beside = wide - of->more;

    if (beside % of->times != 0 || !may_be_keys(counts->reading, beside / of->times))
        return;
    for (unsigned i = 0; i < counts->count; i++)
        counts->shares[i] = (struct share){0, 0, 0};
    if (take(counts, wide, of->keys) && take(counts, width, of->squares))
        try_feed_forwards(counts);
}

static void try_column(struct counts *counts, int64_t wide)
{
    const struct projections forms[] = {
        {counts->reading->batches->width, 2, {1, 1, 0}, {1, 0, 0}},
        {0, 1, {2, 2, 0}, {2, 1, 0}},
        {0, 2, {1, 1, 0}, {2, 1, 0}},
    };

    for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
        try_projections(counts, wide, &forms[i]);
}

enum role_splits role_splits_find(const struct role_reading *reading)
{
    struct counts counts = {.reading = reading, .surplus = 0.5};

    if (!count_all(&counts))
        return ROLE_SPLITS_SEVERAL;
    for (; counts.surplus <= 1 && counts.found == ROLE_SPLITS_NONE; counts.surplus *= 2)
        for (unsigned i = 0; i < counts.count; i++)
            try_column(&counts, counts.columns[i].width);
    return counts.found;
}
