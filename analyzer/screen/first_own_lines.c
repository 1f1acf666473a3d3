/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which lines of a Python program's own files have most of the processor time.
 */
#include "base/text.h"
#include "figures/cpu_time.h"
#include "figures/own_lines.h"
#include "figures/places.h"
#include "screen/first_parts.h"
#include "screen/texts.h"

enum { LINES_SHOWN = 3 };

static const double least_share = 0.02; /* of the processor time, for a line to be named */

/* "train.py:88 softmax 41.0 %" */
static void append_line(struct text *text, const struct own_line *line, double share)
{
    text_append(text, text->size > 0 ? ", " : "");
    place_append_python(text, line->place);
    say(text, first_own_line_text, said_share(share));
}

enum status first_say_own_lines(struct text_list *lines, const struct cpu_time *time)
{
    struct own_lines own;
    enum status status = own_lines_init(&own, time);
    struct text names;

    text_init(&names);
    for (size_t i = 0; i < own.rows.count && i < LINES_SHOWN && !status; i++) {
        const struct own_line *line = array_at(&own.rows, i);
        double share = cpu_time_share(time, line->ns);

        if (!(share >= least_share))
            break;
        append_line(&names, line, share);
        status = text_status(&names);
    }
    if (!status && names.size > 0)
        status = text_list_say(lines, first_own_lines_text, said_words(names.bytes));
    text_fini(&names);
    own_lines_fini(&own);
    return status;
}
