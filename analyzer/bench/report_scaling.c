/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The table of how parts grow.
 */
#include <math.h>
#include <stdio.h>

#include "bench/report_parts.h"

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
    AGREES,
    WHY_NOT,
    COMMAND, /* the last, which the table of one command lacks */
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
    [AGREES] = {"time_follows_flops", "as FLOPs",
                "whether the interval of the time's exponent "
                "holds that of the FLOPs",
                UNIT_BOOL, 3},
    [WHY_NOT] = {"refusal", "not fitted", "why there is no exponent", UNIT_TEXT, 1},
    [COMMAND] = {"command", "command", "label of the command", UNIT_TEXT, 0},
};

/* Of one command, and of several. */
static const struct table_schema schema = {"scaling", "Scaling", columns, COMMAND, NULL};
static const struct table_schema labelled_schema = {"scaling", "Scaling", columns, COLUMNS, NULL};

static bool holds(const struct statistics_interval *interval, double number)
{
    return interval->low <= number && number <= interval->high;
}

static enum status set_time(struct value *row, const struct scaling_item *item)
{
    if (item->time_refusal != FIT_OK)
        return value_set_text(&row[WHY_NOT], fit_refusal_text(item->time_refusal));
    value_set_real(&row[EXPONENT], item->time.exponent);
    value_set_interval(&row[INTERVAL], item->time.exponent_interval.low,
                       item->time.exponent_interval.high);
    value_set_real(&row[R_SQUARED], item->time.r_squared);
    value_set_real(&row[ORDER_ERROR], item->time_orders.error[item->time_orders.best]);
    return value_set_text(&row[ORDER_BEST], fit_order_text(item->time_orders.best));
}

static enum status set_flops(struct value *row, const struct scaling_item *item)
{
    if (item->flops_refusal != FIT_OK)
        return STATUS_OK;
    value_set_real(&row[FLOPS_EXPONENT], item->flops.exponent);
    value_set_interval(&row[FLOPS_INTERVAL], item->flops.exponent_interval.low,
                       item->flops.exponent_interval.high);
    if (item->time_refusal == FIT_OK)
        value_set_bool(&row[AGREES], holds(&item->time.exponent_interval, item->flops.exponent));
    return value_set_text(&row[FLOPS_ORDER], fit_order_text(item->flops_orders.best));
}

static enum status add_item(struct table *table, const struct scaling *scaling,
                            const struct scaling_item *item)
{
    struct value *row = table_add_row(table);
    enum status status = STATUS_OK;

    if (!row || value_set_text(&row[KIND], run_subject_name(item->subject)) ||
        (item->name[0] && value_set_text(&row[NAME], item->name)))
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&row[SHARE], item->share);
    value_set_unsigned(&row[SIZES], item->sizes.count);
    if (table->schema == &labelled_schema)
        status = value_set_text(&row[COMMAND], scaling->label);
    if (!status)
        status = set_time(row, item);
    return status ? status : set_flops(row, item);
}

static enum status add_items(struct table *table, const struct array *scalings)
{
    const struct scaling *scaling = scalings->items;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < scalings->count; i++)
        for (size_t j = 0; j < scaling[i].items.count && !status; j++)
            status = add_item(table, &scaling[i], array_at(&scaling[i].items, j));
    return status;
}

enum status report_add_scaling(struct document *document, const struct array *scalings,
                               const char *x)
{
    struct table *table = document_add_table(document, "scaling", SECTION_IN_BOTH);
    enum status status = table ? STATUS_OK : STATUS_OUT_OF_MEMORY;

    if (!status) {
        table_init(table, scalings->count > 1 ? &labelled_schema : &schema);
        status = add_items(table, scalings);
    }
    if (!status)
        status = table_add_note(table,
                                "Times and FLOPs against %s; exponents by least squares on "
                                "logarithms, one point a size (the median of its runs).",
                                x);
    return status ? status
                  : table_add_note(table, "Kernels: all shapes of a name. Regions: all places of a "
                                          "label, without the regions inside. Both are summed over "
                                          "threads, and their shares are of the whole's time.");
}
