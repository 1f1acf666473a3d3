/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The words after tprof as the tables have them, for the three shells.
 */
#ifndef CMD_COMPLETION_PARTS_H
#define CMD_COMPLETION_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "options/option.h"

/* What may stand in a place. */
enum completion_kind {
    COMPLETION_NONE, /* nothing that can be listed */
    COMPLETION_WORDS,
    COMPLETION_FILES,
    COMPLETION_FOLDERS,
    COMPLETION_TRACES,
    COMPLETION_PROGRAM, /* a program and its arguments */
    COMPLETION_PROCESSES,
};

struct completion_place {
    enum completion_kind kind;
    struct text words; /* of COMPLETION_WORDS: each ends with a space */
};

/* A command or an analysis. */
struct completion_command {
    const char *name; /* as typed: "flops calc" */
    const char *help;
    const char *arguments;
};

/* Give the commands one by one.  Returns: false past the last. */
bool completion_command_at(size_t index, struct completion_command *command);

/* Give the options of a command one by one.  Returns: NULL past the last. */
const struct option_row *completion_option_at(const char *command, size_t index);

/* Ask whether the next word is an option's argument; that of "--x=Y" is in the same word. */
bool completion_takes_word(const struct option_row *row);

/* Tell the argument of an option, and the words after all options.  The caller calls
 * completion_place_fini. */
void completion_place_of_option(struct completion_place *place, const char *command,
                                const struct option_row *row);
void completion_place_of_rest(struct completion_place *place,
                              const struct completion_command *command);
void completion_place_fini(struct completion_place *place);

/* Ask whether a program and its arguments stand behind "--". */
bool completion_is_program_behind(const struct completion_command *command);

/* How a shell writes a place. */
struct completion_syntax {
    const char *kinds[COMPLETION_PROCESSES + 1];
    const char *open, *close; /* around the words of COMPLETION_WORDS */
};

/* Append a place: its kind, and its words with a space between them. */
void completion_append_place(struct text *script, const struct completion_place *place,
                             const struct completion_syntax *syntax);

/* Append the first sentence of a help; `special` characters get a backslash, and a quote is
 * written for a shell's single quotes. */
void completion_append_help(struct text *script, const char *help, const char *special);

void completion_write_bash(struct text *script);
void completion_write_zsh(struct text *script);
void completion_write_fish(struct text *script);

#endif
