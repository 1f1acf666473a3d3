/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the process in the trace: the command, the machine, the load map, the bindings.  The
 * folder that knows a fact writes it, as a row of fact_writers (record/room.h): when the file is
 * created, and later when the fact becomes known.
 *
 * Safety: callers hold the process lock, unless stated otherwise.
 */
#ifndef RECORD_FACTS_H
#define RECORD_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spec/trace.h"

/* Write new facts, and update those that have changed.
 * Returns: false when some found no room; the next flush tries again. */
bool facts_flush(void);

/* The same, taking the lock; does nothing before there is a file. */
void facts_flush_now(void);

/* Write the new facts of a single writer.  The caller holds the process lock. */
bool facts_flush_of(bool (*writer)(unsigned *written));

/* Write one fact: a head of its kind and the bytes after it.
 * Returns: the place of the head in the trace; NULL when there is no room. */
void *facts_write(enum trace_fact_kind kind, const void *head, size_t head_size, const void *bytes,
                  size_t size);

/* Ask whether there is room for any facts. */
bool facts_have_room(void);

/* Write a property of the process.  An empty text is left out.
 * Returns: false when there is no room. */
bool facts_write_property(const char *key, const char *value, size_t size);
bool facts_write_text(const char *key, const char *value);
bool facts_write_number(const char *key, uint64_t value);

/* Write a number, and again when it has changed; 0 is left out. */
bool facts_update_number(unsigned *written, const char *key, unsigned number);

/* Write the facts of a list that are not written yet, each by its index.
 * Returns: false when there was no room for one. */
bool facts_write_list(unsigned *written, unsigned count, bool (*write)(unsigned index));

#endif
