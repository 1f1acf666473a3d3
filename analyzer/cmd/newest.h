/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trace that is meant when none is named, and those that belong to it.
 */
#ifndef CMD_NEWEST_H
#define CMD_NEWEST_H

#include <stddef.h>

#include "base/attributes.h"
#include "base/status.h"
#include "base/text.h"

/* The newest trace of the working directory; `relatives` then has the names of other
 * traces of the same run, of its parents and children, or is empty.
 * Errors: STATUS_IO when there is no trace; the diagnostic says what to do. */
enum status newest_find(char *path, size_t size, struct text *relatives,
                        struct diagnostic *diagnostic) MUST_CHECK;

#endif
