/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the program's own mappings are for, by the file that maps them and by their size.
 */
#ifndef HEAP_MAPPED_FOR_H
#define HEAP_MAPPED_FOR_H

#include <stdint.h>

struct session;
struct session_mapping;

/* Returns: what a runtime or library keeps there: "Python's small objects"; NULL: not known. */
const char *mapped_for(const struct session *session, const struct session_mapping *mapping);

/* Find what most of the mapped memory is for, at the peak of all mappings.
 * Returns: NULL: nothing is known. */
const char *mapped_for_most(const struct session *session, uint64_t *bytes);

#endif
