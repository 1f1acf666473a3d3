/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of one run, one after the other.
 */
#include "cmd/run_traces.h"

#include "base/text_list.h"
#include "cmd/newest.h"
#include "model/session.h"

/* What is to be done with each trace. */
struct reading {
    const struct cmd_options *options;
    run_traces_taker take;
    void *of;
    size_t read;
    size_t unread;
    struct diagnostic *diagnostic;
};

static enum status take_trace(struct reading *reading, const char *path)
{
    struct session session;
    enum status status = cmd_open_session(&session, path, reading->options, reading->diagnostic);

    if (status)
        return status;
    reading->read++;
    if (reading->take(reading->of, &session))
        status = diagnostic_set_out_of_memory(reading->diagnostic);
    session_close(&session);
    return status;
}

/* Traces that were found, not named: one that cannot be read does not hide the others. */
static enum status take_found(struct reading *reading, const struct text_list *paths)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < text_list_count(paths) && !status; i++) {
        status = take_trace(reading, text_list_at(paths, i));
        if (!status || !cmd_leaves_out(status, reading->diagnostic))
            continue;
        reading->unread++;
        status = STATUS_OK;
    }
    return status;
}

/* Of a folder all; without one the newest trace here and those of its run. */
static enum status take_folder(struct reading *reading, const char *folder)
{
    struct text_list paths;
    enum status status;

    text_list_init(&paths);
    status = folder ? newest_list_all(folder, &paths, reading->diagnostic)
                    : newest_list_run(&paths, reading->diagnostic);
    if (!status)
        status = take_found(reading, &paths);
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

        status =
            newest_is_folder(named) ? take_folder(reading, named) : take_trace(reading, named);
    }
    return status;
}

enum status run_traces_read(const struct cmd_options *options, run_traces_taker take, void *of,
                            size_t *unread, struct diagnostic *diagnostic)
{
    struct reading reading = {options, take, of, 0, 0, diagnostic};
    enum status status = take_all(&reading);

    *unread = reading.unread;
    if (!status && reading.read == 0)
        status = diagnostic_set(diagnostic, STATUS_IO, "no trace there can be read");
    return status;
}
