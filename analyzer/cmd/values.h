/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the values of options.
 */
#ifndef CMD_VALUES_H
#define CMD_VALUES_H

#include <stddef.h>

#include "analysis/analysis_option.h"
#include "base/attributes.h"
#include "base/status.h"
#include "model/session_window.h"

/* Read a whole number up to 10^9.  Errors: STATUS_USAGE, naming the option. */
enum status values_read_count(const char *name, const char *text, size_t *count,
                              struct diagnostic *diagnostic) MUST_CHECK;

/* A whole number from 1 to `most`. */
struct values_positive {
    unsigned most;
    unsigned *value;
};

/* Errors: STATUS_USAGE, naming the option. */
enum status values_read_positive(const char *name, const char *text,
                                 const struct values_positive *positive,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* A number between 0 and `most`, neither of them. */
struct values_number {
    double most;
    double *value;
};

/* Errors: STATUS_USAGE, naming the option. */
enum status values_read_number(const char *name, const char *text,
                               const struct values_number *number,
                               struct diagnostic *diagnostic) MUST_CHECK;

/* Read "FROM..TO", of which either may be missing.  Errors: STATUS_USAGE. */
enum status values_read_window(const char *text, struct session_window *window,
                               struct diagnostic *diagnostic) MUST_CHECK;

/* Read the value of an analysis' option, NULL where it takes none, into its struct.
 * Errors: STATUS_USAGE. */
enum status values_read_own(const struct analysis_option *option, unsigned char *own,
                            const char *text, struct diagnostic *diagnostic) MUST_CHECK;

#endif
