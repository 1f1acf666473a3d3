/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Times of ops, from their laps.
 *
 * Laps of the deepest ops are left out, and of too many the short ones.  Names of left out laps
 * have no row: their remaining times would be the long ones.
 */
#include "page/op_times.h"

#include "base/array.h"
#include "base/text_index.h"
#include "kernels/timing_row.h"
#include "model/op_laps.h"
#include "model/session.h"
#include "model/session_ops.h"
#include "statistics/summary.h"

enum {
    NAME,
    SAMPLES,
    MEAN,
    MEAN_INTERVAL,
#define PERCENTILE(id, name, key, fraction, priority) id, id##_INTERVAL,
#include "statistics/percentiles.def"
#undef PERCENTILE
    BINS,
    COLUMNS
};

static const struct column columns[] = {
    [NAME] = {"name", "op", NULL, UNIT_PLACE, 0},
    [SAMPLES] = {"samples", "calls", NULL, UNIT_COUNT, 0},
    [MEAN] = {"mean_ns", "mean", NULL, UNIT_NS, 0},
    [MEAN_INTERVAL] = {"mean_ci_ns", "interval", NULL, UNIT_NS, 0},
#define PERCENTILE(id, name, key, fraction, priority)                                              \
    [id] = {key "_ns", name, NULL, UNIT_NS, 0},                                                    \
    [id##_INTERVAL] = {key "_ci_ns", "interval", NULL, UNIT_NS, 0},
#include "statistics/percentiles.def"
#undef PERCENTILE
    [BINS] = {"histogram", NULL, NULL, UNIT_ROWS, 0},
};

static const struct table_schema schema = {"op_times", NULL, columns, COLUMNS, NULL};

/* All ops of a name. */
struct named {
    const char *name;
    uint64_t calls;
    bool is_estimated;
    struct array times_ns; /* uint64_t, of the laps */
};

struct op_times {
    const struct session *session;
    const struct analysis_options *options;
    struct text_index keys;
    struct array names; /* of struct named */
};

static struct named *find_named(struct op_times *times, const char *name)
{
    long index = text_index_add_words(&times->keys, name);
    struct named *named;

    if ((size_t)index < times->names.count)
        return array_at(&times->names, (size_t)index);
    named = array_add(&times->names);
    *named = (struct named){.name = name};
    array_init(&named->times_ns, sizeof(uint64_t));
    return named;
}

static void count_calls(struct op_times *times)
{
    for (uint32_t i = 1; i < times->session->ops.count; i++) {
        const struct session_op *op = session_op_at(times->session, i);
        struct named *named = find_named(times, op->name);

        named->calls += op->calls;
        named->is_estimated = named->is_estimated || op->is_estimated;
    }
}

static void add_laps(struct op_times *times)
{
    const struct op_lap *lap = times->session->op_laps.list.items;

    for (size_t i = 0; i < times->session->op_laps.list.count; i++) {
        const char *name = session_op_at(times->session, lap[i].op)->name;
        struct named *named = find_named(times, name);
        uint64_t *place = array_add(&named->times_ns);

        *place = lap[i].end_ns - lap[i].start_ns;
    }
}

static void set_percentiles(struct value *row, const struct summary *summary)
{
    static const unsigned char cells[] = {
#define PERCENTILE(id, name, key, fraction, priority) id,
#include "statistics/percentiles.def"
#undef PERCENTILE
    };

    for (size_t i = 0; i < SUMMARY_PERCENTILES; i++) {
        value_set_rounded(&row[cells[i]], summary->percentiles[i].value);
        timing_set_interval(&row[cells[i] + 1], &summary->percentiles[i].interval);
    }
}

static void add_row(struct op_times *times, struct table *table, const struct named *named)
{
    const struct summary_sample sample = {named->times_ns.items, named->times_ns.count, NULL, 0};
    struct value *row = table_add_row(table);
    struct summary summary;

    value_set_text(&row[NAME], named->name);
    summary_of(&summary, &sample, times->options->confidence);
    value_set_unsigned(&row[SAMPLES], summary.count);
    value_set_real(&row[MEAN], summary.mean);
    timing_set_interval(&row[MEAN_INTERVAL], &summary.mean_interval);
    set_percentiles(row, &summary);
    timing_set_histogram(&row[BINS], &sample, &summary, times->session);
}

static void fill(struct op_times *times, struct table *table)
{
    const struct named *named = times->names.items;

    for (size_t i = 0; i < times->names.count; i++)
        if (!named[i].is_estimated && named[i].times_ns.count > 1 &&
            named[i].times_ns.count == named[i].calls)
            add_row(times, table, &named[i]);
}

void op_times_build(const struct session *session, const struct analysis_options *options,
                    struct table *table)
{
    struct op_times times = {.session = session, .options = options};

    table_init(table, &schema);
    text_index_init(&times.keys);
    array_init(&times.names, sizeof(struct named));
    count_calls(&times);
    add_laps(&times);
    fill(&times, table);
}
