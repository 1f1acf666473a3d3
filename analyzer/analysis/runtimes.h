/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interpreters and frameworks that a program ran in, by the files of its load map.
 */
#ifndef ANALYSIS_RUNTIMES_H
#define ANALYSIS_RUNTIMES_H

#include <stdbool.h>
#include <stdint.h>

#include "places/places.h"

struct session;

/* Find the runtime that a program ran in; if there are several, the outermost.
 * Returns: its name, or NULL where all is compiled. */
const char *runtimes_find(const struct session *session);

/* Find the runtime of a language, such as "Python", and no framework.  Returns: its name, or
 * NULL. */
const char *runtimes_find_language(const struct session *session);

/* Ask whether a runtime was loaded, by its name: "PyTorch", in Python or C++. */
bool runtimes_has(const struct session *session, const char *name);

/* Find when the program began its end: its runtime frees all then, or the C library calls
 * destructors.  By the samples of the thread that was sampled last.
 * Returns: SESSION_UNKNOWN: no sample was in it. */
uint64_t runtimes_find_end(const struct session *session, places_finder find);

#endif
