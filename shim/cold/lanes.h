/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes of the process: given to threads, taken back, closed.
 */
#ifndef COLD_LANES_H
#define COLD_LANES_H

#include "hot/lane.h"

/* Ready the thread-exit notice.  Called once, from the constructor. */
void lanes_init(void);

/* Note the end and the processor time of every thread that still runs.
 * The caller holds the process lock. */
void lanes_end(void);

#endif
