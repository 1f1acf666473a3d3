/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The name that people give to a process of a job.
 */
#ifndef RUNS_PROCESS_WORDS_H
#define RUNS_PROCESS_WORDS_H

#include "base/text.h"

struct session_process;

/* Append the name of a process.  The name is the script or module of a Python program ("train.py"),
 * the starter of a worker of multiprocessing ("multiprocessing.spawn"), or else the program's
 * name. */
void process_words_append(struct text *text, const struct session_process *process);

#endif
