/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The place of an op in Python code: its innermost line, the line of the program's own code, and
 * the outer layers.
 *
 * Safety: called by the thread of the op, whose lane is BUSY; a new place takes the process lock.
 * Budget: four loads a frame of Python code.
 */
#ifndef TORCH_PLACES_H
#define TORCH_PLACES_H

#include <stdint.h>

struct lane;

/* Returns: the id of a SITE fact; 0 when there is none. */
uint32_t places_find(struct lane *lane);

#endif
