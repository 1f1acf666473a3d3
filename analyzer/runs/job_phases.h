/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The phases of the processes of a job, a row each: start-up, steady, end.
 */
#ifndef RUNS_JOB_PHASES_H
#define RUNS_JOB_PHASES_H

#include "base/array.h"
#include "document/document.h"

struct session;

struct job_phases {
    struct array rows; /* of struct phases_row, see job_phases.c */
};

void job_phases_init(struct job_phases *phases);
void job_phases_fini(struct job_phases *phases);

/* Add the phases of a process, unless it has no steady phase. */
void job_phases_take(struct job_phases *phases, const struct session *session);

/* Add the table, at most `most` rows; none for people where no process has a steady phase. */
void job_phases_add(const struct job_phases *phases, struct document *document,
                    enum section_place place, size_t most);

#endif
