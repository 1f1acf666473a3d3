/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What people call a process of a job.
 */
#ifndef RUNS_PROCESS_WORDS_H
#define RUNS_PROCESS_WORDS_H

#include "base/text.h"

struct session_process;

/* Append it: of a Python program the script or module that it runs, "train.py", of a worker that
 * multiprocessing starts what started it, "multiprocessing.spawn"; else the program's name. */
void process_words_append(struct text *text, const struct session_process *process);

#endif
