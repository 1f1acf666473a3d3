/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of CUPTI that the shim stands before: a program that uses CUPTI itself gets it.
 */
#ifndef CUDA_CUDA_TIMES_H
#define CUDA_CUDA_TIMES_H

#include <stdbool.h>

#include "call/library.h"

extern const struct library cupti_library;

/* Rows of fact_writers: enum trace_device_times; records of commands whose call is not known;
 * commands that found no room to be awaited. */
bool cuda_times_write_state(unsigned *written);
bool cuda_times_write_unmatched(unsigned *written);
bool cuda_times_write_left_out(unsigned *written);

#endif
