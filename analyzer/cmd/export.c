/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof export: call stacks for other tools.
 */
#include "export/export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "cmd/own_options.h"
#include "model/session.h"

enum option_row {
#define EXPORT(id, name, argument, help) ROW_##id,
#include "cmd/export_options.def"
#undef EXPORT
    ROWS
};

static const struct own_option rows[] = {
#define EXPORT(id, name, argument, help) {name, argument, help},
#include "cmd/export_options.def"
#undef EXPORT
};

static const char help[] =
    "Call stacks with processor time and memory, in a format that another tool opens.";

struct request {
    const struct export_format *format; /* NULL: not named */
    enum export_weight weight;
    struct cmd_options options;
};

static enum status read_format(struct request *request, const char *text,
                               struct diagnostic *diagnostic)
{
    for (size_t i = 0; (request->format = export_format_at(i)); i++)
        if (strcmp(request->format->name, text) == 0)
            return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "export: --format %.60s: expected folded, speedscope or pprof", text);
}

static enum status read_weight(struct request *request, const char *text,
                               struct diagnostic *diagnostic)
{
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++) {
        request->weight = i;
        if (strcmp(export_weight_at(i)->name, text) == 0)
            return STATUS_OK;
    }
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "export: --weight %.60s: expected cpu, alloc_objects, alloc_space, "
                          "peak_space or inuse_space",
                          text);
}

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    switch ((enum option_row)row) {
    case ROW_FORMAT: return read_format(of, text, diagnostic);
    case ROW_WEIGHT: return read_weight(of, text, diagnostic);
    case ROWS: break;
    }
    return STATUS_OK;
}

static enum status check(const struct request *request, struct diagnostic *diagnostic)
{
    if (!request->format)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "export: name a format: --format folded, speedscope or pprof");
    if (request->format->is_binary && destination_is_standard(request->options.output) &&
        isatty(STDOUT_FILENO))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "export: %s is not for a terminal: name a file with -o FILE",
                              request->format->name);
    return STATUS_OK;
}

/* What is not in the file, or only in part. */
static void tell_gaps(const struct request *request, const struct export_stacks *stacks)
{
    if (stacks->has[EXPORT_CPU] && stacks->time.unknown) {
        struct text line;

        text_init(&line);
        text_appendf(&line, "kernels alone have processor time, and no stacks: %s",
                     stacks->time.unknown);
        cmd_tell(line.bytes);
        text_fini(&line);
    }
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        if (!stacks->has[i] && (request->format->has_all || i == request->weight)) {
            struct text line;

            text_init(&line);
            text_appendf(&line, "%s is not there: the trace does not tell %s",
                         export_weight_at(i)->name, export_weight_at(i)->help);
            cmd_tell(line.bytes);
            text_fini(&line);
        }
}

static enum status write_file(const struct request *request, const struct export_stacks *stacks,
                         struct diagnostic *diagnostic)
{
    const struct cmd_options *options = &request->options;
    FILE *out;
    enum status status =
        destination_open(&out, options->output, options->may_overwrite, diagnostic);

    if (status)
        return status;
    if (request->format->write(stacks, request->weight, out))
        status = diagnostic_set_out_of_memory(diagnostic);
    else
        status = render_finish(out, diagnostic);
    return destination_close(out, status, options->output, diagnostic);
}

static enum status export(struct request *request, struct diagnostic *diagnostic)
{
    struct export_stacks stacks;
    struct session session;
    enum status status =
        cmd_open_session(&session, request->options.trace, &request->options, diagnostic);

    if (status)
        return status;
    if (export_stacks_init(&stacks, &session))
        status = diagnostic_set_out_of_memory(diagnostic);
    if (!status)
        status = write_file(request, &stacks, diagnostic);
    if (!status) {
        cut_tell(NULL);
        tell_gaps(request, &stacks);
    }
    export_stacks_fini(&stacks);
    session_close(&session);
    return status;
}

static void print_help(const struct own_options *own)
{
    const struct export_format *format;

    cmd_print_help("export", "--format FORMAT [OPTIONS] [TRACE]", help);
    own_options_print(own);
    printf("\nFormats:\n");
    for (size_t i = 0; (format = export_format_at(i)); i++)
        cmd_print_row(stdout, format->name, CMD_HELP_COLUMN, format->help);
    printf("\nWeights:\n");
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        cmd_print_row(stdout, export_weight_at(i)->name, CMD_HELP_COLUMN,
                      export_weight_at(i)->help);
}

enum status cmd_export(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {.weight = EXPORT_CPU};
    const struct own_options own = {"export", rows, ROWS, read_option, &request};
    struct diagnostic *diagnostic = &outcome->diagnostic;
    struct own_rest rest;
    enum status status = own_options_take(&own, argc, argv, &rest, diagnostic);

    if (!status)
        status = cmd_parse(&request.options, rest.count, rest.words, diagnostic);
    if (!status && request.options.is_help) {
        print_help(&own);
        own_rest_free(&rest);
        return STATUS_OK;
    }
    if (!status)
        status = check(&request, diagnostic);
    if (!status)
        status = export(&request, diagnostic);
    own_rest_free(&rest);
    return status;
}
