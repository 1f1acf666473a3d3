/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof report and tprof info: documents of a whole trace.
 */
#include "screen/report.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pool.h"
#include "cmd/cmd.h"
#include "cmd/newest.h"
#include "cmd/run_traces.h"
#include "cmd/steady.h"
#include "findings/fork_copies.h"
#include "model/session.h"
#include "model/session_open.h"
#include "platform/quote.h"
#include "requests/windows.h"
#include "runs/job.h"
#include "runs/starters.h"

/* The function that makes the document. */
struct builder {
    void (*build)(const struct session *session, const struct analysis_options *options,
                  struct document *document);
    bool has_steps; /* the command reports only the steps, if they are known */
    const struct newest_kin *kin; /* if the document tells other processes of the run; or NULL */
};

/* Programs and --full see the whole run.
 * Returns: whether only the steps were read. */
static bool open_steady(struct session *steady, const struct session *session,
                        const struct cmd_options *options)
{
    bool is_for_programs = options->renderer && options->renderer->is_for_programs;

    return !is_for_programs && !options->is_full && steady_open(steady, session, options);
}

static const uint64_t large_heap = 16 << 20;

static bool has_large_heap(const struct newest_kin *kin)
{
    return kin->heap_bytes >= large_heap && kin->heap_bytes / 2 >= kin->own_heap_bytes;
}

/* One of a hundred small processes says little of the run. */
static const uint64_t fewest_parts = 32; /* of their processor time */

static bool has_busy(const struct newest_kin *kin)
{
    return kin->cpu_ns > kin->own_ns && kin->busiest_ns >= kin->cpu_ns / fewest_parts;
}

/* Memory that the children share is no heap of theirs, until they write to it. */
static bool open_copier(struct session *session, const struct newest_kin *found,
                        struct analysis_kin *kin, const struct cmd_options *options)
{
    struct diagnostic unused;

    kin->trace = found->busiest;
    if (found->count == 0 || cmd_open_session(session, kin->trace, options, &unused) != STATUS_OK)
        return false;
    kin->copied_bytes = fork_copies_find(session);
    if (kin->copied_bytes == 0)
        session_close(session);
    return kin->copied_bytes > 0;
}

/* Where the processes that this one began took most of the processor time, or of the memory, a
 * reader wants their story.  Returns: whether `kin` and its session were filled in. */
static bool open_kin(struct session *session, const struct newest_kin *found,
                     struct analysis_kin *kin, const struct cmd_options *options)
{
    struct diagnostic unused;

    *kin = (struct analysis_kin){.session = session,
                                 .count = found->count,
                                 .is_busiest = has_busy(found),
                                 .cpu_ns = (double)found->cpu_ns,
                                 .run_ns = (double)found->cpu_ns + (double)found->own_ns,
                                 .heap_bytes = (double)found->heap_bytes};
    kin->trace = kin->is_busiest ? found->busiest : found->largest;
    if (!kin->is_busiest && !has_large_heap(found))
        return open_copier(session, found, kin, options);
    return cmd_open_session(session, kin->trace, options, &unused) == STATUS_OK;
}

/* Count a process of the run, unless its trace takes long to read. */
static void read_starter(struct starters *starters, const char *trace,
                         const struct cmd_options *options)
{
    static const off_t largest = 16 << 20;
    struct diagnostic unused;
    struct session session;
    struct stat status;

    if (stat(trace, &status) != 0 || status.st_size > largest ||
        cmd_open_session(&session, trace, options, &unused) != STATUS_OK)
        return;
    starters_take_session(starters, &session);
    session_close(&session);
}

/* Say that workers mostly import; eight of them tell it. */
static void say_starters(struct text *advice, const struct analysis_kin *kin,
                         const struct cmd_options *options)
{
    enum { READ = 8 };
    struct starters starters = {.read = 0};
    struct text_list traces;

    if (kin->is_busiest)
        starters_take_session(&starters, kin->session);
    if (!starters_has_any(&starters))
        return;
    text_list_init(&traces);
    newest_list_run_of(*options->traces, &traces);
    for (size_t i = 0; i < text_list_count(&traces) && starters.read < READ; i++)
        if (strcmp(text_list_at(&traces, i), kin->trace) != 0 &&
            strcmp(text_list_at(&traces, i), *options->traces) != 0)
            read_starter(&starters, text_list_at(&traces, i), options);
    text_list_fini(&traces);
    starters_say(advice, &starters);
}

static enum status show_document(const struct session *session, const struct cmd_options *options,
                                 const void *of, struct cmd_outcome *outcome)
{
    const struct builder *builder = of;
    struct analysis_options analysis = options->analysis;
    struct document document;
    struct session steady, other;
    struct analysis_kin kin;
    struct text advice;
    bool has_kin = builder->kin && open_kin(&other, builder->kin, &kin, options);
    bool has_steady = builder->has_steps && open_steady(&steady, session, options);
    enum status status;

    text_init(&advice);
    if (has_kin)
        say_starters(&advice, &kin, options);
    kin.advice = advice.bytes;
    analysis.steady = has_steady ? &steady : NULL;
    analysis.kin = has_kin ? &kin : NULL;
    analysis.kin_count = builder->kin ? builder->kin->count : 0;
    builder->build(session, &analysis, &document);
    if (has_steady)
        session_close(&steady);
    if (has_kin)
        session_close(&other);
    status = cmd_render_document(&document, options, &outcome->diagnostic);
    document_fini(&document);
    text_fini(&advice);
    return status;
}

static void take_process(void *of, const struct session *session)
{
    job_add(of, session);
}

/* Handles --job. */
static enum status report_job(const struct cmd_options *options, struct diagnostic *diagnostic)
{
    struct document document;
    struct job job;
    enum status status;

    job_init(&job);
    status = run_traces_read(options, take_process, &job, &job.processes.unread, diagnostic);
    if (!status) {
        job_report(&job, &document);
        status = cmd_finish_document(&document, options, diagnostic);
    }
    job_fini(&job);
    return status;
}

/* A launcher's trace is nearly empty, but tprof run names it at the end. */
static void tell_busier(const struct newest_kin *kin)
{
    char word[PATH_MAX] = "";
    struct text line;

    if (!kin->busier[0])
        return;
    quote_path(kin->busier, word, sizeof word);
    text_init(&line);
    text_appendf(&line,
                 "another process of this run used more processor time: tprof report %s shows it, "
                 "tprof report --job shows all",
                 word);
    cmd_tell(line.bytes);
    text_fini(&line);
}

/* Commands for programs, and for a folder, show one process or all. */
static void find_kin(struct newest_kin *kin, const struct cmd_options *options)
{
    bool is_for_programs = options->renderer && options->renderer->is_for_programs;

    *kin = (struct newest_kin){.count = 0};
    if (options->trace_count == 1 && !newest_is_folder(*options->traces) && !is_for_programs &&
        !options->is_help)
        newest_find_kin(*options->traces, kin);
}

static const char report_help[] =
    "The whole story of a trace on one screen. --full and --json have all of it.";

/* Handles --every. */
static enum status show_windows(const struct session *session, const struct cmd_options *options,
                                const void *of, struct cmd_outcome *outcome)
{
    static const uint64_t usual_max_ns = 2000000000;
    const struct windows windows = {options->every_ns,
                                    options->max_ns > 0 ? options->max_ns : usual_max_ns};
    struct document document;
    struct pool pool;
    enum status status;

    (void)of;
    pool_enter(&pool);
    windows_build(session, &windows, &document);
    pool_leave(&pool);
    status = cmd_render_document(&document, options, &outcome->diagnostic);
    document_fini(&document);
    return status;
}

enum status cmd_report(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const struct builder full = {report_build_full, false, NULL};
    struct newest_kin kin;
    const struct builder first = {report_build, true, &kin};
    struct cmd_options options;
    enum status status = cmd_parse_many(&options, NULL, argc, argv, &outcome->diagnostic);

    if (!status)
        status = cmd_check_by(&options, argv[0], &outcome->diagnostic);
    if (status)
        return status;
    if (options.is_job && !options.is_help)
        return report_job(&options, &outcome->diagnostic);
    if (options.max_ns > 0 && options.every_ns == 0)
        return diagnostic_set(&outcome->diagnostic, STATUS_USAGE,
                              "report: --max belongs to --every TIME");
    if (options.every_ns > 0 && !options.is_help)
        return cmd_run_reporter(argc, argv, report_help, show_windows, NULL, outcome);
    find_kin(&kin, &options);
    status = cmd_run_reporter(argc, argv, report_help, show_document,
                              options.is_full ? &full : &first, outcome);
    if (!status)
        tell_busier(&kin);
    return status;
}

enum status cmd_info(int argc, char **argv, struct cmd_outcome *outcome)
{
    static const struct builder info = {report_build_info, false, NULL};

    return cmd_run_reporter(argc, argv,
                            "Show the contents of a trace: process, machine, libraries, losses.",
                            show_document, &info, outcome);
}
