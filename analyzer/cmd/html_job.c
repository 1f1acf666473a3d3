/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of a run, one after the other: for tprof report --job, and for the page.
 */
#include "cmd/html_job.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cut.h"
#include "cmd/destination.h"
#include "cmd/newest.h"
#include "cmd/run_traces.h"
#include "model/session.h"
#include "page/job_page.h"
#include "render/render.h"
#include "runs/job.h"
#include "runs/process_words.h"

struct gathering {
    struct job job;
    struct job_page page;
};

static enum status count_trace(void *of, const char *path, struct diagnostic *diagnostic)
{
    (void)path;
    (void)diagnostic;
    ++*(size_t *)of;
    return STATUS_OK;
}

static enum status count_traces(const struct cmd_options *options, size_t *count,
                                struct diagnostic *diagnostic)
{
    size_t unread;

    *count = 0;
    return run_traces_visit(options, count_trace, count, &unread, diagnostic);
}

bool html_job_is_asked(const struct cmd_options *options)
{
    struct diagnostic diagnostic;
    size_t count;

    if (options->is_job)
        return true;
    return options->trace_count == 1 && newest_is_folder(options->traces[0]) &&
           !count_traces(options, &count, &diagnostic) && count > 1;
}

/* A page shows no folder of a source file, and shows its text only on request. */
static struct session without_folder(const struct session *session)
{
    struct session shown = *session;

    shown.path = text_base_name(session->path);
    shown.sources.is_hidden = true;
    return shown;
}

static void take_process(void *of, const struct session *session)
{
    const struct session shown = without_folder(session);
    struct gathering *gathering = of;
    size_t copies = gathering->job.processes.copies;
    struct text name;

    job_add(&gathering->job, &shown);
    if (gathering->job.processes.copies > copies)
        return;
    text_init(&name);
    process_words_append(&name, &session->process);
    job_page_add(&gathering->page, &shown, name.bytes);
    text_fini(&name);
}

static void take_link(void *of, uint32_t process, const char *function, const char *peers)
{
    job_page_link(of, process, function, peers);
}

static void put_page(struct gathering *gathering, FILE *out)
{
    struct document document;

    job_links_tell(&gathering->job.links, take_link, &gathering->page);
    job_report(&gathering->job, &document);
    job_page_write(&gathering->page, &document, out);
    document_fini(&document);
}

static enum status write_page(struct gathering *gathering, const struct cmd_options *options,
                              const char *path, struct diagnostic *diagnostic)
{
    FILE *out;
    enum status status = destination_open(&out, path, options->may_overwrite, diagnostic);

    if (status)
        return status;
    put_page(gathering, out);
    status = render_finish(out, diagnostic);
    return destination_close(out, status, path, diagnostic);
}

static enum status gather(const struct cmd_options *options, size_t count, const char *path,
                          struct diagnostic *diagnostic)
{
    struct gathering gathering;
    enum status status;

    job_init(&gathering.job);
    job_page_init(&gathering.page, count);
    status = run_traces_read(options, take_process, &gathering,
                             &gathering.job.processes.unread, diagnostic);
    if (!status)
        status = write_page(&gathering, options, path, diagnostic);
    job_page_fini(&gathering.page);
    job_fini(&gathering.job);
    return status;
}

/* "runs/" becomes runs.html in the working directory. */
static void choose_name(char name[PATH_MAX], const struct cmd_options *options)
{
    const char *of = options->trace_count == 1 ? options->traces[0] : "";
    size_t length = strlen(of), start;

    while (length > 0 && of[length - 1] == '/')
        length--;
    for (start = length; start > 0 && of[start - 1] != '/'; start--)
        ;
    if (length == start || of[start] == '.' || length - start > NAME_MAX - sizeof ".html")
        snprintf(name, PATH_MAX, "job.html");
    else
        snprintf(name, PATH_MAX, "%.*s.html", (int)(length - start), of + start);
}

enum status html_job(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    const char *path = options->output;
    char name[PATH_MAX];
    enum status status;
    size_t count;

    choose_name(name, options);
    if (!path)
        path = name;
    status = destination_check(path, options->may_overwrite, diagnostic);
    if (!status)
        status = count_traces(options, &count, diagnostic);
    if (!status)
        status = gather(options, count, path, diagnostic);
    if (!status)
        cut_tell(NULL);
    return status;
}
