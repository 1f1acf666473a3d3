/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of kernel tables.
 */
#include "figures/kernel_rows.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

enum status kernel_rows_set_names(struct value *name, struct value *shape, struct value *library,
                                  const struct group *group)
{
    enum status status = value_set_text(name, group->name);

    if (!status && group->shape[0] != '\0')
        status = value_set_text(shape, group->shape);
    if (!status)
        status = value_set_text(library, group->library);
    return status;
}

enum status kernel_rows_set_origin(struct value *symbol, struct value *implementation,
                                   const struct group *group)
{
    enum status status = value_set_text(symbol, group->symbol);

    return status ? status : value_set_text(implementation, group->implementation);
}

enum { ROUGH_NAMED = 4 };

/* Of kernel time: what takes less is not worth a line. */
static const double rough_least = 0.01;

static bool is_told_rough(const struct groups *groups, const struct group *group)
{
    return group_is_rough(group) &&
           (double)group->total_ns >= rough_least * (double)groups->self_ns;
}

/* "cblas_ddot n=40 2.00 ms +- 1.10 ms" */
static void append_rough(struct text *list, const struct group *group)
{
    char time[UNITS_SIZE], error[UNITS_SIZE];
    bool is_known = !isnan(group->total_variance);

    text_appendf(list, "%s%s%s%s %s +- %s", list->size > 0 ? ", " : "", group_name(group),
                 group->shape[0] ? " " : "", group->shape,
                 units_format_time(time, (double)group->total_ns),
                 is_known ? units_format_time(error, sqrt(group->total_variance)) : "unknown");
}

enum status kernel_rows_add_rough_note(struct table *table, const struct groups *groups)
{
    struct text list;
    size_t count = 0;
    enum status status;

    text_init(&list);
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (is_told_rough(groups, group) && count++ < ROUGH_NAMED)
            append_rough(&list, group);
    }
    if (count > ROUGH_NAMED)
        text_appendf(&list, " and %zu more, which tprof timing --json tells", count - ROUGH_NAMED);
    status = text_status(&list);
    if (!status && count > 0)
        status = table_add_note(table,
                                "Too few calls were timed to know these times well (+- is one "
                                "standard error): %s.",
                                list.bytes);
    text_fini(&list);
    return status;
}

enum { FIRST_NAMED = 3 };

/* Of thread time, as of whatever is worth a line; and of the row's own time: less is noise. */
static const double first_least = 0.01, first_least_of_row = 0.1;

static bool is_told_first(const struct session *session, const struct group *group)
{
    double cost_ns = group_first_cost_ns(group);

    return cost_ns >= first_least * (double)session->thread_ns &&
           cost_ns >= first_least_of_row * (double)group->total_ns;
}

/* "cblas_sgemm m=64 n=64 k=64 20.2 ms of 21.6 ms" */
static void append_first(struct text *list, const struct group *group)
{
    char cost[UNITS_SIZE], total[UNITS_SIZE];

    text_appendf(list, "%s%s%s%s %s of %s", list->size > 0 ? ", " : "", group_name(group),
                 group->shape[0] ? " " : "", group->shape,
                 units_format_time(cost, group_first_cost_ns(group)),
                 units_format_time(total, (double)group->total_ns));
}

enum status kernel_rows_add_first_note(struct table *table, const struct session *session,
                                       const struct groups *groups)
{
    struct text list;
    size_t count = 0;
    enum status status;

    text_init(&list);
    for (size_t i = 0; i < groups->rows.count; i++) {
        const struct group *group = array_at(&groups->rows, i);

        if (is_told_first(session, group) && count++ < FIRST_NAMED)
            append_first(&list, group);
    }
    if (count > FIRST_NAMED)
        text_appendf(&list, " and %zu more", count - FIRST_NAMED);
    status = text_status(&list);
    if (!status && count > 0)
        status = table_add_note(table,
                                "Means leave the first calls out (--warmup). What these took "
                                "beyond as many later ones: %s.",
                                list.bytes);
    text_fini(&list);
    return status;
}

static enum status add_interrupted_note(struct table *table, const struct groups *groups)
{
    char interrupted[UNITS_SIZE];

    if (groups->interrupted_calls == 0)
        return STATUS_OK;
    return table_add_note(table,
                          "%s of the timed calls took over 100 times as long as others of the same "
                          "kernel, as a call does that loses the processor: %s for %s alone.",
                          units_format_count(interrupted, (int64_t)groups->interrupted_calls),
                          units_choose(groups->interrupted_calls, "it stands", "they stand"),
                          units_choose(groups->interrupted_calls, "itself", "themselves"));
}

/* Rows of whose times no error can be told, as one timed call does not. */
static size_t count_without_error(const struct groups *groups)
{
    size_t count = 0;

    for (size_t i = 0; i < groups->rows.count; i++)
        count += isnan(((const struct group *)array_at(&groups->rows, i))->total_variance) != 0;
    return count;
}

static enum status add_timed_note(struct table *table, const struct groups *groups)
{
    size_t without = count_without_error(groups);
    char timed[UNITS_SIZE], calls[UNITS_SIZE], rows[UNITS_SIZE], unknown[UNITS_SIZE + 40] = "";

    if (without > 0)
        snprintf(unknown, sizeof unknown, ", of which no error is known in %s row%s",
                 units_format_count(rows, (int64_t)without), units_choose(without, "", "s"));
    return table_add_note(
        table,
        "%s of %s calls %s timed; the others were counted only (level-1 BLAS, and short "
        "kernels beyond TPROF_OVERHEAD): what they took is an estimate by those timed%s.",
        units_format_count(timed, (int64_t)groups->timed_calls),
        units_format_count(calls, (int64_t)groups->calls),
        units_choose(groups->timed_calls, "was", "were"), unknown);
}

enum status kernel_rows_add_estimate_note(struct table *table, const struct groups *groups)
{
    enum status status;

    if (groups->timed_calls >= groups->calls)
        return STATUS_OK;
    status = add_timed_note(table, groups);
    if (!status)
        status = add_interrupted_note(table, groups);
    return status ? status : kernel_rows_add_rough_note(table, groups);
}
