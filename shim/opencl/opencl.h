/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenCL: the adapter of device/ for libOpenCL.so of any vendor.
 *
 * A queue is made with profiling switched on, and the program sees the queue that it asked for:
 * opencl_queue.c.  A command gets an event of ours if the program asks for none; the event is
 * looked at later, and given back: opencl_command.c.  No call-back is registered, so the library
 * starts no thread for us.
 *
 * Source: Khronos, The OpenCL Specification 3.0.14; numbers from cl.h of OpenCL-Headers.
 */
#ifndef OPENCL_OPENCL_H
#define OPENCL_OPENCL_H

#include "call/library.h"

extern const struct library opencl_library;

#endif
