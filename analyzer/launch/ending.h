/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The end of a program that `tprof run` started, as its trace is to tell it.
 */
#ifndef LAUNCH_ENDING_H
#define LAUNCH_ENDING_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/array.h"
#include "launch/counters.h"
#include "machine/conditions.h"

/* What the parent of a program saw. */
struct ending {
    int status; /* as waitpid has it */
    const struct counters *counters;
    const struct conditions *conditions; /* before it started */
    const struct array *before;          /* as ending_note_before has it */
};

struct ending_trace {
    char path[PATH_MAX];
    bool is_over;   /* the program noticed its end */
    bool is_untold; /* it could not say then where the trace is */
};

/* Note which traces of its number are there before a process starts, which is then to be
 * finished: numbers are used again, in containers by each run, and these are of others. */
void ending_note_before(pid_t child, struct array *before);

/* Store it in the traces of the process, which are looked for where TPROF_OUTPUT
 * says.  Of several, as of a program before and after an exec, `trace` is the newest.
 * Returns: whether it has one. */
bool ending_store(pid_t child, const struct ending *ending, struct ending_trace *trace);

#endif
