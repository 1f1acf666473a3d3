/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TIMING_SPIN_H
#define TIMING_SPIN_H

#include <stdint.h>

/* Keep the processor busy for this long.  Each returns the actual time, by its own clock. */
uint64_t spin_constant(uint64_t ns);
uint64_t spin_normal(uint64_t ns);
uint64_t spin_bimodal(uint64_t ns);
uint64_t spin_drifting(uint64_t ns);
uint64_t spin_warming(uint64_t ns);

uint64_t spin_read_clock(void);

#endif
