/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes of one run beside each other, as of ranks of MPI or workers: one trace
 * each, and what they are together.
 */
#ifndef RUNS_PROCESSES_H
#define RUNS_PROCESSES_H

#include "document/document.h"
#include "runs/run.h"

struct processes {
    struct array rows;  /* of struct process_row, see processes.c, in the order of their start */
    size_t copies;      /* traces of a process that had one already */
    size_t unread;      /* traces that the caller could not read, and left out */
    struct array texts; /* of char *, owned */
};

void processes_init(struct processes *processes);
void processes_fini(struct processes *processes);

/* Take what a trace tells of its process; a second trace of the same one, packed or
 * copied, is counted and not taken. */
void processes_add(struct processes *processes, const struct session *session);

/* What all are together: the wall time is from the first start to the last end. */
struct processes_sum {
    const char *first; /* the program that started first; NULL: there is none */
    size_t count;
    double wall_ns; /* NAN: unknown */
    double cpu_ns;
};
struct processes_sum processes_sum_up(struct processes *processes);

/* Add sections of a row a process, and of what they are together: what can be added is added,
 * and of peaks, which are each at a time of its own, there is an upper bound in a note. */
void processes_add_sections(struct processes *processes, struct document *document);

/* Make a document of these. */
void processes_report(struct processes *processes, struct document *document);

#endif
