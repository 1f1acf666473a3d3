/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session tells, as a run.
 */
#ifndef RUNS_RUN_SESSION_H
#define RUNS_RUN_SESSION_H

struct analysis_options;
struct run;
struct session;

/* Take over what a session tells; `run` is not initialized before.  Of the options
 * the warm-up counts, and whether rows are by kernel: then all shapes are one row. */
void run_of_session(struct run *run, const struct session *session,
                    const struct analysis_options *options);

/* The same of the row of the whole run alone.  Errors: as above. */
void run_whole_of_session(struct run *run, const struct session *session,
                          const struct analysis_options *options);

#endif
