/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that reporting commands share.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

/* A row an option: how it is spelled, what it takes, what it means. */
struct row {
    const char *name;
    int letter; /* the short form; beyond characters when there is none */
    const char *argument;
    const char *help;
};

enum { JSON = 256, FORMAT, BY, SORT, FILTER, CONFIDENCE, WARMUP, TIMELINE, COLOUR, NO_COLOUR };

static const struct row rows[] = {
    {"json", JSON, NULL, "the same as --format json"},
    {"format", FORMAT, "NAME", "text, json, csv or markdown"},
    {"output", 'o', "FILE", "write to FILE instead of standard output"},
    {"force", 'f', NULL, "overwrite FILE if it exists"},
    {"limit", 'n', "ROWS", "show so many rows"},
    {"sort", SORT, "COLUMN", "sort by a column, named as in JSON"},
    {"filter", FILTER, "REGEX", "keep the rows in whose texts REGEX matches"},
    {"by", BY, "WHAT", "rows by kernel, or by kernel and shape (the default)"},
    {"warmup", WARMUP, "N",
     "leave the first N calls of each kernel, shape, place and thread out (3)"},
    {"confidence", CONFIDENCE, "P", "of intervals, between 0 and 1 (0.95)"},
    {"timeline", TIMELINE, NULL, "memory: the readings in order of time"},
    {"color", COLOUR, NULL, "use colour even when the output is no terminal"},
    {"no-color", NO_COLOUR, NULL, "use no colour"},
    {"help", 'h', NULL, "print this"},
};

enum { ROWS = sizeof rows / sizeof *rows };

void cmd_print_help(const char *name, const char *arguments, const char *help)
{
    printf("Usage: tprof %s %s\n%s\n\n", name, arguments, help);
    for (size_t i = 0; i < ROWS; i++) {
        char spelled[40];

        snprintf(spelled, sizeof spelled, "--%s%s%s", rows[i].name, rows[i].argument ? " " : "",
                 rows[i].argument ? rows[i].argument : "");
        if (rows[i].letter < 256)
            printf("  -%c, %-20s %s\n", rows[i].letter, spelled, rows[i].help);
        else
            printf("      %-20s %s\n", spelled, rows[i].help);
    }
}

static enum status read_by(struct cmd_options *options, const char *text,
                           struct diagnostic *diagnostic)
{
    if (strcmp(text, "shape") == 0)
        options->analysis.by = ANALYSIS_BY_SHAPE;
    else if (strcmp(text, "kernel") == 0)
        options->analysis.by = ANALYSIS_BY_KERNEL;
    else
        return diagnostic_set(diagnostic, STATUS_USAGE, "--by %.40s: expected kernel or shape",
                              text);
    return STATUS_OK;
}

static enum status read_count(const char *name, const char *text, size_t *count,
                              struct diagnostic *diagnostic)
{
    char *end;
    unsigned long long value = strtoull(text, &end, 10);

    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > 1000000000)
        return diagnostic_set(diagnostic, STATUS_USAGE, "%s %.40s: expected a whole number", name,
                              text);
    *count = (size_t)value;
    return STATUS_OK;
}

static enum status read_warmup(struct cmd_options *options, const char *text,
                               struct diagnostic *diagnostic)
{
    size_t count;
    enum status status = read_count("--warmup", text, &count, diagnostic);

    if (!status)
        options->analysis.warmup = (unsigned)count;
    return status;
}

static enum status read_confidence(struct cmd_options *options, const char *text,
                                   struct diagnostic *diagnostic)
{
    char *end;
    double value = strtod(text, &end);

    if (end == text || *end != '\0' || !(value > 0 && value < 1))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--confidence %.40s: expected a number between 0 and 1", text);
    options->analysis.confidence = value;
    return STATUS_OK;
}

static enum status read_option(struct cmd_options *options, int letter, const char *text,
                               struct diagnostic *diagnostic)
{
    switch (letter) {
    case JSON: return render_find("json", &options->renderer, diagnostic);
    case FORMAT: return render_find(text, &options->renderer, diagnostic);
    case BY: return read_by(options, text, diagnostic);
    case 'n': return read_count("-n", text, &options->limit, diagnostic);
    case WARMUP: return read_warmup(options, text, diagnostic);
    case CONFIDENCE: return read_confidence(options, text, diagnostic);
    case 'o': options->output = text; break;
    case 'f': options->may_overwrite = true; break;
    case SORT: options->sort = text; break;
    case FILTER: options->filter = text; break;
    case TIMELINE: options->analysis.timeline = true; break;
    case COLOUR: options->colour = TERMINAL_YES; break;
    case NO_COLOUR: options->colour = TERMINAL_NO; break;
    case 'h': options->is_help = true; break;
    default: break;
    }
    return STATUS_OK;
}

/* The tables that getopt_long wants, from the rows. */
static void describe(struct option *names, char *letters)
{
    *letters++ = ':';
    for (size_t i = 0; i < ROWS; i++) {
        names[i] = (struct option){rows[i].name, rows[i].argument ? required_argument : no_argument,
                                   NULL, rows[i].letter};
        if (rows[i].letter >= 256)
            continue;
        *letters++ = (char)rows[i].letter;
        if (rows[i].argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

enum status cmd_parse(struct cmd_options *options, int argc, char **argv,
                      struct diagnostic *diagnostic)
{
    struct option names[ROWS + 1] = {{0}};
    char letters[2 * ROWS + 2];
    int letter;
    enum status status;

    *options = (struct cmd_options){.analysis = analysis_defaults(), .colour = TERMINAL_AUTO};
    status = render_find("text", &options->renderer, diagnostic);
    describe(names, letters);
    optind = 1;
    opterr = 0;
    while (!status && (letter = getopt_long(argc, argv, letters, names, NULL)) != -1) {
        if (letter == '?' || letter == ':')
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "%s: %s '%.60s'; tprof %s --help lists the options", argv[0],
                                  letter == '?' ? "there is no option" : "a value is missing after",
                                  argv[optind - 1], argv[0]);
        status = read_option(options, letter, optarg, diagnostic);
    }
    if (!status && argc - optind > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s: one trace at a time; the second is '%.60s'", argv[0],
                              argv[optind + 1]);
    if (!status && optind < argc)
        options->trace = argv[optind];
    return status;
}
