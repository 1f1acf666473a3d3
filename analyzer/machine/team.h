/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that do the same work at the same time, each on its own processor.  The caller's thread
 * is the first member while the team exists.
 */
#ifndef MACHINE_TEAM_H
#define MACHINE_TEAM_H

#include "base/attributes.h"
#include "base/status.h"

struct team;

/* The work of each member; `member` counts from 0. */
typedef void (*team_job)(void *of, unsigned member);

/* Start the other members on the first `count` of these processors.
 * Errors: STATUS_IO when the system gives no thread. */
enum status team_start(struct team **team, const unsigned *processors, unsigned count) MUST_CHECK;

/* Let all do a job.
 * Returns: seconds from the first start to the last end. */
double team_run(struct team *team, team_job job, void *of);

unsigned team_size(const struct team *team);

/* End the other members; the caller's thread gets its former affinity back. */
void team_stop(struct team *team);

#endif
