/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of how parts grow.
 */
#include <math.h>
#include <stdio.h>

#include "bench/report_parts.h"
#include "bench/texts.h"

enum scaling_column {
    KIND,
    NAME,
    SHARE,
    SIZES,
    EXPONENT,
    INTERVAL,
    R_SQUARED,
    ORDER_BEST,
    ORDER_ERROR,
    FLOPS_EXPONENT,
    FLOPS_INTERVAL,
    FLOPS_ORDER,
    KERNELS_EXPONENT,
    KERNELS_INTERVAL,
    AGREES,
    WHY_NOT,
    COMMAND, /* last, as the table of a single command lacks it */
    COLUMNS
};

static const struct column columns[] = {
    [KIND] = {"kind", "part", "whole, kernel or region", UNIT_TEXT, 0},
    [NAME] = {"name", "name", "a kernel with all its shapes, or all regions of one label",
              UNIT_TEXT, 0},
    [SHARE] = {"share", "share", "of the time of the whole, at the largest size", UNIT_FRACTION, 2},
    [SIZES] = {"sizes", "sizes", "at which it ran", UNIT_COUNT, 6},
    [EXPONENT] = {"exponent", "time ~", "power of the size that its time follows", UNIT_REAL, 0},
    [INTERVAL] = {"exponent_interval", "interval", "of the exponent", UNIT_REAL, 0},
    [R_SQUARED] = {"r_squared", "R2", "of the logarithms", UNIT_REAL, 5},
    [ORDER_BEST] = {"order", "order", "that fits the time best", UNIT_TEXT, 1},
    [ORDER_ERROR] = {"order_error", "error", "of that fit: root of the mean square, by the mean",
                     UNIT_FRACTION, 3},
    [FLOPS_EXPONENT] = {"flops_exponent", "FLOPs ~", "power of the size that its FLOPs follow",
                        UNIT_REAL, 1},
    [FLOPS_INTERVAL] = {"flops_exponent_interval", "interval",
                        "of it: FLOPs are exact, and it says "
                        "how far they are from a power",
                        UNIT_REAL, 4},
    [FLOPS_ORDER] = {"flops_order", "order", "that fits the FLOPs best", UNIT_TEXT, 4},
    [KERNELS_EXPONENT] = {"kernels_exponent", "kernels ~",
                          "power of the size that its time in kernels follows", UNIT_REAL, 3},
    [KERNELS_INTERVAL] = {"kernels_exponent_interval", "interval", "of it", UNIT_REAL, 6},
    [AGREES] = {"follows_flops", "as FLOPs",
                "whether the interval of the time's exponent holds that of the FLOPs: yes; in "
                "kernels, when only that of the time in kernels does; no",
                UNIT_TEXT, 2},
    [WHY_NOT] = {"refusal", "not fitted", "why there is no exponent", UNIT_TEXT, 8},
    [COMMAND] = {"command", "command", "label of the command", UNIT_TEXT, 0},
};

/* For one command, and for several. */
static const struct table_schema schema = {"scaling", "Scaling", columns, COMMAND, NULL};
static const struct table_schema labelled_schema = {"scaling", "Scaling", columns, COLUMNS, NULL};

static void set_power(struct value *exponent, struct value *interval, const struct scaling_fit *fit)
{
    if (fit->refusal != FIT_OK)
        return;
    value_set_real(exponent, fit->power.exponent);
    value_set_interval(interval, fit->power.exponent_interval.low,
                       fit->power.exponent_interval.high);
}

static void set_time(struct value *row, const struct scaling_item *item)
{
    const struct scaling_fit *time = &item->time;

    if (time->refusal != FIT_OK) {
        value_set_text(&row[WHY_NOT], fit_refusal_text(time->refusal));
        return;
    }
    set_power(&row[EXPONENT], &row[INTERVAL], time);
    set_power(&row[KERNELS_EXPONENT], &row[KERNELS_INTERVAL], &item->kernels);
    value_set_real(&row[R_SQUARED], time->power.r_squared);
    value_set_real(&row[ORDER_ERROR], time->orders.error[time->orders.best]);
    value_set_text(&row[ORDER_BEST], fit_order_text(time->orders.best));
}

static bool holds(const struct scaling_fit *fit, double exponent)
{
    const struct statistics_interval *interval = &fit->power.exponent_interval;

    return fit->refusal == FIT_OK && interval->low <= exponent && exponent <= interval->high;
}

enum agreement { AGREES_NOT, AGREES_IN_KERNELS, AGREES_WHOLLY, AGREEMENT_UNKNOWN };

static enum agreement find_agreement(const struct scaling_item *item)
{
    double exponent = item->flops.power.exponent;

    if (item->time.refusal != FIT_OK || item->flops.refusal != FIT_OK)
        return AGREEMENT_UNKNOWN;
    if (holds(&item->time, exponent))
        return AGREES_WHOLLY;
    return holds(&item->kernels, exponent) ? AGREES_IN_KERNELS : AGREES_NOT;
}

static void set_flops(struct value *row, const struct scaling_item *item)
{
    static const char *const words[] = {
        [AGREES_NOT] = "no", [AGREES_IN_KERNELS] = "in kernels", [AGREES_WHOLLY] = "yes"};
    enum agreement agreement = find_agreement(item);

    if (item->flops.refusal != FIT_OK)
        return;
    set_power(&row[FLOPS_EXPONENT], &row[FLOPS_INTERVAL], &item->flops);
    if (agreement != AGREEMENT_UNKNOWN)
        value_set_text(&row[AGREES], words[agreement]);
    value_set_text(&row[FLOPS_ORDER], fit_order_text(item->flops.orders.best));
}

static void add_item(struct table *table, const struct scaling *scaling,
                     const struct scaling_item *item)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[KIND], run_subject_name(item->subject));
    if (item->name[0])
        value_set_text(&row[NAME], item->name);
    value_set_real(&row[SHARE], item->share);
    value_set_unsigned(&row[SIZES], item->sizes.count);
    if (table->schema == &labelled_schema)
        value_set_text(&row[COMMAND], scaling->label);
    set_time(row, item);
    set_flops(row, item);
}

static void add_items(struct table *table, const struct array *scalings)
{
    const struct scaling *scaling = scalings->items;

    for (size_t i = 0; i < scalings->count; i++)
        for (size_t j = 0; j < scaling[i].items.count; j++)
            add_item(table, &scaling[i], array_at(&scaling[i].items, j));
}

static const double least_share = 0.05; /* part of the whole: smaller parts are not explained */

/* All of a kernel's time is time in kernels. */
static double kernel_ns(const struct scaling_item *item, const struct scaling_size *size)
{
    return item->subject == RUN_KERNEL ? size->time_ns : size->kernel_ns;
}

static struct said part_name(const struct scaling_item *item)
{
    return said_words(item->name[0] ? item->name : "whole");
}

static void explain_rate(struct table *table, const struct scaling_item *item, const char *x)
{
    const struct scaling_size *first = array_at(&item->sizes, 0);
    const struct scaling_size *last = array_at(&item->sizes, item->sizes.count - 1);

    table_say(table, scaling_rate_text, part_name(item), said_real(item->time.power.exponent),
              said_real(item->flops.power.exponent),
              said_flop_rate(1e9 * first->flops / kernel_ns(item, first)), said_words(x),
              said_real(first->x), said_flop_rate(1e9 * last->flops / kernel_ns(item, last)),
              said_words(x), said_real(last->x));
}

static void explain_rest(struct table *table, const struct scaling_item *item, const char *x)
{
    const struct scaling_size *first = array_at(&item->sizes, 0);
    const struct scaling_size *last = array_at(&item->sizes, item->sizes.count - 1);

    table_say(table, scaling_rest_text, part_name(item), said_real(item->time.power.exponent),
              said_real(item->flops.power.exponent), said_share(first->kernel_ns / first->time_ns),
              said_words(x), said_real(first->x), said_share(last->kernel_ns / last->time_ns),
              said_words(x), said_real(last->x));
}

static void explain(struct table *table, const struct scaling_item *item, const char *x)
{
    if (!(item->share >= least_share))
        return;
    switch (find_agreement(item)) {
    case AGREES_NOT: explain_rate(table, item, x); return;
    case AGREES_IN_KERNELS: explain_rest(table, item, x); return;
    case AGREES_WHOLLY:
    case AGREEMENT_UNKNOWN: break;
    }
}

static void explain_all(struct table *table, const struct array *scalings, const char *x)
{
    const struct scaling *scaling = scalings->items;

    for (size_t i = 0; i < scalings->count; i++)
        for (size_t j = 0; j < scaling[i].items.count; j++)
            explain(table, array_at(&scaling[i].items, j), x);
}

/* Parts without an exponent, and why the first of them has none. */
static void note_refusals(struct table *table, const struct array *scalings)
{
    const struct scaling *scaling = scalings->items;
    const char *why = NULL;
    size_t refused = 0;

    for (size_t i = 0; i < scalings->count; i++)
        for (size_t j = 0; j < scaling[i].items.count; j++) {
            const struct scaling_item *item = array_at(&scaling[i].items, j);

            refused += item->time.refusal != FIT_OK;
            if (!why)
                why = fit_refusal_text(item->time.refusal);
        }
    if (why)
        table_say(table, scaling_refused_text, said_count(refused),
                  said_count(table_row_count(table)), said_words(why));
}

void report_add_scaling(struct document *document, const struct array *scalings, const char *x,
                        enum section_place place)
{
    struct table *table = document_add_table(document, "scaling", place);

    table_init(table, scalings->count > 1 ? &labelled_schema : &schema);
    add_items(table, scalings);
    explain_all(table, scalings, x);
    note_refusals(table, scalings);
    table_say(table, scaling_fit_text, said_words(x));
    table_say(table, scaling_rows_text);
}
