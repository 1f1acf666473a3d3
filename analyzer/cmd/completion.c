/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What may follow tprof, from commands.def, analyses.def and the tables of options.
 */
#include "cmd/completion.h"

#include <string.h>

#include "calc/calc.h"
#include "cmd/cmd.h"
#include "cmd/completion_parts.h"
#include "cmd/list_names.h"
#include "record/settings.h"

/* ---- commands ------------------------------------------------------------------------------- */

static const struct completion_command commands[] = {
    {"help", "print this help, or that of a command", "[WHICH]"},
#define COMMAND(name, arguments, help) {#name, help, arguments},
#define SUBCOMMAND(name, second, arguments, help) {#name " " #second, help, arguments},
#include "cmd/commands.def"
#undef COMMAND
#undef SUBCOMMAND
};

enum { COMMANDS = sizeof commands / sizeof *commands };

bool completion_command_at(size_t index, struct completion_command *command)
{
    const struct analysis *analysis;

    if (index < COMMANDS) {
        *command = commands[index];
        return true;
    }
    analysis = analysis_at(index - COMMANDS);
    if (!analysis)
        return false;
    *command = (struct completion_command){analysis->name, analysis->help, "[OPTIONS] [TRACE]"};
    return true;
}

/* ---- options -------------------------------------------------------------------------------- */

/* Only words count here: no field is filled. */
#define OPTION(field, reader, most, letter, name, argument, commands, excludes, help)              \
    {0, NULL, 0, letter, name, argument, commands, excludes, help},
static const struct option_row shared_rows[] = {
#include "cmd/options.def"
};

static const struct option_row amdahl_rows[] = {
#include "cmd/amdahl_options.def"
};

static const struct option_row bench_rows[] = {
#include "cmd/bench_options.def"
};

static const struct option_row calibrate_rows[] = {
#include "cmd/calibrate_options.def"
};

static const struct option_row compare_rows[] = {
#include "cmd/compare_options.def"
};

static const struct option_row cost_rows[] = {
#include "cmd/cost_options.def"
};

static const struct option_row export_rows[] = {
#include "cmd/export_options.def"
};

static const struct option_row flame_rows[] = {
#include "cmd/flame_options.def"
};

static const struct option_row gate_rows[] = {
#include "cmd/gate_options.def"
};

static const struct option_row html_rows[] = {
#include "cmd/html_options.def"
};

static const struct option_row import_rows[] = {
#include "cmd/import_options.def"
};

static const struct option_row list_rows[] = {
#include "cmd/list_options.def"
};

static const struct option_row live_rows[] = {
#include "cmd/live_options.def"
};

static const struct option_row pack_rows[] = {
#include "cmd/pack_options.def"
};

static const struct option_row run_rows[] = {
#include "cmd/run_options.def"
};

static const struct option_row scaling_rows[] = {
#include "cmd/scaling_options.def"
};

static const struct option_row sla_rows[] = {
#include "cmd/sla_options.def"
};

static const struct option_row watch_rows[] = {
#include "cmd/watch_options.def"
};

static const struct option_row whatif_rows[] = {
#include "cmd/whatif_options.def"
};

static const struct option_row where_rows[] = {
#include "cmd/where_options.def"
};
#undef OPTION

static const struct option_row setting_rows[] = {
#define OPTION(field, variable, flag, type, standard, argument, help)                              \
    {0, NULL, 0, SETTING_##field == SETTING_OUTPUT ? 'o' : 0, flag, argument, NULL, NULL, help},
#include "spec/options.def"
#undef OPTION
};

/* Options of a command beside those of options.def and of the analyses.  A command that is alone
 * has none of these. */
struct own {
    const char *command;
    bool is_alone;
    const struct option_row *rows;
    size_t count;
};

#define ROWS(rows) rows, sizeof(rows) / sizeof *(rows)
static const struct own owns[] = {
    {"help", true, NULL, 0},
    {"costs", true, NULL, 0},
    {"kernels", true, NULL, 0},
    {"run", true, ROWS(setting_rows)},
    {"run", true, ROWS(run_rows)},
    {"calibrate", true, ROWS(calibrate_rows)},
    {"import", true, ROWS(import_rows)},
    {"pack", true, ROWS(pack_rows)},
    {"live", true, ROWS(live_rows)},
    {"watch", true, ROWS(watch_rows)},
    {"where", true, ROWS(where_rows)},
    {"amdahl", false, ROWS(amdahl_rows)},
    {"bench", false, ROWS(bench_rows)},
    {"compare", false, ROWS(compare_rows)},
    {"cost", false, ROWS(cost_rows)},
    {"export", false, ROWS(export_rows)},
    {"flame", false, ROWS(flame_rows)},
    {"gate", false, ROWS(gate_rows)},
    {"html", false, ROWS(html_rows)},
    {"list", false, ROWS(list_rows)},
    {"scaling", false, ROWS(scaling_rows)},
    {"sla", false, ROWS(sla_rows)},
    {"whatif", false, ROWS(whatif_rows)},
};
#undef ROWS

enum { OWNS = sizeof owns / sizeof *owns };

static bool is_alone(const char *command)
{
    for (size_t i = 0; i < OWNS; i++)
        if (strcmp(owns[i].command, command) == 0)
            return owns[i].is_alone;
    return false;
}

/* A command reads its own table first, since it may give a shared name a meaning of its own.
 * Returns: false past the last. */
static bool set_at(const char *command, size_t index, struct option_set *set)
{
    if (index < OWNS) {
        bool is_of = strcmp(owns[index].command, command) == 0;

        *set = (struct option_set){owns[index].rows, is_of ? owns[index].count : 0, NULL};
        return true;
    }
    if (is_alone(command) || index - OWNS > CMD_ANALYSES)
        return false;
    if (index == OWNS)
        *set = (struct option_set){shared_rows, sizeof shared_rows / sizeof *shared_rows, NULL};
    else
        *set = (struct option_set){analysis_at(index - OWNS - 1)->own.options,
                                   analysis_at(index - OWNS - 1)->own.count, NULL};
    return true;
}

/* A command that is "the same as" another has the options of that one. */
static const char *other_name(const char *name)
{
    static const char same[] = "the same as ";

    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(commands[i].name, name) == 0 &&
            strncmp(commands[i].help, same, sizeof same - 1) == 0)
            return commands[i].help + sizeof same - 1;
    return name;
}

/* Returns: whether a table before this row has its name. */
static bool is_again(const char *command, size_t set_index, const char *name)
{
    struct option_set set;

    for (size_t i = 0; i < set_index && set_at(command, i, &set); i++)
        for (size_t j = 0; j < set.count; j++)
            if (option_is_of(&set.rows[j], command) && strcmp(set.rows[j].name, name) == 0)
                return true;
    return false;
}

const struct option_row *completion_option_at(const char *command, size_t index)
{
    struct option_set set;

    command = other_name(command);
    for (size_t i = 0; set_at(command, i, &set); i++)
        for (size_t j = 0; j < set.count; j++) {
            const struct option_row *row = &set.rows[j];

            if (option_is_of(row, command) && !is_again(command, i, row->name) && index-- == 0)
                return row;
        }
    return NULL;
}

/* ---- arguments ------------------------------------------------------------------------------ */

static void add_word(struct text *words, const char *word)
{
    text_appendf(words, "%s ", word);
}

static void add_kinds_of_rows(struct text *words, const char *command)
{
    for (unsigned by = 0; by < ANALYSIS_BYS; by++)
        if (analysis_has_rows(command, (enum analysis_by)by))
            add_word(words, analysis_by_word((enum analysis_by)by));
}

static void add_renderers(struct text *words, const char *command)
{
    for (size_t i = 0; render_at(i); i++)
        if (!render_at(i)->is_for_checks || strcmp(command, "gate") == 0)
            add_word(words, render_at(i)->name);
}

static void add_export_formats(struct text *words, const char *command)
{
    static const char *const names[] = {
#define STACKS_FORMAT(id, ...) #id,
#define TIMELINE_FORMAT(id, ...) #id,
#define METRICS_FORMAT(id, ...) #id,
#define SHAPES_FORMAT(id, name, help) name,
#include "export/formats.def"
#undef SHAPES_FORMAT
#undef STACKS_FORMAT
#undef TIMELINE_FORMAT
#undef METRICS_FORMAT
    };

    (void)command;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_word(words, names[i]);
}

static void add_weights(struct text *words, const char *command)
{
    static const char *const names[] = {
#define WEIGHT(id, name, unit, help) name,
#include "export/weights.def"
#undef WEIGHT
    };

    (void)command;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_word(words, names[i]);
}

static void add_logs(struct text *words, const char *command)
{
    static const char *const names[] = {
#define IMPORT_KIND(name, tool, help) #name,
#include "import/kinds.def"
#undef IMPORT_KIND
    };

    (void)command;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        add_word(words, names[i]);
}

/* Arguments whose words stand in tables; the first row that matches counts. */
static const struct {
    const char *option;
    const char *command; /* NULL: any */
    void (*add)(struct text *words, const char *command);
} listed[] = {
    {"by", NULL, add_kinds_of_rows}, {"format", "export", add_export_formats},
    {"format", NULL, add_renderers}, {"weight", NULL, add_weights},
    {"from", "import", add_logs},
};

static bool add_listed(struct text *words, const char *command, const char *option)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (strcmp(listed[i].option, option) == 0 &&
            (!listed[i].command || strcmp(listed[i].command, command) == 0)) {
            listed[i].add(words, command);
            return true;
        }
    return false;
}

/* "rank|welch" lists its words; a name in capitals stands for something else. */
static bool add_choices(struct text *words, const char *argument)
{
    if (!strchr(argument, '|') || strpbrk(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
        return false;
    for (const char *word = argument; *word;) {
        size_t length = strcspn(word, "|");

        text_append_bytes(words, word, length);
        text_append(words, " ");
        word += length + (word[length] == '|');
    }
    return true;
}

static enum completion_kind kind_of_argument(const char *argument)
{
    if (strstr(argument, "DIR"))
        return COMPLETION_FOLDERS;
    if (strstr(argument, "FILE") || strstr(argument, "PATH") || strstr(argument, "LIBRARY"))
        return COMPLETION_FILES;
    return strcmp(argument, "TRACE") == 0 ? COMPLETION_TRACES : COMPLETION_NONE;
}

bool completion_takes_word(const struct option_row *row)
{
    return row->argument && !option_may_stand_alone(row);
}

void completion_place_of_option(struct completion_place *place, const char *command,
                                const struct option_row *row)
{
    bool is_listed;

    text_init(&place->words);
    is_listed = add_listed(&place->words, command, row->name);
    if (!is_listed && strcmp(row->argument, "YES|NO") == 0)
        is_listed = add_choices(&place->words, "yes|no");
    is_listed = is_listed || add_choices(&place->words, row->argument);
    place->kind = is_listed ? COMPLETION_WORDS : kind_of_argument(row->argument);
}

static void add_operations(struct text *words)
{
    for (size_t i = 0; calc_at(i); i++)
        add_word(words, calc_at(i)->name);
}

static void add_lists(struct text *words)
{
    for (size_t i = 0; list_name_at(i); i++)
        add_word(words, list_name_at(i));
}

static void add_commands(struct text *words)
{
    struct completion_command command;

    for (size_t i = 0; completion_command_at(i, &command); i++)
        if (!strchr(command.name, ' '))
            add_word(words, command.name);
}

/* A part of a command's arguments, and what it stands for; the first that is found counts. */
static const struct {
    const char *part;
    enum completion_kind kind;
    void (*add)(struct text *words);
} rests[] = {
    {"[--] COMMAND", COMPLETION_PROGRAM, NULL}, {"-- COMMAND", COMPLETION_NONE, NULL},
    {"PID", COMPLETION_PROCESSES, NULL},        {"TRACE", COMPLETION_TRACES, NULL},
    {"BASE NEW", COMPLETION_TRACES, NULL},      {"WHAT", COMPLETION_WORDS, add_lists},
    {"WHICH", COMPLETION_WORDS, add_commands},  {"OPERATION", COMPLETION_WORDS, add_operations},
    {"DIRECTORY", COMPLETION_FOLDERS, NULL},    {"LOG", COMPLETION_FILES, NULL},
    {"FILE", COMPLETION_FILES, NULL},
};

void completion_place_of_rest(struct completion_place *place,
                              const struct completion_command *command)
{
    place->kind = COMPLETION_NONE;
    text_init(&place->words);
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
        if (strstr(command->arguments, rests[i].part)) {
            place->kind = rests[i].kind;
            if (rests[i].add)
                rests[i].add(&place->words);
            return;
        }
}

void completion_place_fini(struct completion_place *place)
{
    text_fini(&place->words);
}

bool completion_is_program_behind(const struct completion_command *command)
{
    static const char *const parts[] = {"[--] COMMAND", "-- COMMAND", "[-- CMD]", "[-- PROGRAM]"};
    bool is = false;

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        is = is || strstr(command->arguments, parts[i]);
    return is;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void append_words(struct text *script, const struct completion_place *place)
{
    size_t size = place->words.size;

    text_append_bytes(script, place->words.bytes, size > 0 ? size - 1 : 0);
}

void completion_append_place(struct text *script, const struct completion_place *place,
                             const struct completion_syntax *syntax)
{
    text_append(script, syntax->kinds[place->kind]);
    if (place->kind != COMPLETION_WORDS)
        return;
    text_append(script, syntax->open);
    append_words(script, place);
    text_append(script, syntax->close);
}

/* A sentence ends with a period and a space, or with the help. */
static size_t first_sentence(const char *help)
{
    const char *end = strstr(help, ". ");
    size_t size = end ? (size_t)(end - help) : strlen(help);

    return size > 0 && help[size - 1] == '.' ? size - 1 : size;
}

void completion_append_help(struct text *script, const char *help, const char *special)
{
    size_t size = first_sentence(help);

    for (size_t i = 0; i < size; i++) {
        if (strchr(special, help[i]))
            text_append(script, "\\");
        if (help[i] == '\'')
            text_append(script, "'\\''");
        else
            text_append_bytes(script, &help[i], 1);
    }
}

/* ---- shells --------------------------------------------------------------------------------- */

enum status completion_write(struct text *script, const char *shell, struct diagnostic *diagnostic)
{
    static const struct {
        const char *name;
        void (*write)(struct text *script);
    } shells[] = {
        {"bash", completion_write_bash},
        {"zsh", completion_write_zsh},
        {"fish", completion_write_fish},
    };

    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].write(script);
            return STATUS_OK;
        }
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "list --completion %.40s: expected bash, zsh or fish", shell);
}
