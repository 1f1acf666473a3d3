/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof import: a trace from what another tool logged.
 */
#include "import/import.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "render/render.h"

static const char help[] =
    "Make a trace from what another tool logged.  All commands read it.  The log has no memory, "
    "and tells nothing that is not in it.";

enum { OPTION_FROM = CMD_BEYOND_LETTERS, OPTION_EVENT };

struct request {
    const char *log, *output, *event;
    const struct import_kind *kind; /* NULL: it is told from the log */
    bool may_overwrite, is_help;
};

static enum status read_kind(struct request *request, const char *name,
                             struct diagnostic *diagnostic)
{
    struct text names;

    request->kind = import_kind_find(name);
    if (request->kind)
        return STATUS_OK;
    text_init(&names);
    for (size_t i = 0; import_kind_at(i); i++)
        text_appendf(&names, "%s%s", i > 0 ? ", " : "", import_kind_at(i)->name);
    diagnostic_set(diagnostic, STATUS_USAGE, "import: --from: expected one of %s, found %.64s",
                   names.bytes, name);
    text_fini(&names);
    return STATUS_USAGE;
}

static enum status check(const struct request *request, struct diagnostic *diagnostic)
{
    if (request->log && request->output)
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "import: name one LOG, and the trace with -o FILE.tprof");
}

static enum status parse(struct request *request, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    static const struct option longs[] = {{"output", required_argument, NULL, 'o'},
                                          {"force", no_argument, NULL, 'f'},
                                          {"from", required_argument, NULL, OPTION_FROM},
                                          {"event", required_argument, NULL, OPTION_EVENT},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    enum status status = STATUS_OK;
    int found;

    optind = 0;
    while (!status && (found = getopt_long(argc, argv, ":o:fh", longs, NULL)) >= 0)
        switch (found) {
        case 'o': request->output = optarg; break;
        case 'f': request->may_overwrite = true; break;
        case OPTION_FROM: status = read_kind(request, optarg, diagnostic); break;
        case OPTION_EVENT: request->event = optarg; break;
        case 'h': request->is_help = true; return STATUS_OK;
        default: return cmd_refuse_option(found, argv, diagnostic);
        }
    if (status)
        return status;
    request->log = optind + 1 == argc ? argv[optind] : NULL;
    return check(request, diagnostic);
}

static enum status open_log(FILE **log, const char *path, struct diagnostic *diagnostic)
{
    *log = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    if (!*log)
        return diagnostic_set(diagnostic, STATUS_IO, "%s: %s", path, strerror(errno));
    if (*log != stdin)
        destination_note_input(path);
    return STATUS_OK;
}

static enum status write_trace(const struct request *request, struct import_reading *reading)
{
    FILE *out;
    enum status status = destination_open(&out, request->output, request->may_overwrite,
                                          reading->diagnostic);

    if (status)
        return status;
    status = import_log(reading, request->kind, out);
    if (!status)
        status = render_finish(out, reading->diagnostic);
    return destination_close(out, status, request->output, reading->diagnostic);
}

static enum status import(const struct request *request, struct diagnostic *diagnostic)
{
    struct text_list notes;
    struct import_reading reading = {.name = text_base_name(request->log),
                                     .event = request->event,
                                     .notes = &notes,
                                     .diagnostic = diagnostic};
    enum status status = open_log(&reading.log, request->log, diagnostic);

    if (status)
        return status;
    text_list_init(&notes);
    status = write_trace(request, &reading);
    for (size_t i = 0; !status && i < text_list_count(&notes); i++)
        cmd_tell(text_list_at(&notes, i));
    text_list_fini(&notes);
    if (reading.log != stdin)
        fclose(reading.log);
    return status;
}

static void print_help(void)
{
    enum { KIND_COLUMN = 15 };
    char head[KIND_COLUMN + 1];

    printf("Usage: tprof import [OPTIONS] -o FILE.tprof LOG\n");
    cmd_print_row(stdout, "", 0, help);
    cmd_print_option('o', "output", "FILE", "the trace");
    cmd_print_option('f', "force", NULL, "overwrite FILE if it exists");
    cmd_print_option(0, "from", "KIND",
                     "the kind of LOG, which is otherwise told from LOG; needed where LOG is a "
                     "pipe or -");
    cmd_print_option(0, "event", "NAME", "the event of perf whose samples are taken");
    cmd_print_option('h', "help", NULL, "print this help");
    printf("Kinds:\n");
    for (size_t i = 0; import_kind_at(i); i++) {
        snprintf(head, sizeof head, "  %s", import_kind_at(i)->name);
        cmd_print_row(stdout, head, KIND_COLUMN, import_kind_at(i)->help);
    }
}

enum status cmd_import(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct request request = {0};
    enum status status = parse(&request, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (!request.is_help)
        return import(&request, &outcome->diagnostic);
    print_help();
    return STATUS_OK;
}
