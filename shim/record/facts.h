/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the process in the trace: the command, the machine, the load map,
 * the bindings.  They are written when the file is created, and as they
 * become known after that.
 *
 * Safety: callers hold the process lock, unless it is said otherwise.
 */
#ifndef RECORD_FACTS_H
#define RECORD_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "spec/trace.h"

/* Write what is known when the file is created. */
void facts_begin(void);

/* Write what was not written yet, and what has become of what was.
 * Returns: false when some of it found no room; the next flush tries again. */
bool facts_flush(void);

/* The same as facts_flush, taking the lock; does nothing before there is a file. */
void facts_flush_now(void);

/* Write one fact: a head of its kind and the bytes after it.
 * Returns: where the head stands in the trace; NULL when there is no room. */
void *facts_write(enum trace_fact_kind kind, const void *head, size_t head_size, const void *bytes,
                  size_t size);

#endif
