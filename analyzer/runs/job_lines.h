/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines of a Python program's own files with most of the processor time of a job, over all its
 * processes.
 */
#ifndef RUNS_JOB_LINES_H
#define RUNS_JOB_LINES_H

#include "base/text_index.h"
#include "base/text_list.h"
#include "document/document.h"

struct cpu_time;

struct job_lines {
    struct array rows; /* of struct job_line, see job_lines.c */
    struct text_index keys;
    struct text_list texts;
};

void job_lines_init(struct job_lines *lines);
void job_lines_fini(struct job_lines *lines);

/* Add the lines of one process. */
void job_lines_take(struct job_lines *lines, const struct cpu_time *time);

/* Add a section for people, with shares of this processor time; nothing if no line has much of
 * it. */
void job_lines_add(struct job_lines *lines, double cpu_ns, struct document *document);

/* Name the line to start with, if one has much of this processor time. */
void job_lines_say_first(struct text *what, const struct job_lines *lines, double cpu_ns);

#endif
