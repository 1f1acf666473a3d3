/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for zsh: a call of _arguments for each command.
 */
#include "cmd/completion_parts.h"

#include <string.h>

static const char head[] = "#compdef tprof\n"
                           "# Completion of tprof for zsh; made by tprof list --completion zsh.\n";

/* The words of a command start with its name, as if it were typed without tprof. */
static const char start[] =
    "_tprof()\n"
    "{\n"
    "    local curcontext=$curcontext command=$words[2]\n"
    "    local -i behind=${words[(i)--]}\n"
    "\n"
    "    if ((CURRENT == 2)); then\n"
    "        _describe -t commands command _tprof_commands\n"
    "        return\n"
    "    fi\n"
    "    if ((behind < CURRENT)) && [[ -n ${_tprof_behind[(r)$command]} ]]; then\n"
    "        shift $behind words\n"
    "        ((CURRENT -= behind))\n"
    "        _normal\n"
    "        return\n"
    "    fi\n"
    "    if ((CURRENT > 3)) && [[ -n ${_tprof_pairs[(r)$command $words[3]]} ]]; then\n"
    "        command+=\" $words[3]\"\n"
    "        shift words\n"
    "        ((CURRENT--))\n"
    "    fi\n"
    "    shift words\n"
    "    ((CURRENT--))\n"
    "    case $command in\n";

static const char end[] = "    esac\n"
                          "}\n"
                          "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                          "    _tprof \"$@\"\n"
                          "else\n"
                          "    compdef _tprof tprof\n"
                          "fi\n";

static void append_place(struct text *script, const struct completion_place *place)
{
    static const struct completion_syntax syntax = {
        .kinds = {[COMPLETION_NONE] = " ",
                  [COMPLETION_WORDS] = "",
                  [COMPLETION_FILES] = "_files",
                  [COMPLETION_FOLDERS] = "_files -/",
                  [COMPLETION_TRACES] = "_files -g \"*.tprof*\"",
                  [COMPLETION_PROGRAM] = "_normal",
                  [COMPLETION_PROCESSES] = "_pids"},
        .open = "(",
        .close = ")",
    };

    completion_append_place(script, place, &syntax);
}

static void append_argument(struct text *script, const char *command, const struct option_row *row)
{
    struct completion_place place;

    completion_place_of_option(&place, command, row);
    text_append(script, option_may_stand_alone(row) ? "::" : ":");
    completion_append_help(script, row->argument, ":");
    text_append(script, ":");
    append_place(script, &place);
    completion_place_fini(&place);
}

/* '(-o --output)'{-o+,--output=}'[help]:FILE:_files' */
static void append_option(struct text *script, const char *command, const struct option_row *row)
{
    const char *equal = !row->argument ? "" : option_may_stand_alone(row) ? "=-" : "=";

    text_append(script, " \\\n            ");
    if (row->letter)
        text_appendf(script, "'(-%c --%s)'{-%c%s,--%s%s}'[", row->letter, row->name, row->letter,
                     row->argument ? "+" : "", row->name, equal);
    else
        text_appendf(script, "'--%s%s[", row->name, equal);
    completion_append_help(script, row->help, "[]\\");
    text_append(script, "]");
    if (row->argument)
        append_argument(script, command, row);
    text_append(script, "'");
}

static void append_rest(struct text *script, const struct completion_command *command)
{
    struct completion_place place;

    completion_place_of_rest(&place, command);
    if (place.kind == COMPLETION_PROGRAM) {
        text_append(script,
                    " \\\n            '(-)1:program:_command_names -e' '*::argument:_normal'");
    } else if (place.kind != COMPLETION_NONE) {
        text_append(script, " \\\n            '*:argument:");
        append_place(script, &place);
        text_append(script, "'");
    }
    completion_place_fini(&place);
}

static void append_command(struct text *script, const struct completion_command *command)
{
    const struct option_row *row;

    text_appendf(script, "    '%s')\n        _arguments -s -S", command->name);
    for (size_t i = 0; (row = completion_option_at(command->name, i)); i++)
        append_option(script, command->name, row);
    append_rest(script, command);
    text_append(script, " ;;\n");
}

static void append_described(struct text *script, const struct completion_command *command)
{
    if (strchr(command->name, ' '))
        return;
    text_appendf(script, "    '%s:", command->name);
    completion_append_help(script, command->help, ":\\");
    text_append(script, "'\n");
}

static void append_pair(struct text *script, const struct completion_command *command)
{
    if (strchr(command->name, ' '))
        text_appendf(script, "    '%s'\n", command->name);
}

static void append_behind(struct text *script, const struct completion_command *command)
{
    if (completion_is_program_behind(command))
        text_appendf(script, "    '%s'\n", command->name);
}

static void append_each(struct text *script,
                        void (*append)(struct text *, const struct completion_command *))
{
    struct completion_command command;

    for (size_t i = 0; completion_command_at(i, &command); i++)
        append(script, &command);
}

void completion_write_zsh(struct text *script)
{
    text_append(script, head);
    text_append(script,
                "typeset -ga _tprof_commands _tprof_pairs _tprof_behind\n_tprof_commands=(\n");
    append_each(script, append_described);
    text_append(script, ")\n_tprof_pairs=(\n");
    append_each(script, append_pair);
    text_append(script, ")\n_tprof_behind=(\n");
    append_each(script, append_behind);
    text_append(script, ")\n");
    text_append(script, start);
    append_each(script, append_command);
    text_append(script, end);
}
