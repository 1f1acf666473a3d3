/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A run: the first process under the shim and all that come of it.
 *
 * Safety: callers hold the process lock.
 */
#ifndef TRACE_FAMILY_H
#define TRACE_FAMILY_H

#include <stdbool.h>

#include "spec/trace.h"

/* Was the parent itself started under the shim?  Its environment at exec says
 * so, or its load map; what cannot be read counts as no. */
bool family_has_recorded_parent(void);

/* Is a trace of an earlier run, which may be replaced?  It is if its process
 * had ended before the first process of this run began, as far as can be told.
 * `self`: the header of this process. */
bool family_is_over(const struct trace_header *old, const struct trace_header *self);

#endif
