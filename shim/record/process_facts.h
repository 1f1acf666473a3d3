/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the process itself.
 *
 * Safety: callers hold the process lock.
 */
#ifndef RECORD_PROCESS_FACTS_H
#define RECORD_PROCESS_FACTS_H

#include <stdbool.h>

/* Write the command, the environment, the options and the machine, once: a row of
 * fact_writers. */
bool process_facts_write(unsigned *written);

#endif
