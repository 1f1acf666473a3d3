/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that reporting commands share, with those of the analyses.
 */
#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "options/help.h"
#include "options/parse.h"
#include "options/readers.h"

/* ---- readers ------------------------------------------------------------------------------ */

/* Whether a command has such rows is checked where its analysis is known. */
static enum status read_by(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct cmd_options *options = value->fields;

    (void)diagnostic;
    options->by = value->text;
    if (!analysis_find_by(value->text, &options->analysis.by))
        options->analysis.by = ANALYSIS_BY_DEFAULT;
    return STATUS_OK;
}

/* A measure is more than a column: shares and the order of the calls follow it. */
static enum status read_sort(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct cmd_options *options = value->fields;

    (void)diagnostic;
    options->sort = value->text;
    options->is_measure = analysis_find_measure(value->text, &options->analysis.measure);
    return STATUS_OK;
}

static enum status read_limit(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct cmd_options *options = value->fields;

    options->has_limit = true;
    return option_read_count("-n", value->text, &options->limit, diagnostic);
}

static enum status read_tree(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(enum analysis_by *)value->field = ANALYSIS_BY_TREE;
    return STATUS_OK;
}

static enum status read_bottom_up(const struct option_value *value, struct diagnostic *diagnostic)
{
    (void)diagnostic;
    *(enum analysis_by *)value->field = ANALYSIS_BY_CALLERS;
    return STATUS_OK;
}

static enum status read_warmup(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct cmd_options *options = value->fields;
    size_t count;
    enum status status = option_read_count("--warmup", value->text, &count, diagnostic);

    if (!status)
        options->analysis.warmup = (unsigned)count;
    options->has_warmup = true;
    return status;
}

static enum status read_threads(const struct option_value *value, struct diagnostic *diagnostic)
{
    size_t count;
    enum status status = option_read_count("--threads", value->text, &count, diagnostic);

    if (!status && count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--threads 0: a call takes at least one");
    if (!status)
        *(unsigned *)value->field = (unsigned)count;
    return status;
}

/* Read a border of `size` bytes; an empty one leaves `*ns` unchanged.  Runs with windows are so
 * long that m is minutes. */
static enum status read_border(const char *text, size_t size, uint64_t *ns,
                               struct diagnostic *diagnostic)
{
    char border[32];
    size_t shown = size < sizeof border ? size : sizeof border - 1;

    if (size == 0)
        return STATUS_OK;
    snprintf(border, sizeof border, "%.*s%s", (int)shown, text, text[size - 1] == 'm' ? "in" : "");
    return option_read_duration_or_0(border, ns, diagnostic);
}

/* "FROM..TO"; either end may be missing. */
static enum status read_window(const struct option_value *value, struct diagnostic *diagnostic)
{
    struct session_window *window = value->field;
    const char *text = value->text, *dots = strstr(text, "..");
    enum status status;

    if (!dots || strcmp(text, "..") == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--window %.40s: expected a part of the run, such as 10min..20min, "
                              "90s.. or ..2h",
                              text);
    *window = (struct session_window){.is_cut = true, .to_ns = UINT64_MAX};
    status = read_border(text, (size_t)(dots - text), &window->from_ns, diagnostic);
    if (!status)
        status = read_border(dots + 2, strlen(dots + 2), &window->to_ns, diagnostic);
    if (!status && window->from_ns >= window->to_ns)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--window %.40s: expected an end behind the begin", text);
    return status;
}

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct cmd_options, field, __VA_ARGS__),
#include "cmd/options.def"
#undef OPTION
};

/* ---- help --------------------------------------------------------------------------------- */

/* "shape, kernel or site" */
static void append_kinds(struct text *words, const char *command)
{
    const char *kinds[ANALYSIS_BYS];
    size_t count = 0;

    for (unsigned by = 0; by < ANALYSIS_BYS; by++)
        if (analysis_has_rows(command, (enum analysis_by)by))
            kinds[count++] = analysis_by_word((enum analysis_by)by);
    for (size_t i = 0; i < count; i++)
        text_append_choice(words, kinds[i], i, i + 1 == count);
}

/* --by has other words for each command. */
static void print_by(const struct option_row *row, const char *command)
{
    struct text meaning;

    text_init(&meaning);
    text_append(&meaning, "group rows by ");
    append_kinds(&meaning, command);
    help_print_option(row, meaning.bytes);
    text_fini(&meaning);
}

static void print_shared(const char *command)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!option_is_of(&rows[i], command))
            continue;
        if (rows[i].read == read_by)
            print_by(&rows[i], command);
        else
            help_print_option(&rows[i], rows[i].help);
    }
}

/* The options of one analysis; `fields` is filled by them. */
static struct option_set own_of(size_t analysis, void *fields)
{
    const struct analysis_own *own = &analysis_at(analysis)->own;

    return (struct option_set){own->options, own->count, fields};
}

void cmd_print_help(const char *name, const char *arguments, const char *help,
                    const struct option_set *own)
{
    help_print_usage(name, arguments, help);
    print_shared(name);
    for (size_t i = 0; i < CMD_ANALYSES; i++) {
        const struct option_set set = own_of(i, NULL);

        help_print_options(&set, name);
    }
    if (own)
        help_print_options(own, name);
}

/* ---- rows --------------------------------------------------------------------------------- */

enum status cmd_check_by(const struct cmd_options *options, const char *command,
                         struct diagnostic *diagnostic)
{
    enum analysis_by by = options->analysis.by;
    struct text words;

    if (by == ANALYSIS_BY_DEFAULT ? !options->by : analysis_has_rows(command, by))
        return STATUS_OK;
    text_init(&words);
    append_kinds(&words, command);
    diagnostic_set(diagnostic, STATUS_USAGE, "%s --by %.40s: expected %s", command,
                   options->by ? options->by : analysis_by_word(by), words.bytes);
    text_fini(&words);
    return STATUS_USAGE;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The traces after the options: one, or two to compare. */
static enum status read_traces(struct cmd_options *options, const char *command,
                               struct diagnostic *diagnostic)
{
    size_t expected = options->is_difference ? 2 : 1;

    if (options->is_help)
        return STATUS_OK;
    if (options->is_difference && options->trace_count != expected)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s --diff: expected two traces, found %zu: tprof %s --diff BEFORE "
                              "AFTER",
                              command, options->trace_count, command);
    if (options->trace_count > expected)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s: one trace at a time; the second is '%.60s'; tprof processes and "
                              "tprof compare take several",
                              command, options->traces[1]);
    if (options->trace_count == 2)
        options->before = options->traces[0];
    options->trace =
        options->trace_count > 0 ? options->traces[options->trace_count - 1] : NULL;
    return STATUS_OK;
}

/* Returns: a copy of an analysis's own options, which may be changed; NULL if it has none. */
static const void *copy_own(struct cmd_options *options, size_t analysis)
{
    const struct analysis_own *own = &analysis_at(analysis)->own;
    unsigned char *room = options->own[analysis].bytes;

    assert(own->size <= sizeof options->own[analysis].bytes);
    return own->defaults ? memcpy(room, own->defaults, own->size) : NULL;
}

static void copy_all_own(struct cmd_options *options)
{
    size_t analysis = 0;

#define ANALYSIS(name) options->analysis.name = copy_own(options, analysis++);
#include "analysis/analyses.def"
#undef ANALYSIS
}

enum status cmd_parse_many(struct cmd_options *options, const struct option_set *own, int argc,
                           char **argv, struct diagnostic *diagnostic)
{
    struct option_set sets[CMD_ANALYSES + 2];
    struct options_asked asked = {argv[0], sets, 0, false};
    enum status status;

    *options = (struct cmd_options){.analysis = analysis_defaults(),
                                    .colour = TERMINAL_AUTO,
                                    .peak = (double)NAN,
                                    .window.to_ns = UINT64_MAX,
                                    .bandwidth = (double)NAN};
    copy_all_own(options);
    if (own)
        sets[asked.count++] = *own; /* first: it may have a meaning of its own for a shared name */
    sets[asked.count++] = (struct option_set){rows, sizeof rows / sizeof *rows, options};
    for (size_t i = 0; i < CMD_ANALYSES; i++)
        sets[asked.count++] = own_of(i, options->own[i].bytes);
    status = render_find("text", &options->renderer, diagnostic);
    if (!status)
        status = options_parse(&asked, argc, argv, diagnostic);
    options->traces = argv + optind;
    options->trace_count = (size_t)(argc - optind);
    return status;
}

enum status cmd_parse(struct cmd_options *options, const struct option_set *own, int argc,
                      char **argv, struct diagnostic *diagnostic)
{
    enum status status = cmd_parse_many(options, own, argc, argv, diagnostic);

    return status ? status : read_traces(options, argv[0], diagnostic);
}
