/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who held the locks that threads waited for, and which Python code held the interpreter's.
 */
#ifndef WAITS_WAIT_HOLDERS_H
#define WAITS_WAIT_HOLDERS_H

#include <stdint.h>

#include "waits/wait_row.h"

struct session;

/* Fill the owner of each row, and of the interpreter's lock where its holder was meanwhile: by the
 * holder's samples, and by the calls in which it waited itself.
 *
 * Shape: `row_of` has the index of the row of each wait of the session. */
void wait_holders_fill(struct wait_rows *rows, const struct session *session,
                       const uint32_t *row_of);

#endif
