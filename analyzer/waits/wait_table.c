/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of waits.
 */
#include "waits/wait_table.h"

#include "model/session.h"
#include "model/session_process.h"
#include "waits/wait_rows.h"

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
    HOLDER,
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
               UNIT_NUMBER, 2},
    [HOLDER] = {"holder", "at",
                "where the holder of the interpreter's lock was for most of the wait", UNIT_PLACE,
                2},
    [THREADS] = {"threads", "threads", "that waited", UNIT_COUNT, 8},
};

const struct table_schema wait_table_schema = {"waits", "Waiting", columns,
                                               sizeof columns / sizeof *columns, "share"};

static void set_row(struct value *row, const struct wait_row *of, double wall_ns)
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
    value_set_text(&row[NAME], of->name);
    value_set_text(&row[KIND], of->kind);
    if (of->place)
        value_set_text(&row[PLACE], of->place);
    if (of->holder)
        value_set_text(&row[HOLDER], of->holder);
}

static void add_rows(struct table *table, const struct session *session,
                     const struct wait_rows *rows)
{
    double wall_ns = (double)session->process.wall_ns;

    for (size_t i = 0; i < rows->rows.count; i++) {
        struct value *row = table_add_row(table);

        set_row(row, array_at(&rows->rows, i), wall_ns);
    }
}

void wait_table_fill(struct table *table, const struct session *session, enum analysis_by by)
{
    struct wait_rows rows;

    wait_rows_init(&rows, session, by);
    add_rows(table, session, &rows);
}
