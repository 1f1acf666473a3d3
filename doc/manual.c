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

/* ---- options, environment, commands -------------------------------------- */

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

static void put_list(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        put_name(names[i]);
        fputs(i + 1 < count ? ",\n" : ".\n", stdout);
    }
}

static void print_environment(const char *unused)
{
    static const char *const names[] = {
#define VARIABLE(name) name,
#include "spec/environment.def"
#undef VARIABLE
    };

    (void)unused;
    put_list(names, sizeof names / sizeof *names);
}

static void print_analyses(const char *unused)
{
    static const char *const names[] = {
#define ANALYSIS(name) #name,
#include "figures/analyses.def"
#undef ANALYSIS
    };

    (void)unused;
    put_list(names, sizeof names / sizeof *names);
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
#define FLAG(id, letter, name, argument, commands, excludes, help)                                 \
    {letter, name, argument, commands, help},
#include "cmd/options.def"
#undef FLAG
#define OPTION(field, kind, most, name, argument, commands, excludes, help)                        \
    {0, name, argument, commands, help},
#include "kernels/flops_options.def"
#include "kernels/timing_options.def"
#include "memory/leaks_options.def"
#include "memory/memory_options.def"
#include "time/time_options.def"
#include "time/waits_options.def"
#include "time/lines_options.def"
#undef OPTION
    };

    (void)unused;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        fputs(".TP\n", stdout);
        if (flags[i].letter)
            printf("\\fB\\-%c\\fP, ", flags[i].letter);
        fputs("\\fB\\-\\-", stdout);
        put_name(flags[i].name);
        fputs("\\fP", stdout);
        if (flags[i].argument) {
            fputs("=\\fI", stdout);
            put_name(flags[i].argument);
            fputs("\\fP", stdout);
        }
        if (flags[i].commands) {
            fputs(strncmp(flags[i].commands, "but ", 4) == 0 ? " (all " : " (", stdout);
            put_name(flags[i].commands);
            putchar(')');
        }
        putchar('\n');
        put_sentence(flags[i].help);
    }
}

/* Options that one command alone has. */
struct own {
    const char *name;
    const char *argument;
    const char *help;
    int letter; /* or 0 */
};

static void print_own(const struct own *options, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(".TP\n", stdout);
        if (options[i].letter)
            printf("\\fB\\-%c\\fP, ", options[i].letter);
        fputs("\\fB\\-\\-", stdout);
        put_name(options[i].name);
        fputs("\\fP", stdout);
        if (options[i].argument) {
            fputs("=\\fI", stdout);
            put_name(options[i].argument);
            fputs("\\fP", stdout);
        }
        putchar('\n');
        put_sentence(options[i].help);
    }
}

static void print_compare(const char *unused)
{
    static const struct own options[] = {
#define COMPARE_OPTION(id, name, argument, help) {name, argument, help, 0},
#include "cmd/compare_options.def"
#undef COMPARE_OPTION
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_gate(const char *unused)
{
    static const struct own options[] = {
#define GATE_OPTION(id, name, argument, help) {name, argument, help, 0},
#include "cmd/compare_options.def"
#undef GATE_OPTION
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_bench(const char *unused)
{
    static const struct own options[] = {
#define BENCH_OPTION(id, name, argument, help) {name, argument, help, 0},
#include "cmd/bench_options.def"
#undef BENCH_OPTION
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_calibrate(const char *unused)
{
    static const struct own options[] = {
#define CALIBRATE(id, letter, name, argument, help) {name, argument, help, letter},
#include "cmd/calibrate_options.def"
#undef CALIBRATE
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_where(const char *unused)
{
    static const struct own options[] = {
#define WHERE(id, letter, name, argument, help) {name, argument, help, letter},
#include "cmd/where_options.def"
#undef WHERE
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_cost(const char *unused)
{
    static const struct own options[] = {
#define COST(id, name, argument, help) {name, argument, help, 0},
#include "cmd/cost_options.def"
#undef COST
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_amdahl(const char *unused)
{
    static const struct own options[] = {
#define AMDAHL(id, name, argument, help) {name, argument, help, 0},
#include "cmd/amdahl_options.def"
#undef AMDAHL
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_export(const char *unused)
{
    static const struct own options[] = {
#define EXPORT(id, name, argument, help) {name, argument, help, 0},
#include "cmd/export_options.def"
#undef EXPORT
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_html(const char *unused)
{
    static const struct own options[] = {
#define HTML(id, name, argument, help) {name, argument, help, 0},
#include "cmd/html_options.def"
#undef HTML
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_whatif(const char *unused)
{
    static const struct own options[] = {
#define WHATIF(id, name, argument, help) {name, argument, help, 0},
#include "cmd/whatif_options.def"
#undef WHATIF
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

static void print_pack(const char *unused)
{
    static const struct own options[] = {
#define PACK(id, letter, name, argument, help) {name, argument, help, letter},
#include "cmd/pack_options.def"
#undef PACK
    };

    (void)unused;
    print_own(options, sizeof options / sizeof *options);
}

/* Parameters and metrics have columns of their own names. */
static void print_points(const char *unused)
{
    static const struct own columns[] = {
#define RESULT(id, key, title, unit, priority, place, help) {key, NULL, help, 0},
#include "bench/result_columns.def"
#undef RESULT
    };

    (void)unused;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (!columns[i].name[0])
            continue;
        fputs(".TP\n\\fB", stdout);
        put_name(columns[i].name);
        fputs("\\fP\n", stdout);
        put_sentence(columns[i].help);
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

/* ---- the records of a trace ---------------------------------------------- */

struct item {
    const char *name;
    const char *help;
};

static void put_item(const struct item *item)
{
    fputs("\\fB", stdout);
    put_name(item->name);
    fputs("\\fP\n", stdout);
    put_text(item->help);
    putchar('\n');
}

/* With the number that stands in the trace. */
static void put_kinds(const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        printf(".TP\n%zu ", i);
        put_item(&items[i]);
    }
}

static void print_events(const char *unused)
{
    static const struct item items[] = {
#define EVENT(kind, name, words, help) {name, help},
#include "spec/events.def"
#undef EVENT
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_extended(const char *unused)
{
    static const struct item items[] = {
#define EXTENDED(type, name, words, help) {name, help},
#include "spec/extended.def"
#undef EXTENDED
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_stages(const char *unused)
{
    static const struct item items[] = {
#define STAGE(stage, key, help) {key, help},
#include "spec/stages.def"
#undef STAGE
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_sampling_off(const char *unused)
{
    static const struct item items[] = {
#define SAMPLING_OFF(off, key, words) {key, words},
#include "spec/sampling_off.def"
#undef SAMPLING_OFF
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_waits(const char *unused)
{
    static const struct item items[] = {
#define WAIT(call, name, class, object, argument, result, attempt) {name, #class},
#include "spec/waits.def"
#undef WAIT
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_waited(const char *unused)
{
    static const struct item items[] = {
#define WAITED(kind, key, words) {key, words},
#include "spec/waited.def"
#undef WAITED
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_stage_causes(const char *unused)
{
    static const struct item items[] = {
#define STAGE_CAUSE(cause, key, words) {key, words},
#include "spec/stage_causes.def"
#undef STAGE_CAUSE
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_facts(const char *unused)
{
    static const struct item items[] = {
#define FACT(kind, name, help) {name, help},
#include "spec/facts.def"
#undef FACT
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_counters(const char *unused)
{
    static const struct item items[] = {
#define COUNTER(id, key, one, title, help) {key, help},
#include "spec/counters.def"
#undef COUNTER
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

/* Rows whose number is nobody's business. */
static void put_terms(const struct item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(".TP\n\\fB", stdout);
        put_name(items[i].name);
        fputs("\\fP\n", stdout);
        put_sentence(items[i].help);
    }
}

static void print_results(const char *unused)
{
    static const struct item items[] = {
#define RESULT(id, name, help) {name, help},
#include "compare/gate_results.def"
#undef RESULT
    };

    (void)unused;
    put_terms(items, sizeof items / sizeof *items);
}

static void print_quantities(const char *unused)
{
    static const struct item items[] = {
#define QUANTITY(id, key, title, unit, kind, better, help) {key, help},
#include "runs/quantities.def"
#undef QUANTITY
    };

    (void)unused;
    put_terms(items, sizeof items / sizeof *items);
}

static void print_formats(const char *unused)
{
    static const struct item items[] = {
#define STACKS_FORMAT(id, is_binary, has_all, help) {#id, help},
#define TIMELINE_FORMAT(id, is_binary, help) {#id, help},
#define METRICS_FORMAT(id, is_open, help) {#id, help},
#include "export/formats.def"
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
    };

    (void)unused;
    put_terms(items, sizeof items / sizeof *items);
}

static void print_findings(const char *unused)
{
    static const struct item items[] = {
#define RULE(name, id, gain, help) {id, help},
#include "findings/rules.def"
#undef RULE
    };

    (void)unused;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        puts(".TP");
        put_item(&items[i]);
    }
}

static void print_conditions(const char *unused)
{
    static const struct item items[] = {
#define CONDITION(id, key, title, help) {key, help},
#include "spec/conditions.def"
#undef CONDITION
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_streams(const char *unused)
{
    static const struct item items[] = {
#define STREAM(stream, name, help) {name, help},
#include "spec/streams.def"
#undef STREAM
    };

    (void)unused;
    put_kinds(items, sizeof items / sizeof *items);
}

static void print_readings(const char *unused)
{
    static const struct item items[] = {
#define READING(field, key, unit, sort, help) {key, help},
#include "spec/readings.def"
#undef READING
    };

    (void)unused;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        fputs(".TP\n", stdout);
        put_item(&items[i]);
    }
}

/* What the values of a field mean, the first of which is `first`. */
static void print_numbered(const char *const *texts, size_t count, size_t first)
{
    for (size_t i = 0; i < count; i++) {
        printf(".TP\n%zu\n", first + i);
        put_text(texts[i]);
        putchar('\n');
    }
}

static void print_outcomes(const char *unused)
{
    static const char *const texts[] = {
#define HOOK_OUTCOME(outcome, text) text,
#include "spec/outcomes.def"
#undef HOOK_OUTCOME
    };

    (void)unused;
    print_numbered(texts, sizeof texts / sizeof *texts, 0);
}

static void print_chain_ends(const char *unused)
{
    static const char *const texts[] = {
#define CHAIN_END(end, key, words) words,
#include "spec/chain_ends.def"
#undef CHAIN_END
    };

    (void)unused;
    print_numbered(texts, sizeof texts / sizeof *texts, TRACE_CHAIN_NONE + 1);
}

static void print_python_off(const char *unused)
{
    static const char *const texts[] = {
#define PYTHON_OFF(off, key, words) words,
#include "spec/python_off.def"
#undef PYTHON_OFF
    };

    (void)unused;
    print_numbered(texts + 1, sizeof texts / sizeof *texts - 1, TRACE_PYTHON_OFF_NONE + 1);
}

static void print_ops_off(const char *unused)
{
    static const char *const texts[] = {
#define OPS_OFF(off, key, words) words,
#include "spec/ops_off.def"
#undef OPS_OFF
    };

    (void)unused;
    print_numbered(texts + 1, sizeof texts / sizeof *texts - 1, TRACE_OPS_OFF_NONE + 1);
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

/* What a paragraph of the catalog says, as it stands there. */
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

static void print_versions(const char *unused)
{
    static const struct item items[] = {
#define VERSION(number, help) {#number, help},
#include "spec/versions.def"
#undef VERSION
    };

    (void)unused;
    put_terms(items, sizeof items / sizeof *items);
}

/* ---- templates ----------------------------------------------------------- */

struct block {
    const char *name;
    void (*print)(const char *argument);
};

static const struct block blocks[] = {
    {"options", print_options},
    {"flags", print_flags},
    {"environment", print_environment},
    {"commands", print_commands},
    {"reporting", print_reporting},
    {"analyses", print_analyses},
    {"events", print_events},
    {"extended", print_extended},
    {"stages", print_stages},
    {"stagecauses", print_stage_causes},
    {"samplingoff", print_sampling_off},
    {"waits", print_waits},
    {"waited", print_waited},
    {"facts", print_facts},
    {"readings", print_readings},
    {"outcomes", print_outcomes},
    {"chainends", print_chain_ends},
    {"pythonoff", print_python_off},
    {"opsoff", print_ops_off},
    {"version", print_version},
    {"layout", print_layout},
    {"bits", print_bits},
    {"kernels", print_kernels},
    {"streams", print_streams},
    {"versions", print_versions},
    {"counters", print_counters},
    {"conditions", print_conditions},
    {"findings", print_findings},
    {"compare", print_compare},
    {"gate", print_gate},
    {"bench", print_bench},
    {"calibrate", print_calibrate},
    {"where", print_where},
    {"cost", print_cost},
    {"amdahl", print_amdahl},
    {"export", print_export},
    {"html", print_html},
    {"formats", print_formats},
    {"whatif", print_whatif},
    {"pack", print_pack},
    {"points", print_points},
    {"results", print_results},
    {"quantities", print_quantities},
};

static void print_block(const char *name, const char *argument)
{
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

        if (sscanf(line, ".\\\" @%63[a-z] %63[a-z_]@", name, argument) >= 1)
            print_block(name, argument);
        else
            fputs(line, stdout);
    }
    return fflush(stdout) != 0;
}
