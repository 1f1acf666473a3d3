/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Four courses over the wall time, in parts of equal length.
 *
 * Busy processors come from consecutive readings, and waiting threads from calls of at least
 * TRACE_LONG_WAIT_NS; neither counts shorter calls.
 */
#include "waits/wait_lanes.h"

#include <math.h>

#include "document/table.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

enum { PARTS = 60 };

enum lane { COMPUTE, MEMORY, FILES, NETWORK, LANES };

static const struct {
    const char *title;
    enum unit unit;
} lanes[LANES] = {
    [COMPUTE] = {"Compute: busy processors", UNIT_REAL},
    [MEMORY] = {"Memory: resident", UNIT_BYTES},
    [FILES] = {"I/O: threads that wait for files, pipes and devices", UNIT_REAL},
    [NETWORK] = {"Network: threads that wait for sockets", UNIT_REAL},
};

static const struct column columns[] = {
    {"start_ns", "start", "of the part, since the start of recording", UNIT_NS, 0},
    {"processors", "processors", "busy, on average; null: not read", UNIT_REAL, 0},
    {"rss_bytes", "resident", "the last that was read; null: none was", UNIT_BYTES, 0},
    {"io_threads", "files", "threads that waited for files, on average", UNIT_REAL, 0},
    {"network_threads", "network", "threads that waited for sockets, on average", UNIT_REAL, 0},
};

static const struct table_schema schema = {"lanes", NULL, columns, sizeof columns / sizeof *columns,
                                           NULL};

struct courses {
    double part_ns;
    double values[LANES][PARTS]; /* NAN: not known */
};

/* Spreads an amount evenly over its time. */
static void spread(struct courses *courses, enum lane lane, double amount, const double span[2])
{
    double length = span[1] - span[0];

    for (int i = 0; i < PARTS && length > 0; i++) {
        double from = fmax(span[0], i * courses->part_ns);
        double to = fmin(span[1], (i + 1) * courses->part_ns);

        if (to > from)
            courses->values[lane][i] += amount * (to - from) / length;
    }
}

static void add_processors(struct courses *courses, const struct trace_reading *from,
                           const struct trace_reading *to, const double span[2])
{
    double before = (double)from->user_ns + (double)from->system_ns;
    double after = (double)to->user_ns + (double)to->system_ns;

    if (from->user_ns != SESSION_UNKNOWN && to->user_ns != SESSION_UNKNOWN && after > before)
        spread(courses, COMPUTE, after - before, span);
}

/* If several threads took readings, each counts for the time since the one before it. */
static void add_readings(struct courses *courses, const struct session *session)
{
    const struct trace_reading *last = NULL;
    double last_ns = 0;

    for (size_t i = 0; i < session->readings.count; i++) {
        const struct session_reading *reading = session_reading_at(session, i);
        double time_ns = (double)reading->time_ns;
        int part = (int)fmin(PARTS - 1, time_ns / courses->part_ns);

        if (last)
            add_processors(courses, last, &reading->values, (double[2]){last_ns, time_ns});
        if (reading->values.rss_bytes != SESSION_UNKNOWN)
            courses->values[MEMORY][part] = (double)reading->values.rss_bytes;
        last = &reading->values;
        last_ns = time_ns;
    }
    if (last && session->process.has_last)
        add_processors(courses, last, &session->process.last,
                       (double[2]){last_ns, (double)session->process.wall_ns});
}

static void add_waits(struct courses *courses, const struct session *session)
{
    for (size_t i = 0; i < session->wait_calls.count; i++) {
        const struct session_wait_call *call = session_wait_call_at(session, i);
        const struct session_wait *wait = session_wait_at(session, call->wait);
        const double span[2] = {(double)call->start_ns, (double)call->end_ns};

        if (session_wait_is_files(wait))
            spread(courses, FILES, span[1] - span[0], span);
        else if (session_wait_is_network(wait))
            spread(courses, NETWORK, span[1] - span[0], span);
    }
}

/* Resident memory stays until it is read again. */
static void carry_memory(double *values)
{
    for (int i = 1; i < PARTS; i++)
        if (isnan(values[i]))
            values[i] = values[i - 1];
}

static struct courses find_courses(const struct session *session)
{
    struct courses courses = {.part_ns = (double)session->process.wall_ns / PARTS};

    for (int i = 0; i < PARTS; i++)
        courses.values[MEMORY][i] = (double)NAN;
    if (!(courses.part_ns > 0))
        return courses;
    add_readings(&courses, session);
    add_waits(&courses, session);
    carry_memory(courses.values[MEMORY]);
    for (int i = 0; i < PARTS; i++)
        for (int lane = 0; lane < LANES; lane++)
            if (lane != MEMORY)
                courses.values[lane][i] /= courses.part_ns;
    return courses;
}

static void add_plot(struct document *document, const struct courses *courses, enum lane lane)
{
    struct plot *plot = document_add_plot(document, lanes[lane].title);

    plot->is_low = true;
    plot->x_unit = UNIT_NS;
    plot->y_unit = lanes[lane].unit;
    plot->x_end = courses->part_ns * PARTS;
    for (int i = 0; i < PARTS; i++)
        if (!isnan(courses->values[lane][i]))
            plot_add_point(&plot->area, i * courses->part_ns, courses->values[lane][i]);
}

static void add_rows(struct document *document, const struct courses *courses)
{
    struct table *table = document_add_table(document, "lanes", SECTION_IN_JSON);

    table_init(table, &schema);
    for (int i = 0; i < PARTS; i++) {
        struct value *row = table_add_row(table);

        value_set_rounded(&row[0], i * courses->part_ns);
        for (int lane = 0; lane < LANES; lane++)
            value_set_real(&row[1 + lane], courses->values[lane][i]);
    }
}

void wait_lanes_add(struct document *document, const struct session *session)
{
    struct courses courses = find_courses(session);

    for (int lane = 0; lane < LANES; lane++)
        add_plot(document, &courses, (enum lane)lane);
    add_rows(document, &courses);
}
