/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run: the first process under the shim and all its descendants.
 *
 * Safety: callers hold the process lock.
 */
#ifndef TRACE_FAMILY_H
#define TRACE_FAMILY_H

#include <stdbool.h>

#include "spec/trace.h"

/* Ask whether the parent itself was started under the shim.  Its environment at exec shows this, or
 * its load map.  If neither can be read, the answer is no. */
bool family_has_recorded_parent(void);

/* Ask whether this is the trace of an earlier run, which may be replaced.  Yes, if its process
 * ended before the first process of this run started.  `self`: the header of this process. */
bool family_is_over(const struct trace_header *old, const struct trace_header *self);

#endif
