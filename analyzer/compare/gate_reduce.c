/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * From traces to the operations of a minimal baseline.
 */
#include <math.h>
#include <string.h>

#include "compare/gate.h"

static bool is_region(const struct run_row *row, const char *operation)
{
    const char *slash = strrchr(row->name, '/');

    return row->subject == RUN_REGION &&
           (strcmp(row->name, operation) == 0 || (slash && strcmp(slash + 1, operation) == 0));
}

static bool is_kernel(const struct run_row *row, const char *operation)
{
    return row->subject == RUN_KERNEL && strcmp(row->name, operation) == 0;
}

/* Time a call of all rows of an operation together. */
static double call_ns(const struct run *run, const char *operation,
                      bool (*is_of)(const struct run_row *, const char *),
                      enum run_quantity quantity)
{
    double calls = 0, ns = 0;

    for (size_t i = 0; i < run->rows.count; i++) {
        const struct run_row *row = array_at(&run->rows, i);

        if (!is_of(row, operation))
            continue;
        calls += row->values[RUN_CALLS];
        ns += row->values[quantity];
    }
    return calls > 0 ? ns / calls : (double)NAN;
}

static double operation_ns(const struct run *run, const char *operation)
{
    double ns = call_ns(run, operation, is_region, RUN_INCLUSIVE);

    if (isnan(ns))
        ns = call_ns(run, operation, is_kernel, RUN_TOTAL);
    if (isnan(ns) && strcmp(operation, run->label) == 0)
        ns = run_whole_value(run, RUN_WALL);
    return ns;
}

static enum status add_operation(struct run *made, const char *operation, double ns)
{
    struct run_row *row;

    if (isnan(ns))
        return STATUS_OK;
    row = run_add_row(made, RUN_REGION, operation, "");
    if (!row)
        return STATUS_OUT_OF_MEMORY;
    row->values[RUN_CALL] = ns;
    return STATUS_OK;
}

static enum status add_run(struct run_side *made, const struct run *of, const struct run *minimal)
{
    const char *ending = run_fact_value(of, run_ending);
    struct run *run = array_add(&made->runs);
    enum status status = run ? run_init(run, of->label, of->path) : STATUS_OUT_OF_MEMORY;

    for (size_t i = 0; i < minimal->rows.count && !status; i++) {
        const struct run_row *row = array_at(&minimal->rows, i);

        status = add_operation(run, row->name, operation_ns(of, row->name));
    }
    if (!status && ending)
        status = run_add_fact(run, run_ending, ending);
    return status;
}

enum status gate_reduce(struct run_side *made, const struct run_side *of, const struct run *minimal)
{
    enum status status = STATUS_OK;

    run_side_init(made, of->label);
    for (size_t i = 0; i < of->runs.count && !status; i++)
        status = add_run(made, array_at(&of->runs, i), minimal);
    return status;
}
