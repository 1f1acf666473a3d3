/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a run was made under: for run_session.c alone.
 */
#ifndef RUNS_RUN_FACTS_H
#define RUNS_RUN_FACTS_H

#include "runs/run.h"

struct session;

/* Add the command, how it ended, the machine, the settings, the libraries. */
void run_add_facts(struct run *run, const struct session *session, unsigned warmup);

#endif
