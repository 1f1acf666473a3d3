/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a line of the program calls for most of its time.
 */
#ifndef FINDINGS_LINE_CALLED_H
#define FINDINGS_LINE_CALLED_H

#include <stdbool.h>
#include <stddef.h>

struct findings_context;
struct place;
struct text;

/* Ask whether a sample of the processor time is at a line, with all it calls. */
typedef bool line_called_at(const struct findings_context *context, size_t sample,
                            const struct place *line);

/* Append a hint of call_kinds.h for the function that has half of the line's time, or else for the
 * only call in the line's text; nothing where neither has a known verb. */
void line_called_append_hint(struct text *text, const struct findings_context *context,
                             const struct place *line, line_called_at *is_at);

#endif
