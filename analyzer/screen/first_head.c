/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first line: the program, its time, its end, and how busy its processors were.
 */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "model/session.h"
#include "model/session_losses.h"
#include "model/session_opened.h"
#include "model/session_threads.h"
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

/* " in qsort since 1.20 s", from the outside inwards for a kernel that waits. */
static void append_part(struct text *line, const char *words, uint64_t since_ns)
{
    if (!words)
        return;
    say(line, first_opened_in_text, said_words(words));
    if (since_ns != SESSION_UNKNOWN)
        say(line, first_opened_since_text, said_time((double)since_ns));
}

/* A thread that was outside of all known calls and regions has no line. */
static void append_opened(struct text *line, const struct session *session,
                          const struct session_opened *opened)
{
    char thread[16];

    snprintf(thread, sizeof thread, "%u",
             ((const struct session_thread *)array_at(&session->threads, opened->thread))->id);
    if (!opened->call && !opened->wait && !opened->region)
        return;
    say(line, first_opened_text, said_words(thread));
    append_part(line, opened->call, opened->call_since_ns);
    append_part(line, opened->wait, opened->wait_since_ns);
    append_part(line, opened->region, opened->region_since_ns);
    text_append(line, ".");
}

/* What a program that was killed was in. */
static void add_opened(struct text_list *lines, const struct session *session)
{
    enum { SHOWN = 4 };
    const struct session_opened *opened = session->opened.items;
    size_t shown = 0;

    for (size_t i = 0; i < session->opened.count && shown < SHOWN; i++) {
        struct text line;

        text_init(&line);
        append_opened(&line, session, &opened[i]);
        shown += line.size > 0;
        text_list_take(lines, &line);
    }
}

/* "./model: 2.446 s, exited with status 0. 2 processors, 50 % busy" */
void first_add_head(struct document *document, const struct report_sums *sums)
{
    const struct session *session = sums->session;
    struct text_list *lines;
    struct text line, trace;

    lines = document_add_lines(document, NULL);
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
    if (!session->window.is_cut)
        add_opened(lines, session);
}
