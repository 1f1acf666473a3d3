/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of the processes that a program began, once it has ended.
 */
#ifndef LAUNCH_WORKERS_H
#define LAUNCH_WORKERS_H

#include <stdint.h>

#include "base/text.h"

/* Cut off the hole at the end of each trace since this time (CLOCK_REALTIME) whose process is gone:
 * the room that a process reserved before it gave up its rights.  Append to `line` how many
 * processes left no trace, which, why, and what to do; nothing if each has one, or has said so. */
void workers_settle(uint64_t since_ns, struct text *line);

#endif
