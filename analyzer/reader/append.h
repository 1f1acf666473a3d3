/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts that become known after a program has ended.
 */
#ifndef READER_APPEND_H
#define READER_APPEND_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"

/* Add a chunk of facts at the end of a complete trace.  An interrupted attempt
 * leaves the trace unchanged.
 *
 * Errors: those of reader_open; STATUS_UNSUPPORTED for a packed trace; STATUS_IO when the file
 * cannot be written.
 */
enum status append_facts(const char *path, const void *facts, size_t size,
                         struct diagnostic *diagnostic) MUST_CHECK;

#endif
