/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line on the terminal, written over and over.
 */
#include "launch/status_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "launch/stop.h"
#include "render/display.h"
#include "render/terminal.h"

bool status_line_is_possible(void)
{
    const char *terminal = getenv("TERM");

    return isatty(STDERR_FILENO) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Cuts the end of a long line.  A line that fills the last column might wrap, and the wrapped part
 * could not be erased. */
void status_line_show(const struct text *line)
{
    struct text safe, fitting;

    if (!status_line_is_possible())
        return;
    stop_erases(true);
    text_init(&safe);
    text_init(&fitting);
    display_append_safe(&safe, line->bytes, false);
    display_append_shortened(&fitting, safe.bytes, terminal_width(stderr) - 1, false);
    fprintf(stderr, STOP_ERASE_LINE "%s", fitting.bytes);
    text_fini(&safe);
    text_fini(&fitting);
}

void status_line_erase(void)
{
    if (status_line_is_possible())
        fputs(STOP_ERASE_LINE, stderr);
    stop_erases(false);
}
