/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * --incident N: the window of an incident of a trace, and of a quiet stretch beside it.
 */
#ifndef CMD_INCIDENT_H
#define CMD_INCIDENT_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"
#include "model/session_window.h"

struct cmd_options;

/* Find the window of an incident in the facts of a trace.
 * Errors: those of session_open_totals; STATUS_USAGE: there is no such incident. */
enum status incident_find_window(struct session_window *window, const char *path, size_t number,
                                 struct diagnostic *diagnostic) MUST_CHECK;

/* Find a quiet stretch of the same length, which needs the whole trace.
 * Errors: those of session_open; STATUS_USAGE; STATUS_NOT_ENOUGH_DATA: none was recorded. */
enum status incident_find_quiet(struct session_window *window, const char *named,
                                const struct cmd_options *options,
                                struct diagnostic *diagnostic) MUST_CHECK;

#endif
