/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The options that reporting commands share.
 */
#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/values.h"
#include "render/display.h"
#include "render/terminal.h"

/* A row an option: how it is spelled, what it takes, who has it, what it means. */
struct row {
    const char *name;
    int letter; /* the short form; its number beyond characters when there is none */
    const char *argument;
    const char *commands; /* that have it; NULL: all */
    const char *excludes; /* options that ask for something else; NULL: none */
    const char *help;
};

enum option_id {
#define FLAG(id, ...) OPTION_##id,
#include "cmd/options.def"
#undef FLAG
    ROWS
};

static const struct row rows[] = {
#define FLAG(id, letter, name, ...)                                                                \
    {name, letter ? letter : CMD_BEYOND_LETTERS + OPTION_##id, __VA_ARGS__},
#include "cmd/options.def"
#undef FLAG
};

enum { ROWS_MOST = 64 }; /* shared ones and those of all analyses: a bit each */

/* Find an option of an analysis by its number among those of all.  Returns: NULL past the last. */
static const struct analysis_option *find_own(size_t number, size_t *analysis)
{
    for (*analysis = 0; analysis_at(*analysis); ++*analysis) {
        const struct analysis_own *own = &analysis_at(*analysis)->own;

        if (number < own->count)
            return &own->options[number];
        number -= own->count;
    }
    return NULL;
}

/* Give the options one by one: those that are shared, then those of the analyses.
 * Returns: false past the last. */
static bool row_at(size_t index, struct row *row)
{
    size_t analysis;
    const struct analysis_option *own = index < ROWS ? NULL : find_own(index - ROWS, &analysis);

    if (index < ROWS)
        *row = rows[index];
    else if (own)
        *row = (struct row){own->name,     CMD_BEYOND_LETTERS + (int)index,
                            own->argument, own->commands,
                            own->excludes, own->help};
    return index < ROWS || own;
}

/* Whether a word stands in a list of words. */
static bool has_word(const char *list, const char *word)
{
    size_t size = strlen(word);

    while (*list) {
        size_t length = strcspn(list, " ");

        if (length == size && strncmp(list, word, size) == 0)
            return true;
        list += length + (list[length] == ' ');
    }
    return false;
}

static const char all_but[] = "but ";

static bool is_of(const struct row *row, const char *command)
{
    size_t skipped = sizeof all_but - 1;

    if (!row->commands)
        return true;
    if (strncmp(row->commands, all_but, skipped) == 0)
        return !has_word(row->commands + skipped, command);
    return has_word(row->commands, command);
}

/* A word that reaches into the column of the meanings has a line of its own. */
static void append_head(struct text *line, const char *head, size_t indent)
{
    size_t size = strlen(head);
    bool is_apart = size == 0 || head[size - 1] == ' ';

    if (size > indent || (size == indent && !is_apart))
        text_appendf(line, "%s\n%*s", head, (int)indent, "");
    else
        text_appendf(line, "%-*s", (int)indent, head);
}

void cmd_print_row(FILE *out, const char *head, size_t indent, const char *help)
{
    struct text line;

    text_init(&line);
    append_head(&line, head, indent);
    display_append_wrapped(
        &line, help,
        (struct display_margins){.start = indent, .indent = indent, .width = terminal_width(out)});
    fputs(line.bytes, out);
    text_fini(&line);
}

/* "shape, kernel or site", of the bits of struct analysis' rows. */
static void append_kinds(struct text *words, unsigned kinds)
{
    size_t count = 0;

    for (unsigned i = 1; kinds >> i; i++)
        if (kinds >> i & 1)
            text_append_choice(words, analysis_by_word((enum analysis_by)i), count++,
                               kinds >> i == 1);
}

/* What an option means to a command: --by has other words for each command. */
static void append_meaning(struct text *meaning, const struct row *row, const char *command)
{
    const struct analysis *analysis = analysis_find(command);
    unsigned kinds = analysis ? analysis->rows : CMD_RUN_KINDS;

    if (row->letter != rows[OPTION_BY].letter) {
        text_append(meaning, row->help);
        return;
    }
    text_append(meaning, "group rows by ");
    append_kinds(meaning, kinds);
}

bool cmd_may_leave_out(const char *argument)
{
    return strncmp(argument, "[=", 2) == 0;
}

void cmd_print_option(int letter, const char *name, const char *argument, const char *help)
{
    struct text spelled;

    text_init(&spelled);
    text_append(&spelled,
                letter ? (const char[]){' ', ' ', '-', (char)letter, ',', ' ', '\0'} : "      ");
    text_appendf(&spelled, "--%s%s%s", name, argument && !cmd_may_leave_out(argument) ? " " : "",
                 argument ? argument : "");
    cmd_print_row(stdout, spelled.bytes, CMD_HELP_COLUMN, help);
    text_fini(&spelled);
}

static void print_option(const struct row *row, const char *command)
{
    struct text meaning;

    text_init(&meaning);
    append_meaning(&meaning, row, command);
    cmd_print_option(row->letter < CMD_BEYOND_LETTERS ? row->letter : 0, row->name, row->argument,
                     meaning.bytes);
    text_fini(&meaning);
}

void cmd_print_help(const char *name, const char *arguments, const char *help)
{
    char usage[64];
    int start = snprintf(usage, sizeof usage, "Usage: tprof %s ", name);
    struct row row;

    cmd_print_row(stdout, usage, (unsigned)start, arguments);
    if (strchr(help, '\n'))
        puts(help); /* it has lines of its own */
    else
        cmd_print_row(stdout, "", 0, help);
    putchar('\n');
    for (size_t i = 0; row_at(i, &row); i++)
        if (is_of(&row, name))
            print_option(&row, name);
}

/* Whether a command has such rows is known where its analysis is. */
static void read_by(struct cmd_options *options, const char *text)
{
    options->by = text;
    if (!analysis_find_by(text, &options->analysis.by))
        options->analysis.by = ANALYSIS_BY_DEFAULT;
}

static enum status refuse_by(const char *command, const char *word, unsigned known,
                             struct diagnostic *diagnostic)
{
    struct text words;

    text_init(&words);
    append_kinds(&words, known);
    diagnostic_set(diagnostic, STATUS_USAGE, "%s --by %.40s: expected %s", command, word,
                   words.bytes);
    text_fini(&words);
    return STATUS_USAGE;
}

enum status cmd_check_by(const struct cmd_options *options, const char *command, unsigned known,
                         struct diagnostic *diagnostic)
{
    enum analysis_by by = options->analysis.by;

    if (by == ANALYSIS_BY_DEFAULT ? !options->by : known >> by & 1)
        return STATUS_OK;
    return refuse_by(command, options->by ? options->by : analysis_by_word(by), known, diagnostic);
}

/* A measure is more than a column: shares and the order of the calls follow it. */
static void read_sort(struct cmd_options *options, const char *text)
{
    options->sort = text;
    options->is_measure = analysis_find_measure(text, &options->analysis.measure);
}

static enum status read_warmup(struct cmd_options *options, const char *text,
                               struct diagnostic *diagnostic)
{
    size_t count;
    enum status status = values_read_count("--warmup", text, &count, diagnostic);

    if (!status)
        options->analysis.warmup = (unsigned)count;
    options->has_warmup = true;
    return status;
}

enum status cmd_read_root(const char **root, const char *text, struct diagnostic *diagnostic)
{
    struct stat facts;

    if (stat(text, &facts) != 0 || !S_ISDIR(facts.st_mode))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--sysroot %.200s: expected a folder with the files of the system "
                              "that the trace is of",
                              text);
    *root = text;
    return STATUS_OK;
}

static enum status read_threads(struct analysis_options *analysis, const char *text,
                                struct diagnostic *diagnostic)
{
    size_t count;
    enum status status = values_read_count("--threads", text, &count, diagnostic);

    if (!status && count == 0)
        return diagnostic_set(diagnostic, STATUS_USAGE, "--threads 0: a call takes at least one");
    if (!status)
        analysis->call_threads = (unsigned)count;
    return status;
}

/* Returns: the index of the option that getopt found. */
static size_t index_of(int letter)
{
    size_t index = 0;

    if (letter >= CMD_BEYOND_LETTERS)
        return (size_t)(letter - CMD_BEYOND_LETTERS);
    while (index < ROWS && rows[index].letter != letter)
        index++;
    return index;
}

static enum status read_option(struct cmd_options *options, enum option_id id, const char *text,
                               struct diagnostic *diagnostic)
{
    struct analysis_options *analysis = &options->analysis;

    switch (id) {
    case OPTION_JSON: return render_find("json", &options->renderer, diagnostic);
    case OPTION_FORMAT: return render_find(text, &options->renderer, diagnostic);
    case OPTION_BY: read_by(options, text); return STATUS_OK;
    case OPTION_SORT: read_sort(options, text); return STATUS_OK;
    case OPTION_LIMIT:
        options->has_limit = true;
        return values_read_count("-n", text, &options->limit, diagnostic);
    case OPTION_RUNS: return values_read_count("--runs", text, &analysis->runs, diagnostic);
    case OPTION_WARMUP: return read_warmup(options, text, diagnostic);
    case OPTION_CONFIDENCE:
        return values_read_number("--confidence", text,
                                  &(struct values_number){1, &analysis->confidence}, diagnostic);
    case OPTION_MACHINE: options->machine = text; break;
    case OPTION_PEAK: return units_parse_per_second(text, "FLOP/s", &options->peak, diagnostic);
    case OPTION_BANDWIDTH:
        return units_parse_per_second(text, "B/s", &options->bandwidth, diagnostic);
    case OPTION_THREADS: return read_threads(analysis, text, diagnostic);
    case OPTION_SUPPRESSIONS: options->suppressions = text; break;
    case OPTION_WINDOW: return values_read_window(text, &options->window, diagnostic);
    case OPTION_SYSROOT: return cmd_read_root(&options->root, text, diagnostic);
    case OPTION_OUTPUT: options->output = text; break;
    case OPTION_FORCE: options->may_overwrite = true; break;
    case OPTION_FULL: options->is_full = true; break;
    case OPTION_JOB: options->is_job = true; break;
    case OPTION_FILTER: options->filter = text; break;
    case OPTION_TREE: analysis->by = ANALYSIS_BY_TREE; break;
    case OPTION_BOTTOM_UP: analysis->by = ANALYSIS_BY_CALLERS; break;
    case OPTION_DIFF: options->is_difference = true; break;
    case OPTION_COLOUR: options->colour = TERMINAL_YES; break;
    case OPTION_NO_COLOUR: options->colour = TERMINAL_NO; break;
    case OPTION_HELP: options->is_help = true; break;
    case ROWS: break;
    }
    return STATUS_OK;
}

static enum status read_own(struct cmd_options *options, size_t number, const char *text,
                            struct diagnostic *diagnostic)
{
    size_t analysis;
    const struct analysis_option *option = find_own(number, &analysis);

    return values_read_own(option, options->own[analysis].bytes, text, diagnostic);
}

/* The tables that getopt_long wants, from the rows. */
static void describe(struct option *names, char *letters)
{
    struct row row;

    *letters++ = ':';
    for (size_t i = 0; row_at(i, &row); i++) {
        assert(i < ROWS_MOST);
        names[i] = (struct option){row.name, row.argument ? required_argument : no_argument, NULL,
                                   row.letter};
        if (row.letter >= CMD_BEYOND_LETTERS)
            continue;
        *letters++ = (char)row.letter;
        if (row.argument)
            *letters++ = ':';
    }
    *letters = '\0';
}

/* A letter may stand anywhere in its word, and getopt tells it alone. */
static enum status refuse_letter(char **argv, struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: there is no option '-%c'; tprof %s --help lists the options",
                          argv[0], optopt, argv[0]);
}

enum status cmd_refuse_option(int letter, char **argv, struct diagnostic *diagnostic)
{
    if (letter == '?' && optopt > 0 && optopt < CMD_BEYOND_LETTERS)
        return refuse_letter(argv, diagnostic);
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: %s '%.60s'; tprof %s --help lists the options", argv[0],
                          letter == '?' ? "there is no option" : "a value is missing after",
                          argv[optind - 1], argv[0]);
}

static enum status refuse_foreign(const struct row *row, const char *command,
                                  struct diagnostic *diagnostic)
{
    bool is_common = strncmp(row->commands, all_but, sizeof all_but - 1) == 0;

    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "%s: --%s is an option of %s%s; tprof %s --help lists the options",
                          command, row->name, is_common ? "all commands " : "tprof ", row->commands,
                          command);
}

static bool has_seen(const struct cmd_options *options, size_t index)
{
    return options->seen >> index & 1;
}

static enum status check_against(const struct cmd_options *options, const char *command,
                                 const struct row *row, struct diagnostic *diagnostic)
{
    struct row other;

    for (size_t i = 0; row_at(i, &other); i++)
        if (has_seen(options, i) && has_word(row->excludes, other.name))
            return diagnostic_set(diagnostic, STATUS_USAGE, "%s: --%s and --%s exclude one another",
                                  command, row->name, other.name);
    return STATUS_OK;
}

static enum status check_together(const struct cmd_options *options, const char *command,
                                  struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;
    struct row row;

    for (size_t i = 0; row_at(i, &row) && !status; i++)
        if (has_seen(options, i) && row.excludes)
            status = check_against(options, command, &row, diagnostic);
    return status;
}

/* Who reads durations, sizes and rates knows of no option. */
static enum status name_option(const struct row *row, enum status status,
                               struct diagnostic *diagnostic)
{
    static const char start[] = "expected ";
    struct diagnostic own = *diagnostic;

    if (status != STATUS_USAGE || strncmp(own.text, start, sizeof start - 1) != 0)
        return status;
    return diagnostic_set(diagnostic, STATUS_USAGE, "--%s: %s", row->name, own.text);
}

/* Commands may have an option of one name that means something else to each.
 * Returns: the row of this command; `index` when it has none. */
static size_t find_namesake(size_t index, const char *command, struct row *row)
{
    struct row other;

    for (size_t i = 0; row_at(i, &other); i++) {
        if (strcmp(other.name, row->name) == 0 && is_of(&other, command)) {
            *row = other;
            return i;
        }
    }
    return index;
}

static enum status read_flag(struct cmd_options *options, int letter, char **argv,
                             struct diagnostic *diagnostic)
{
    size_t index = index_of(letter);
    struct row row;
    enum status status;

    if (letter == '?' || letter == ':' || !row_at(index, &row))
        return cmd_refuse_option(letter, argv, diagnostic);
    index = find_namesake(index, argv[0], &row);
    if (!is_of(&row, argv[0]))
        return refuse_foreign(&row, argv[0], diagnostic);
    options->seen |= UINT64_C(1) << index;
    status = index < ROWS ? read_option(options, (enum option_id)index, optarg, diagnostic)
                          : read_own(options, index - ROWS, optarg, diagnostic);
    return name_option(&row, status, diagnostic);
}

/* What stands behind the options: a trace, or two that are to be compared. */
static enum status read_traces(struct cmd_options *options, int argc, char **argv,
                               struct diagnostic *diagnostic)
{
    const char *command = argv[0];
    int count = argc - optind;
    int expected = options->is_difference ? 2 : 1;

    if (options->is_help)
        return STATUS_OK;
    if (options->is_difference && count != expected)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s --diff: expected two traces, found %d: tprof %s --diff BEFORE "
                              "AFTER",
                              command, count, command);
    if (count > expected)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "%s: one trace at a time; the second is '%.60s'; tprof processes and "
                              "tprof compare take several",
                              command, argv[optind + 1]);
    if (count == 2)
        options->before = argv[optind];
    options->trace = count > 0 ? argv[argc - 1] : NULL;
    return STATUS_OK;
}

/* Returns: a copy of an analysis' own options, which may be changed; NULL where it has none. */
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

static enum status parse(struct cmd_options *options, int argc, char **argv,
                         struct diagnostic *diagnostic)
{
    struct option names[ROWS_MOST + 1] = {{0}};
    char letters[2 * ROWS + 2];
    int letter;
    enum status status;

    *options = (struct cmd_options){.analysis = analysis_defaults(),
                                    .colour = TERMINAL_AUTO,
                                    .peak = (double)NAN,
                                    .window.to_ns = UINT64_MAX,
                                    .bandwidth = (double)NAN};
    copy_all_own(options);
    status = render_find("text", &options->renderer, diagnostic);
    describe(names, letters);
    optind = 1;
    opterr = 0;
    while (!status && (letter = getopt_long(argc, argv, letters, names, NULL)) != -1)
        status = read_flag(options, letter, argv, diagnostic);
    return status ? status : check_together(options, argv[0], diagnostic);
}

enum status cmd_parse(struct cmd_options *options, int argc, char **argv,
                      struct diagnostic *diagnostic)
{
    enum status status = parse(options, argc, argv, diagnostic);

    return status ? status : read_traces(options, argc, argv, diagnostic);
}

enum status cmd_parse_many(struct cmd_options *options, int argc, char **argv,
                           struct diagnostic *diagnostic)
{
    enum status status = parse(options, argc, argv, diagnostic);

    options->traces = argv + optind;
    options->trace_count = (size_t)(argc - optind);
    return status;
}
