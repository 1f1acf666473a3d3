/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * terminal.h in a build without curses.
 */
#include "view/terminal.h"

enum status view_terminal_check(struct diagnostic *diagnostic)
{
    return diagnostic_set(diagnostic, STATUS_UNSUPPORTED,
                          "view: this tprof was built without ncurses; tprof report prints tables, "
                          "tprof html writes them as a page");
}

bool view_terminal_has_unicode(void)
{
    return false;
}

enum status view_terminal_run(struct view *view, struct diagnostic *diagnostic)
{
    (void)view;
    return view_terminal_check(diagnostic);
}
