/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A baseline: runs in a file of JSON, to compare later runs with.  The file has all rows and facts,
 * but no single calls.
 *
 * The minimal form can be read, too: {"OPERATION": {"wall_time_s": SECONDS}, ...}, with a single
 * number for each operation.  It becomes one run with a RUN_OPERATION for each operation, whose
 * RUN_CALL is that time.
 */
#ifndef RUNS_BASELINE_H
#define RUNS_BASELINE_H

#include "base/text.h"
#include "runs/run.h"

enum { BASELINE_VERSION = 1 };

/* Write runs as JSON. */
void baseline_append(const struct run_side *side, struct text *text);

/* Returns: whether a file begins like JSON; a trace does not. */
bool baseline_is_at(const char *path);

/* Add the runs of a file to a side.
 * Errors: STATUS_IO, STATUS_CORRUPT, STATUS_UNSUPPORTED with a diagnostic that names the
 * file and the place. */
enum status baseline_read(struct run_side *side, bool *is_minimal, const char *path,
                          struct diagnostic *diagnostic) MUST_CHECK;

#endif
