/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first lines of a report: the program, its end, and the machine.
 */
#include "screen/report_head.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/utf8.h"
#include "document/document.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "screen/texts.h"

/* If the status is unknown, another row says so. */
static void append_status(struct text *line, const struct session_process *process,
                          struct said known, struct said unknown)
{
    char status[16];

    snprintf(status, sizeof status, "%d", process->exit_status);
    if (process->exit_status == SESSION_NO_STATUS)
        say(line, unknown);
    else
        say(line, known, said_words(status));
}

void report_append_ending(struct text *line, const struct session_process *process)
{
    if (process->imported) {
        say(line, report_title_imported_text, said_words(process->imported));
        return;
    }
    switch (process->ending) {
    case SESSION_EXITED:
        append_status(line, process, report_title_exited_text, report_title_exited_unknown_text);
        return;
    case SESSION_QUIT:
        append_status(line, process, report_title_quit_text, report_title_quit_unknown_text);
        return;
    case SESSION_SIGNALLED:
        say(line, report_title_killed_text, said_count((uint64_t)process->signal));
        return;
    case SESSION_EXECUTED: say(line, report_title_executed_text); return;
    case SESSION_SANDBOXED: say(line, report_title_sandboxed_text); return;
    case SESSION_YIELDED: say(line, report_title_yielded_text); return;
    case SESSION_UNSEEN: say(line, report_title_unseen_text); return;
    }
}

/* Returns: `word` without the folders of a path.  A title that a program gave itself, such as
 * "nginx: master process nginx -c /etc/nginx.conf", is a path only up to its colon. */
static const char *skip_folders(const char *word)
{
    const char *end = strstr(word, ": "), *name = word;

    for (const char *byte = word; *byte && byte != end; byte++)
        if (*byte == '/')
            name = byte + 1;
    return name;
}

/* A title that is shorter than the arguments were has empty ones after it. */
static size_t count_words(const struct text_list *command)
{
    size_t count = text_list_count(command);

    while (count > 1 && text_list_at(command, count - 1)[0] == '\0')
        count--;
    return count;
}

void report_append_name(struct text *line, const struct session_process *process)
{
    enum { COMMAND_WIDTH = 60 };
    size_t start = line->size, count = process->is_named ? 0 : count_words(&process->command);

    for (size_t i = 0; i < count; i++) {
        const char *word = text_list_at(&process->command, i);

        word = i ? word : skip_folders(word);
        text_append(line, i ? " " : "");
        text_append_bytes(line, word, utf8_cut(word, COMMAND_WIDTH));
        if (line->size - start > COMMAND_WIDTH) {
            text_append(line, " ...");
            return;
        }
    }
    if (line->size == start)
        text_append(line, process->name ? process->name : "(unnamed)");
}

static void append_window(struct text *line, const struct session_window *window, const char *when)
{
    say(line, report_title_window_text, said_time((double)window->from_ns),
        said_time((double)window->to_ns), said_time((double)window->whole_ns), said_words(when));
}

/* "transformer, pid 123, exited with status 0 after 2.41 s on 2026-11-20 13:45" */
static void append_title(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;
    time_t seconds = (time_t)(process->realtime_start_ns / 1000000000u);
    char when[64] = "";
    struct tm local;

    if (localtime_r(&seconds, &local))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &local);
    report_append_name(line, process);
    text_appendf(line, ", pid %u,", process->pid);
    if (session->window.is_cut) {
        append_window(line, &session->window, when);
        return;
    }
    report_append_ending(line, process);
    if (process->imported && process->realtime_start_ns == 0)
        return;
    say_part(line, report_title_when_text, said_time((double)process->wall_ns), said_words(when));
}

static void append_machine(struct text *line, const struct session *session)
{
    const struct session_process *process = &session->process;

    say(line, report_host_text, said_words(process->host ? process->host : "an unknown host"));
    if (process->cpu)
        text_appendf(line, ", %s", process->cpu);
    if (process->cpu_count != SESSION_UNKNOWN)
        say_part(line, report_processors_text, said_count(process->cpu_count));
    for (size_t i = 0; i < text_list_count(&process->environment); i++)
        if (strstr(text_list_at(&process->environment, i), "_NUM_THREADS="))
            text_appendf(line, ", %s", text_list_at(&process->environment, i));
}

void report_add_head(struct document *document, const struct session *session)
{
    struct text line;
    struct text_list *lines;

    text_init(&line);
    append_title(&line, session);
    lines = document_add_lines(document, "Run");
    text_list_take(lines, &line);
    append_machine(&line, session);
    text_list_take(lines, &line);
}
