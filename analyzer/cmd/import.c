/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof import: a trace from the log of another tool.
 */
#include "import/import.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"
#include "render/render.h"

static const char help[] =
    "Make a trace from what another tool logged.  All commands read it.  The log has no memory, "
    "and tells nothing that is not in it.";

struct request {
    const char *log, *output, *event;
    const struct import_kind *kind; /* NULL: recognized from the log */
    bool may_overwrite, is_help;
};

static enum status read_kind(const struct option_value *value, struct diagnostic *diagnostic)
{
    const struct import_kind **kind = value->field;
    struct text names;

    *kind = import_kind_find(value->text);
    if (*kind)
        return STATUS_OK;
    text_init(&names);
    for (size_t i = 0; import_kind_at(i); i++)
        text_appendf(&names, "%s%s", i > 0 ? ", " : "", import_kind_at(i)->name);
    diagnostic_set(diagnostic, STATUS_USAGE, "import: --from: expected one of %s, found %.64s",
                   names.bytes, value->text);
    text_fini(&names);
    return STATUS_USAGE;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct request, field, __VA_ARGS__),
#include "cmd/import_options.def"
#undef OPTION
};

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
    const struct option_set set = {rows, sizeof rows / sizeof *rows, request};
    const struct options_asked asked = {"import", &set, 1, false};
    enum status status = options_parse(&asked, argc, argv, diagnostic);

    if (status || request->is_help)
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
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};
    char head[KIND_COLUMN + 1];

    help_print_usage("import", "[OPTIONS] -o FILE.tprof LOG", help);
    help_print_options(&set, "import");
    printf("\nKinds:\n");
    for (size_t i = 0; import_kind_at(i); i++) {
        snprintf(head, sizeof head, "  %s", import_kind_at(i)->name);
        help_print_row(stdout, head, KIND_COLUMN, import_kind_at(i)->help);
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
