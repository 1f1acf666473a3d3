/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sides of traces are read as runs for the tables of tprof compare, and then one by one for the
 * call tree of all sides.
 */
#include "cmd/html_compare.h"

#include <math.h>
#include <stdio.h>

#include "cmd/destination.h"
#include "cmd/sides.h"
#include "compare/report.h"
#include "model/session.h"
#include "model/session_open.h"
#include "page/comparison.h"

static enum status check(const struct sides *sides, struct diagnostic *diagnostic)
{
    if (sides->all.count >= 2 && sides->all.count <= COMPARISON_MOST)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: expected 2 to %d sides, found %zu: tprof html BASE NEW..., or "
                          "BASE... -- NEW...",
                          COMPARISON_MOST, sides->all.count);
}

static enum status add_run(struct comparison *comparison, size_t side, const struct run *run,
                           const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct session session;
    enum status status;

    if (!run->path)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "html: a baseline has no call stacks: name the traces of its runs");
    status = cmd_open_session(&session, run->path, options, diagnostic);
    if (status)
        return status;
    comparison_add(comparison, side, &session);
    session_close(&session);
    return status;
}

static enum status add_runs(struct comparison *comparison, const struct sides *sides,
                            const struct cmd_options *options, struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sides->all.count; i++) {
        const struct run_side *side = array_at(&sides->all, i);

        for (size_t j = 0; j < side->runs.count && !status; j++)
            status = add_run(comparison, i, array_at(&side->runs, j), options, diagnostic);
    }
    return status;
}

static enum status write_page(struct comparison *comparison, const struct document *document,
                              const struct cmd_options *options, struct diagnostic *diagnostic)
{
    const char *path = options->output ? options->output : "comparison.html";
    FILE *out;
    enum status status = destination_open(&out, path, options->may_overwrite, diagnostic);

    if (status)
        return status;
    comparison_write(comparison, document, out);
    status = render_finish(out, diagnostic);
    return destination_close(out, status, path, diagnostic);
}

static enum status write_sides(const struct sides *sides, const struct cmd_options *options,
                               struct diagnostic *diagnostic)
{
    const struct report_request request = {
        .sides = sides->all.items,
        .count = sides->all.count,
        .figure.confidence = options->analysis.confidence,
        .price_per_hour = (double)NAN};
    struct comparison comparison;
    struct report report;
    enum status status = report_compare(&report, &request, diagnostic);

    comparison_init(&comparison, &sides->labels);
    if (!status)
        status = add_runs(&comparison, sides, options, diagnostic);
    if (!status)
        status = write_page(&comparison, &report.document, options, diagnostic);
    report_fini(&report);
    return status;
}

enum status html_compare(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct sides sides;
    enum status status;

    sides_init(&sides);
    status = sides_read_all(&sides, options, diagnostic);
    if (!status)
        status = check(&sides, diagnostic);
    if (!status)
        status = sides_label(&sides, NULL, diagnostic);
    if (!status)
        status = write_sides(&sides, options, diagnostic);
    sides_fini(&sides);
    return status;
}
