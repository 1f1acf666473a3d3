/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof where: what every thread of a running process does now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"
#include "where/look.h"
#include "where/report.h"
#include "where/subject.h"

enum { LOOKS_MOST = 10000 };

static const uint64_t usual_interval_ns = 1000000000;

struct where_options {
    struct look_options look;
    struct cmd_options output; /* only renderer, file and colour */
    bool is_help;
};

static enum status read_stop(const struct option_value *value, struct diagnostic *diagnostic)
{
    static const char *const words[] = {
        [LOOK_STOP_NEVER] = "never", [LOOK_STOP_UNSEEN] = "unseen", [LOOK_STOP_ALWAYS] = "always"};

    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(value->text, words[i]) == 0) {
            *(enum look_stop *)value->field = (enum look_stop)i;
            return STATUS_OK;
        }
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "where --stop %.40s: expected never, unseen or always", value->text);
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct where_options, field, __VA_ARGS__),
#include "cmd/where_options.def"
#undef OPTION
};

static void print_help(void)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};

    help_print_usage("where", "[OPTIONS] PID",
                     "Show what every thread of a running process does now: its state and calls.");
    help_print_options(&set, "where");
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
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"where", &set, 1, false};
    enum status status;

    *options = (struct where_options){
        .look = {.count = 1, .interval_ns = usual_interval_ns, .stop = LOOK_STOP_UNSEEN},
        .output = {.colour = TERMINAL_AUTO}};
    status = render_find("text", &options->output.renderer, diagnostic);
    if (!status)
        status = options_parse(&asked, argc, argv, diagnostic);
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
