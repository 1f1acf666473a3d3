/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first line: the program, its time, its end, and how busy its processors were.
 */
#include <math.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_unknown.h"
#include "screen/first_parts.h"
#include "screen/report_head.h"
#include "screen/texts.h"

static void append_busy(struct text *line, const struct session_process *process)
{
    double percent = report_cpu_percent(process);

    if (process->cpu_count != SESSION_UNKNOWN && isfinite(percent))
        say(line, first_busy_text, said_share(percent / 100), said_count(process->cpu_count));
}

/* A program that went well is not told so. */
static void append_ending(struct text *line, const struct session_process *process)
{
    say_part(line, first_wall_text, said_time((double)process->wall_ns));
    if (process->ending == SESSION_EXITED && process->exit_status == 0)
        return;
    text_append(line, ", ");
    report_append_ending(line, process);
}

static void append_window(struct text *line, const struct session_window *window)
{
    say_part(line, first_window_text, said_time((double)window->from_ns),
             said_time((double)window->to_ns), said_time((double)window->whole_ns));
}

/* "./model: 2.446 s, exited with status 0. 2 processors, 50 % busy" */
void first_add_head(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct text line, trace;

    document_add_lines(document, NULL);
    text_init(&line);
    text_init(&trace);
    report_append_name(&line, &session->process);
    if (session->window.is_cut)
        append_window(&line, &session->window);
    else
        append_ending(&line, &session->process);
    text_append(&line, ".");
    append_busy(&line, &session->process);
    say(&trace, first_trace_text, said_words(text_base_name(session->path)),
        said_bytes((double)session->file_bytes));
    document_head(document, &line, trace.bytes);
}
