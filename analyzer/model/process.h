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

/* Copy the header's data; the facts must already be read. */
void process_fill(struct session_process *process, const struct trace_header *header);

/* Fill in the wall time of the process, once its events have been read. */
void process_measure(struct session_process *process, const struct trace_header *header,
                     const struct events *events);

/* Count all readings from the start of the recording, and raise each peak to its readings, after
 * the events are read. */
void process_settle_readings(struct session *session);

/* Add doubts: about an unseen ending, blocks hidden by the program's own allocator, and requested
 * data that are missing.
 */
void process_doubt(const struct session *session, struct text_list *doubts);

/* Returns: whether this is CPython 3.12 or later without its functions on the chains, because no
 * option requested them (-X perf, PYTHONPERFSUPPORT). */
bool process_hides_python(const struct session *session);

#endif
