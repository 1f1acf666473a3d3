/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The process that was recorded: its name, its ending, its time.
 */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "model/events.h"
#include "model/session_process.h"

struct session;

/* Start with nothing known. */
void process_init(struct session_process *process);

void process_fini(struct session_process *process);

/* Take over what the header says; the facts must have been read. */
void process_fill(struct session_process *process, const struct trace_header *header);

/* Tell how long the process ran, when its events have been read. */
void process_measure(struct session_process *process, const struct trace_header *header,
                     const struct events *events);

/* Count in all readings from the start of the recording, and see to it that no peak
 * is below a reading; when the events have been read. */
void process_settle_readings(struct session *session);

/* Doubt what an ending that nobody saw makes doubtful, what an allocator of the
 * program's own hides, and what was asked for and not found.
 */
void process_doubt(const struct session *session, struct text_list *doubts);

/* Is it CPython 3.12 or later, whose functions are not in the chains because nobody asked for
 * them (-X perf, PYTHONPERFSUPPORT)? */
bool process_hides_python(const struct session *session);

#endif
