/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a run, used only by run_session.c.
 */
#ifndef RUNS_RUN_OPS_H
#define RUNS_RUN_OPS_H

#include "runs/run.h"

struct session;

/* Add a row for each name of ops that has enough of their time. */
void run_add_ops(struct run *run, const struct session *session);

#endif
