/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Two sides of traces: read as runs for the tables of tprof compare, and one after the other for
 * the call tree that all share.
 */
#include "cmd/html_compare.h"

#include <math.h>
#include <stdio.h>

#include "cmd/destination.h"
#include "cmd/newest.h"
#include "cmd/sides.h"
#include "compare/report.h"
#include "model/session.h"
#include "page/comparison.h"

static enum status check(const struct sides *sides, const struct cmd_options *options,
                         struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < options->trace_count; i++)
        if (newest_is_folder(options->traces[i]))
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "html: expected traces, found the directory %.200s: name its "
                                  "traces",
                                  options->traces[i]);
    if (sides->all.count == COMPARISON_SIDES)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: expected one trace or two sides, found %zu: tprof html BASE NEW, "
                          "or BASE... -- NEW...",
                          sides->all.count);
}

static enum status add_run(struct comparison *comparison, enum comparison_side side,
                           const char *trace, const struct cmd_options *options,
                           struct diagnostic *diagnostic)
{
    struct session session;
    enum status status = cmd_open_session(&session, trace, options, diagnostic);

    if (status)
        return status;
    if (comparison_add(comparison, side, &session))
        status = diagnostic_set_out_of_memory(diagnostic);
    session_close(&session);
    return status;
}

/* Without a separator each trace is a side. */
static enum status add_runs(struct comparison *comparison, const struct cmd_options *options,
                            struct diagnostic *diagnostic)
{
    enum comparison_side side = COMPARISON_BASE;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < options->trace_count && !status; i++) {
        bool is_separator = options->traces[i] == sides_separator;

        if (!is_separator)
            status = add_run(comparison, side, options->traces[i], options, diagnostic);
        if (is_separator || options->trace_count == COMPARISON_SIDES)
            side = COMPARISON_NEW;
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
    if (comparison_write(comparison, document, out))
        status = diagnostic_set_out_of_memory(diagnostic);
    else
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

    comparison_init(&comparison);
    if (!status)
        status = add_runs(&comparison, options, diagnostic);
    if (!status)
        status = write_page(&comparison, &report.document, options, diagnostic);
    comparison_fini(&comparison);
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
        status = check(&sides, options, diagnostic);
    if (!status)
        status = sides_label(&sides, NULL, diagnostic);
    if (!status)
        status = write_sides(&sides, options, diagnostic);
    sides_fini(&sides);
    return status;
}
