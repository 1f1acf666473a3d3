/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of one run, read in turn.
 */
#include "cmd/run_traces.h"

#include <string.h>

#include "base/text_list.h"
#include "cmd/newest.h"
#include "model/session.h"
#include "model/session_open.h"

/* The work for each trace. */
struct reading {
    const struct cmd_options *options;
    run_traces_visitor visit;
    void *of;
    bool finds_run; /* with one named trace, the others of its run are meant, too */
    size_t read;
    size_t unread;
    struct diagnostic *diagnostic;
};

static enum status take_trace(struct reading *reading, const char *path)
{
    enum status status = reading->visit(reading->of, path, reading->diagnostic);

    reading->read += !status;
    return status;
}

/* Traces that were found, not named: one that cannot be read does not hide the others. */
static void take_or_leave_out(struct reading *reading, const char *path)
{
    if (take_trace(reading, path) == STATUS_OK)
        return;
    cmd_leave_out(reading->diagnostic);
    reading->unread++;
}

static void take_found(struct reading *reading, const struct text_list *paths)
{
    for (size_t i = 0; i < text_list_count(paths); i++)
        take_or_leave_out(reading, text_list_at(paths, i));
}

/* The trace that the user named must be read. */
static enum status take_named(struct reading *reading, const char *path)
{
    struct text_list paths;
    enum status status;

    if (!reading->finds_run)
        return take_trace(reading, path);
    text_list_init(&paths);
    newest_list_run_of(path, &paths);
    status = take_trace(reading, path);
    for (size_t i = 0; i < text_list_count(&paths) && !status; i++)
        if (strcmp(text_list_at(&paths, i), path) != 0)
            take_or_leave_out(reading, text_list_at(&paths, i));
    text_list_fini(&paths);
    return status;
}

/* All traces of a folder; without one, the newest trace here and those of its run. */
static enum status take_folder(struct reading *reading, const char *folder)
{
    struct text_list paths;
    enum status status;

    text_list_init(&paths);
    status = folder ? newest_list_all(folder, &paths, reading->diagnostic)
                    : newest_list_run(&paths, reading->diagnostic);
    if (!status)
        take_found(reading, &paths);
    text_list_fini(&paths);
    return status;
}

static enum status take_all(struct reading *reading)
{
    const struct cmd_options *options = reading->options;
    enum status status = STATUS_OK;

    if (options->trace_count == 0)
        return take_folder(reading, NULL);
    for (size_t i = 0; i < options->trace_count && !status; i++) {
        const char *named = options->traces[i];

        status = newest_is_folder(named) ? take_folder(reading, named) : take_named(reading, named);
    }
    return status;
}

enum status run_traces_visit(const struct cmd_options *options, run_traces_visitor visit, void *of,
                             size_t *unread, struct diagnostic *diagnostic)
{
    struct reading reading = {.options = options,
                              .visit = visit,
                              .of = of,
                              .finds_run = options->is_job && options->trace_count == 1,
                              .diagnostic = diagnostic};
    enum status status = take_all(&reading);

    *unread = reading.unread;
    if (!status && reading.read == 0)
        status = diagnostic_set(diagnostic, STATUS_IO, "no trace there can be read");
    return status;
}

/* The work for the session of a trace. */
struct opening {
    const struct cmd_options *options;
    run_traces_taker take;
    void *of;
};

static enum status open_trace(void *of, const char *path, struct diagnostic *diagnostic)
{
    const struct opening *opening = of;
    struct session session;
    enum status status = cmd_open_session(&session, path, opening->options, diagnostic);

    if (status)
        return status;
    opening->take(opening->of, &session);
    session_close(&session);
    return status;
}

enum status run_traces_read(const struct cmd_options *options, run_traces_taker take, void *of,
                            size_t *unread, struct diagnostic *diagnostic)
{
    struct opening opening = {options, take, of};

    return run_traces_visit(options, open_trace, &opening, unread, diagnostic);
}
