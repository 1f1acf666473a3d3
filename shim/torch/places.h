/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where Python code asked for an op: its innermost line, the line of the program's own code, and
 * the layers around.
 *
 * Safety: the thread of the op, whose lane is BUSY; a place that is new takes the process lock.
 * Budget: four loads a frame of Python code.
 */
#ifndef TORCH_PLACES_H
#define TORCH_PLACES_H

#include <stdint.h>

struct lane;

/* Returns: the id of a SITE fact; 0 when there is none. */
uint32_t places_find(struct lane *lane);

#endif
