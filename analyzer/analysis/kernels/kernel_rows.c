/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cells of kernel tables.
 */
#include "analysis/kernels/kernel_rows.h"

#include <math.h>

#include "base/units.h"

void kernel_rows_set_ratio(struct value *value, long double dividend, long double divisor)
{
    value_set_real(value, divisor > 0 ? (double)(dividend / divisor) : NAN);
}

void kernel_rows_set_known(struct value *value, uint64_t count)
{
    if (count == SESSION_UNKNOWN)
        value_set_null(value);
    else
        value_set_unsigned(value, count);
}

void kernel_rows_set_count(struct value *value, long double count)
{
    if (count >= 0 && count < 0x1p64L)
        value_set_unsigned(value, (uint64_t)llroundl(count));
    else
        value_set_real(value, (double)count);
}

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

enum status kernel_rows_add_estimate_note(struct table *table, const struct groups *groups)
{
    char timed[UNITS_SIZE], calls[UNITS_SIZE];

    if (groups->timed_calls >= groups->calls)
        return STATUS_OK;
    return table_add_note(
        table,
        "%s of %s calls %s timed; the others were counted only (level-1 BLAS, and short "
        "kernels beyond TPROF_OVERHEAD): what they took is an estimate by those timed.",
        units_format_count(timed, (int64_t)groups->timed_calls),
        units_format_count(calls, (int64_t)groups->calls),
        units_choose(groups->timed_calls, "was", "were"));
}
