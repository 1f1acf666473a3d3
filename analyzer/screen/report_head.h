/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The program, its end, and the machine.
 */
#ifndef SCREEN_REPORT_HEAD_H
#define SCREEN_REPORT_HEAD_H

#include "base/status.h"
#include "base/text.h"

struct document;
struct session;
struct session_process;

/* Append how the process ended, "exited with status 0". */
void report_append_ending(struct text *line, const struct session_process *process);

/* Append the name from TPROF_NAME, or the typed command, cut short. */
void report_append_name(struct text *line, const struct session_process *process);

/* Add the program, the time and the machine, for people. */
void report_add_head(struct document *document, const struct session *session);

#endif
