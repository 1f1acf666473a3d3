/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Readers of the usual kinds of options, for the rows of their tables.
 */
#ifndef OPTIONS_READERS_H
#define OPTIONS_READERS_H

#include <stdint.h>

#include "base/attributes.h"
#include "options/option.h"

/* bool: the option was given. */
enum status option_yes(const struct option_value *value, struct diagnostic *diagnostic) MUST_CHECK;

/* const char *: the argument itself; NULL if it is optional and missing. */
enum status option_text(const struct option_value *value, struct diagnostic *diagnostic) MUST_CHECK;

/* struct array of const char *: an argument more. */
enum status option_texts(const struct option_value *value,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* size_t: a whole number up to 10^9. */
enum status option_count(const struct option_value *value,
                         struct diagnostic *diagnostic) MUST_CHECK;

/* size_t: the same, and at least 1. */
enum status option_rows(const struct option_value *value, struct diagnostic *diagnostic) MUST_CHECK;

/* unsigned: a whole number from 1 to the most of the row. */
enum status option_positive(const struct option_value *value,
                            struct diagnostic *diagnostic) MUST_CHECK;

/* double: a number between 0 and the row's highest value, excluding both. */
enum status option_number(const struct option_value *value,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* double: a finite number above 0. */
enum status option_above_0(const struct option_value *value,
                           struct diagnostic *diagnostic) MUST_CHECK;

/* double: a number between 0 and 100, as a fraction of 1. */
enum status option_percent(const struct option_value *value,
                           struct diagnostic *diagnostic) MUST_CHECK;

/* uint64_t: a duration in ns; option_duration_or_0 also accepts a 0 without a unit. */
enum status option_duration(const struct option_value *value,
                            struct diagnostic *diagnostic) MUST_CHECK;
enum status option_duration_or_0(const struct option_value *value,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* uint64_t: a size in bytes. */
enum status option_size(const struct option_value *value, struct diagnostic *diagnostic) MUST_CHECK;

/* double: FLOP/s, and bytes/s. */
enum status option_flop_rate(const struct option_value *value,
                             struct diagnostic *diagnostic) MUST_CHECK;
enum status option_byte_rate(const struct option_value *value,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* const char *: a folder with the files of another system. */
enum status option_folder(const struct option_value *value,
                          struct diagnostic *diagnostic) MUST_CHECK;

/* const struct renderer *: the one with the given name, or JSON's. */
enum status option_format(const struct option_value *value,
                          struct diagnostic *diagnostic) MUST_CHECK;
enum status option_json(const struct option_value *value, struct diagnostic *diagnostic) MUST_CHECK;

/* enum terminal_choice: colour, also in a file, or none. */
enum status option_colour(const struct option_value *value,
                          struct diagnostic *diagnostic) MUST_CHECK;
enum status option_no_colour(const struct option_value *value,
                             struct diagnostic *diagnostic) MUST_CHECK;

/* Read a whole number up to 10^9.  Errors: STATUS_USAGE, naming the option as `name` does. */
enum status option_read_count(const char *name, const char *text, size_t *count,
                       struct diagnostic *diagnostic) MUST_CHECK;

/* Read a duration, or a 0 without a unit. */
enum status option_read_duration_or_0(const char *text, uint64_t *ns,
                               struct diagnostic *diagnostic) MUST_CHECK;

#endif
