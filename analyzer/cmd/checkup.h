/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks whether this machine, in its present state, gives reliable and
 * repeatable measurements.
 */
#ifndef CMD_CHECKUP_H
#define CMD_CHECKUP_H

#include "screen/checks.h"

/* Look at processors, memory, clocks and heat.  Files are those below `root`: "", except in tests.
 * Missing facts are unknown. */
void checkup_machine(struct checks *checks, const char *root);

/* Check the libraries of linear algebra, and how many threads the environment gives them. */
void checkup_libraries(struct checks *checks);

#endif
