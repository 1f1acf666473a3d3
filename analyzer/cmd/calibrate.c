/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof calibrate: measure this machine and keep the result for the roofline.  The file is written
 * only at the end, so an interrupted calibration leaves the old one.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cmd/cmd.h"
#include "cmd/destination.h"
#include "kernels/machine_report.h"
#include "launch/status_line.h"
#include "machine/calibrate.h"
#include "model/machine_file.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"

enum { THREADS_MOST = 65536 };

static const double full_seconds = 7, quick_seconds = 1.2;

struct calibrate_options {
    struct calibrate_plan plan;
    const char *output; /* NULL: the file of this host; "-": standard output */
    bool is_showing;
    bool is_json;
    bool is_help;
};

static enum status read_quick(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(double *)value->field = quick_seconds;
    return STATUS_OK;
}

static enum status read_gemm(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct calibrate_plan *plan = value->field;

    (void)diagnostic;
    plan->wants_gemm = strcmp(value->text, "no") != 0;
    plan->blas = strcmp(value->text, "auto") == 0 ? NULL : value->text;
    return STATUS_OK;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct calibrate_options, field, __VA_ARGS__),
#include "cmd/calibrate_options.def"
#undef OPTION
};

static void print_help(void)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, NULL};

    help_print_usage("calibrate", "[OPTIONS]",
                     "Measure the limits of this machine, and store them for tprof roofline.");
    help_print_options(&set, "calibrate");
}

static enum status parse(struct calibrate_options *options, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    const struct option_set set = {rows, sizeof rows / sizeof *rows, options};
    const struct options_asked asked = {"calibrate", &set, 1, false};
    enum status status;

    *options = (struct calibrate_options){.plan = {.seconds = full_seconds, .wants_gemm = true}};
    status = options_parse(&asked, argc, argv, diagnostic);
    if (!status && optind < argc)
        return diagnostic_set(diagnostic, STATUS_USAGE, "calibrate: '%.60s' is not expected here",
                              argv[optind]);
    return status;
}

static void show_progress(void *of, const char *what, double fraction)
{
    struct text line;

    (void)of;
    text_init(&line);
    text_appendf(&line, "measuring: %-16s %3.0f %%", what, 100 * fraction);
    status_line_show(&line);
    text_fini(&line);
}

static enum status print_json(const struct machine *machine, struct diagnostic *diagnostic)
{
    struct text text;

    text_init(&text);
    machine_file_append(machine, &text);
    fputs(text.bytes, stdout);
    text_fini(&text);
    return render_finish(stdout, diagnostic);
}

static enum status print_report(const struct machine *machine, struct diagnostic *diagnostic)
{
    struct render_options how = terminal_options(stdout, TERMINAL_AUTO);
    const struct renderer *renderer;
    struct document document;
    enum status status = render_find("text", &renderer, diagnostic);

    if (status)
        return status;
    machine_report_build(machine, &document);
    status = renderer->document(&document, &how, stdout, diagnostic);
    document_fini(&document);
    return status;
}

static enum status print_machine(const struct machine *machine,
                                 const struct calibrate_options *options,
                                 struct diagnostic *diagnostic)
{
    return options->is_json ? print_json(machine, diagnostic) : print_report(machine, diagnostic);
}

static enum status own_path(char *path, size_t size, struct diagnostic *diagnostic)
{
    struct utsname names;

    if (uname(&names) == 0 && !machine_file_path(path, size, names.nodename))
        return STATUS_OK;
    return diagnostic_set(diagnostic, STATUS_IO,
                          "calibrate: neither XDG_CONFIG_HOME nor HOME names a folder; "
                          "use --output FILE");
}

static enum status show(const char *path, const struct calibrate_options *options,
                        struct diagnostic *diagnostic)
{
    struct machine machine;
    enum status status = machine_file_read(&machine, path, diagnostic);

    if (status == STATUS_NOT_FOUND)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "%.200s does not exist: this machine was not calibrated; "
                              "make it with: tprof calibrate",
                              path);
    if (status)
        return status;
    status = print_machine(&machine, options, diagnostic);
    machine_fini(&machine);
    return status;
}

/* The result is printed even if it cannot be stored, and stored even if it cannot be printed. */
static enum status store(const struct machine *machine, const char *path,
                         const struct calibrate_options *options, struct diagnostic *diagnostic)
{
    struct diagnostic other;
    enum status kept, printed;

    if (destination_is_standard(path))
        return print_json(machine, diagnostic);
    kept = machine_file_write(machine, path, diagnostic);
    printed = print_machine(machine, options, kept ? &other : diagnostic);
    return kept ? kept : printed;
}

/* Checks before measuring that the result can be stored. */
static enum status prepare(const char *path, struct diagnostic *diagnostic)
{
    return destination_is_standard(path) ? STATUS_OK : machine_file_prepare(path, diagnostic);
}

static enum status measure(const char *path, struct calibrate_options *options,
                           struct diagnostic *diagnostic)
{
    struct machine machine;
    enum status status = prepare(path, diagnostic);

    if (status)
        return status;
    machine_init(&machine);
    options->plan.on_progress = show_progress;
    status = calibrate_machine(&machine, &options->plan, diagnostic);
    status_line_erase();
    if (!status) {
        snprintf(machine.source, sizeof machine.source, "%.255s", path);
        status = store(&machine, path, options, diagnostic);
    }
    machine_fini(&machine);
    return status;
}

enum status cmd_calibrate(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct calibrate_options options;
    char path[PATH_MAX];
    enum status status = parse(&options, argc, argv, &outcome->diagnostic);

    if (!status && options.is_help) {
        print_help();
        return render_finish(stdout, &outcome->diagnostic);
    }
    if (!status && options.output)
        snprintf(path, sizeof path, "%s", options.output);
    else if (!status)
        status = own_path(path, sizeof path, &outcome->diagnostic);
    if (!status && !options.is_showing && !destination_is_standard(path))
        status = destination_check_file(path, true, &outcome->diagnostic);
    if (status)
        return status;
    return options.is_showing ? show(path, &options, &outcome->diagnostic)
                              : measure(path, &options, &outcome->diagnostic);
}
