/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the process itself.
 *
 * Safety: callers hold the process lock.
 */
#ifndef RECORD_PROCESS_FACTS_H
#define RECORD_PROCESS_FACTS_H

#include <stdbool.h>
#include <stdint.h>

/* Write the command, the environment, the options and the machine, once: a row of
 * fact_writers. */
bool process_facts_write(unsigned *written);

/* The memory that the process may use: that of the machine, and no more than the limit of its
 * control group.
 * Units: bytes.  Returns: 0 when it is unknown. */
uint64_t process_facts_memory(void);

#endif
