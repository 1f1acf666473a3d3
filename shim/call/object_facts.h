/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Facts of the shapes of objects: a row of fact_writers (record/room.h).
 */
#ifndef CALL_OBJECT_FACTS_H
#define CALL_OBJECT_FACTS_H

#include <stdbool.h>

/* Write the new shapes.  The caller holds the process lock. */
bool object_facts_write(unsigned *written);

#endif
