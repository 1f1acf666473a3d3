/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks whether this Linux's timers of processor time are harmless.
 */
#ifndef SAMPLER_CPU_LINUX_H
#define SAMPLER_CPU_LINUX_H

#include <stdbool.h>

/* Ask whether a timer's signal arrives on the way back to the program.  On other versions it may
 * arrive on the way to sleep, and a call that would have waited returns EINTR. */
bool cpu_linux_is_fit(void);

#endif
