/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns the arguments of compare, gate and baseline into runs.
 *
 * A side is a run from a trace, all traces of a directory, all matches of a pattern that the shell
 * did not expand, or the runs of a baseline.
 */
#ifndef CMD_SIDES_H
#define CMD_SIDES_H

#include "cmd/cmd.h"
#include "runs/run.h"

/* Sides in the order of the arguments. */
struct sides {
    struct array all;        /* of struct run_side */
    struct text_list labels; /* the labels that the sides point to */
};

void sides_init(struct sides *sides);
void sides_fini(struct sides *sides);

/* Refuse runs whose traces have no end: their counts are incomplete.
 * Errors: STATUS_NOT_ENOUGH_DATA with a diagnostic. */
enum status sides_check_ends(const struct run_side *side, const char *command,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Read the runs of an argument into a side, each run once.
 * Errors: STATUS_USAGE, STATUS_IO, STATUS_CORRUPT ... with a diagnostic. */
enum status sides_read(struct run_side *side, bool *is_minimal, const char *argument,
                       const struct cmd_options *options, struct diagnostic *diagnostic) MUST_CHECK;

/* Make sides of arguments: each argument is a side, or, with sides_separator, all arguments between
 * two separators are one. */
enum status sides_read_all(struct sides *sides, const struct cmd_options *options,
                           struct diagnostic *diagnostic) MUST_CHECK;

/* Add a side of one trace, or of the newest one here. */
enum status sides_add_trace(struct sides *sides, const char *path,
                            const struct cmd_options *options,
                            struct diagnostic *diagnostic) MUST_CHECK;

/* Name the sides "A,B,..."; NULL: after their files.
 * Errors: STATUS_USAGE, the number of labels is another. */
enum status sides_label(struct sides *sides, const char *labels,
                        struct diagnostic *diagnostic) MUST_CHECK;

/* Read the word of --test.  Errors: STATUS_USAGE. */
enum status sides_read_test(const struct option_value *value,
                            struct diagnostic *diagnostic) MUST_CHECK;

/* Replace each "--" in the arguments by this text. getopt would take "--" for the end of the
 * options and move it. */
extern const char sides_separator[];
void sides_mark_separators(int argc, char **argv);

#endif
