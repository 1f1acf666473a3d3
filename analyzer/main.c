/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof: finds the command, runs it, prints its diagnostic, exits with the
 * documented code.  The one place that writes to standard error.
 */
#include <gsl/gsl_errno.h>
#include <jansson.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/pool.h"
#include "base/text.h"
#include "cmd/advice.h"
#include "cmd/cmd.h"
#include "cmd/cut.h"
#include "cmd/newest.h"
#include "config.h"
#include "launch/launch.h"
#include "launch/package.h"
#include "options/help.h"
#include "platform/quote.h"
#include "render/display.h"

static const struct command commands[] = {
#define COMMAND(name, arguments, help) {#name, NULL, arguments, help, cmd_##name},
#define SUBCOMMAND(name, second, arguments, help)                                                  \
    {#name, #second, arguments, help, cmd_##name##_##second},
#include "cmd/commands.def"
#undef COMMAND
#undef SUBCOMMAND
};

/* Give the commands one by one.  Returns: NULL past the last. */
static const struct command *cmd_at(size_t index)
{
    return index < sizeof commands / sizeof *commands ? &commands[index] : NULL;
}

enum { COMMAND_COLUMN = 14 };

static void print_command(FILE *out, const struct command *command)
{
    char name[40];

    snprintf(name, sizeof name, "  %s%s%s", command->name, command->second ? " " : "",
             command->second ? command->second : "");
    help_print_row(out, name, COMMAND_COLUMN, command->help);
}

static void print_usage(FILE *out)
{
    fprintf(out,
            "Usage: tprof COMMAND [OPTIONS] [TRACE]\n"
            "Profile unmodified native programs, and say where time, memory and FLOPs went.\n\n");
    for (size_t i = 0; cmd_at(i); i++)
        print_command(out, cmd_at(i));
    fprintf(out, "\nTables of a trace:\n");
    for (size_t i = 0; analysis_at(i); i++) {
        char name[40];

        snprintf(name, sizeof name, "  %s", analysis_at(i)->name);
        help_print_row(out, name, COMMAND_COLUMN, analysis_at(i)->help);
    }
    fprintf(out, "\nWithout a TRACE the newest trace here whose name has .tprof in it is read; a\n"
                 "directory stands for the newest trace in it.\n"
                 "tprof COMMAND --help says more; tprof --version tells the version.\n"
                 "Exit status: 0 ok, 1 a policy failed, 2 usage, 3 unreadable input, 4 not enough\n"
                 "data; tprof run returns the program's own, or 125, 126, 127 for its failures.\n");
}

/* Returns: how many of the first arguments name the command; 0: they do not. */
static int match_words(const struct command *command, int argc, char **argv)
{
    if (strcmp(command->name, argv[0]) != 0)
        return 0;
    if (!command->second)
        return 1;
    return argc > 1 && strcmp(command->second, argv[1]) == 0 ? 2 : 0;
}

static bool is_word(const char *argument, const char *a, const char *b)
{
    return strcmp(argument, a) == 0 || strcmp(argument, b) == 0;
}

/* `tprof --version`, and `tprof COMMAND --version` if it is the only option. */
static bool asks_version(int argc, char **argv)
{
    int words = analysis_find(argv[0]) ? 1 : 0;

    if (argc == 1)
        return is_word(argv[0], "--version", "-V") || strcmp(argv[0], "-v") == 0;
    for (size_t i = 0; cmd_at(i); i++)
        if (match_words(cmd_at(i), argc, argv) > 0)
            words = match_words(cmd_at(i), argc, argv);
    return words > 0 && argc == words + 1 && is_word(argv[words], "--version", "-V");
}

static const char *find_meant(const char *word)
{
    struct nearest nearest = {.typed = word};
    const char *meant = advice_translate(word);

    for (size_t i = 0; cmd_at(i); i++)
        nearest_offer(&nearest, cmd_at(i)->name);
    for (size_t i = 0; analysis_at(i); i++)
        nearest_offer(&nearest, analysis_at(i)->name);
    return meant ? meant : nearest.word;
}

/* For a word that is a program: in PATH, or a file. */
static void append_start(struct text *advice, const char *word)
{
    static const char record[] = "to record the program: tprof run --";
    char program[PATH_MAX];
    struct text start;

    text_init(&start);
    if (!strchr(word, '/') && launch_find_program(word, program, sizeof program))
        text_appendf(advice, "%s %.200s; ", record, word);
    else if (advice_append_start(&start, word))
        text_appendf(advice, "%s %.300s; ", record, start.bytes);
    text_fini(&start);
}

/* A user who types the name of a trace wants to read it; one who types a program wants to record
 * it. */
static void append_advice(struct text *advice, const char *word)
{
    const char *meant = find_meant(word);
    char quoted[PATH_MAX];

    if (meant) {
        text_appendf(advice, "did you mean %s? ", meant);
    } else if (newest_can_read(word)) {
        quote_path(word, quoted, sizeof quoted);
        text_appendf(advice, "to read it: tprof report %.200s; ", quoted);
    } else {
        append_start(advice, word);
    }
}

static enum status refuse_command(const char *word, struct diagnostic *diagnostic)
{
    struct text advice;

    text_init(&advice);
    append_advice(&advice, word);
    diagnostic_set(diagnostic, STATUS_USAGE,
                   "there is no command '%.100s'; %stprof --help lists them", word, advice.bytes);
    text_fini(&advice);
    return STATUS_USAGE;
}

static enum status run_command(int argc, char **argv, struct cmd_outcome *outcome)
{
    for (size_t i = 0; cmd_at(i); i++) {
        int words = match_words(cmd_at(i), argc, argv);

        if (words > 0)
            return cmd_at(i)->run(argc - words + 1, argv + words - 1, outcome);
    }
    if (analysis_find(argv[0]))
        return cmd_analysis(argc, argv, outcome);
    return refuse_command(argv[0], &outcome->diagnostic);
}

/* A text may quote a file's name or bytes: these must not steer the terminal. */
static void print_diagnostic(const struct diagnostic *diagnostic, enum status status)
{
    struct text line;

    text_init(&line);
    display_append_safe(&line, diagnostic->text[0] ? diagnostic->text : status_name(status), false);
    fprintf(stderr, "tprof: %s\n", line.bytes);
    text_fini(&line);
}

/* The reader of our output is gone and needs no message: `tprof report | head` ends by the signal,
 * like other programs. */
static void end_by_pipe(void)
{
    struct pollfd output = {STDOUT_FILENO, POLLOUT, 0};

    if (ferror(stdout) && poll(&output, 1, 0) == 1 && output.revents & POLLERR) {
        launch_restore_pipes();
        raise(SIGPIPE);
    }
}

/* The last output may still be in the buffer; losing it must be reported. */
static enum status finish(enum status status, struct diagnostic *diagnostic)
{
    if (!status)
        status = render_finish(stdout, diagnostic);
    if (status)
        end_by_pipe();
    return status;
}

/* The package distinguishes two installations of one version. */
static void print_version(void)
{
    printf("tprof %s (%s)\n", PACKAGE_VERSION, package_name());
}

enum { HELP_WORDS = 4 }; /* as in "flops calc --help", and the final NULL */

/* `tprof help flops calc` is `tprof flops calc --help`. */
static enum status help_on(int argc, char **argv, struct cmd_outcome *outcome)
{
    static char option[] = "--help";
    char *words[HELP_WORDS] = {NULL};
    int count = argc < HELP_WORDS - 2 ? argc : HELP_WORDS - 2;

    for (int i = 0; i < count; i++)
        words[i] = argv[i];
    words[count] = option;
    return run_command(count + 1, words, outcome);
}

static enum status run(int argc, char **argv, struct cmd_outcome *outcome)
{
    bool is_help = strcmp(argv[1], "help") == 0;

    if (is_help && argc > 2)
        return help_on(argc - 2, argv + 2, outcome);
    if (is_help || is_word(argv[1], "--help", "-h"))
        print_usage(stdout);
    else if (asks_version(argc - 1, argv + 1))
        print_version();
    else
        return run_command(argc - 1, argv + 1, outcome);
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct cmd_outcome outcome = {.exit_code = -1};
    enum status status;
    struct pool pool;

    setlocale(LC_CTYPE, "");
    json_set_alloc_funcs(memory_get, free);
    gsl_set_error_handler_off(); /* uncomputable results are unknown, and end nothing */
    launch_ignore_pipes();       /* remove unfinished files before a closed pipe ends us */
    if (argc < 2) {
        print_usage(stderr);
        return status_exit_code(STATUS_USAGE);
    }
    pool_enter(&pool);
    status = finish(run(argc, argv, &outcome), &outcome.diagnostic);
    pool_leave(&pool);
    if (status)
        print_diagnostic(&outcome.diagnostic, status);
    else if (cut_is_noted()) /* whatever the verdict: it is about a part only */
        outcome.exit_code = status_exit_code(STATUS_NOT_ENOUGH_DATA);
    return outcome.exit_code >= 0 ? outcome.exit_code : status_exit_code(status);
}
