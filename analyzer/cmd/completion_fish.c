/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for fish: a line for each option.
 */
#include "cmd/completion_parts.h"

#include <string.h>

/* A program starts at the first word that is no option and no argument of one, or behind "--".
 * "$2 $3" are two words of one command. */
static const char functions[] =
    "function __tprof_command\n"
    "    set -l words (commandline -opc)\n"
    "    if contains -- \"$words[2] $words[3]\" $__tprof_pairs\n"
    "        echo \"$words[2] $words[3]\"\n"
    "    else\n"
    "        echo \"$words[2]\"\n"
    "    end\n"
    "end\n"
    "\n"
    "function __tprof_program_start\n"
    "    set -l words (commandline -opc)\n"
    "    set -l command $words[2]\n"
    "    set -l i 3\n"
    "    while test $i -le (count $words)\n"
    "        if test \"$words[$i]\" = --\n"
    "            contains -- \"$command\" $__tprof_behind; and math $i + 1\n"
    "            return\n"
    "        else if contains -- \"$command $words[$i]\" $__tprof_valued\n"
    "            set i (math $i + 1)\n"
    "        else if not string match -q -- '-*' $words[$i]\n"
    "            contains -- \"$command\" $__tprof_programs; and echo $i\n"
    "            return\n"
    "        end\n"
    "        set i (math $i + 1)\n"
    "    end\n"
    "    test $i -le (math (count $words) + 1)\n"
    "    and contains -- \"$command\" $__tprof_programs\n"
    "    and not string match -q -- '-*' (commandline -ct)\n"
    "    and echo $i\n"
    "end\n"
    "\n"
    "function __tprof_has_program\n"
    "    set -l start (__tprof_program_start)\n"
    "    test -n \"$start\"\n"
    "end\n"
    "\n"
    "function __tprof_is\n"
    "    set -l command (__tprof_command)\n"
    "    test \"$command\" = \"$argv\"; and not __tprof_has_program\n"
    "end\n"
    "\n"
    "function __tprof_program\n"
    "    set -l words (commandline -opc)\n"
    "    set -l start (__tprof_program_start)\n"
    "    set -l before\n"
    "    test $start -le (count $words); and set before (string escape -- $words[$start..-1])\n"
    "    complete -C \"$before \"(commandline -ct)\n"
    "end\n"
    "\n"
    "function __tprof_traces\n"
    "    set -l files (commandline -ct)*.tprof*\n"
    "    string join \\n -- $files\n"
    "    __fish_complete_directories (commandline -ct) ''\n"
    "end\n"
    "\n"
    "complete -c tprof -f\n"
    "complete -c tprof -n __tprof_has_program -a '(__tprof_program)'\n"
    "complete -c tprof -n __fish_use_subcommand -l help -d 'print the commands'\n"
    "complete -c tprof -n __fish_use_subcommand -l version -d 'print the version'\n";

static void append_list(struct text *script, const char *name,
                        void (*append)(struct text *, const struct completion_command *))
{
    struct completion_command command;

    text_appendf(script, "set -g __tprof_%s", name);
    for (size_t i = 0; completion_command_at(i, &command); i++)
        append(script, &command);
    text_append(script, "\n");
}

static void append_pair(struct text *script, const struct completion_command *command)
{
    if (strchr(command->name, ' '))
        text_appendf(script, " '%s'", command->name);
}

static void append_behind(struct text *script, const struct completion_command *command)
{
    if (completion_is_program_behind(command))
        text_appendf(script, " '%s'", command->name);
}

static void append_program(struct text *script, const struct completion_command *command)
{
    struct completion_place place;

    completion_place_of_rest(&place, command);
    if (place.kind == COMPLETION_PROGRAM)
        text_appendf(script, " '%s'", command->name);
    completion_place_fini(&place);
}

/* Only these commands look for a program among their words. */
static void append_valued(struct text *script, const struct completion_command *command)
{
    const struct option_row *row;

    if (!completion_is_program_behind(command))
        return;
    for (size_t i = 0; (row = completion_option_at(command->name, i)); i++) {
        if (completion_takes_word(row))
            text_appendf(script, " '%s --%s'", command->name, row->name);
        if (completion_takes_word(row) && row->letter)
            text_appendf(script, " '%s -%c'", command->name, row->letter);
    }
}

static void append_place(struct text *script, const struct completion_place *place)
{
    static const struct completion_syntax syntax = {
        .kinds = {[COMPLETION_NONE] = " -f",
                  [COMPLETION_WORDS] = " -f",
                  [COMPLETION_FILES] = " -F",
                  [COMPLETION_FOLDERS] = " -f -a '(__fish_complete_directories)'",
                  [COMPLETION_TRACES] = " -f -a '(__tprof_traces)'",
                  [COMPLETION_PROGRAM] = " -f",
                  [COMPLETION_PROCESSES] = " -f -a '(__fish_complete_pids)'"},
        .open = " -a '",
        .close = "'",
    };

    completion_append_place(script, place, &syntax);
}

static void append_option(struct text *script, const char *command, const struct option_row *row)
{
    struct completion_place place;

    text_appendf(script, "complete -c tprof -n '__tprof_is %s' -l %s", command, row->name);
    if (row->letter)
        text_appendf(script, " -s %c", row->letter);
    if (completion_takes_word(row)) {
        completion_place_of_option(&place, command, row);
        text_append(script, " -r");
        append_place(script, &place);
        completion_place_fini(&place);
    }
    text_append(script, " -d '");
    completion_append_help(script, row->help, "\\");
    text_append(script, "'\n");
}

static void append_rest(struct text *script, const struct completion_command *command)
{
    struct completion_place place;

    completion_place_of_rest(&place, command);
    if (place.kind != COMPLETION_NONE && place.kind != COMPLETION_PROGRAM) {
        text_appendf(script, "complete -c tprof -n '__tprof_is %s'", command->name);
        append_place(script, &place);
        text_append(script, "\n");
    }
    completion_place_fini(&place);
}

static void append_command(struct text *script, const struct completion_command *command)
{
    const struct option_row *row;

    if (!strchr(command->name, ' ')) {
        text_appendf(script, "complete -c tprof -n __fish_use_subcommand -a %s -d '",
                     command->name);
        completion_append_help(script, command->help, "\\");
        text_append(script, "'\n");
    }
    for (size_t i = 0; (row = completion_option_at(command->name, i)); i++)
        append_option(script, command->name, row);
    append_rest(script, command);
}

void completion_write_fish(struct text *script)
{
    struct completion_command command;

    text_append(script, "# Completion of tprof for fish; made by tprof list --completion fish.\n");
    append_list(script, "pairs", append_pair);
    append_list(script, "behind", append_behind);
    append_list(script, "programs", append_program);
    append_list(script, "valued", append_valued);
    text_append(script, functions);
    for (size_t i = 0; completion_command_at(i, &command); i++)
        append_command(script, &command);
}
