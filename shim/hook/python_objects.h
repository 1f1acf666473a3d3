/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Having Python take its objects from malloc, so that each is recorded as a block is.
 *
 * Python asks its environment which allocator to use, once, before its first object
 * (PYTHONMALLOC).  Where the user has not answered, the shim does: to this one caller alone.
 * The environment that the program and its children see stays as it is.
 *
 * Decision: doc/decisions/python-objects.
 */
#ifndef HOOK_PYTHON_OBJECTS_H
#define HOOK_PYTHON_OBJECTS_H

#include <stdbool.h>

#include "hook/load_map.h"

/* A Python was found.  Safety: under the lock of hook.c. */
void python_objects_begin(const struct loaded *entry);

/* A row of fact_writers: how it went, enum trace_python_objects. */
bool python_objects_write_facts(unsigned *written);

#endif
