/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one job as one: what their processor time was spent on, and what each
 * waited for.
 */
#ifndef RUNS_JOB_H
#define RUNS_JOB_H

#include "base/array.h"
#include "base/text_index.h"
#include "base/text_list.h"
#include "runs/job_lines.h"
#include "runs/job_links.h"
#include "runs/job_phases.h"
#include "runs/processes.h"

struct job {
    struct processes processes;
    struct job_links links;
    struct array rows;      /* of struct job_row, see job.c */
    struct array waits;     /* of struct job_wait */
    struct text_index keys; /* the number of a key is the index of its row */
    struct text_list texts; /* of both */
    struct job_lines lines;
    struct job_phases phases;
    double tasks_ns;        /* of handing tasks to worker processes */
    double cpu_ns;          /* of the processes with samples */
    size_t unsampled;       /* processes of which no sample tells */
    uint64_t processors;    /* that a process may use, at most; 0: not known */
};

void job_init(struct job *job);
void job_fini(struct job *job);

/* Take what a session tells of its process, unless an earlier one told it. */
enum status job_add(struct job *job, const struct session *session) MUST_CHECK;

/* Make a document of them. */
void job_report(struct job *job, struct document *document);

#endif
