/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof list: the names that tprof knows, from its own tables; each list is a table.
 */
#include "cmd/list_names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/completion.h"
#include "document/document.h"
#include "findings/cost_catalog.h"
#include "model/known_machines.h"
#include "options/help.h"
#include "options/readers.h"

enum { NAME_COLUMN = 15, MEANING_COLUMN = 4 };

/* For people, rows are as wide as the terminal; for programs, each row is one line. */
static void print_row(const char *head, int column, const char *help)
{
    if (isatty(STDOUT_FILENO))
        help_print_row(stdout, head, (size_t)column, help);
    else
        printf("%-*s %s\n", column - 1, head, help);
}

enum { NAME, HELP };

static const struct column named_columns[] = {
    [NAME] = {"name", "name", NULL, UNIT_TEXT, 0},
    [HELP] = {"help", "what it is", NULL, UNIT_TEXT, 0},
};

static void add_named(struct table *table, const char *name, const char *help)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[NAME], name);
    value_set_text(&row[HELP], help);
}

static void print_named(const struct value *row)
{
    print_row(row[NAME].text, NAME_COLUMN, row[HELP].text);
}

static void fill_analyses(struct table *table)
{
    for (size_t i = 0; analysis_at(i); i++)
        add_named(table, analysis_at(i)->name, analysis_at(i)->help);
}

static void fill_formats(struct table *table)
{
    for (size_t i = 0; render_at(i); i++)
        add_named(table, render_at(i)->name, render_at(i)->help);
}

struct named {
    const char *name;
    const char *help;
};

static void fill_named(struct table *table, const struct named *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_named(table, rows[i].name, rows[i].help);
}

static void fill_findings(struct table *table)
{
    static const struct named rows[] = {
#define RULE(name, id, gain, help) {id, help},
#include "findings/rules.def"
#undef RULE
    };

    fill_named(table, rows, sizeof rows / sizeof *rows);
}

static void fill_texts(struct table *table)
{
    static const struct named rows[] = {
#define TEXT(name, row) {#name, row},
#define ADVICE(rule, field, words) {#rule "_" #field, words},
#include "alerts/texts.def"
#include "analysis/texts.def"
#include "bench/texts.def"
#include "calc/texts.def"
#include "compare/texts.def"
#include "cpu/texts.def"
#include "devices/texts.def"
#include "findings/texts.def"
#include "heap/texts.def"
#include "incidents/texts.def"
#include "kernels/texts.def"
#include "live/texts.def"
#include "machine/texts.def"
#include "model/texts.def"
#include "money/texts.def"
#include "ops/texts.def"
#include "places/texts.def"
#include "requests/texts.def"
#include "runs/texts.def"
#include "screen/texts.def"
#include "steps/texts.def"
#include "symbols/texts.def"
#include "view/texts.def"
#include "waits/texts.def"
#undef ADVICE
#undef TEXT
    };

    fill_named(table, rows, sizeof rows / sizeof *rows);
}

static void fill_events(struct table *table)
{
    static const struct named rows[] = {
#define EVENT(kind, name, words, help) {name, help},
#include "spec/events.def"
#undef EVENT
#define EXTENDED(type, name, words, help) {name, help},
#include "spec/extended.def"
#undef EXTENDED
    };

    fill_named(table, rows, sizeof rows / sizeof *rows);
}

static void fill_kernels(struct table *table)
{
    static const char *const names[] = {
#define NAME(name) name,
#include "kernels.def"
#undef NAME
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct value *row = table_add_row(table);

        value_set_text(&row[NAME], names[i]);
    }
}

static void print_kernel(const struct value *row)
{
    puts(row[NAME].text);
}

enum { VARIABLE, FLAG, ARGUMENT, STANDARD, OPTION_HELP, OPTION_COLUMNS };

static const struct column option_columns[] = {
    [VARIABLE] = {"variable", "variable", NULL, UNIT_TEXT, 0},
    [FLAG] = {"flag", "flag of tprof run", NULL, UNIT_TEXT, 0},
    [ARGUMENT] = {"argument", "argument", NULL, UNIT_TEXT, 0},
    [STANDARD] = {"default", "default", NULL, UNIT_TEXT, 0},
    [OPTION_HELP] = {"help", "what it is", NULL, UNIT_TEXT, 0},
};

static void fill_options(struct table *table)
{
    static const char *const rows[][OPTION_COLUMNS] = {
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    {variable, "--" flag, argument, standard, help},
#include "spec/options.def"
#undef OPTION
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct value *row = table_add_row(table);

        for (size_t j = 0; j < OPTION_COLUMNS; j++)
            value_set_text(&row[j], rows[i][j]);
    }
}

static void print_option(const struct value *row)
{
    const char *standard = row[STANDARD].text;

    printf("%-14s %s %s%s%s%s\n", row[VARIABLE].text, row[FLAG].text, row[ARGUMENT].text,
           standard[0] ? " (" : "", standard, standard[0] ? ")" : "");
    print_row("", MEANING_COLUMN, row[OPTION_HELP].text);
}

enum { MACHINE_NAME, PEAK, BANDWIDTH, SOURCE };

static const struct column machine_columns[] = {
    [MACHINE_NAME] = {"name", "name", NULL, UNIT_TEXT, 0},
    [PEAK] = {"f32_flops_per_second", "f32", NULL, UNIT_FLOPS_PER_SECOND, 0},
    [BANDWIDTH] = {"bytes_per_second", "memory", NULL, UNIT_BYTES_PER_SECOND, 0},
    [SOURCE] = {"source", "source", NULL, UNIT_TEXT, 0},
};

static void fill_machines(struct table *table)
{
    struct known_machine machine;

    for (size_t i = 0; known_machine_at(i, &machine); i++) {
        struct value *row = table_add_row(table);

        value_set_text(&row[MACHINE_NAME], machine.name);
        value_set_text(&row[SOURCE], machine.source);
        value_set_real(&row[PEAK], machine.peaks[MACHINE_F32]);
        value_set_real(&row[BANDWIDTH], machine.bytes_per_second);
    }
}

static double real_of(const struct value *value)
{
    return value->kind == VALUE_REAL ? value->real : (double)NAN;
}

/* An address cannot be broken: on a terminal it has a line of its own. */
static void print_machine(const struct value *row)
{
    char peak[UNITS_SIZE], bandwidth[UNITS_SIZE];

    printf("%-26s f32 %-13s memory %-10s", row[MACHINE_NAME].text,
           units_format_flop_rate(peak, real_of(&row[PEAK])),
           units_format_byte_rate(bandwidth, real_of(&row[BANDWIDTH])));
    if (!isatty(STDOUT_FILENO)) {
        printf(" %s\n", row[SOURCE].text);
        return;
    }
    putchar('\n');
    print_row("", MEANING_COLUMN, row[SOURCE].text);
}

enum { COST, COST_OF, COST_WHAT, COST_WHY, COST_REPAIR, COST_UNLESS, COST_SOURCE };

static const struct column cost_columns[] = {
    [COST] = {"name", "name", NULL, UNIT_TEXT, 0},
    [COST_OF] = {"of", "of", "whose cost it is", UNIT_TEXT, 0},
    [COST_WHAT] = {"what", "what", "... takes 40 % of the processor time", UNIT_TEXT, 0},
    [COST_WHY] = {"why", "why", "the cause", UNIT_TEXT, 0},
    [COST_REPAIR] = {"repair", "repair", "what to write instead", UNIT_TEXT, 0},
    [COST_UNLESS] = {"unless", "unless", "when this is not so", UNIT_TEXT, 0},
    [COST_SOURCE] = {"source", "source", "a public report or manual", UNIT_TEXT, 0},
};

static void set_words(struct value *value, const struct text *words)
{
    if (words->size > 0)
        value_set_text(value, words->bytes);
}

static void fill_costs(struct table *table)
{
    struct cost_catalog catalog;

    cost_catalog_init(&catalog);
    for (size_t i = 0; i < catalog.costs.count; i++) {
        const struct cost *cost = array_at(&catalog.costs, i);
        struct value *row = table_add_row(table);

        value_set_text(&row[COST], cost->name.bytes);
        if (cost->of)
            value_set_text(&row[COST_OF], cost->of);
        set_words(&row[COST_WHAT], &cost->what);
        set_words(&row[COST_WHY], &cost->why);
        set_words(&row[COST_REPAIR], &cost->repair);
        set_words(&row[COST_UNLESS], &cost->unless);
        set_words(&row[COST_SOURCE], &cost->source);
    }
}

static void print_cost(const struct value *row)
{
    printf("%s: %s%s%s%s\n", row[COST].text, row[COST_WHAT].text, row[COST_OF].text ? " (" : "",
           row[COST_OF].text ? row[COST_OF].text : "", row[COST_OF].text ? ")" : "");
    print_row("", MEANING_COLUMN, row[COST_WHY].text);
    print_row("", MEANING_COLUMN, row[COST_REPAIR].text);
}

struct list {
    struct table_schema schema;
    void (*fill)(struct table *table);
    void (*print)(const struct value *row);
};

#define COLUMNS(columns) (columns), sizeof(columns) / sizeof *(columns), NULL
static const struct list lists[] = {
    {{"analyses", "Analyses", COLUMNS(named_columns)}, fill_analyses, print_named},
    {{"findings", "Findings", COLUMNS(named_columns)}, fill_findings, print_named},
    {{"costs", "Well-known costs", COLUMNS(cost_columns)}, fill_costs, print_cost},
    {{"kernels", "Kernels", named_columns, HELP, NULL}, fill_kernels, print_kernel},
    {{"options", "Options", COLUMNS(option_columns)}, fill_options, print_option},
    {{"events", "Events", COLUMNS(named_columns)}, fill_events, print_named},
    {{"formats", "Formats", COLUMNS(named_columns)}, fill_formats, print_named},
    {{"machines", "Machines", COLUMNS(machine_columns)}, fill_machines, print_machine},
    {{"texts", "Sentences of reports", COLUMNS(named_columns)}, fill_texts, print_named},
};
#undef COLUMNS

enum { LISTS = sizeof lists / sizeof *lists };

const char *list_name_at(size_t index)
{
    return index < LISTS ? lists[index].schema.name : NULL;
}

/* There are hundreds of costs, kernels and sentences: they are listed only on request. */
static bool is_wanted(const struct list *list, const char *name)
{
    if (name)
        return strcmp(list->schema.name, name) == 0;
    return list->fill != fill_costs && list->fill != fill_kernels && list->fill != fill_texts;
}

static bool is_list(const char *name)
{
    for (size_t i = 0; i < LISTS; i++)
        if (strcmp(lists[i].schema.name, name) == 0)
            return true;
    return false;
}

static void build(struct document *document, const char *name)
{
    document_init(document);
    for (size_t i = 0; i < LISTS; i++) {
        struct table *table;

        if (!is_wanted(&lists[i], name))
            continue;
        table = document_add_table(document, lists[i].schema.name, SECTION_IN_BOTH);
        table_init(table, &lists[i].schema);
        lists[i].fill(table);
    }
    document->main = name;
}

static void print_list(const struct list *list, const struct table *table)
{
    for (size_t i = 0; i < table_row_count(table); i++)
        list->print(table_row(table, i));
}

static void print(const struct document *document, const char *name)
{
    bool is_first = true;

    for (size_t i = 0; i < LISTS; i++) {
        if (!is_wanted(&lists[i], name))
            continue;
        if (!name)
            printf("%s%s\n", is_first ? "" : "\n", lists[i].schema.name);
        print_list(&lists[i], document_find_table(document, lists[i].schema.name));
        is_first = false;
    }
}

static enum status report(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    bool is_plain = strcmp(options->renderer->name, "text") == 0 && !options->output;
    struct document document;
    enum status status = STATUS_OK;

    build(&document, options->trace);
    if (!is_plain)
        status = cmd_render_document(&document, options, diagnostic);
    else
        print(&document, options->trace);
    document_fini(&document);
    return status || !is_plain ? status : render_finish(stdout, diagnostic);
}

struct list_options {
    const char *shell; /* whose completion was asked for, or NULL */
};

static const struct option_row rows[] = {
#define OPTION(field, ...) OPTION_ROW(struct list_options, field, __VA_ARGS__),
#include "cmd/list_options.def"
#undef OPTION
};

static void print_help(const struct option_set *own)
{
    struct text names;

    text_init(&names);
    for (size_t i = 0; i < LISTS; i++)
        text_appendf(&names, "%s%s", i ? "|" : "[OPTIONS] [", lists[i].schema.name);
    text_append(&names, "]");
    cmd_print_help("list", names.bytes,
                   "List everything that tprof knows by name.  Without a word, list all but costs, "
                   "kernels and texts.",
                   own);
    text_fini(&names);
}

static enum status write_completion(const char *shell, const struct cmd_options *options,
                                    struct diagnostic *diagnostic)
{
    struct text script;
    enum status status;

    text_init(&script);
    status = completion_write(&script, shell, diagnostic);
    if (!status)
        status = cmd_write_text(script.bytes, options, diagnostic);
    text_fini(&script);
    return status;
}

/* One list at a time, which must be there; a completion stands alone. */
static enum status check_words(const struct cmd_options *options, const char *shell,
                               struct diagnostic *diagnostic)
{
    if (shell && options->trace_count > 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "list --completion %.40s: no list is expected, found '%.60s'", shell,
                              options->traces[0]);
    if (options->trace_count > 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "list: one list at a time; the second word is '%.60s'",
                              options->traces[1]);
    if (options->trace && !is_list(options->trace))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "list: there is no list '%.60s'; tprof list --help names them",
                              options->trace);
    return STATUS_OK;
}

enum status cmd_list(int argc, char **argv, struct cmd_outcome *outcome)
{
    struct cmd_options options;
    struct list_options wanted = {NULL};
    const struct option_set own = {rows, sizeof rows / sizeof *rows, &wanted};
    enum status status = cmd_parse_many(&options, &own, argc, argv, &outcome->diagnostic);

    if (status)
        return status;
    if (options.is_help) {
        print_help(&own);
        return STATUS_OK;
    }
    options.trace = options.trace_count > 0 ? options.traces[0] : NULL;
    status = check_words(&options, wanted.shell, &outcome->diagnostic);
    if (status)
        return status;
    return wanted.shell ? write_completion(wanted.shell, &options, &outcome->diagnostic)
                        : report(&options, &outcome->diagnostic);
}
