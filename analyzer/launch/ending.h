/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stores the end of a program, seen by `tprof run`, in the program's trace.
 */
#ifndef LAUNCH_ENDING_H
#define LAUNCH_ENDING_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/array.h"
#include "launch/counters.h"
#include "machine/conditions.h"

/* The parent's view of a program. */
struct ending {
    int status; /* status of waitpid */
    const struct counters *counters;
    const struct conditions *conditions; /* conditions before the start */
    const struct array *before;          /* traces of ending_note_before */
};

struct ending_trace {
    char path[PATH_MAX];
    bool is_over;   /* the program noticed its end */
    bool is_untold; /* the program could not say at its end where its trace is */
};

/* Note the traces with a child's number before the child runs.  These belong to other processes:
 * process ids are reused, in containers by each run.  The caller frees `before`. */
void ending_note_before(pid_t child, struct array *before);

/* Store the ending in the traces of the process, found through TPROF_OUTPUT.  There are several if
 * the process called exec; `trace` is the newest.
 * Returns: whether it has one. */
bool ending_store(pid_t child, const struct ending *ending, struct ending_trace *trace);

#endif
