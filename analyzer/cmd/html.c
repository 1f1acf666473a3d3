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
#include "cmd/scaling.h"
#include "cmd/sides.h"
#include "cmd/steady.h"
#include "launch/browser.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/readers.h"
#include "page/page.h"

#define TRACE_MARK ".tprof"
#define PAGE_MARK ".html"

static const char help[] =
    "One page with the tables and charts of a trace. It needs no network. Of two to six traces "
    "or sides, a comparison. Of a directory with the traces of a job, all its processes on one "
    "axis. Of the results of tprof bench (JSON), their curves.";

struct asked {
    struct page_request request;
    const char *x; /* argument of --x; NULL: no curves were requested */
    bool opens;    /* the page, in a browser */
};

static enum status read_sources(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct asked *asked = value->fields;

    asked->request.shows_sources = true;
    return option_text(value, diagnostic);
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct asked, field, __VA_ARGS__),
#include "cmd/html_options.def"
#undef OPTION
};

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
    page_write(request, out);
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

/* A page of several traces refuses options that it cannot serve. */
static enum status check_sources(const struct page_request *request,
                                 const struct cmd_options *options, struct diagnostic *diagnostic)
{
    if (!request->shows_sources || (options->trace_count < 2 && !html_job_is_asked(options)))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: --sources shows the sources of one trace; name one trace alone");
}

/* Other pages have no arguments and no environment. */
static enum status refuse_arguments(struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "html: --show-arguments is for the page of one trace");
}

/* Writes the page of several traces. */
static enum status write_several(const struct page_request *request,
                                 const struct cmd_options *options, bool is_job,
                                 struct diagnostic *diagnostic)
{
    if (request->shows_arguments)
        return refuse_arguments(diagnostic);
    return is_job ? html_job(options, diagnostic) : html_compare(options, diagnostic);
}

/* Writes the pages of several traces.  Returns: whether it wrote one. */
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

static enum status check(const struct asked *asked, const struct cmd_options *options,
                         struct diagnostic *diagnostic)
{
    if (asked->opens && options->output && destination_is_standard(options->output))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "html: --open opens a file; name one with -o, or none");
    return check_sources(&asked->request, options, diagnostic);
}

static enum status write_any(const struct asked *asked, struct cmd_options *options,
                             struct cmd_outcome *outcome)
{
    enum status status;

    if (write_other(asked, options, &status, &outcome->diagnostic))
        return status;
    options->trace = options->trace_count > 0 ? options->traces[0] : NULL;
    return cmd_report_trace(options, report, &asked->request, outcome);
}

enum status cmd_html(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const char arguments[] =
        "[OPTIONS] [TRACE]  or  DIRECTORY  or  RESULTS.json  or  BASE NEW...  or  "
        "BASE... -- NEW... [-- NEW...]";
    struct asked asked = {.x = NULL};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &asked};
    struct cmd_options options;
    enum status status;

    sides_mark_separators(argc, argv);
    status = cmd_parse_many(&options, &own, argc, argv, &outcome->diagnostic);
    if (!status && options.is_help) {
        cmd_print_help("html", arguments, help, &own);
        return STATUS_OK;
    }
    if (!status)
        status = check(&asked, &options, &outcome->diagnostic);
    if (!status)
        status = write_any(&asked, &options, outcome);
    if (!status && asked.opens && destination_written())
        status = browser_open(destination_written(), &outcome->diagnostic);
    return status;
}
