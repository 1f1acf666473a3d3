/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at the present cost of recording: see record/budget.h.
 */
#ifndef RECORD_BUDGET_LOOK_H
#define RECORD_BUDGET_LOOK_H

#include <stdbool.h>
#include <stdint.h>

struct lane;

/* The members of a row of room.h. */
bool budget_begin(void);
uint64_t budget_look_up(struct lane *lane, uint64_t now);
void budget_keep(void);
void budget_end(void);

#endif
