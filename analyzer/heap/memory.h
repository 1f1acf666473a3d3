/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of the heap that other reports show, too.
 */
#ifndef HEAP_MEMORY_H
#define HEAP_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"

struct memory_work;
struct session;

/* The freed bytes: UNKNOWN when the live heap is. */
uint64_t memory_freed_bytes(const struct session *session);

/* Its standard error; 0 when exact. */
double memory_freed_error(const struct session *session);

/* Temporary allocations, as a part of the recorded ones; NAN when unknown. */
double memory_temporary_fraction(const struct session *session);

/* Append the largest holders at the peak: "load model.c 31.0 MiB (43.1 %), ..."; nothing if
 * unknown. */
void memory_append_owners(struct text *text, const struct memory_work *work, size_t count);

#endif
