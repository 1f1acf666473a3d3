/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lets Python take its objects from malloc, so that each is recorded as a block.
 *
 * Python asks its environment once, before its first object, which allocator to use (PYTHONMALLOC).
 * If the user has set nothing, the shim answers this one caller.  The environment of the program
 * and its children stays unchanged.
 *
 * Decision: doc/decisions/python-objects.
 */
#ifndef HOOK_PYTHON_OBJECTS_H
#define HOOK_PYTHON_OBJECTS_H

#include <stdbool.h>

#include "hook/load_map.h"

/* A Python was found.  Safety: under the lock of hook.c. */
void python_objects_begin(struct loaded *entry);

/* A row of fact_writers: the outcome, enum trace_python_objects. */
bool python_objects_write_facts(unsigned *written);

#endif
