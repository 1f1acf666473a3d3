/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof import: a trace from what another tool logged.
 */
#include "import/onednn.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "render/render.h"

static const char help[] =
    "Make a trace from a log of oneDNN (DNNL_VERBOSE=1), of version 1 to 3.  All commands read it.  "
    "A log has no threads, no memory and no callers.";

struct request {
    const char *log, *output;
    bool may_overwrite, is_help;
};

static enum status parse(struct request *request, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    int found;

    optind = 0;
    while ((found = getopt_long(argc, argv, ":o:fh", longs, NULL)) >= 0)
        switch (found) {
        case 'o': request->output = optarg; break;
        case 'f': request->may_overwrite = true; break;
        case 'h': request->is_help = true; return STATUS_OK;
        default: return cmd_refuse_option(found, argv, diagnostic);
        }
    if (optind + 1 != argc || !request->output)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "import: name one LOG, and the trace with -o FILE.tprof");
    request->log = argv[optind];
    return STATUS_OK;
}

static void tell(const char *format, uint64_t count)
{
    struct text line;

    text_init(&line);
    text_appendf(&line, "%" PRIu64 " %s", count, format);
    cmd_tell(line.bytes);
    text_fini(&line);
}

static void tell_outcome(const struct onednn_outcome *outcome)
{
    if (outcome->bad_lines > 0)
        tell("lines are cut or of another version, and are left out", outcome->bad_lines);
    if (outcome->unknown_calls > 0)
        tell("calls have no FLOPs: their lines do not tell the work", outcome->unknown_calls);
    if (!outcome->has_times)
        cmd_tell("the log has no times of day: its calls follow one another without gaps");
}

static enum status import(const struct request *request, struct diagnostic *diagnostic)
{
    struct onednn_outcome outcome;
    FILE *log = fopen(request->log, "re"), *out;
    enum status status;

    if (!log)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: %s", request->log, strerror(errno));
    destination_note_input(request->log);
    status = destination_open(&out, request->output, request->may_overwrite, diagnostic);
    if (!status) {
        status = onednn_import(log, text_base_name(request->log), out, &outcome, diagnostic);
        if (!status)
            status = render_finish(out, diagnostic);
        status = destination_close(out, status, request->output, diagnostic);
    }
    if (!status)
        tell_outcome(&outcome);
    fclose(log);
    return status;
}

enum status cmd_import(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {0};
    enum status status = parse(&request, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (!request.is_help)
        return import(&request, &outcome->diagnostic);
    printf("Usage: tprof import -o FILE.tprof LOG\n");
    cmd_print_row(stdout, "", 0, help);
    cmd_print_option('o', "output", "FILE", "the trace");
    cmd_print_option('f', "force", NULL, "overwrite FILE if it exists");
    cmd_print_option('h', "help", NULL, "print this help");
    return STATUS_OK;
}
