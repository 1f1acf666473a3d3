/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a program that `tprof run` started, as its trace is to tell it.
 */
#ifndef CMD_ENDING_H
#define CMD_ENDING_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/counters.h"
#include "machine/conditions.h"

/* What the parent of a program saw. */
struct ending {
    uint64_t start_ns; /* CLOCK_REALTIME before the program started */
    int status;        /* as waitpid has it */
    const struct counters *counters;
    const struct conditions *conditions; /* before it started */
};

struct ending_trace {
    char path[PATH_MAX];
    bool is_told; /* the program noticed its end, and said where the trace is */
};

/* Store it in the traces of the process, which are looked for where TPROF_OUTPUT
 * says.  Of several, as of a program before and after an exec, `trace` is the newest.
 * Returns: whether it has one. */
bool ending_store(pid_t child, const struct ending *ending, struct ending_trace *trace);

#endif
