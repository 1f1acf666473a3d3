/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions of this machine that timings depend on: those of conditions.def, from sysfs and
 * procfs.
 */
#ifndef MACHINE_CONDITIONS_H
#define MACHINE_CONDITIONS_H

#include "base/text.h"
#include "spec/trace.h"

enum { CONDITION_SIZE = 64 };

struct conditions {
    char values[TRACE_CONDITIONS][CONDITION_SIZE]; /* empty: the system does not say */
};

/* Read the conditions.  Files are those below `root`: "", except in tests. */
void conditions_read(struct conditions *conditions, const char *root);

/* Append the known conditions as facts of a trace. */
void conditions_append(const struct conditions *conditions, struct text *facts);

#endif
