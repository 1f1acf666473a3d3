/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Devices other than the processor, such as GPUs, as ops tell of them.
 */
#ifndef ANALYSIS_DEVICES_H
#define ANALYSIS_DEVICES_H

#include "base/status.h"

struct session;
struct table;
struct text;

/* Append a note on them: "Ops on cuda have 86.2 % of the time in ops. ...".  Nothing if the process
 * used none. */
void devices_append(struct text *line, const struct session *session);

/* Add this below a table of ops. */
void devices_add_note(struct table *table, const struct session *session);

#endif
