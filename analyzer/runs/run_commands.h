/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The commands of devices in a run, used only by run_session.c.
 */
#ifndef RUNS_RUN_COMMANDS_H
#define RUNS_RUN_COMMANDS_H

struct run_places;

/* Add a row for each name of commands, to the run of the places.  Times of single commands leave
 * out the first `warmup` of each name, place and thread. */
void run_add_commands(const struct run_places *places, unsigned warmup);

#endif
