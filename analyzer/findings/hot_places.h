/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines of the program where its main thread waits for long.
 */
#ifndef FINDINGS_HOT_PLACES_H
#define FINDINGS_HOT_PLACES_H

#include "base/text.h"
#include "findings/context.h"

/* Append the line where the main thread waits longest, for at least a fifth of the wall time. */
void hot_places_append_wait(struct text *text, const struct findings_context *context);

/* The same, for at least half of the wall time, and also for the work of others. */
void hot_places_append_any_wait(struct text *text, const struct findings_context *context);

/* The same, for at least a fifth of the wall time. */
void hot_places_append_long_wait(struct text *text, const struct findings_context *context);

/* Returns: how long the main thread waits at a line, for anything. */
double hot_places_wait_ns(const struct findings_context *context, const char *place);

#endif
