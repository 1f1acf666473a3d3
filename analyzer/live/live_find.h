/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace of a running process.
 */
#ifndef LIVE_LIVE_FIND_H
#define LIVE_LIVE_FIND_H

#include <limits.h>
#include <sys/types.h>

#include "base/attributes.h"
#include "base/status.h"

/* Find the trace that a process writes: it has mapped it.
 * Errors: STATUS_IO: there is no such process, its map may not be read, or it writes no trace. */
enum status live_find_trace(pid_t pid, char path[PATH_MAX],
                            struct diagnostic *diagnostic) MUST_CHECK;

#endif
