/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of one run, read in turn: for commands on all its processes.
 */
#ifndef CMD_RUN_TRACES_H
#define CMD_RUN_TRACES_H

#include "cmd/cmd.h"

/* Takes figures from a session before it is closed. */
typedef void (*run_traces_taker)(void *of, const struct session *session);

/* Open the traces that the options name: a file, all traces of a directory, or, without a name, the
 * newest trace here and the others of its run.  An unreadable trace is left out with a line and
 * counted in `unread`, unless the user named it.
 * Errors: those of cmd_open_session; STATUS_IO if no trace could be read. */
enum status run_traces_read(const struct cmd_options *options, run_traces_taker take, void *of,
                            size_t *unread, struct diagnostic *diagnostic) MUST_CHECK;

/* Does something with a trace.  Errors: those of session_open. */
typedef enum status (*run_traces_visitor)(void *of, const char *path,
                                          struct diagnostic *diagnostic);

/* The same, but `visit` opens each trace itself. */
enum status run_traces_visit(const struct cmd_options *options, run_traces_visitor visit, void *of,
                             size_t *unread, struct diagnostic *diagnostic) MUST_CHECK;

#endif
