/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs whose processor time is not sampled, as they would notice.
 */
#ifndef SAMPLER_CPU_OBSTACLES_H
#define SAMPLER_CPU_OBSTACLES_H

#include <stdbool.h>

/* Does a tracer see each signal of this process?  Safety: as of small_file_read. */
bool cpu_obstacles_is_traced(void);

/* Is the program one of Go?  Its runtime takes each signal by system calls that nobody sees, and
 * tells the program of those that it asked for. */
bool cpu_obstacles_is_go(void);

#endif
