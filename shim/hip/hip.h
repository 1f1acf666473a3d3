/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HIP: the adapter of device/ for libamdhip64.so of ROCm.
 *
 * Its functions have the form of CUDA's, so device/streams.h has all but names, numbers and what
 * the library says of its devices.  Memory, launches, copies and waits are seen.  Times are not:
 * ROCm tells them to tools that it starts before the program.  Nothing of AMD's is linked.
 *
 * Decision: doc/decisions/hip-without-times.
 */
#ifndef HIP_HIP_H
#define HIP_HIP_H

#include "call/library.h"

extern const struct library hip_library;

#endif
