/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof where: what every thread of a running process does now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/plain_options.h"
#include "cmd/values.h"
#include "where/look.h"
#include "where/report.h"
#include "where/subject.h"

enum { LOOKS_MOST = 10000 };

static const uint64_t usual_interval_ns = 1000000000;

struct where_options {
    struct look_options look;
    struct cmd_options output; /* renderer, file and colour alone */
    bool is_help;
};

enum option_row {
#define WHERE(id, letter, name, argument, help) OPTION_##id,
#include "cmd/where_options.def"
#undef WHERE
    ROWS
};

static const struct plain_option rows[] = {
#define WHERE(id, letter, name, argument, help) {letter, name, argument, help},
#include "cmd/where_options.def"
#undef WHERE
};

static void print_help(void)
{
    puts("Usage: tprof where [OPTIONS] PID");
    cmd_print_row(stdout, "", 0,
                  "Show what every thread of a running process does now: its state and calls.");
    putchar('\n');
    plain_options_print(rows, ROWS);
}

static enum status read_stop(const char *text, enum look_stop *stop, struct diagnostic *diagnostic)
{
    static const char *const words[] = {
        [LOOK_STOP_NEVER] = "never", [LOOK_STOP_UNSEEN] = "unseen", [LOOK_STOP_ALWAYS] = "always"};

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(text, words[i]) == 0) {
            *stop = (enum look_stop)i;
            return STATUS_OK;
        }
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "where --stop %.40s: expected never, unseen or always", text);
}

static enum status read_option(void *of, size_t row, const char *text,
                               struct diagnostic *diagnostic)
{
    struct where_options *options = of;
    const struct values_positive looks = {LOOKS_MOST, &options->look.count};

    switch ((enum option_row)row) {
    case OPTION_COUNT: return values_read_positive("where --count", text, &looks, diagnostic);
    case OPTION_INTERVAL: return units_parse_duration(text, &options->look.interval_ns, diagnostic);
    case OPTION_THREAD: options->look.thread = text; break;
    case OPTION_STOP: return read_stop(text, &options->look.stop, diagnostic);
    case OPTION_JSON: return render_find("json", &options->output.renderer, diagnostic);
    case OPTION_FORMAT: return render_find(text, &options->output.renderer, diagnostic);
    case OPTION_OUTPUT: options->output.output = text; break;
    case OPTION_FORCE: options->output.may_overwrite = true; break;
    case OPTION_COLOUR: options->output.colour = TERMINAL_YES; break;
    case OPTION_NO_COLOUR: options->output.colour = TERMINAL_NO; break;
    case OPTION_HELP: options->is_help = true; break;
    case ROWS: break;
    }
    return STATUS_OK;
}

static enum status read_pid(const char *text, pid_t *pid, struct diagnostic *diagnostic)
{
    char *end;
    long number = strtol(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number < 1 || (pid_t)number != number)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "where: '%.40s' is no process: expected a number above 0", text);
    *pid = (pid_t)number;
    return STATUS_OK;
}

static enum status parse(struct where_options *options, int argc, char **argv, pid_t *pid,
                         struct diagnostic *diagnostic)
{
    const struct plain_options plain = {rows, ROWS, read_option, options};
    enum status status;

    *options = (struct where_options){
        .look = {.count = 1, .interval_ns = usual_interval_ns, .stop = LOOK_STOP_UNSEEN},
        .output = {.colour = TERMINAL_AUTO}};
    status = render_find("text", &options->output.renderer, diagnostic);
    if (!status)
        status = plain_options_read(&plain, argc, argv, diagnostic);
    if (status || options->is_help)
        return status;
    if (argc - optind != 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "where: expected the number of one process, found %d words",
                              argc - optind);
    return read_pid(argv[optind], pid, diagnostic);
}

static enum status show(const struct looks *looks, const struct subject *subject,
                        const struct where_options *options, struct diagnostic *diagnostic)
{
    struct document document;

    where_report_build(looks, subject, &options->look, &document);
    return cmd_finish_document(&document, &options->output, diagnostic);
}

enum status cmd_where(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct where_options options;
    struct subject subject;
    struct looks looks;
    pid_t pid = 0;
    enum status status = parse(&options, argc, argv, &pid, &outcome->diagnostic);

    if (!status && options.is_help) {
        print_help();
        return render_finish(stdout, &outcome->diagnostic);
    }
    if (!status)
        status =
            subject_open(&subject, pid, options.look.stop == LOOK_STOP_NEVER, &outcome->diagnostic);
    if (!status)
        status = looks_take(&looks, &subject, &options.look, &outcome->diagnostic);
    if (status)
        return status;
    status = show(&looks, &subject, &options, &outcome->diagnostic);
    looks_fini(&looks);
    return status;
}
