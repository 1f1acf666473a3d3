/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the parts of sampler/cpu_timers.h.
 */
#ifndef SAMPLER_CPU_TIMERS_PARTS_H
#define SAMPLER_CPU_TIMERS_PARTS_H

#include <stdint.h>

#include "spec/trace.h"

enum { CPU_PERIOD_NS = 4000000 };

/* Let the timer fire after `ns`, and then each period; 0: never. */
void cpu_timers_set_period(int32_t timer, uint64_t ns);

/* The program may have left a handler by a jump: restart the timer of this thread. */
void cpu_timers_go_on_after_jump(void);

/* Write into the header the reason for no more samples, and the time. */
void cpu_timers_note_off(enum trace_sampling_off reason, uint64_t ticks);

#endif
