/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Lines on standard error, beside a result.
 */
#include <stdio.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "render/display.h"

void cmd_tell(const char *line)
{
    struct text safe;

    text_init(&safe);
    display_append_safe(&safe, line, false);
    fprintf(stderr, "tprof: %s\n", safe.bytes);
    text_fini(&safe);
}

void cmd_leave_out(const struct diagnostic *diagnostic)
{
    struct text line;

    text_init(&line);
    text_appendf(&line, "%s; it is left out", diagnostic->text);
    cmd_tell(line.bytes);
    text_fini(&line);
}
