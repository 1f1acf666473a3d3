/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns as LeakSanitizer's suppressions have them.
 */
#ifndef BASE_WILDCARD_H
#define BASE_WILDCARD_H

#include <stdbool.h>

/* Ask whether a pattern is found in a text: anywhere, unless `^` begins it or
 * `$` ends it; `*` stands for any characters, also none. */
bool wildcard_matches(const char *pattern, const char *text);

#endif
