/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the process of a trace still runs.
 */
#ifndef LIVE_LIVE_PROCESS_H
#define LIVE_LIVE_PROCESS_H

#include <stdbool.h>

#include "spec/trace.h"

/* Ask whether a host is this machine; NULL is no host. */
bool live_process_is_own_host(const char *host);

/* Ask whether the ending of the process is in its trace. */
bool live_process_has_ended(const struct trace_header *header);

/* Ask whether the process runs on this machine, where its trace was recorded.  If so, `cpu_ns` is
 * its processor time until now. */
bool live_process_runs(const struct trace_header *header, double *cpu_ns);

#endif
