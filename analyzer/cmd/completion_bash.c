/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Completion for bash: three tables and one function.  It needs no package bash-completion, and
 * uses it for the words of a program where it is loaded.
 */
#include "cmd/completion_parts.h"

#include <string.h>

/* bash splits "--by=line" into three words.  A program starts at the first word that is no option
 * and no argument of one, or behind "--". */
static const char function[] =
    "_tprof_offer()\n"
    "{\n"
    "    local IFS=$'\\n' kind=${1%% *} words=${1#* }\n"
    "\n"
    "    case $kind in\n"
    "    words) COMPREPLY=($(IFS=' ' && compgen -W \"$words\" -- \"$2\")) ;;\n"
    "    files) COMPREPLY=($(compgen -f -- \"$2\")) ;;\n"
    "    folders) COMPREPLY=($(compgen -d -- \"$2\")) ;;\n"
    "    programs) COMPREPLY=($(compgen -c -- \"$2\")) ;;\n"
    "    traces) COMPREPLY=($(compgen -f -X '!*.tprof*' -- \"$2\" && compgen -d -- \"$2\")) ;;\n"
    "    processes) COMPREPLY=($(compgen -W \"$(cd /proc && printf '%s\\n' [0-9]*)\" -- \"$2\")) "
    ";;\n"
    "    esac\n"
    "    [[ $kind == words ]] || compopt -o filenames 2> /dev/null\n"
    "}\n"
    "\n"
    "_tprof_program()\n"
    "{\n"
    "    if declare -F _command_offset > /dev/null; then\n"
    "        _command_offset \"$1\"\n"
    "    elif (($1 == COMP_CWORD)); then\n"
    "        _tprof_offer programs \"$2\"\n"
    "    else\n"
    "        _tprof_offer files \"$2\"\n"
    "    fi\n"
    "}\n"
    "\n"
    "_tprof()\n"
    "{\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} place= i=2 given=\n"
    "\n"
    "    COMPREPLY=()\n"
    "    ((COMP_CWORD > 1)) || { _tprof_offer \"words $_tprof_commands\" \"$word\"; return; }\n"
    "    [[ $word != = ]] || word=\n"
    "    if ((COMP_CWORD > 2)) && [[ ${_tprof_rest[$command ${COMP_WORDS[2]}]+is} ]]; then\n"
    "        command+=\" ${COMP_WORDS[2]}\" i=3\n"
    "    fi\n"
    "    place=${_tprof_rest[$command]}\n"
    "    for (( ; i < COMP_CWORD; i++)); do\n"
    "        given=${COMP_WORDS[i]} place=${_tprof_rest[$command]}\n"
    "        if [[ $given == -- && ${_tprof_behind[$command]} ]]; then\n"
    "            _tprof_program $((i + 1)) \"$word\"\n"
    "            return\n"
    "        elif [[ $given == -* ]]; then\n"
    "            [[ ${COMP_WORDS[i + 1]} != = ]] || i=$((i + 1))\n"
    "            [[ ! ${_tprof_values[$command $given]} ]] || i=$((i + 1))\n"
    "            place=${_tprof_values[$command $given]:-$place}\n"
    "        elif [[ $place == program ]]; then\n"
    "            _tprof_program \"$i\" \"$word\"\n"
    "            return\n"
    "        fi\n"
    "    done\n"
    "    if ((i == COMP_CWORD)); then\n"
    "        place=${_tprof_rest[$command]}\n"
    "        [[ $word != -* ]] || place=\"words ${_tprof_options[$command]}\"\n"
    "        [[ $place != program ]] || { _tprof_program \"$i\" \"$word\"; return; }\n"
    "    fi\n"
    "    _tprof_offer \"$place\" \"$word\"\n"
    "}\n"
    "complete -F _tprof tprof\n";

static void append_place(struct text *script, const struct completion_place *place)
{
    static const struct completion_syntax syntax = {
        .kinds = {[COMPLETION_NONE] = "none",
                  [COMPLETION_WORDS] = "words ",
                  [COMPLETION_FILES] = "files",
                  [COMPLETION_FOLDERS] = "folders",
                  [COMPLETION_TRACES] = "traces",
                  [COMPLETION_PROGRAM] = "program",
                  [COMPLETION_PROCESSES] = "processes"},
        .open = "",
        .close = "",
    };

    completion_append_place(script, place, &syntax);
}

static void append_value(struct text *script, const char *command, const struct option_row *row)
{
    struct completion_place place;

    completion_place_of_option(&place, command, row);
    text_appendf(script, "    ['%s --%s']='", command, row->name);
    append_place(script, &place);
    if (row->letter) {
        text_appendf(script, "' ['%s -%c']='", command, row->letter);
        append_place(script, &place);
    }
    text_append(script, "'\n");
    completion_place_fini(&place);
}

static void append_values(struct text *script, const struct completion_command *command)
{
    const struct option_row *row;

    for (size_t i = 0; (row = completion_option_at(command->name, i)); i++)
        if (completion_takes_word(row))
            append_value(script, command->name, row);
}

static void append_options(struct text *script, const struct completion_command *command)
{
    const struct option_row *row;

    text_appendf(script, "    ['%s']='", command->name);
    for (size_t i = 0; (row = completion_option_at(command->name, i)); i++)
        text_appendf(script, "%s--%s", i ? " " : "", row->name);
    text_append(script, "'\n");
}

static void append_rest(struct text *script, const struct completion_command *command)
{
    struct completion_place place;

    completion_place_of_rest(&place, command);
    text_appendf(script, "    ['%s']='", command->name);
    append_place(script, &place);
    text_append(script, "'\n");
    completion_place_fini(&place);
}

static void append_behind(struct text *script, const struct completion_command *command)
{
    if (completion_is_program_behind(command))
        text_appendf(script, "    ['%s']=program\n", command->name);
}

static void append_table(struct text *script, const char *name,
                         void (*append)(struct text *, const struct completion_command *))
{
    struct completion_command command;

    text_appendf(script, "declare -gA _tprof_%s=(\n", name);
    for (size_t i = 0; completion_command_at(i, &command); i++)
        append(script, &command);
    text_append(script, ")\n");
}

static void append_commands(struct text *script)
{
    struct completion_command command;

    text_append(script, "_tprof_commands='--help --version");
    for (size_t i = 0; completion_command_at(i, &command); i++)
        if (!strchr(command.name, ' '))
            text_appendf(script, " %s", command.name);
    text_append(script, "'\n");
}

void completion_write_bash(struct text *script)
{
    text_append(script, "# Completion of tprof for bash; made by tprof list --completion bash.\n");
    append_commands(script);
    append_table(script, "options", append_options);
    append_table(script, "values", append_values);
    append_table(script, "rest", append_rest);
    append_table(script, "behind", append_behind);
    text_append(script, function);
}
