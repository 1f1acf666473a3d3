/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Is this a program with a sanitizer's runtime?
 */
#ifndef PLATFORM_SANITIZER_H
#define PLATFORM_SANITIZER_H

/* Look for a sanitizer among the loaded objects, once.
 * Returns: the program's sanitizer, NULL when there is none.
 * Safety: any time, even before the runtime or libc has started. */
const char *sanitizer_find(void);

#endif
