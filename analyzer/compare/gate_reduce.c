/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reduce runs to the operations that a minimal baseline names.
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

/* The time of one call, or of the whole run; NAN when the run has no such part. */
static double part_ns(const struct run *run, const char *operation, enum run_subject subject)
{
    if (subject == RUN_REGION)
        return call_ns(run, operation, is_region, RUN_INCLUSIVE);
    if (subject == RUN_KERNEL)
        return call_ns(run, operation, is_kernel, RUN_TOTAL);
    return subject == RUN_WHOLE && strcmp(operation, run->label) == 0
               ? run_whole_value(run, RUN_WALL)
               : (double)NAN;
}

static enum run_subject find_subject(const struct run_side *of, const char *operation)
{
    static const enum run_subject order[] = {RUN_REGION, RUN_KERNEL, RUN_WHOLE};

    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        for (size_t j = 0; j < of->runs.count; j++)
            if (!isnan(part_ns(array_at(&of->runs, j), operation, order[i])))
                return order[i];
    return RUN_OPERATION;
}

static void add_operation(struct run *made, const struct run *of, const char *operation,
                          enum run_subject subject)
{
    double ns = part_ns(of, operation, subject);
    struct run_row *row;

    if (isnan(ns))
        return;
    row = run_add_row(made, subject, subject == RUN_WHOLE ? "" : operation, "");
    row->values[subject == RUN_WHOLE ? RUN_WALL : RUN_CALL] = ns;
}

static void add_run(struct run_side *made, const struct run *of)
{
    const char *ending = run_fact_value(of, run_ending);
    struct run *run = array_add(&made->runs);

    run_init(run, of->label, of->path);
    if (ending)
        run_add_fact(run, run_ending, ending);
}

static void add_operations(struct run_side *made, const struct run_side *of, const char *operation,
                           enum run_subject subject)
{
    for (size_t i = 0; i < of->runs.count; i++)
        add_operation(array_at(&made->runs, i), array_at(&of->runs, i), operation, subject);
}

/* The whole run has no name and a time of its own. */
static void set_subject(struct run_row *row, enum run_subject subject)
{
    row->subject = subject;
    if (subject != RUN_WHOLE)
        return;
    row->name = "";
    row->values[RUN_WALL] = row->values[RUN_CALL];
    row->values[RUN_CALL] = (double)NAN;
}

void gate_reduce(struct run_side *made, const struct run_side *of, struct run *minimal)
{
    run_side_init(made, of->label);
    for (size_t i = 0; i < of->runs.count; i++)
        add_run(made, array_at(&of->runs, i));
    for (size_t i = 0; i < minimal->rows.count; i++) {
        struct run_row *row = array_at(&minimal->rows, i);
        enum run_subject subject = find_subject(of, row->name);

        add_operations(made, of, row->name, subject);
        set_subject(row, subject);
    }
}
