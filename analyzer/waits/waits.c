/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The waits of threads: object, place, duration, and the lock's holder.
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/analysis.h"
#include "document/table.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "options/readers.h"
#include "waits/texts.h"
#include "waits/wait_lanes.h"
#include "waits/wait_rows.h"
#include "waits/wait_split.h"
#include "waits/wait_table.h"
#include "waits/waits_options.h"
#include "waits/waker_table.h"
#include "waits/wall.h"

static void say_split(struct table *table, const struct session *session)
{
    struct wait_split split;

    if (session->threads.count == 0)
        return;
    split = wait_split_of(session, wait_main_thread(session));
    if (isnan(split.cpu_ns)) {
        table_say(table, waits_split_unknown_text);
        return;
    }
    table_say(table, waits_split_text, said_time(split.wall_ns), said_time(split.cpu_ns),
              said_time(split.delay_ns), said_time(split.waiting_ns));
    table_say(table, waits_hooked_text, said_time(split.hooked_ns), said_time(split.unhooked_ns));
}

static void say_disk_faults(struct table *table, const struct session *session)
{
    uint64_t faults = session->process.last.major_faults;

    if (!session->process.has_last || faults == SESSION_UNKNOWN || faults == 0)
        return;
    table_say(table, waits_faults_text, said_count(faults));
}

static void say_early(struct table *table, const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    if (losses->early_waits > 0)
        table_say(table, waits_early_text, said_count(losses->early_waits),
                  said_time(losses->early_waits_ns));
}

static void say_holder(struct table *table, const struct wait_row *row)
{
    char owner[16];

    snprintf(owner, sizeof owner, "%u", row->owner); /* the number needs no commas, unlike a
                                                        count */
    if (row->holder)
        table_say(table, waits_gil_at_text, said_words(owner), said_words(row->holder));
    else
        table_say(table, waits_gil_text, said_words(owner));
}

/* Columns of places are the first that a narrow page leaves out. */
static void say_gil(struct table *table, const struct session *session)
{
    double least_ns = 0.01 * (double)session->process.wall_ns;
    struct wait_rows rows;

    wait_rows_init(&rows, session, ANALYSIS_BY_KIND);
    for (size_t i = 0; i < rows.rows.count; i++) {
        const struct wait_row *row = array_at(&rows.rows, i);

        if (strcmp(row->kind, "gil") == 0 && row->owner != 0 && row->waiting_ns >= least_ns)
            say_holder(table, row);
    }
}

static void say_notes(struct table *table, const struct session *session)
{
    wall_say_whole(table, session);
    say_split(table, session);
    say_gil(table, session);
    say_disk_faults(table, session);
    say_early(table, session);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    table_init(table, &wait_table_schema);
    wait_table_fill(table, session, options->by);
    say_notes(table, session);
}

/* People see the table where it has rows. */
static void add_wakers(struct document *document, const struct session *session,
                       const struct analysis_options *options)
{
    struct table wakers, *table;

    table_init(&wakers, &waker_table_schema);
    waker_table_fill(&wakers, session, options->find_frames);
    table = document_add_table(document, "wakers",
                               table_row_count(&wakers) > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON);
    *table = wakers;
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    struct table *table;

    document_init(document);
    document->name = "waits";
    document->main = options->waits->plot ? "lanes" : "rows";
    if (options->waits->plot) {
        wait_lanes_add(document, session);
        return;
    }
    table = document_add_table(document, "rows", SECTION_IN_BOTH);
    build(session, options, table);
    add_wakers(document, session, options);
}

static const struct option_row own_options[] = {
#define OPTION(field, ...) OPTION_ROW(struct waits_options, field, __VA_ARGS__),
#include "waits/waits_options.def"
#undef OPTION
};

static const struct waits_options defaults = {0};

const struct analysis analysis_waits = {
    .name = "waits",
    .help = "What threads waited for: files, sockets, locks, other threads; where, and how long.",
    .sort_key = "wall_ns",
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
    .is_arranged = true,
    .long_rows = UINT_MAX,
    .least_share = 0.001,
    .own = {own_options, sizeof own_options / sizeof *own_options, &defaults, sizeof defaults},
};
