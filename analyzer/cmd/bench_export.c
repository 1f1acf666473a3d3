/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The runs of tprof bench as files for tprof compare and tprof gate, one a point.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/bench_parts.h"
#include "cmd/destination.h"
#include "runs/baseline.h"

/* Shape: the parameters of a point, and its command as {command}. */
static void name_export(const struct bench *bench, const struct plan_point *point,
                        struct text *name)
{
    struct array values;
    struct parameter_value *place;

    array_init(&values, sizeof(struct parameter_value));
    for (size_t i = 0; i <= point->values.count; i++) {
        place = array_add(&values);
        *place = i < point->values.count
                     ? *(struct parameter_value *)array_at(&point->values, i)
                     : (struct parameter_value){"command", point->command->label, NULL};
    }
    parameter_substitute(name, bench->export, &values);
    array_fini(&values);
}

enum status bench_check_export(const struct bench *bench, struct diagnostic *diagnostic)
{
    const struct plan_point *point = bench->plan.points.items;
    enum status status = STATUS_OK;
    struct text name, other;

    text_init(&name);
    text_init(&other);
    for (size_t i = 0; bench->export && i < bench->plan.points.count && !status; i++) {
        text_clear(&name);
        name_export(bench, &point[i], &name);
        if (!bench->shared.may_overwrite && access(name.bytes, F_OK) == 0)
            status = diagnostic_set(diagnostic, STATUS_IO, "%.200s exists; -f overwrites it",
                                    name.bytes);
        else if (i > 0 && strcmp(name.bytes, other.bytes) == 0)
            status = diagnostic_set(diagnostic, STATUS_USAGE,
                                    "bench --export %.100s: '%.60s' and '%.60s' would be one file: "
                                    "put {NAME} of each parameter into it, or {command}",
                                    bench->export, point[i - 1].label, point[i].label);
        text_clear(&other);
        text_append(&other, name.bytes);
    }
    text_fini(&name);
    text_fini(&other);
    return status;
}

/* The side borrows the runs. */
static void gather_side(const struct results *results, size_t index, struct run_side *side)
{
    const struct sample *sample = results->samples->items;

    for (size_t i = 0; i < results->samples->count; i++) {
        struct run *run;

        if (sample[i].point != index || !sample_counts(&sample[i]))
            continue;
        run = array_add(&side->runs);
        *run = sample[i].run;
    }
}

static enum status write_file(const char *path, const struct text *text,
                              struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status = destination_open(&out, path, true, diagnostic);

    if (status)
        return status;
    fwrite(text->bytes, 1, text->size, out);
    return destination_close(out, render_finish(out, diagnostic), path, diagnostic);
}

static enum status export_point(const struct bench *bench, const struct results *results,
                                size_t index, struct diagnostic *diagnostic)
{
    const struct plan_point *point = array_at(&bench->plan.points, index);
    struct run_side side;
    struct text name, text;
    enum status status;

    text_init(&name);
    text_init(&text);
    run_side_init(&side, point->label);
    name_export(bench, point, &name);
    gather_side(results, index, &side);
    baseline_append(&side, &text);
    status = write_file(name.bytes, &text, diagnostic);
    array_fini(&side.runs);
    text_fini(&name);
    text_fini(&text);
    return status;
}

enum status bench_export(const struct bench *bench, const struct results *results,
                         struct diagnostic *diagnostic)
{
    const struct result *result = results->points.items;
    enum status status = STATUS_OK;

    for (size_t i = 0; bench->export && i < results->points.count && !status; i++)
        if (result[i].time.count > 0)
            status = export_point(bench, results, i, diagnostic);
    return status;
}
