/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where the resident memory of the peak is, in a sentence of the reports.
 */
#ifndef SCREEN_RESIDENT_LINE_H
#define SCREEN_RESIDENT_LINE_H

#include "places/places.h"

struct session;
struct session_mapping;
struct text;

/* Append the parts of resident memory when it was highest, the largest first; nothing if there is
 * little beside heap, code and data, or no part was read. */
void resident_line_append(struct text *line, const struct session *session, places_finder find);

/* Append the place that made a mapping.  NULL: none. */
void resident_line_say_mapper(struct text *line, const struct session *session,
                              const struct session_mapping *most, places_finder find);

#endif
