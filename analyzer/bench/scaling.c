/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Gathering times by part and size, and fitting them.
 *
 * Decision: doc/decisions/benchmarks.
 */
#include "bench/scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "statistics/ranks.h"
#include "symbols/storage.h"

void scaling_init(struct scaling *scaling, const char *label)
{
    scaling->label = label;
    array_init(&scaling->items, sizeof(struct scaling_item));
    scaling->texts = storage_new();
}

static void item_fini(struct scaling_item *item)
{
    struct scaling_size *size = item->sizes.items;

    for (size_t i = 0; i < item->sizes.count; i++) {
        array_fini(&size[i].times_ns);
        array_fini(&size[i].kernels_ns);
    }
    array_fini(&item->sizes);
}

void scaling_fini(struct scaling *scaling)
{
    struct scaling_item *item = scaling->items.items;

    for (size_t i = 0; i < scaling->items.count; i++)
        item_fini(&item[i]);
    array_fini(&scaling->items);
    storage_free(scaling->texts);
}

static struct scaling_item *find_item(struct scaling *scaling, enum run_subject subject,
                                      const char *name)
{
    struct scaling_item *item = scaling->items.items;

    for (size_t i = 0; i < scaling->items.count; i++)
        if (item[i].subject == subject && strcmp(item[i].name, name) == 0)
            return &item[i];
    item = array_add(&scaling->items);
    if (!item)
        return NULL;
    *item = (struct scaling_item){.subject = subject, .share = (double)NAN};
    array_init(&item->sizes, sizeof(struct scaling_size));
    item->name = storage_keep(scaling->texts, name, strlen(name));
    return item->name ? item : NULL;
}

static struct scaling_size *find_size(struct scaling_item *item, double x)
{
    struct scaling_size *size = item->sizes.items;

    for (size_t i = 0; i < item->sizes.count; i++)
        if (size[i].x >= x && size[i].x <= x)
            return &size[i];
    size = array_add(&item->sizes);
    if (!size)
        return NULL;
    *size = (struct scaling_size){.x = x, .flops = (double)NAN};
    array_init(&size->times_ns, sizeof(double));
    array_init(&size->kernels_ns, sizeof(double));
    return size;
}

static void add_number(struct array *numbers, double number)
{
    double *place = isnan(number) ? NULL : array_add(numbers);

    if (place)
        *place = number;
}

/* FLOPs that differ between runs have no one value to fit. */
void scaling_add_point(struct scaling *scaling, const struct scaling_point *point)
{
    struct scaling_item *item = find_item(scaling, point->subject, point->name);
    struct scaling_size *size = item ? find_size(item, point->x) : NULL;

    add_number(&size->times_ns, point->time_ns);
    add_number(&size->kernels_ns, point->kernel_ns);
    if (size->times_ns.count == 1)
        size->flops = point->flops;
    else if (!(size->flops >= point->flops && size->flops <= point->flops))
        size->flops = (double)NAN;
}

/* "model/layer0/attention" is attention. */
static const char *part_name(const struct run_row *row)
{
    return row->subject == RUN_REGION ? text_base_name(row->name) : row->name;
}

/* A region's time is its own, so that those of several labels add up. */
static bool has_part(const struct run_row *row)
{
    return (row->subject == RUN_KERNEL || (row->subject == RUN_REGION && row->name[0])) &&
           row->values[RUN_TOTAL] > 0;
}

/* Returns: the sum of the rows of a part; rows of kernels have no time in kernels. */
static struct scaling_point sum_rows(const struct run *run, const struct run_row *first, double x)
{
    struct scaling_point part = {.subject = first->subject, .name = part_name(first), .x = x};
    const struct run_row *row = run->rows.items;

    for (size_t i = 0; i < run->rows.count; i++)
        if (row[i].subject == part.subject && has_part(&row[i]) &&
            strcmp(part_name(&row[i]), part.name) == 0) {
            part.time_ns += row[i].values[RUN_TOTAL];
            part.kernel_ns += row[i].values[RUN_KERNEL_TIME];
            part.flops += row[i].values[RUN_FLOPS];
        }
    return part;
}

static bool is_first(const struct run *run, size_t index)
{
    const struct run_row *row = run->rows.items;

    for (size_t i = 0; i < index; i++)
        if (row[i].subject == row[index].subject && has_part(&row[i]) &&
            strcmp(part_name(&row[i]), part_name(&row[index])) == 0)
            return false;
    return true;
}

void scaling_add_run(struct scaling *scaling, double x, const struct run *run, double whole_ns)
{
    const struct run_row *row = run->rows.items;
    struct scaling_point whole = {.subject = RUN_WHOLE,
                                  .name = "",
                                  .x = x,
                                  .time_ns = whole_ns,
                                  .kernel_ns = run_whole_value(run, RUN_TOTAL),
                                  .flops = run_whole_value(run, RUN_FLOPS)};

    if (!isnan(whole_ns))
        scaling_add_point(scaling, &whole);
    for (size_t i = 0; i < run->rows.count; i++)
        if (has_part(&row[i]) && is_first(run, i)) {
            struct scaling_point part = sum_rows(run, &row[i], x);

            scaling_add_point(scaling, &part);
        }
}

static int by_x(const void *a, const void *b)
{
    const struct scaling_size *left = a, *right = b;

    return (left->x > right->x) - (left->x < right->x);
}

static void find_medians(struct scaling_item *item)
{
    struct scaling_size *size = item->sizes.items;

    if (item->sizes.count > 1)
        qsort(size, item->sizes.count, sizeof *size, by_x);
    for (size_t i = 0; i < item->sizes.count; i++) {
        size[i].time_ns = ranks_median(size[i].times_ns.items, size[i].times_ns.count);
        size[i].kernel_ns = ranks_median(size[i].kernels_ns.items, size[i].kernels_ns.count);
    }
}

static struct scaling_fit fit(const double *x, const double *y, size_t count, double confidence)
{
    struct scaling_fit fit = {.refusal = fit_check(x, y, count)};

    if (fit.refusal == FIT_OK) {
        fit.power = fit_power_of(x, y, count, confidence);
        fit.orders = fit_orders_of(x, y, count);
    }
    return fit;
}

static void fit_item(struct scaling_item *item, double confidence)
{
    const struct scaling_size *size = item->sizes.items;
    size_t count = item->sizes.count;
    double *x = memory_get_zeros(4 * count + 1, sizeof *x);
    double *time = x + count, *kernels = x + 2 * count, *flops = x + 3 * count;

    for (size_t i = 0; i < count; i++) {
        x[i] = size[i].x;
        time[i] = size[i].time_ns;
        kernels[i] = size[i].kernel_ns;
        flops[i] = size[i].flops;
    }
    item->time = fit(x, time, count, confidence);
    item->kernels = fit(x, kernels, count, confidence);
    item->flops = fit(x, flops, count, confidence);
    free(x);
}

/* A share of the largest size of the whole; a part without that size has no share. */
static void find_share(const struct scaling_item *whole, struct scaling_item *item)
{
    const struct scaling_size *all = array_at(&whole->sizes, whole->sizes.count - 1);
    const struct scaling_size *size = array_at(&item->sizes, item->sizes.count - 1);

    item->share = size->x < all->x ? (double)NAN : size->time_ns / all->time_ns;
}

/* The whole first, then kernels, then regions, each sorted by share. */
static int by_share(const void *a, const void *b)
{
    const struct scaling_item *left = a, *right = b;
    double l = isnan(left->share) ? -1 : left->share, r = isnan(right->share) ? -1 : right->share;

    if (left->subject != right->subject)
        return left->subject < right->subject ? -1 : 1;
    return (l < r) - (l > r);
}

void scaling_fit(struct scaling *scaling, double confidence)
{
    struct scaling_item *item = scaling->items.items;

    scaling->confidence = confidence;
    for (size_t i = 0; i < scaling->items.count; i++) {
        find_medians(&item[i]);
        fit_item(&item[i], confidence);
        if (item[0].subject == RUN_WHOLE)
            find_share(&item[0], &item[i]);
    }
    if (scaling->items.count > 1)
        qsort(item, scaling->items.count, sizeof *item, by_share);
}
