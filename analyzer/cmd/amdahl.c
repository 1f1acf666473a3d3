/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof amdahl: what a faster part makes of the whole program.
 */
#include "base/memory.h"
#include "steps/amdahl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/cmd.h"
#include "cmd/own_options.h"
#include "model/session.h"
#include "model/session_open.h"

#define OWN_OPTIONS "cmd/amdahl_options.def"
#include "cmd/own_rows.def"

static const char help[] =
    "How much faster the program is when a part of it gets faster (Amdahl's law).";

struct request {
    struct amdahl amdahl;
    struct cmd_options options;
};

static void add_target(struct request *request, const char *name, double fraction)
{
    struct amdahl_target *target = array_add(&request->amdahl.targets);

    *target = (struct amdahl_target){
        .name = name, .fraction = fraction, .speedup = (double)NAN, .kind = AMDAHL_FRACTION};
}

static enum status read_fraction(struct request *request, const char *text,
                                 struct diagnostic *diagnostic)
{
    char *end;
    double fraction = strtod(text, &end);

    if (*end == '%') {
        fraction /= 100;
        end++;
    }
    if (end == text || *end != '\0' || !(fraction > 0 && fraction <= 1))
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "amdahl: --fraction %.60s: expected a share above 0 and up to 1, such "
            "as 0.7 or 70%%",
            text);
    add_target(request, NULL, fraction);
    return STATUS_OK;
}

/* Of the target before it. */
static enum status read_speedup(struct request *request, const char *text,
                                struct diagnostic *diagnostic)
{
    struct array *targets = &request->amdahl.targets;
    char *end;
    double speedup = strtod(text, &end);

    if (end == text || (*end != '\0' && strcasecmp(end, "x") != 0) || !(speedup > 0))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "amdahl: --speedup %.60s: expected a number above 0, such as 2 or "
                              "1.5x, or inf",
                              text);
    if (targets->count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "amdahl: --speedup %.60s: name a --target or --fraction before it",
                              text);
    ((struct amdahl_target *)array_at(targets, targets->count - 1))->speedup = speedup;
    return STATUS_OK;
}

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    struct request *request = of;

    switch ((enum option_row)row) {
    case ROW_TARGET: add_target(request, text, (double)NAN); return STATUS_OK;
    case ROW_FRACTION: return read_fraction(request, text, diagnostic);
    case ROW_SPEEDUP: return read_speedup(request, text, diagnostic);
    case ROWS: break;
    }
    return STATUS_OK;
}

static size_t count_named(const struct amdahl *amdahl)
{
    size_t count = 0;

    for (size_t i = 0; i < amdahl->targets.count; i++)
        count += ((const struct amdahl_target *)array_at(&amdahl->targets, i))->name != NULL;
    return count;
}

static enum status check(const struct request *request, struct diagnostic *diagnostic)
{
    const struct amdahl *amdahl = &request->amdahl;

    if (amdahl->targets.count == 0)
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "amdahl: name a part with --target NAME, or state one with --fraction "
            "F; tprof amdahl --help");
    if (request->options.trace && count_named(amdahl) == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "amdahl: %.80s is not needed: --fraction states the part; --target "
                              "NAME would look it up in a trace",
                              request->options.trace);
    if (amdahl_fraction(amdahl) > 1 + 1e-9)
        return diagnostic_set(diagnostic, STATUS_USAGE, "amdahl: the fractions sum to more than 1");
    return STATUS_OK;
}

static enum status render(const struct request *request, struct diagnostic *diagnostic)
{
    struct document document;

    amdahl_build(&request->amdahl, &document);
    return cmd_finish_document(&document, &request->options, diagnostic);
}

static enum status report_trace(struct request *request, struct diagnostic *diagnostic)
{
    struct session session;
    enum status status =
        cmd_open_session(&session, request->options.trace, &request->options, diagnostic);

    if (status)
        return status;
    status = amdahl_find(&request->amdahl, &session, diagnostic);
    if (!status)
        status = check(request, diagnostic);
    if (!status)
        status = render(request, diagnostic);
    session_close(&session);
    return status;
}

static enum status report(struct request *request, struct diagnostic *diagnostic)
{
    enum status status = check(request, diagnostic);

    if (status)
        return status;
    if (count_named(&request->amdahl) > 0)
        return report_trace(request, diagnostic);
    return render(request, diagnostic);
}

static void print_help(const struct own_options *own)
{
    cmd_print_help("amdahl", "--target NAME [--speedup K] ... [TRACE]", help);
    own_options_print(own);
}

enum status cmd_amdahl(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request *request = memory_get_zeros(1, sizeof *request);
    const struct own_options own = {"amdahl", rows, ROWS, read_option, request};
    struct own_rest rest;
    enum status status;

    request->amdahl.whole_ns = (double)NAN;
    array_init(&request->amdahl.targets, sizeof(struct amdahl_target));
    status = own_options_take(&own, argc, argv, &rest, diagnostic);
    if (!status)
        status = cmd_parse(&request->options, rest.count, rest.words, diagnostic);
    if (!status && request->options.is_help)
        print_help(&own);
    else if (!status)
        status = report(request, diagnostic);
    own_rest_free(&rest);
    array_fini(&request->amdahl.targets);
    free(request);
    return status;
}
