/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * CUDA: the adapter of device/ for libcudart.so and, below it, libcuda.so.
 *
 * Memory, launches, copies and waits are seen by the functions that the program calls
 * (cuda_call.c).  A program whose runtime is linked statically asks the driver for its functions,
 * and gets our wrappers (cuda_entry.c).  A call within another one of these counts once.
 *
 * The times of commands come from CUPTI, if the program has loaded it (cuda_times.c).  CUPTI serves
 * one user: when the program starts a profiler of its own, ours ends.  Nothing of NVIDIA's is
 * linked; names, numbers and layouts are declared in cuda_api.h.
 *
 * Decision: doc/decisions/cuda-by-slots-and-cupti.
 */
#ifndef CUDA_CUDA_H
#define CUDA_CUDA_H

#include "call/library.h"

extern const struct library cuda_runtime_library;
extern const struct library cuda_driver_library;

#endif
