/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All processes of one job as one: the uses of their processor time, and the waits of each.
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
#include "runs/starters.h"

struct job {
    struct processes processes;
    struct job_links links;
    struct array rows;      /* of struct job_row, see job.c */
    struct array waits;     /* of struct job_wait */
    struct text_index keys; /* the number of a key is the index of its row */
    struct text_list texts; /* texts of both */
    struct job_lines lines;
    struct job_phases phases;
    struct starters starters;
    double tasks_ns;        /* time of handing tasks to worker processes */
    double cpu_ns;          /* processor time of the processes with samples */
    size_t unsampled;       /* processes without samples */
    uint64_t processors;    /* most that a process may use; 0: unknown */
};

void job_init(struct job *job);
void job_fini(struct job *job);

/* Add the process of a session, unless an earlier session had the same process. */
void job_add(struct job *job, const struct session *session);

/* Make a document of the job. */
void job_report(struct job *job, struct document *document);

#endif
