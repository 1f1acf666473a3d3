/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof html: a trace as one page.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "cmd/html_compare.h"
#include "cmd/html_curves.h"
#include "cmd/html_job.h"
#include "cmd/own_options.h"
#include "cmd/scaling.h"
#include "cmd/sides.h"
#include "cmd/steady.h"
#include "model/session.h"
#include "model/session_open.h"
#include "page/page.h"

#define TRACE_MARK ".tprof"
#define PAGE_MARK ".html"

#define OWN_OPTIONS "cmd/html_options.def"
#include "cmd/own_rows.def"

static const char help[] =
    "One page with the tables and charts of a trace. It needs no network. Of two to six traces "
    "or sides, a comparison. Of a directory with the traces of a job, all its processes on one "
    "axis. Of the results of tprof bench (JSON), their curves.";

struct asked {
    struct page_request request;
    const char *x; /* of --x; NULL: no curves are asked for */
};

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    struct asked *asked = of;
    struct page_request *request = &asked->request;

    (void)diagnostic;
    switch ((enum option_row)row) {
    case ROW_SOURCES:
        request->shows_sources = true;
        request->sources.folder = text;
        break;
    case ROW_PREFIX: request->sources.prefix = text; break;
    case ROW_ARGUMENTS: request->shows_arguments = true; break;
    case ROW_X: asked->x = text; break;
    case ROWS: break;
    }
    return STATUS_OK;
}

/* NAME.tprof becomes NAME.html in the working directory. */
static bool choose_name(char name[PATH_MAX], const char *trace)
{
    const char *base = text_base_name(trace);
    size_t length = strlen(base);

    if (text_ends_with(base, length, TRACE_MARK))
        length -= strlen(TRACE_MARK);
    return snprintf(name, PATH_MAX, "%.*s%s", (int)length, base, PAGE_MARK) < PATH_MAX;
}

static enum status write_page(const struct page_request *request,
                              const struct cmd_options *options, const char *path,
                              struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status = destination_open(&out, path, options->may_overwrite, diagnostic);

    if (status)
        return status;
    status = page_write(request, out);
    if (!status)
        status = render_finish(out, diagnostic);
    return destination_close(out, status, path, diagnostic);
}

static enum status write_steady(const struct page_request *request,
                                const struct cmd_options *options, const char *path,
                                struct diagnostic *diagnostic)
{
    struct analysis_options analysis = *request->options;
    struct page_request of_steps = *request;
    struct session steady;
    bool has_steady = steady_open(&steady, request->session, options);
    enum status status;

    analysis.steady = has_steady ? &steady : NULL;
    of_steps.options = &analysis;
    status = write_page(&of_steps, options, path, diagnostic);
    if (has_steady)
        session_close(&steady);
    return status;
}

static enum status report(const struct session *session, const struct cmd_options *options,
                          const void *of, struct cmd_outcome *outcome)
{
    struct page_request request = *(const struct page_request *)of;
    struct diagnostic *diagnostic = &outcome->diagnostic;
    const char *path = options->output;
    char name[PATH_MAX];
    enum status status;

    if (!path && !choose_name(name, session->path))
        return diagnostic_set(diagnostic, STATUS_USAGE, "html: the name of the trace is too long");
    if (!path)
        path = name;
    status = destination_check(path, options->may_overwrite, diagnostic);
    request.session = session;
    request.options = &options->analysis;
    if (!status)
        status = write_steady(&request, options, path, diagnostic);
    if (!status)
        cut_tell(NULL);
    return status;
}

/* What a page of several traces cannot show is not left out in silence. */
static enum status check_sources(const struct page_request *request,
                                 const struct cmd_options *options, struct diagnostic *diagnostic)
{
    if (!request->shows_sources || (options->trace_count < 2 && !html_job_is_asked(options)))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: --sources shows the sources of one trace; name one trace alone");
}

static void print_help(const struct own_options *own)
{
    cmd_print_help("html",
                   "[OPTIONS] [TRACE]  or  DIRECTORY  or  RESULTS.json  or  BASE NEW...  or  "
                   "BASE... -- NEW... [-- NEW...]",
                   help);
    own_options_print(own);
}

/* Other pages have no arguments and no environment. */
static enum status refuse_arguments(struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: --show-arguments is for the page of one trace");
}

/* Of several traces. */
static enum status write_several(const struct page_request *request,
                                 const struct cmd_options *options, bool is_job,
                                 struct diagnostic *diagnostic)
{
    if (request->shows_arguments)
        return refuse_arguments(diagnostic);
    return is_job ? html_job(options, diagnostic) : html_compare(options, diagnostic);
}

/* What is written is not the page of one trace.
 * Returns: whether that was so. */
static bool write_other(const struct asked *asked, const struct cmd_options *options,
                        enum status *status, struct diagnostic *diagnostic)
{
    char results[PATH_MAX];

    if (asked->x)
        *status = scaling_write_page(asked->x, options, diagnostic);
    else if (html_curves_find(options, results))
        *status = html_curves(results, options, diagnostic);
    else if (html_job_is_asked(options))
        *status = write_several(&asked->request, options, true, diagnostic);
    else if (options->trace_count > 1)
        *status = write_several(&asked->request, options, false, diagnostic);
    else
        return false;
    return true;
}

enum status cmd_html(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct asked asked = {.x = NULL};
    const struct own_options own = {"html", rows, ROWS, read_option, &asked};
    struct cmd_options options;
    struct own_rest rest;
    enum status status;

    sides_mark_separators(argc, argv);
    status = own_options_take(&own, argc, argv, &rest, &outcome->diagnostic);
    if (!status)
        status = cmd_parse_many(&options, rest.count, rest.words, &outcome->diagnostic);
    if (!status && !options.is_help)
        status = check_sources(&asked.request, &options, &outcome->diagnostic);
    if (!status && options.is_help)
        print_help(&own);
    else if (!status && !write_other(&asked, &options, &status, &outcome->diagnostic))
        status = cmd_run_reporter(rest.count, rest.words, help, report, &asked.request, outcome);
    own_rest_free(&rest);
    return status;
}
