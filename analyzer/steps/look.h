/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How a range looks that was marked for another tool: four cells of a row, in this order.
 */
#ifndef STEPS_LOOK_H
#define STEPS_LOOK_H

enum look_cell { LOOK_DOMAIN, LOOK_CATEGORY, LOOK_COLOUR, LOOK_INTERFACE, LOOK_CELLS };

struct session_look;
struct value;

/* Set LOOK_CELLS cells; unknown ones stay unset. */
void look_set(struct value *cells, const struct session_look *look);

#endif
