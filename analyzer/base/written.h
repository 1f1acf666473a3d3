/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The bytes that a writer of files writes, as a text.
 */
#ifndef BASE_WRITTEN_H
#define BASE_WRITTEN_H

#include <stdio.h>

#include "base/text.h"

/* Append what `write` writes.  Without memory for the stream, nothing is appended. */
void written_append(struct text *text, void (*write)(const void *of, FILE *out), const void *of);

#endif
