/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes of the process: given to threads, taken back, closed.
 */
#ifndef COLD_LANES_H
#define COLD_LANES_H

#include <stdbool.h>

#include "hot/lane.h"

/* Ready the thread-exit notice.  Called once, from the constructor. */
void lanes_init(void);

/* Can so many words be written without another chunk, at any time? */
bool lanes_have_room(const struct lane *lane, unsigned words);

/* Note the end and the processor time of every thread that still runs.
 * The caller holds the process lock. */
void lanes_end(void);

#endif
