/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The heap over time: a plot, and the readings at snapshots, at the borders of regions, and at
 * intervals.
 */
#include "document/table.h"
#include "heap/memory_parts.h"
#include "heap/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

/* How many readings of a kind people see, unless they ask for more; programs see all. */
static const struct reading_kind {
    const char *word;    /* word for a single reading */
    const char *several; /* in a note */
    size_t shown;
} reading_kinds[] = {
    [SESSION_READING_PERIODIC] = {"interval", "periodic readings", 20},
    [SESSION_READING_SNAPSHOT] = {"snapshot", "snapshots", 50},
    [SESSION_READING_BEGIN] = {"begin", "begins of regions", 25},
    [SESSION_READING_END] = {"end", "ends of regions", 25},
};

enum { READING_KINDS = sizeof reading_kinds / sizeof *reading_kinds };

enum reading_column { LABEL, KIND, TIME, LIVE, USABLE, RSS, PSS, MAPPED, VMS, PEAK_RSS };

/* `usable` is the title of the heap that the shim counted, which not every trace has. */
#define READING_COLUMNS_OF(usable)                                                                 \
    {                                                                                              \
        [LABEL] = {"label", "label",                                                               \
                   "of the snapshot or region; (interval) for a periodic reading", UNIT_TEXT, 0},  \
        [KIND] = {"kind", "kind", "snapshot, begin, end or interval", UNIT_TEXT, 0},               \
        [TIME] = {"time_ns", "time", "since the start", UNIT_NS, 0},                               \
        [LIVE] = {"live_heap_bytes", "live heap", "allocated and not freed", UNIT_BYTES, 0},       \
        [USABLE] = {"usable_heap_bytes", usable,                                                   \
                    "the same with what malloc rounds up, counted and never estimated",            \
                    UNIT_BYTES, 4},                                                                \
        [RSS] = {"rss_bytes", "resident", "resident memory", UNIT_BYTES, 0},                       \
        [PSS] = {"pss_bytes", "own part",                                                          \
                 "of resident memory, what is shared divided among its users; in snapshots",       \
                 UNIT_BYTES, 5},                                                                   \
        [MAPPED] = {"mapped_bytes", "mapped", "by the program's own mmap calls", UNIT_BYTES, 1},   \
        [VMS] = {"vms_bytes", "virtual", "all mappings", UNIT_BYTES, 3},                           \
        [PEAK_RSS] = {"peak_rss_bytes", "peak resident", "highest resident memory so far",         \
                      UNIT_BYTES, 2},                                                              \
    }

enum { READING_COLUMNS = PEAK_RSS + 1 };

static const struct column plain_columns[READING_COLUMNS] = READING_COLUMNS_OF(NULL);
static const struct column counted_columns[READING_COLUMNS] = READING_COLUMNS_OF("usable heap");

static const struct table_schema plain_schema = {"memory", "Readings", plain_columns,
                                                 READING_COLUMNS, NULL};
static const struct table_schema counted_schema = {"memory", "Readings", counted_columns,
                                                   READING_COLUMNS, NULL};

static const struct table_schema *schema_of(const struct session *session)
{
    const struct session_reading *reading = session->readings.items;

    for (size_t i = 0; i < session->readings.count; i++)
        if (reading[i].usable_heap_bytes != SESSION_UNKNOWN)
            return &counted_schema;
    return &plain_schema;
}

static void set_reading(struct value *row, const struct session *session,
                        const struct session_reading *reading)
{
    value_set_text(&row[LABEL], reading->label ? reading->label : "(interval)");

    value_set_known(&row[USABLE], reading->usable_heap_bytes);
    value_set_unsigned(&row[TIME], reading->time_ns);
    value_set_known(&row[RSS], reading->values.rss_bytes);
    value_set_known(&row[PSS], reading->values.pss_bytes);
    value_set_known(&row[VMS], reading->values.vms_bytes);
    value_set_known(&row[LIVE], reading->live_heap_bytes);
    value_mark_estimate(&row[LIVE], memory_is_estimate_at(session, reading->time_ns));
    value_set_known(&row[MAPPED], reading->mapped_bytes);
    value_set_known(&row[PEAK_RSS], reading->values.peak_rss_bytes);
    value_set_text(&row[KIND], reading_kinds[reading->kind].word);
}

/* The readings of one kind. */
struct thinning {
    size_t count;
    size_t limit; /* how many readings are shown */
    size_t seen;
};

static void plan_thinning(struct thinning thinning[READING_KINDS], const struct session *session,
                          const struct analysis_options *options)
{
    const struct session_reading *reading = session->readings.items;

    for (size_t i = 0; i < session->readings.count; i++)
        thinning[reading[i].kind].count++;
    for (size_t i = 0; i < READING_KINDS; i++) {
        size_t limit = analysis_limit(options, reading_kinds[i].shown);

        thinning[i].limit = limit < thinning[i].count ? limit : thinning[i].count;
    }
}

/* Returns: whether the next reading is shown: evenly spaced ones, the first and the last. */
static bool is_shown(struct thinning *thinning)
{
    size_t gaps = thinning->limit - 1, last = thinning->count - 1, now = thinning->seen++;

    return now == 0 || now * gaps / last > (now - 1) * gaps / last;
}

/* Notes the left out readings, and how to see them. */
static void note_thinning(struct table *table, const struct thinning thinning[READING_KINDS])
{
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < READING_KINDS; i++)
        if (thinning[i].limit < thinning[i].count)
            say(&line, readings_shown_text, said_count(thinning[i].count),
                said_words(reading_kinds[i].several), said_count(thinning[i].limit));
    if (line.size > 0)
        say(&line, readings_all_text);
    text_list_take(&table->notes, &line);
}

static void fill_readings(struct table *table, const struct session *session,
                          const struct analysis_options *options)
{
    struct thinning thinning[READING_KINDS] = {{0}};

    plan_thinning(thinning, session, options);
    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);
        struct value *row;

        if (!is_shown(&thinning[reading->kind]))
            continue;
        row = table_add_row(table);
        set_reading(row, session, reading);
    }
    note_thinning(table, thinning);
}

static void note_growth(struct table *table, const struct session *session)
{
    const struct array *readings = &session->readings;
    const struct session_reading *first, *last;
    double bytes;

    if (readings->count < 2)
        return;
    first = array_at(readings, 0);
    last = array_at(readings, readings->count - 1);
    if (first->values.rss_bytes == SESSION_UNKNOWN || last->values.rss_bytes == SESSION_UNKNOWN)
        return;
    bytes = (double)last->values.rss_bytes - (double)first->values.rss_bytes;
    table_say(table, readings_growth_text, said_words(bytes < 0 ? "" : "+"), said_bytes(bytes));
}

static void add_readings(struct document *document, const struct memory_work *work,
                         enum section_place place)
{
    struct analysis_options options = *work->options;
    struct table *table =
        document_add_table(document, place == SECTION_IN_JSON ? "readings" : "shown", place);

    table_init(table, schema_of(work->session));
    options.shows_all = options.shows_all || place == SECTION_IN_JSON;
    fill_readings(table, work->session, &options);
    heap_rows_note_estimates(table, work->session, STAGES_OF_BLOCKS | STAGES_OF_READINGS);
    note_growth(table, work->session);
}

enum moment_column { START, LOWEST, HIGHEST, LAST, BLOCKS, MAPPED_THEN };

static const struct column moment_columns[] = {
    [START] = {"time_ns", NULL, "where the stretch of time begins", UNIT_NS, 0},
    [LOWEST] = {"min_heap_bytes", NULL, "lowest live heap in it", UNIT_BYTES, 0},
    [HIGHEST] = {"max_heap_bytes", NULL, "highest live heap in it", UNIT_BYTES, 0},
    [LAST] = {"last_heap_bytes", NULL, "live heap at its end", UNIT_BYTES, 0},
    [BLOCKS] = {"last_blocks", NULL, "blocks live at its end", UNIT_COUNT, 0},
    [MAPPED_THEN] = {"mapped_bytes", NULL, "by the program's own mmap calls, at its end",
                     UNIT_BYTES, 0},
};

static const struct table_schema moment_schema = {
    "moments", NULL, moment_columns, sizeof moment_columns / sizeof *moment_columns, NULL};

static void add_moments(struct document *document, const struct session *session)
{
    struct table *table = document_add_table(document, "moments", SECTION_IN_JSON);
    const struct session_moment *moment = session->heap.moments.items;

    table_init(table, &moment_schema);
    for (size_t i = 0; memory_is_known(&session->heap) && i < session->heap.moments.count; i++) {
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[START], moment[i].time_ns);
        value_set_unsigned(&row[LOWEST], moment[i].min_bytes);
        value_set_unsigned(&row[HIGHEST], moment[i].max_bytes);
        value_set_unsigned(&row[LAST], moment[i].last_bytes);
        value_set_unsigned(&row[BLOCKS], moment[i].last_blocks);
        value_set_known(&row[MAPPED_THEN], moment[i].mapped_bytes);
    }
}

static void fill_area(struct plot *plot, const struct session *session)
{
    const struct session_moment *moment = session->heap.moments.items;

    for (size_t i = 0; i < session->heap.moments.count; i++)
        plot_add_point(&plot->area, (double)moment[i].time_ns, (double)moment[i].max_bytes);
}

static void fill_mapped(struct plot *plot, const struct session *session)
{
    const struct session_moment *moment = session->heap.moments.items;
    struct plot_series *series = plot_add_series(plot, "the program's mappings", '+');

    for (size_t i = 0; i < session->heap.moments.count; i++)
        if (moment[i].mapped_bytes != SESSION_UNKNOWN && moment[i].mapped_bytes > 0)
            plot_add_point(&series->points, (double)moment[i].time_ns,
                           (double)moment[i].mapped_bytes);
}

static void fill_resident(struct plot *plot, const struct session *session)
{
    struct plot_series *series = plot_add_series(plot, "resident memory", 'x');

    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);

        if (reading->values.rss_bytes != SESSION_UNKNOWN)
            plot_add_point(&series->points, (double)reading->time_ns,
                           (double)reading->values.rss_bytes);
    }
}

static void add_plot(struct document *document, const struct session *session)
{
    struct plot *plot = document_add_plot(document, "Memory timeline");

    plot->label = "highest live heap";
    plot->x_end = (double)session->process.wall_ns;
    if (!memory_is_known(&session->heap))
        return;
    fill_area(plot, session);
    fill_mapped(plot, session);
    fill_resident(plot, session);
}

void memory_add_timeline(struct document *document, struct memory_work *work)
{
    const struct session *session = work->session;

    add_plot(document, session);
    add_readings(document, work, SECTION_IN_TEXT);
    add_readings(document, work, SECTION_IN_JSON);
    document->main = "readings";
    add_moments(document, session);
}
