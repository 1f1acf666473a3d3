/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose processor time is not sampled, because they would notice.
 */
#ifndef SAMPLER_CPU_OBSTACLES_H
#define SAMPLER_CPU_OBSTACLES_H

#include <stdbool.h>

/* Does a tracer see each signal of this process?  Safety: that of small_file_read. */
bool cpu_obstacles_is_traced(void);

/* Ask whether this is a Go program.  Go's runtime sets each signal by its own system calls, and
 * passes signals on to the program. */
bool cpu_obstacles_is_go(void);

#endif
