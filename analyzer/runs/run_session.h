/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a run from a session.
 */
#ifndef RUNS_RUN_SESSION_H
#define RUNS_RUN_SESSION_H

struct analysis_options;
struct run;
struct session;

/* Make a run from a session; `run` is uninitialized.  Two options count: the warm-up, and rows by
 * kernel, each with all shapes. */
void run_of_session(struct run *run, const struct session *session,
                    const struct analysis_options *options);

/* The same, but only for the row of the whole run. */
void run_whole_of_session(struct run *run, const struct session *session,
                          const struct analysis_options *options);

#endif
