/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof amdahl: how much a faster part speeds up the whole program.
 */
#include "base/memory.h"
#include "steps/amdahl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cmd/cmd.h"
#include "model/session.h"
#include "model/session_open.h"

static const char help[] =
    "How much faster the program is when a part of it gets faster (Amdahl's law).";

struct request {
    struct amdahl amdahl;
    struct cmd_options options;
};

static void add_target(struct array *targets, const char *name, double fraction)
{
    struct amdahl_target *target = array_add(targets);

    *target = (struct amdahl_target){
        .name = name, .fraction = fraction, .speedup = (double)NAN, .kind = AMDAHL_FRACTION};
}

static enum status read_target(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    add_target(value->field, value->text, (double)NAN);
    return STATUS_OK;
}

static enum status read_fraction(const struct option_value *value, struct diagnostic *diagnostic)
{
    const char *text = value->text;
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
    add_target(value->field, NULL, fraction);
    return STATUS_OK;
}

/* Sets the speedup of the last target. */
static enum status read_speedup(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct array *targets = value->field;
    const char *text = value->text;
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

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/amdahl_options.def"
#undef OPTION
};

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

enum status cmd_amdahl(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct request *request = memory_get_zeros(1, sizeof *request);
    const struct option_set own = {rows, sizeof rows / sizeof *rows, request};
    enum status status;

    request->amdahl.whole_ns = (double)NAN;
    array_init(&request->amdahl.targets, sizeof(struct amdahl_target));
    status = cmd_parse(&request->options, &own, argc, argv, diagnostic);
    if (!status && request->options.is_help)
        cmd_print_help("amdahl", "--target NAME [--speedup K] ... [TRACE]", help, &own);
    else if (!status)
        status = report(request, diagnostic);
    array_fini(&request->amdahl.targets);
    free(request);
    return status;
}
