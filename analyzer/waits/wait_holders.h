/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The holders of the locks that threads waited for, and the Python code that held the
 * interpreter's.
 */
#ifndef WAITS_WAIT_HOLDERS_H
#define WAITS_WAIT_HOLDERS_H

#include <stdint.h>

#include "waits/wait_row.h"

struct session;

/* Fill in the owner of each row.  For the interpreter's lock, also fill in its holder's places at
 * that time: from the holder's samples, and from its own waiting calls.
 *
 * Shape: `row_of` has the index of the row of each wait of the session. */
void wait_holders_fill(struct wait_rows *rows, const struct session *session,
                       const uint32_t *row_of);

#endif
