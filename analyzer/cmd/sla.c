/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof sla: exit 0 when the requests of a trace keep a limit, 1 when they break it, 4 when they
 * are too few to tell.
 */
#include "requests/sla.h"

#include "base/pool.h"
#include "cmd/cmd.h"
#include "document/document.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/readers.h"

static const char help[] =
    "Judge whether a percentile of the requests' latencies keeps a limit: yes, no, or cannot tell "
    "(exit 0, 1 or 4).";

struct request {
    struct sla sla;
    struct cmd_options options;
};

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/sla_options.def"
#undef OPTION
};

/* A bad verdict is no failure: only the exit code reports it. */
static enum status judge(struct request *request, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct session session;
    struct document document;
    struct pool pool;
    enum status status;

    if (request->sla.max_ns == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "sla: name the limit with --max TIME, such as --max 2s");
    if (request->sla.confidence < 0.5)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "sla: --sure: expected at least 50 percent");
    status = cmd_open_session(&session, request->options.trace, &request->options, diagnostic);
    if (status)
        return status;
    pool_enter(&pool);
    sla_build(&session, &request->sla, &document);
    pool_leave(&pool);
    status = cmd_render_document(&document, &request->options, diagnostic);
    if (!status && document.verdict)
        outcome->exit_code = status_exit_code(document.verdict);
    document_fini(&document);
    session_close(&session);
    return status;
}

enum status cmd_sla(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request request = {.sla = {.fraction = 0.99, .confidence = 0.99}};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &request};
    enum status status = cmd_parse(&request.options, &own, argc, argv, diagnostic);

    if (!status && request.options.is_help)
        cmd_print_help("sla", "--max TIME [OPTIONS] [TRACE]", help, &own);
    else if (!status)
        status = judge(&request, outcome);
    return status;
}
