/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What threads waited for, where, for how long, and who held the lock.
 */
#include <math.h>

#include "document/table.h"
#include "figures/analysis.h"
#include "figures/wait_rows.h"
#include "figures/wait_split.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "time/texts.h"

enum column_index {
    NAME,
    KIND,
    PLACE,
    CALLS,
    BYTES,
    TOTAL,
    WAITING,
    MEAN,
    MAX,
    MAIN,
    SHARE,
    OWNER,
    THREADS
};

static const struct column columns[] = {
    [NAME] = {"name", "what", "the call and its file, socket or lock", UNIT_TEXT, 0},
    [KIND] = {"kind", "kind", "what was waited for; unhooked: tprof saw no call", UNIT_TEXT, 1},
    [PLACE] = {"place", "where", "the function that called, and its line", UNIT_PLACE, 2},
    [CALLS] = {"calls", "calls", "of locks those that found the lock taken", UNIT_COUNT, 0},
    [BYTES] = {"bytes", "bytes", "read or written", UNIT_BYTES, 3},
    [TOTAL] = {"total_ns", "time", "in these calls, processor time too", UNIT_NS, 4},
    [WAITING] = {"wall_ns", "waiting", "in these calls, on no processor", UNIT_NS, 0},
    [MEAN] = {"mean_ns", "mean", "a call", UNIT_NS, 5},
    [MAX] = {"max_ns", "longest", "of the timed calls", UNIT_NS, 7},
    [MAIN] = {"main_path_ns", "main path", "waiting in the thread that the program began with",
              UNIT_NS, 6},
    [SHARE] = {"share", "share", "of the wall time: the main path waited so long", UNIT_FRACTION,
               0},
    [OWNER] = {"owner", "held by", "the thread that held the lock for most of the wait",
               UNIT_NUMBER, 6},
    [THREADS] = {"threads", "threads", "that waited", UNIT_COUNT, 8},
};

static const struct table_schema schema = {"waits", "Waiting", columns,
                                           sizeof columns / sizeof *columns, "share"};

static enum status set_row(struct value *row, const struct wait_row *of, double wall_ns)
{
    if (of->calls > 0) {
        value_set_unsigned(&row[CALLS], of->calls);
        value_set_rounded(&row[MEAN], of->total_ns / (double)of->calls);
        value_set_unsigned(&row[MAX], of->max_ns);
    }
    value_set_known(&row[BYTES], of->bytes);
    value_set_rounded(&row[TOTAL], of->total_ns);
    value_set_rounded(&row[WAITING], of->waiting_ns);
    value_set_rounded(&row[MAIN], of->main_path_ns);
    value_set_ratio(&row[SHARE], of->main_path_ns, wall_ns);
    if (of->owner != 0)
        value_set_unsigned(&row[OWNER], of->owner);
    value_set_unsigned(&row[THREADS], of->threads);
    if (value_set_text(&row[NAME], of->name) || value_set_text(&row[KIND], of->kind))
        return STATUS_OUT_OF_MEMORY;
    return of->place ? value_set_text(&row[PLACE], of->place) : STATUS_OK;
}

static enum status fill(struct table *table, const struct session *session,
                        const struct wait_rows *rows)
{
    double wall_ns = (double)session->process.wall_ns;
    enum status status = STATUS_OK;

    for (size_t i = 0; !status && i < rows->rows.count; i++) {
        struct value *row = table_add_row(table);

        status = row ? set_row(row, array_at(&rows->rows, i), wall_ns) : STATUS_OUT_OF_MEMORY;
    }
    return status;
}

static enum status say_split(struct table *table, const struct session *session)
{
    struct wait_split split;

    if (session->threads.count == 0)
        return STATUS_OK;
    split = wait_split_of(session, wait_main_thread(session));
    if (isnan(split.cpu_ns))
        return table_say(table, waits_split_unknown_text);
    if (table_say(table, waits_split_text, said_time(split.wall_ns), said_time(split.cpu_ns),
                  said_time(split.delay_ns), said_time(split.waiting_ns)))
        return STATUS_OUT_OF_MEMORY;
    return table_say(table, waits_hooked_text, said_time(split.hooked_ns),
                     said_time(split.unhooked_ns));
}

static enum status say_disk_faults(struct table *table, const struct session *session)
{
    uint64_t faults = session->process.last.major_faults;

    if (!session->process.has_last || faults == SESSION_UNKNOWN || faults == 0)
        return STATUS_OK;
    return table_say(table, waits_faults_text, said_count(faults));
}

static enum status say_notes(struct table *table, const struct session *session)
{
    if (table_say(table, waits_whole_text, said_time((double)session->process.wall_ns)) ||
        say_split(table, session))
        return STATUS_OUT_OF_MEMORY;
    return say_disk_faults(table, session);
}

static enum status build(const struct session *session, const struct analysis_options *options,
                         struct table *table)
{
    struct wait_rows rows;
    enum status status = wait_rows_init(&rows, session, options->by);

    table_init(table, &schema);
    if (!status)
        status = fill(table, session, &rows);
    wait_rows_fini(&rows);
    return status ? status : say_notes(table, session);
}

const struct analysis analysis_waits = {
    .name = "waits",
    .help = "What threads waited for: files, sockets, locks, other threads; where, and how long.",
    .sort_key = "wall_ns",
    .build = build,
    .rows = 1 << ANALYSIS_BY_KIND | 1 << ANALYSIS_BY_FILE | 1 << ANALYSIS_BY_THREAD |
            1 << ANALYSIS_BY_PLACE,
};
