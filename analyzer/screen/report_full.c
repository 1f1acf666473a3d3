/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole report for people: the first screen, the run and its sums, and then the output of each
 * command of parts.def.
 */
#include "base/pool.h"
#include "document/document.h"
#include "screen/first_screen.h"
#include "screen/report_head.h"
#include "screen/report_parts.h"
#include "screen/shown.h"

enum { ROWS_SHOWN = 20 }; /* rows of a table; its own command shows more */

static const struct {
    const struct analysis *analysis;
    const char *command;
} analyses[] = {
#define PART(id, title)
#define SHOWN(name, is_open) {&analysis_##name, "tprof " #name},
#include "screen/parts.def"
#undef SHOWN
#undef PART
};

static void add_shown(struct document *document, const struct shown *shown,
                      const char *command)
{
    struct document own;

    shown_build(shown, &own);
    document_take(document, &own, command);
    document_fini(&own);
}

void report_add_full(struct document *document, const struct report_sums *sums,
                     const struct analysis_options *options)
{
    struct pool pool;

    pool_enter(&pool);
    first_screen_add(document, sums, options);
    pool_leave(&pool);
    report_add_head(document, sums->session);
    report_add_summary(document, sums);
    for (size_t i = 0; i < sizeof analyses / sizeof *analyses; i++) {
        const struct shown shown = {.session = sums->session,
                                    .options = options,
                                    .analysis = analyses[i].analysis,
                                    .most_rows = ROWS_SHOWN,
                                    .is_elaborated = true};

        if (!shown.analysis->is_there || shown.analysis->is_there(sums->session))
            add_shown(document, &shown, analyses[i].command);
    }
}
