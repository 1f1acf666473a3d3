/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions, files and lines of frames of Python code, read while the process runs.
 */
#ifndef WHERE_PYTHON_NAMES_H
#define WHERE_PYTHON_NAMES_H

#include "base/attributes.h"
#include "symbols/symbols.h"

struct frames_item;
struct interpreter;
struct python_names;

struct python_names *python_names_new(void) MUST_CHECK;

void python_names_free(struct python_names *names);

/* A new look starts: other code may now be at known addresses. */
void python_names_forget(struct python_names *names);

/* Find the names of a frame.  `frame` is NULL where there is no code any more.
 * Names stay until python_names_free. */
void python_names_find(struct python_names *names, const struct interpreter *interpreter,
                       const struct frames_item *item, const struct symbols_frame **frame);

#endif
