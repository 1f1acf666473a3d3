/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fills in a manual page when tprof is built; runs on the machine that builds.
 * Usage: manual KERNELS.spec < PAGE.in > PAGE
 *
 * A line of the template such as
 *     .\" @options@       or      .\" @layout header@
 * is replaced by roff made of the rows of that table; every other line is
 * copied.  So a fact of the program stands in its table alone.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/trace.h"

enum { LINE_SIZE = 4096, WORD_SIZE = 64 };

static const char *kernels_path;

static _Noreturn void fail(const char *what, const char *of)
{
    fprintf(stderr, "manual: %s: %s\n", of, what);
    exit(1);
}

/* ---- roff ---------------------------------------------------------------- */

static const char *escape(char c, bool is_name)
{
    switch (c) {
    case '\\': return "\\e";
    case '\'': return "\\(aq";
    case '"': return "\\(dq";
    case '`': return "\\(ga";
    case '^': return "\\(ha";
    case '~': return "\\(ti";
    case '-': return is_name ? "\\-" : NULL;
    case ',': return is_name ? ",\\:" : NULL; /* a line may be broken behind it */
    default: return NULL;
    }
}

static void put(const char *text, bool is_name)
{
    for (; *text; text++) {
        const char *escaped = escape(*text, is_name);

        if (escaped)
            fputs(escaped, stdout);
        else
            putchar(*text);
    }
}

static void put_name(const char *name)
{
    put(name, true);
}

static void put_text(const char *text)
{
    put(text, false);
}

/* Several sentences end with a period; a fragment alone does not. */
static bool ends_sentence(const char *text)
{
    size_t size = strlen(text);

    return size > 0 && text[size - 1] == '.';
}

/* As a sentence: with a capital and a period. */
static void put_sentence(const char *text)
{
    char first[2] = {(char)toupper((unsigned char)text[0]), '\0'};

    put_text(first);
    if (text[0] != '\0')
        put_text(text + 1);
    fputs(ends_sentence(text) ? "\n" : ".\n", stdout);
}

/* ---- tables of rows, and how they are put -------------------------------- */

struct row {
    const char *name;     /* or NULL: its number names it */
    const char *argument; /* or NULL */
    const char *help;
    int letter; /* of an option, or 0 */
};

struct table {
    const char *name; /* as the templates call it */
    void (*put)(const struct table *table);
    const struct row *rows;
    size_t count;
    size_t first; /* the number of the first row */
};

static void put_list(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        put_name(table->rows[i].name);
        fputs(i + 1 < table->count ? ",\n" : ".\n", stdout);
    }
}

static void put_flag(int letter, const char *name, const char *argument)
{
    fputs(".TP\n", stdout);
    if (letter)
        printf("\\fB\\-%c\\fP, ", letter);
    fputs("\\fB\\-\\-", stdout);
    put_name(name);
    fputs("\\fP", stdout);
    if (argument) {
        fputs("=\\fI", stdout);
        put_name(argument);
        fputs("\\fP", stdout);
    }
}

/* Options that one command alone has. */
static void put_own(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];

        put_flag(row->letter, row->name, row->argument);
        putchar('\n');
        put_sentence(row->help);
    }
}

static void put_item(const struct row *row)
{
    fputs("\\fB", stdout);
    put_name(row->name);
    fputs("\\fP\n", stdout);
    put_text(row->help);
    putchar('\n');
}

static void put_items(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        puts(".TP");
        put_item(&table->rows[i]);
    }
}

/* With the number that stands in the trace. */
static void put_kinds(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        printf(".TP\n%zu ", table->first + i);
        put_item(&table->rows[i]);
    }
}

/* What the values of a field mean. */
static void put_values(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        printf(".TP\n%zu\n", table->first + i);
        put_text(table->rows[i].help);
        putchar('\n');
    }
}

/* Rows whose number is nobody's business; one without a name is no user's. */
static void put_terms(const struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!table->rows[i].name[0])
            continue;
        fputs(".TP\n\\fB", stdout);
        put_name(table->rows[i].name);
        fputs("\\fP\n", stdout);
        put_sentence(table->rows[i].help);
    }
}

static const struct row environment_rows[] = {
#define VARIABLE(name) {name, NULL, NULL, 0},
#include "spec/environment.def"
#undef VARIABLE
};

static const struct row analyses_rows[] = {
#define ANALYSIS(name) {#name, NULL, NULL, 0},
#include "analysis/analyses.def"
#undef ANALYSIS
};

/* The options that one command alone has. */
#define OPTION(field, reader, most, letter, name, argument, commands, excludes, help)              \
    {name, argument, help, letter},
static const struct row amdahl_rows[] = {
#include "cmd/amdahl_options.def"
};

static const struct row bench_rows[] = {
#include "cmd/bench_options.def"
};

static const struct row calibrate_rows[] = {
#include "cmd/calibrate_options.def"
};

static const struct row compare_rows[] = {
#include "cmd/compare_options.def"
};

static const struct row cost_rows[] = {
#include "cmd/cost_options.def"
};

static const struct row export_rows[] = {
#include "cmd/export_options.def"
};

static const struct row flame_rows[] = {
#include "cmd/flame_options.def"
};

static const struct row gate_rows[] = {
#include "cmd/gate_options.def"
};

static const struct row html_rows[] = {
#include "cmd/html_options.def"
};

static const struct row list_rows[] = {
#include "cmd/list_options.def"
};

static const struct row live_rows[] = {
#include "cmd/live_options.def"
};

static const struct row watch_rows[] = {
#include "cmd/watch_options.def"
};

static const struct row pack_rows[] = {
#include "cmd/pack_options.def"
};

static const struct row sla_rows[] = {
#include "cmd/sla_options.def"
};

static const struct row whatif_rows[] = {
#include "cmd/whatif_options.def"
};

static const struct row where_rows[] = {
#include "cmd/where_options.def"
};
#undef OPTION

static const struct row keys_rows[] = {
#define KEY(name, bytes, keys, help) {keys, NULL, help, 0},
#include "view/keys.def"
#undef KEY
};

static const struct row points_rows[] = {
#define RESULT(id, key, title, unit, priority, place, help) {key, NULL, help, 0},
#include "bench/result_columns.def"
#undef RESULT
};

static const struct row events_rows[] = {
#define EVENT(kind, name, words, help) {name, NULL, help, 0},
#include "spec/events.def"
#undef EVENT
};

static const struct row extended_rows[] = {
#define EXTENDED(type, name, words, help) {name, NULL, help, 0},
#include "spec/extended.def"
#undef EXTENDED
};

static const struct row stages_rows[] = {
#define STAGE(stage, key, help) {key, NULL, help, 0},
#include "spec/stages.def"
#undef STAGE
};

static const struct row sampling_off_rows[] = {
#define SAMPLING_OFF(off, key, words) {key, NULL, words, 0},
#include "spec/sampling_off.def"
#undef SAMPLING_OFF
};

static const struct row waits_rows[] = {
#define WAIT(call, name, class, object, argument, result, attempt) {name, NULL, #class, 0},
#include "spec/waits.def"
#undef WAIT
};

static const struct row protocol_rows[] = {
#define PROTOCOL(protocol, key, is_told, help) {key, NULL, help, 0},
#include "spec/protocols.def"
#undef PROTOCOL
};

static const struct row incident_causes_rows[] = {
#define INCIDENT_CAUSE(cause, word, example, help) {word, NULL, help, 0},
#include "spec/incident_causes.def"
#undef INCIDENT_CAUSE
};

static const struct row keep_conditions_rows[] = {
#define INCIDENT_CAUSE(cause, word, example, help) {example, NULL, help, 0},
#include "spec/incident_causes.def"
#undef INCIDENT_CAUSE
};

static const struct row keep_obstacles_rows[] = {
#define KEEP_OBSTACLE(obstacle, words) {NULL, NULL, words, 0},
#include "spec/keep_obstacles.def"
#undef KEEP_OBSTACLE
};

static const struct row waited_rows[] = {
#define WAITED(kind, key, words) {key, NULL, words, 0},
#include "spec/waited.def"
#undef WAITED
};

static const struct row commands_rows[] = {
#define COMMAND(kind, key, words) {key, NULL, words, 0},
#include "spec/commands.def"
#undef COMMAND
};

static const struct row device_kinds_rows[] = {
#define DEVICE_KIND(kind, key, words) {key, NULL, words, 0},
#include "spec/device_kinds.def"
#undef DEVICE_KIND
};

static const struct row device_apis_rows[] = {
#define DEVICE_API(api, key, words) {key, NULL, words, 0},
#include "spec/device_apis.def"
#undef DEVICE_API
};

static const struct row device_places_rows[] = {
#define DEVICE_PLACE(place, key, words) {key, NULL, words, 0},
#include "spec/device_places.def"
#undef DEVICE_PLACE
};

static const struct row device_readings_rows[] = {
#define DEVICE_READINGS(state, key, words) {key, NULL, words, 0},
#include "spec/device_readings.def"
#undef DEVICE_READINGS
};

static const struct row device_numbers_rows[] = {
#define DEVICE_NUMBER(number, key, unit, words) {key, NULL, words, 0},
#include "spec/device_numbers.def"
#undef DEVICE_NUMBER
};

static const struct row stage_causes_rows[] = {
#define STAGE_CAUSE(cause, key, words) {key, NULL, words, 0},
#include "spec/stage_causes.def"
#undef STAGE_CAUSE
};

static const struct row facts_rows[] = {
#define FACT(kind, name, help) {name, NULL, help, 0},
#include "spec/facts.def"
#undef FACT
};

static const struct row counters_rows[] = {
#define COUNTER(id, key, one, title, help) {key, NULL, help, 0},
#include "spec/counters.def"
#undef COUNTER
};

static const struct row results_rows[] = {
#define RESULT(id, name, help) {name, NULL, help, 0},
#include "compare/gate_results.def"
#undef RESULT
};

static const struct row quantities_rows[] = {
#define QUANTITY(id, key, title, unit, kind, better, help) {key, NULL, help, 0},
#include "runs/quantities.def"
#undef QUANTITY
};

static const struct row formats_rows[] = {
#define STACKS_FORMAT(id, is_packed, has_all, has_labels, weights, help) {#id, NULL, help, 0},
#define TIMELINE_FORMAT(id, is_binary, help) {#id, NULL, help, 0},
#define METRICS_FORMAT(id, is_open, help) {#id, NULL, help, 0},
#define SHAPES_FORMAT(id, name, help) {name, NULL, help, 0},
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
};

static const struct row weights_rows[] = {
#define WEIGHT(id, name, unit, help) {name, NULL, help, 0},
#include "export/weights.def"
#undef WEIGHT
};

static const struct row findings_rows[] = {
#define RULE(name, id, gain, help) {id, NULL, help, 0},
#include "findings/rules.def"
#undef RULE
};

static const struct row conditions_rows[] = {
#define CONDITION(id, key, title, help) {key, NULL, help, 0},
#include "spec/conditions.def"
#undef CONDITION
};

static const struct row streams_rows[] = {
#define STREAM(stream, name, help) {name, NULL, help, 0},
#include "spec/streams.def"
#undef STREAM
};

static const struct row readings_rows[] = {
#define READING(field, key, unit, sort, help) {key, NULL, help, 0},
#include "spec/readings.def"
#undef READING
};

static const struct row surroundings_rows[] = {
#define SURROUNDING(field, unit, sort, source, help) {#field, NULL, help, 0},
#include "spec/surroundings.def"
#undef SURROUNDING
};

static const struct row alerts_rows[] = {
#define ALERT(id, name, measure, raise, clear, seconds, severity, what, advice)                    \
    {name, NULL, what ". " advice ".", 0},
#include "alerts/rules.def"
#undef ALERT
};

static const struct row outcomes_rows[] = {
#define HOOK_OUTCOME(outcome, text) {NULL, NULL, text, 0},
#include "spec/outcomes.def"
#undef HOOK_OUTCOME
};

static const struct row chain_ends_rows[] = {
#define CHAIN_END(end, key, words) {NULL, NULL, words, 0},
#include "spec/chain_ends.def"
#undef CHAIN_END
};

static const struct row python_off_rows[] = {
#define PYTHON_OFF(off, key, words) {NULL, NULL, words, 0},
#include "spec/python_off.def"
#undef PYTHON_OFF
};

static const struct row ops_off_rows[] = {
#define OPS_OFF(off, key, words) {NULL, NULL, words, 0},
#include "spec/ops_off.def"
#undef OPS_OFF
};

static const struct row versions_rows[] = {
#define VERSION(number, help) {#number, NULL, help, 0},
#include "spec/versions.def"
#undef VERSION
};

/* From the second row on: the first says that nothing is off. */
#define ROWS(rows, from) rows + (from), sizeof rows / sizeof *(rows) - (from)
static const struct table tables[] = {
    {"environment", put_list, ROWS(environment_rows, 0), 0},
    {"analyses", put_list, ROWS(analyses_rows, 0), 0},
    {"compare", put_own, ROWS(compare_rows, 0), 0},
    {"gate", put_own, ROWS(gate_rows, 0), 0},
    {"bench", put_own, ROWS(bench_rows, 0), 0},
    {"calibrate", put_own, ROWS(calibrate_rows, 0), 0},
    {"live", put_own, ROWS(live_rows, 0), 0},
    {"where", put_own, ROWS(where_rows, 0), 0},
    {"cost", put_own, ROWS(cost_rows, 0), 0},
    {"amdahl", put_own, ROWS(amdahl_rows, 0), 0},
    {"flame", put_own, ROWS(flame_rows, 0), 0},
    {"export", put_own, ROWS(export_rows, 0), 0},
    {"html", put_own, ROWS(html_rows, 0), 0},
    {"keys", put_terms, ROWS(keys_rows, 0), 0},
    {"sla", put_own, ROWS(sla_rows, 0), 0},
    {"whatif", put_own, ROWS(whatif_rows, 0), 0},
    {"list", put_own, ROWS(list_rows, 0), 0},
    {"watch", put_own, ROWS(watch_rows, 0), 0},
    {"pack", put_own, ROWS(pack_rows, 0), 0},
    {"points", put_terms, ROWS(points_rows, 0), 0},
    {"events", put_kinds, ROWS(events_rows, 0), 0},
    {"extended", put_kinds, ROWS(extended_rows, 0), 0},
    {"stages", put_kinds, ROWS(stages_rows, 0), 0},
    {"sampling_off", put_kinds, ROWS(sampling_off_rows, 0), 0},
    {"waits", put_kinds, ROWS(waits_rows, 0), 0},
    {"protocols", put_kinds, ROWS(protocol_rows, 0), 0},
    {"conditions_of_keep", put_terms, ROWS(keep_conditions_rows, 0), 0},
    {"incident_causes", put_kinds, ROWS(incident_causes_rows, 0), 0},
    {"keep_obstacles", put_values, ROWS(keep_obstacles_rows, 1), TRACE_KEEP_NONE + 1},
    {"waited", put_kinds, ROWS(waited_rows, 0), 0},
    {"commands", put_kinds, ROWS(commands_rows, 0), 0},
    {"device_kinds", put_kinds, ROWS(device_kinds_rows, 0), 0},
    {"device_apis", put_kinds, ROWS(device_apis_rows, 0), 0},
    {"device_places", put_kinds, ROWS(device_places_rows, 0), 0},
    {"device_numbers", put_kinds, ROWS(device_numbers_rows, 0), 0},
    {"device_readings", put_kinds, ROWS(device_readings_rows, 0), 0},
    {"stage_causes", put_kinds, ROWS(stage_causes_rows, 0), 0},
    {"facts", put_kinds, ROWS(facts_rows, 0), 0},
    {"counters", put_kinds, ROWS(counters_rows, 0), 0},
    {"results", put_terms, ROWS(results_rows, 0), 0},
    {"quantities", put_terms, ROWS(quantities_rows, 0), 0},
    {"formats", put_terms, ROWS(formats_rows, 0), 0},
    {"weights", put_terms, ROWS(weights_rows, 0), 0},
    {"findings", put_items, ROWS(findings_rows, 0), 0},
    {"conditions", put_kinds, ROWS(conditions_rows, 0), 0},
    {"streams", put_kinds, ROWS(streams_rows, 0), 0},
    {"readings", put_items, ROWS(readings_rows, 0), 0},
    {"surroundings", put_items, ROWS(surroundings_rows, 0), 0},
    {"alerts", put_terms, ROWS(alerts_rows, 0), 0},
    {"outcomes", put_values, ROWS(outcomes_rows, 0), 0},
    {"chain_ends", put_values, ROWS(chain_ends_rows, 0), TRACE_CHAIN_NONE + 1},
    {"python_off", put_values, ROWS(python_off_rows, 1), TRACE_PYTHON_OFF_NONE + 1},
    {"ops_off", put_values, ROWS(ops_off_rows, 1), TRACE_OPS_OFF_NONE + 1},
    {"versions", put_terms, ROWS(versions_rows, 0), 0},
};
#undef ROWS

/* ---- options and commands ------------------------------------------------ */

struct option {
    const char *variable;
    const char *flag;
    const char *standard;
    const char *argument;
    const char *help;
};

static const struct option options[] = {
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    {variable, flag, standard, argument, help},
#include "spec/options.def"
#undef OPTION
};

static void put_option(const char *name, const struct option *option)
{
    fputs(".TP\n\\fB", stdout);
    put_name(name);
    fputs("\\fP=\\fI", stdout);
    put_name(option->argument);
    fputs("\\fP\n", stdout);
    put_sentence(option->help);
    fputs("Default: ", stdout);
    put_text(option->standard[0] ? option->standard : "none");
    fputs(".\n", stdout);
}

static void print_options(const char *unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        put_option(options[i].variable, &options[i]);
}

static void print_flags(const char *unused)
{
    char flag[WORD_SIZE];

    (void)unused;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(flag, sizeof flag, "--%s", options[i].flag);
        put_option(flag, &options[i]);
    }
}

/* What --by takes, and which commands take it. */
static void print_by(void)
{
    static const struct {
        const char *word;
        const char *commands;
        const char *help;
    } words[] = {
#define BY(name, word, commands, help) {word, commands, help},
#include "analysis/by.def"
#undef BY
    };

    puts(".RS");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        fputs(".TP\n\\fB", stdout);
        put_name(words[i].word);
        fputs("\\fP (", stdout);
        put_name(words[i].commands);
        puts(")");
        put_sentence(words[i].help);
    }
    puts(".RE");
}

/* The options of commands that report. */
static void print_reporting(const char *unused)
{
    static const struct {
        int letter;
        const char *name;
        const char *argument;
        const char *commands;
        const char *help;
    } flags[] = {
#define OPTION(field, reader, most, letter, name, argument, commands, excludes, help)              \
    {letter, name, argument, commands, help},
#include "alerts/alerts_options.def"
#include "cmd/options.def"
#include "cpu/lines_options.def"
#include "cpu/time_options.def"
#include "heap/leaks_options.def"
#include "heap/memory_options.def"
#include "kernels/flops_options.def"
#include "kernels/timing_options.def"
#include "requests/requests_options.def"
#include "waits/waits_options.def"
#undef OPTION
    };

    (void)unused;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        put_flag(flags[i].letter, flags[i].name, flags[i].argument);
        if (flags[i].commands) {
            fputs(strncmp(flags[i].commands, "but ", 4) == 0 ? " (all " : " (", stdout);
            put_name(flags[i].commands);
            putchar(')');
        }
        putchar('\n');
        put_sentence(flags[i].help);
        if (strcmp(flags[i].name, "by") == 0)
            print_by();
    }
}

struct command {
    const char *name;
    const char *arguments;
    const char *help;
};

static const struct command commands[] = {
#define COMMAND(name, arguments, help) {#name, arguments, help},
#define SUBCOMMAND(name, second, arguments, help) {#name " " #second, arguments, help},
#include "cmd/commands.def"
#undef COMMAND
#undef SUBCOMMAND
};

static void print_commands(const char *unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        fputs(".TP\n\\fBtprof ", stdout);
        put_name(commands[i].name);
        fputs("\\fP ", stdout);
        put_name(commands[i].arguments);
        putchar('\n');
        put_sentence(commands[i].help);
    }
}

/* ---- the layout of a trace ----------------------------------------------- */

struct field {
    const char *structure;
    const char *name;
    size_t offset;
    size_t size;
    size_t whole; /* size of the structure */
    const char *help;
};

static const struct field fields[] = {
#define FIELD(structure, field, help)                                                              \
    {#structure,                                                                                   \
     #field,                                                                                       \
     offsetof(struct trace_##structure, field),                                                    \
     sizeof((struct trace_##structure *)0)->field,                                                 \
     sizeof(struct trace_##structure),                                                             \
     help},
#define BITS(record, word, name, bits, help)
#include "layout.def"
#undef FIELD
#undef BITS
};

static void put_field(const struct field *field)
{
    printf("%zu\t%zu\t", field->offset, field->size);
    put_name(field->name);
    fputs("\tT{\n", stdout);
    put_text(field->help);
    fputs("\nT}\n", stdout);
}

static void print_layout(const char *structure)
{
    size_t end = 0;
    size_t whole = 0;

    fputs(".TS\nnokeep;\nrb rb lb lb\nr r l lx.\noffset\tsize\tfield\tmeaning\n", stdout);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        if (strcmp(fields[i].structure, structure) != 0)
            continue;
        if (fields[i].offset != end)
            fail("a field before this one has no row in layout.def", fields[i].name);
        put_field(&fields[i]);
        end = fields[i].offset + fields[i].size;
        whole = fields[i].whole;
    }
    fputs(".TE\n", stdout);
    if (end == 0 || end != whole)
        fail("layout.def does not describe all of it", structure);
}

struct bits {
    const char *record;
    unsigned word;
    const char *name;
    unsigned count;
    const char *help;
};

static const struct bits bits[] = {
#define FIELD(structure, field, help)
#define BITS(record, word, name, count, help) {#record, word, name, count, help},
#include "layout.def"
#undef FIELD
#undef BITS
};

static void put_bits(const struct bits *row, unsigned lowest)
{
    printf("%u\t%u\\(en%u\t", row->word, lowest, lowest + row->count - 1);
    put_name(row->name);
    fputs("\tT{\n", stdout);
    put_text(row->help);
    fputs("\nT}\n", stdout);
}

static void print_bits(const char *record)
{
    unsigned position = 0;

    fputs(".TS\nnokeep;\nrb rb lb lb\nr r l lx.\nword\tbits\tfield\tmeaning\n", stdout);
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        if (strcmp(bits[i].record, record) != 0)
            continue;
        if (position / 64 != bits[i].word)
            fail("a word before this one does not have 64 bits", record);
        put_bits(&bits[i], position % 64);
        position += bits[i].count;
    }
    fputs(".TE\n", stdout);
    if (position == 0 || position % 64 != 0)
        fail("layout.def does not describe all of it", record);
}

/* ---- the kernels --------------------------------------------------------- */

/* What a paragraph of the catalog says, as it stands there.  The catalog's reader keeps none of
 * these words: it makes a kernel of each word of a group. */
struct paragraph {
    char name[LINE_SIZE];
    char family[LINE_SIZE];
    char shape[LINE_SIZE];
    char flops[LINE_SIZE];
};

static void print_paragraph(struct paragraph *kernel)
{
    if (kernel->name[0] != '\0') {
        fputs(".TP\n\\fB", stdout);
        put_name(kernel->name);
        fputs("\\fP (", stdout);
        put_text(kernel->family[0] ? kernel->family : "its own name");
        fputs(kernel->shape[0] ? "): " : ")", stdout);
        put_text(kernel->shape);
        putchar('\n');
        put_text(kernel->flops[0] ? kernel->flops : "unknown");
        putchar('\n');
    }
    memset(kernel, 0, sizeof *kernel);
}

/* Take the rest of a line that begins with `word`. */
static void take(const char *line, const char *word, char *value)
{
    size_t length = strlen(word);

    if (strncmp(line, word, length) != 0 || line[length] != ' ')
        return;
    line += length;
    line += strspn(line, " \t");
    snprintf(value, LINE_SIZE, "%.*s", (int)strcspn(line, "#\n"), line);
}

/* A family is printed as it comes: its name, then its symbols line by line. */
static void print_family(const char *line, const char *text)
{
    char name[LINE_SIZE] = "";
    char symbols[LINE_SIZE] = "";

    take(line, "family", name);
    take(text, "symbols", symbols);
    if (name[0] != '\0') {
        fputs(".TP\nfamily \\fB", stdout);
        put_name(name);
        fputs("\\fP\n", stdout);
    } else if (symbols[0] != '\0') {
        put_text(symbols);
        fputs("\n.br\n", stdout);
    }
}

static void read_property(struct paragraph *kernel, const char *line, const char *text)
{
    take(line, "kernel", kernel->name);
    if (text == line)
        return;
    take(text, "family", kernel->family);
    take(text, "adapter", kernel->family);
    take(text, "shape", kernel->shape);
    take(text, "flops", kernel->flops);
}

static void print_kernels(const char *unused)
{
    static struct paragraph kernel;
    char line[LINE_SIZE];
    FILE *file = fopen(kernels_path, "r");

    (void)unused;
    if (!file)
        fail("cannot be opened", kernels_path);
    puts(".na"); /* of long groups there may be one in a line */
    while (fgets(line, sizeof line, file)) {
        const char *text = line + strspn(line, " \t");

        if (text == line && *text != '\n' && *text != '#')
            print_paragraph(&kernel);
        print_family(line, text);
        read_property(&kernel, line, text);
    }
    print_paragraph(&kernel);
    puts(".ad");
    fclose(file);
}

static void print_version(const char *unused)
{
    (void)unused;
    printf("This is version %d of the format.\n", TRACE_VERSION);
    printf("Those from version %d on are read.\n", TRACE_VERSION_OLDEST);
}

/* ---- templates ----------------------------------------------------------- */

/* What is more than rows of one kind. */
struct block {
    const char *name;
    void (*print)(const char *argument);
};

static const struct block blocks[] = {
    {"options", print_options},     {"flags", print_flags},     {"commands", print_commands},
    {"reporting", print_reporting}, {"version", print_version}, {"layout", print_layout},
    {"bits", print_bits},           {"kernels", print_kernels},
};

static void print_block(const char *name, const char *argument)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i].name, name) == 0) {
            tables[i].put(&tables[i]);
            return;
        }
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (strcmp(blocks[i].name, name) != 0)
            continue;
        blocks[i].print(argument);
        return;
    }
    fail("there is no such table", name);
}

int main(int argc, char **argv)
{
    char line[LINE_SIZE];

    if (argc != 2)
        fail("usage: manual KERNELS.spec < PAGE.in > PAGE", "manual");
    kernels_path = argv[1];
    while (fgets(line, sizeof line, stdin)) {
        char name[WORD_SIZE];
        char argument[WORD_SIZE] = "";

        if (sscanf(line, ".\\\" @%63[a-z_] %63[a-z_]@", name, argument) >= 1)
            print_block(name, argument);
        else
            fputs(line, stdout);
    }
    return fflush(stdout) != 0;
}
