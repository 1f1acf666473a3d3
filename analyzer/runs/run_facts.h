/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions of a run, used only by run_session.c.
 */
#ifndef RUNS_RUN_FACTS_H
#define RUNS_RUN_FACTS_H

#include "runs/run.h"

struct session;

/* Add the command, its end, the machine, the settings and the libraries. */
void run_add_facts(struct run *run, const struct session *session, unsigned warmup);

#endif
