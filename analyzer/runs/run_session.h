/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a session tells, as a run.
 */
#ifndef RUNS_RUN_SESSION_H
#define RUNS_RUN_SESSION_H

#include "base/attributes.h"
#include "base/status.h"

struct analysis_options;
struct run;
struct session;

/* Take over what a session tells; `run` is not initialized before.  Of the options
 * the warm-up counts, and whether rows are by kernel: then all shapes are one row.
 * Errors: STATUS_OUT_OF_MEMORY; the run may be finished all the same. */
enum status run_of_session(struct run *run, const struct session *session,
                           const struct analysis_options *options) MUST_CHECK;

/* The same of the row of the whole run alone.  Errors: as above. */
enum status run_whole_of_session(struct run *run, const struct session *session,
                                 const struct analysis_options *options) MUST_CHECK;

#endif
