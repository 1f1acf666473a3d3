/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs as rows; run_session.c makes them from sessions.
 */
#include "runs/run.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "runs/texts.h"
#include "symbols/storage.h"

const char run_ending[] = "ending";
const char run_ended_well[] = "exit status 0";

const struct run_quantity_row *run_quantity_at(enum run_quantity quantity)
{
    static const struct run_quantity_row rows[] = {
#define QUANTITY(id, key, title, unit, kind, better, help)                                         \
    {key, title, unit, RUN_##kind, RUN_##better, help},
#include "runs/quantities.def"
#undef QUANTITY
    };

    return &rows[quantity];
}

enum run_quantity run_quantity_find(const char *key)
{
    int found = 0;

    while (found < RUN_QUANTITIES && strcmp(run_quantity_at((enum run_quantity)found)->key, key))
        found++;
    return (enum run_quantity)found;
}

const char *run_subject_name(enum run_subject subject)
{
    static const char *const names[] = {
        [RUN_WHOLE] = "whole",   [RUN_KERNEL] = "kernel",
        [RUN_REGION] = "region", [RUN_FUNCTION] = "function",
        [RUN_OP] = "op",         [RUN_COMMAND] = "command",
        [RUN_METRIC] = "metric", [RUN_OPERATION] = "operation",
    };

    return names[subject];
}

bool run_subject_find(const char *name, enum run_subject *subject)
{
    for (int i = RUN_WHOLE; i <= RUN_METRIC; i++)
        if (strcmp(run_subject_name((enum run_subject)i), name) == 0) {
            *subject = (enum run_subject)i;
            return true;
        }
    return false;
}

static const char *keep(struct run *run, const char *text)
{
    return run->texts ? storage_keep(run->texts, text, strlen(text)) : NULL;
}

/* Makes the text valid as in a baseline, so that the trace and the file agree. */
static const char *keep_valid(struct run *run, const char *text)
{
    struct text valid;
    const char *kept;

    text_init(&valid);
    utf8_append_valid(&valid, text);
    kept = keep(run, valid.bytes);
    text_fini(&valid);
    return kept;
}

void run_init(struct run *run, const char *label, const char *path)
{
    *run = (struct run){.realtime_start_ns = -1, .is_whole = true};
    array_init(&run->rows, sizeof(struct run_row));
    array_init(&run->facts, sizeof(struct run_fact));
    run->texts = storage_new();
    run->label = keep_valid(run, label);
    run->path = path ? keep(run, path) : NULL;
}

void run_fini(struct run *run)
{
    for (size_t i = 0; i < run->rows.count; i++)
        array_fini(&((struct run_row *)array_at(&run->rows, i))->samples_ns);
    array_fini(&run->rows);
    array_fini(&run->facts);
    if (run->texts)
        storage_free(run->texts);
    run->texts = NULL;
}

struct run_row *run_add_row(struct run *run, enum run_subject subject, const char *name,
                            const char *shape)
{
    const char *kept_name = keep_valid(run, name), *kept_shape = keep_valid(run, shape);
    struct run_row *row = kept_name && kept_shape ? array_add(&run->rows) : NULL;

    if (!row)
        return NULL;
    *row = (struct run_row){.subject = subject, .name = kept_name, .shape = kept_shape};
    for (size_t i = 0; i < RUN_QUANTITIES; i++)
        row->values[i] = (double)NAN;
    array_init_owned(&row->samples_ns, sizeof(double));
    return row;
}

static struct run_row *find_valid(const struct run *run, enum run_subject subject, const char *name,
                                  const char *shape)
{
    for (size_t i = 0; i < run->rows.count; i++) {
        struct run_row *row = array_at(&run->rows, i);

        if (row->subject == subject && strcmp(row->name, name) == 0 &&
            strcmp(row->shape, shape) == 0)
            return row;
    }
    return NULL;
}

void run_set_place(struct run *run, struct run_row *row, const char *file, uint32_t line)
{
    row->file = keep_valid(run, file);
    row->line = line;
}

struct run_row *run_find_row(const struct run *run, enum run_subject subject, const char *name,
                             const char *shape)
{
    struct text valid;
    struct run_row *row;

    text_init(&valid);
    utf8_append_valid(&valid, name);
    row = find_valid(run, subject, valid.bytes, shape);
    text_fini(&valid);
    return row;
}

void run_add_value(struct run *run, const char *metric, double value)
{
    struct run_row *row = run_find_row(run, RUN_METRIC, metric, "");

    if (!row)
        row = run_add_row(run, RUN_METRIC, metric, "");
    row->values[RUN_VALUE] = value;
}

void run_add_fact(struct run *run, const char *name, const char *value)
{
    const char *kept_name = keep_valid(run, name), *kept_value = keep_valid(run, value);
    struct run_fact *fact = kept_name && kept_value ? array_add(&run->facts) : NULL;

    *fact = (struct run_fact){kept_name, kept_value};
}

const char *run_fact_value(const struct run *run, const char *name)
{
    for (size_t i = 0; i < run->facts.count; i++) {
        const struct run_fact *fact = array_at(&run->facts, i);

        if (strcmp(fact->name, name) == 0)
            return fact->value;
    }
    return NULL;
}

const char *run_warmup(const struct run *run)
{
    return run_fact_value(run, run_warmup_text.words);
}

bool run_is_same(const struct run *a, const struct run *b)
{
    return a->realtime_start_ns >= 0 && a->realtime_start_ns == b->realtime_start_ns &&
           a->pid == b->pid;
}

double run_whole_value(const struct run *run, enum run_quantity quantity)
{
    const struct run_row *row = run_find_row(run, RUN_WHOLE, "", "");

    return row ? row->values[quantity] : (double)NAN;
}

double run_metric_value(const struct run *run, const char *metric)
{
    const struct run_row *row = run_find_row(run, RUN_METRIC, metric, "");

    return row ? row->values[RUN_VALUE] : (double)NAN;
}

double run_call_mean(double *samples, size_t count)
{
    size_t cut = count / 10;

    if (count == 0)
        return (double)NAN;
    gsl_sort(samples, 1, count);
    for (size_t i = 0; i < cut; i++) {
        samples[i] = samples[cut];
        samples[count - 1 - i] = samples[count - 1 - cut];
    }
    return gsl_stats_mean(samples, 1, count);
}

/* Takes one call at random from each of RUN_SAMPLES stretches of equal length: equal steps would
 * always or never hit an event of every third call. */
static void keep_samples(struct run_row *row, const struct array *samples)
{
    size_t kept = samples->count < RUN_SAMPLES ? samples->count : RUN_SAMPLES;
    uint32_t random = 1;

    array_reserve(&row->samples_ns, kept);
    for (size_t i = 0; i < kept; i++) {
        size_t from = i * samples->count / kept, to = (i + 1) * samples->count / kept;
        double *sample = array_add(&row->samples_ns);

        random = random * 1664525u + 1013904223u; /* Numerical Recipes in C, 2nd ed., 7.1 */
        *sample = *(double *)array_at(samples, from + (random >> 8) % (to - from));
    }
}

void run_row_set_calls(struct run_row *row, struct array *samples)
{
    double *sample = samples->items;
    size_t count = samples->count;

    keep_samples(row, samples);
    if (count == 0)
        return;
    gsl_sort(sample, 1, count);
    row->values[RUN_P95] = gsl_stats_quantile_from_sorted_data(sample, 1, count, 0.95);
    row->values[RUN_CALL] = run_call_mean(sample, count);
}

void run_side_init(struct run_side *side, const char *label)
{
    side->label = label;
    array_init(&side->runs, sizeof(struct run));
}

void run_side_fini(struct run_side *side)
{
    for (size_t i = 0; i < side->runs.count; i++)
        run_fini(array_at(&side->runs, i));
    array_fini(&side->runs);
}
