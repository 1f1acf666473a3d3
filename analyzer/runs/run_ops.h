/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The ops of a run, used only by run_session.c.
 */
#ifndef RUNS_RUN_OPS_H
#define RUNS_RUN_OPS_H

struct run_places;

/* Add a row for each name of ops that has enough of their time, to the run of the places. */
void run_add_ops(const struct run_places *places);

#endif
