/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lines about traces that were cut off.  The lines are kept from the opening of the trace to
 * the page, which another function makes.
 */
#include "cmd/cut.h"

#include "base/text_list.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "model/session_losses.h"
#include "model/session_unknown.h"
#include "render/display.h"

static struct text_list lines;
static bool is_noted, is_told;

bool cut_is_noted(void)
{
    return is_noted;
}

static void append_line(struct text *line, const char *path, const struct session_cut *cut)
{
    char bytes[UNITS_SIZE], whole[UNITS_SIZE], until[UNITS_SIZE];

    text_appendf(line, "cut: %s of %s bytes of %s are there",
                 units_format_count(bytes, (int64_t)cut->bytes),
                 units_format_count(whole, (int64_t)cut->whole_bytes), text_base_name(path));
    if (cut->until_ns != SESSION_UNKNOWN)
        text_appendf(line, ", with records until %s after the start",
                     units_format_time(until, (double)cut->until_ns));
    text_append(line, "; what the rest told is missing, and a name in it reads " SESSION_NAME_LOST);
}

void cut_note(const char *path, const struct session_cut *cut)
{
    struct text line;

    if (!cut->is_cut)
        return;
    if (!is_noted)
        text_list_init(&lines);
    is_noted = true;
    text_init(&line);
    append_line(&line, path, cut);
    text_list_take(&lines, &line);
}

static void print_line(FILE *out, const char *line)
{
    const struct display_margins margins = {.indent = 2, .width = terminal_width(out)};
    struct text safe, page;

    text_init(&safe);
    text_init(&page);
    display_append_safe(&safe, line, false);
    display_append_wrapped(&page, safe.bytes, margins);
    fputs(page.bytes, out);
    text_fini(&safe);
    text_fini(&page);
}

void cut_tell(FILE *page)
{
    if (!is_noted || is_told)
        return;
    is_told = true;
    for (size_t i = 0; i < text_list_count(&lines); i++)
        if (page)
            print_line(page, text_list_at(&lines, i));
        else
            cmd_tell(text_list_at(&lines, i));
}
