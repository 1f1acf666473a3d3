/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The report: the program, its time, its arithmetic, its memory, the gaps, and
 * the cost of recording.
 */
#include "screen/report.h"

#include "base/pool.h"
#include "screen/first_screen.h"
#include "screen/report_parts.h"

enum { MOST_LINES = 40 }; /* of the first screen: a terminal has as many */

/* Adds the sections for people. */
typedef void (*screen_adder)(struct document *document, const struct report_sums *sums,
                             const struct analysis_options *options);

static void build(const struct session *session, const struct analysis_options *options,
                  struct document *document, screen_adder add_screen)
{
    struct report_sums sums = {.session = session};
    struct pool pool, screen;

    pool_enter(&pool);
    report_sums_init(&sums, session, options);
    document_init(document);
    pool_enter(&screen);
    add_screen(document, &sums, options);
    pool_leave(&screen);
    report_add_facts(document, &sums, options);
    report_sums_fini(&sums);
    pool_leave(&pool);
}

void report_build(const struct session *session, const struct analysis_options *options,
                  struct document *document)
{
    build(session, options, document, first_screen_add);
    document->most_lines = MOST_LINES;
    document->whole = "tprof report --full";
}

void report_build_full(const struct session *session,
                       const struct analysis_options *options, struct document *document)
{
    build(session, options, document, report_add_full);
}
