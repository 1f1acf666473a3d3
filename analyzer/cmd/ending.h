/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a program that `tprof run` started, as its trace is to tell it.
 */
#ifndef CMD_ENDING_H
#define CMD_ENDING_H

#include <stdbool.h>
#include <sys/types.h>

#include "cmd/counters.h"

/* Store how a process ended and what was counted of it in its traces, which are
 * looked for where TPROF_OUTPUT says.
 * Returns: whether it has one. */
bool ending_store(pid_t child, int status, const struct counters *counters);

#endif
