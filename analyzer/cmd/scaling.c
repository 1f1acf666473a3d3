/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof scaling: how the parts of a program grow, from existing traces.
 */
#include "cmd/scaling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text_list.h"
#include "bench/parameter.h"
#include "bench/report.h"
#include "cmd/destination.h"
#include "cmd/page_file.h"
#include "cmd/run_traces.h"
#include "model/session.h"
#include "model/session_open.h"
#include "options/readers.h"
#include "runs/run_session.h"

struct growth {
    struct cmd_options shared;
    const char *x;        /* the user's words */
    const char *metric;   /* a metric of the program's; NULL: an option of the command */
    const char *page;     /* NULL: none is asked for */
    char name[64];        /* in it */
    struct scaling scaling;
};

static enum status read_size(struct growth *growth, const char *text, const char *command,
                             struct diagnostic *diagnostic)
{
    static const char prefix[] = "=metric:";
    size_t length = strcspn(text, "=");

    growth->x = text;
    if (length == 0 || length >= sizeof growth->name ||
        (text[length] && strncmp(text + length, prefix, sizeof prefix - 1) != 0))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s --x %.60s: expected NAME or NAME=metric:METRIC", command, text);
    memcpy(growth->name, text, length);
    growth->name[length] = '\0';
    growth->metric = text[length] ? text + length + sizeof prefix - 1 : NULL;
    return STATUS_OK;
}

static enum status read_x(const struct option_value *value, struct diagnostic *diagnostic)
{
    return read_size(value->fields, value->text, "scaling", diagnostic);
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct growth, field, __VA_ARGS__),
#include "cmd/scaling_options.def"
#undef OPTION
};

static enum status parse(struct growth *growth, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    const struct option_set own = {rows, sizeof rows / sizeof *rows, growth};
    enum status status = cmd_parse_many(&growth->shared, &own, argc, argv, diagnostic);

    if (status || growth->shared.is_help)
        return status;
    if (!growth->x)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "scaling: --x is missing: which option or metric is the size?");
    if (growth->shared.trace_count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "scaling: no traces were given: tprof scaling --x %.60s TRACE...",
                              growth->x);
    return STATUS_OK;
}

/* "--seq=128", "-seq=128", "seq=128".  Returns: the text after the =, or NULL. */
static const char *after_equals(const char *word, const char *name)
{
    size_t length = strlen(name);

    word += strspn(word, "-");
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static bool is_flag(const char *word, const char *name)
{
    return word[0] == '-' && strcmp(word + strspn(word, "-"), name) == 0;
}

/* The last option counts, as in most programs. */
static double find_in_command(const struct text_list *command, const char *name)
{
    double x = (double)NAN;

    for (size_t i = 1; i < text_list_count(command); i++) {
        const char *word = text_list_at(command, i);
        const char *value = after_equals(word, name);

        if (!value && is_flag(word, name) && i + 1 < text_list_count(command))
            value = text_list_at(command, i + 1);
        if (value)
            x = parameter_number(value);
    }
    return x;
}

static enum status add_run(struct growth *growth, const struct session *session,
                           const struct run *run, struct diagnostic *diagnostic)
{
    double x = growth->metric ? run_metric_value(run, growth->metric)
                              : find_in_command(&session->process.command, growth->name);

    if (isnan(x))
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "%.200s: %s '%.60s' %s; tprof info shows what the trace holds", session->path,
            growth->metric ? "the program told no metric" : "the command has no",
            growth->metric ? growth->metric : growth->name, growth->metric ? "" : "with a number");
    scaling_add_run(&growth->scaling, x, run, run_whole_value(run, RUN_WALL));
    return STATUS_OK;
}

static enum status add_trace(struct growth *growth, const char *path, struct diagnostic *diagnostic)
{
    struct analysis_options analysis = growth->shared.analysis;
    struct session session;
    struct run run;
    enum status status = cmd_open_session(&session, path, &growth->shared, diagnostic);

    if (status)
        return status;
    analysis_take_warmup(&analysis, &session);
    run_of_session(&run, &session, &analysis);
    status = add_run(growth, &session, &run, diagnostic);
    run_fini(&run);
    session_close(&session);
    return status;
}

static enum status render(struct growth *growth, struct diagnostic *diagnostic)
{
    static const struct analysis analysis = {.name = "scaling"};
    struct document document;
    enum status status;

    scaling_fit(&growth->scaling, growth->shared.analysis.confidence);
    scaling_report(&document, &growth->scaling, growth->name);
    status = cmd_arrange(document_main_table(&document), &analysis, &growth->shared, diagnostic);
    if (!status)
        status = cmd_render_document(&document, &growth->shared, diagnostic);
    if (!status)
        status = page_file_write(&document, "tprof scaling", growth->page,
                                 growth->shared.may_overwrite, diagnostic);
    document_fini(&document);
    return status;
}

/* Without an exponent for the whole run, there is too little data. */
static bool is_refused(const struct growth *growth)
{
    const struct scaling_item *whole =
        growth->scaling.items.count > 0 ? array_at(&growth->scaling.items, 0) : NULL;

    return !whole || whole->time.refusal != FIT_OK;
}

static enum status list_trace(void *of, const char *path, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    text_list_add(of, path);
    return STATUS_OK;
}

/* Reads all traces of a folder.  A trace without a size ends the command: a missing point would
 * mislead. */
static enum status gather(struct growth *growth, struct diagnostic *diagnostic)
{
    struct text_list paths;
    enum status status;
    size_t unread;

    text_list_init(&paths);
    scaling_init(&growth->scaling, NULL);
    status = run_traces_visit(&growth->shared, list_trace, &paths, &unread, diagnostic);
    for (size_t i = 0; i < text_list_count(&paths) && !status; i++)
        status = add_trace(growth, text_list_at(&paths, i), diagnostic);
    text_list_fini(&paths);
    return status;
}

static enum status report(struct growth *growth, struct cmd_outcome *outcome)
{
    enum status status = gather(growth, &outcome->diagnostic);

    if (!status)
        status = render(growth, &outcome->diagnostic);
    if (!status && is_refused(growth))
        outcome->exit_code = status_exit_code(STATUS_NOT_ENOUGH_DATA);
    scaling_fini(&growth->scaling);
    return status;
}

static enum status write_page(struct growth *growth, const char *path,
                              struct diagnostic *diagnostic)
{
    struct document document;
    enum status status;

    scaling_fit(&growth->scaling, growth->shared.analysis.confidence);
    scaling_report(&document, &growth->scaling, growth->name);
    status = page_file_write(&document, "tprof scaling", path, growth->shared.may_overwrite,
                             diagnostic);
    document_fini(&document);
    return status;
}

enum status scaling_write_page(const char *x, const struct cmd_options *options,
                               struct diagnostic *diagnostic)
{
    const char *path = options->output ? options->output : "scaling.html";
    struct growth growth = {.shared = *options};
    enum status status = read_size(&growth, x, "html", diagnostic);

    if (!status)
        status = destination_check(path, options->may_overwrite, diagnostic);
    if (status)
        return status;
    status = gather(&growth, diagnostic);
    if (!status)
        status = write_page(&growth, path, diagnostic);
    scaling_fini(&growth.scaling);
    return status;
}

enum status cmd_scaling(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct growth growth = {.x = NULL};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, NULL};
    enum status status = parse(&growth, argc, argv, &outcome->diagnostic);

    if (!status && growth.shared.is_help) {
        cmd_print_help("scaling", "--x NAME [OPTIONS] TRACE...",
                       "How time and FLOPs of a program's parts grow with a size.", &own);
        status = render_finish(stdout, &outcome->diagnostic);
    } else if (!status) {
        status = report(&growth, outcome);
    }
    return status;
}
