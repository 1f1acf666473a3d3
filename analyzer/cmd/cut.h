/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Traces that were cut off: their figures are about a part of the run.  The first line and the exit
 * status must say so.
 */
#ifndef CMD_CUT_H
#define CMD_CUT_H

#include <stdbool.h>
#include <stdio.h>

#include "model/session_losses.h"

/* Note that a trace is incomplete; a complete one is not noted. */
void cut_note(const char *path, const struct session_cut *cut);

/* Ask whether a cut trace was noted: the exit status is then that of STATUS_NOT_ENOUGH_DATA. */
bool cut_is_noted(void);

/* Report the cut traces once: at the start of a page for people, or, with NULL, on standard error
 * beside output for programs. */
void cut_tell(FILE *page);

#endif
