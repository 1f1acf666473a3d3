/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof view on a terminal: the only file that knows curses.  A build without curses has
 * no_curses.c instead.
 */
#ifndef VIEW_TERMINAL_H
#define VIEW_TERMINAL_H

#include "base/attributes.h"
#include "base/status.h"
#include "view/view.h"

/* Ask whether there is a terminal that can show lines at any position.
 * Errors: STATUS_USAGE: there is none; STATUS_UNSUPPORTED: the terminal or this build cannot. */
enum status view_terminal_check(struct diagnostic *diagnostic) MUST_CHECK;

/* Ask whether characters beyond ASCII reach the terminal whole. */
bool view_terminal_has_unicode(void);

/* Show a view that was started, until its user ends it.  The terminal is then restored, even if a
 * signal ends the program.
 * Errors: those of view_press. */
enum status view_terminal_run(struct view *view, struct diagnostic *diagnostic) MUST_CHECK;

#endif
