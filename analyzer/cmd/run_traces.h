/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of one run, one after the other: for commands that tell of all its processes.
 */
#ifndef CMD_RUN_TRACES_H
#define CMD_RUN_TRACES_H

#include "cmd/cmd.h"

/* Takes what a session tells, before it is closed. */
typedef enum status (*run_traces_taker)(void *of, const struct session *session);

/* Open the traces that the options name, of a directory all in it, and without a name the newest
 * trace here and the others of its run.  A trace that was found, not named, and cannot be read is
 * left out with a line, and counted in `unread`.
 * Errors: those of cmd_open_session; STATUS_IO where none could be read. */
enum status run_traces_read(const struct cmd_options *options, run_traces_taker take, void *of,
                            size_t *unread, struct diagnostic *diagnostic) MUST_CHECK;

/* Does something with a trace.  Errors: those of session_open. */
typedef enum status (*run_traces_visitor)(void *of, const char *path,
                                          struct diagnostic *diagnostic);

/* The same for who opens them on its own. */
enum status run_traces_visit(const struct cmd_options *options, run_traces_visitor visit, void *of,
                             size_t *unread, struct diagnostic *diagnostic) MUST_CHECK;

#endif
