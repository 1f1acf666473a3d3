/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Patterns as LeakSanitizer's suppressions have them.
 */
#ifndef BASE_WILDCARD_H
#define BASE_WILDCARD_H

#include <stdbool.h>

/* Ask whether a text contains a pattern, anywhere unless `^` begins or `$` ends the pattern; `*`
 * matches any characters, or none. */
bool wildcard_matches(const char *pattern, const char *text);

#endif
