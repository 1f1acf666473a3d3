/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes of one run, such as MPI ranks or workers: one trace for each, and their sums.
 */
#ifndef RUNS_PROCESSES_H
#define RUNS_PROCESSES_H

#include "document/document.h"
#include "runs/run.h"

struct processes {
    struct array rows;  /* of struct process_row, see processes.c, in the order of their start */
    size_t copies;      /* further traces of a process */
    size_t unread;      /* traces that the caller could not read and left out */
    struct array texts; /* char *, owned */
};

void processes_init(struct processes *processes);
void processes_fini(struct processes *processes);

/* Add the process of a trace.  A second trace of the same process, packed or copied, is counted but
 * not added. */
void processes_add(struct processes *processes, const struct session *session);

/* All processes together: the wall time lasts from the first start to the last end. */
struct processes_sum {
    const char *first; /* the program that started first; NULL: there is none */
    size_t count;
    double wall_ns; /* NAN: unknown */
    double cpu_ns;
};
struct processes_sum processes_sum_up(struct processes *processes);

/* Add sections: a row a process, and sums of the values that can be added.  Peaks happen at
 * different times; a note has an upper bound of their sum. */
void processes_add_sections(struct processes *processes, struct document *document);

/* Make a document of the processes. */
void processes_report(struct processes *processes, struct document *document);

#endif
