/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The windows of a trace, and the profile of each.
 */
#include "watch/watch_parts.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/pool.h"
#include "base/whole_file.h"
#include "base/written.h"
#include "export/export.h"
#include "export/gzip.h"
#include "export/stacks.h"
#include "model/session_open.h"

/* A last look has the window that goes on, and the one before if its end has just passed.  A trace
 * with more windows than a day has minutes lets others come first. */
enum { WINDOWS_AT_LAST = 2, WINDOWS_AT_ONCE = 24 * 60 };

static const uint64_t second = 1000000000;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Windows start with the clock: at full minutes, if they are a minute long. */
static uint64_t find_start(const struct watch *watch, uint64_t time_ns)
{
    return time_ns - time_ns % watch->request.every_ns;
}

/* "DIR/train.4711.20261126T123000Z.pb.gz" of train.4711.tprof */
static void append_profile(struct text *path, const struct watch *watch,
                           const struct watch_trace *trace, uint64_t start_ns)
{
    const char *name = text_base_name(trace->path);
    size_t size = strlen(name);
    char time[WATCH_TIME_SIZE];

    watch_append_path(path, watch, "");
    text_append_bytes(path, name, text_ends_with(name, size, ".tprof") ? size - 6 : size);
    text_appendf(path, ".%s.pb.gz", watch_format_time(time, start_ns, true));
}

/* ---- earlier watches ------------------------------------------------------------------- */

/* The time of a file is the end of its contents, not of the writing. */
static bool set_time(const char *path, uint64_t time_ns)
{
    const struct timespec times[2] = {
        {.tv_nsec = UTIME_OMIT},
        {.tv_sec = (time_t)(time_ns / second), .tv_nsec = (long)(time_ns % second)}};

    return utimensat(AT_FDCWD, path, times, 0) == 0;
}

/* Returns: the end of a profile; 0: there is none. */
static uint64_t find_time(const struct watch *watch, const struct watch_trace *trace,
                          uint64_t start_ns)
{
    struct text path;
    struct stat facts;
    bool is_there;

    text_init(&path);
    append_profile(&path, watch, trace, start_ns);
    is_there = stat(path.bytes, &facts) == 0;
    text_fini(&path);
    return is_there ? (uint64_t)facts.st_mtim.tv_sec * second + (uint64_t)facts.st_mtim.tv_nsec : 0;
}

/* The next window follows the latest profile.  A profile that ends before its window is of a watch
 * that ended then: it is written again, but its alerts are not. */
void watch_find_told(const struct watch *watch, struct watch_trace *trace, uint64_t until_ns)
{
    uint64_t every_ns = watch->request.every_ns, start_ns = find_start(watch, until_ns);
    uint64_t time_ns = find_time(watch, trace, start_ns), end_ns;

    trace->is_known = true;
    trace->done_ns = trace->told_ns = trace->start_ns;
    while (time_ns == 0 && start_ns > trace->start_ns) {
        start_ns -= every_ns;
        time_ns = find_time(watch, trace, start_ns);
    }
    if (time_ns == 0)
        return;
    end_ns = least(start_ns + every_ns, until_ns);
    trace->told_ns = least(time_ns, end_ns);
    trace->done_ns = time_ns >= end_ns ? end_ns : most(start_ns, trace->start_ns);
}

/* ---- profiles -------------------------------------------------------------------------- */

static void write_profile(const void *of, FILE *out)
{
    struct export_stacks stacks;
    FILE *packed = gzip_open(out);

    export_stacks_make(&stacks, of, EXPORT_BY_LABELS);
    export_pprof(&stacks, export_stacks_choose(&stacks, EXPORT_WEIGHTS), packed);
    fclose(packed);
}

static void put_profile(struct watch_look *look, const struct watch_trace *trace,
                        const struct session *session, uint64_t end_ns)
{
    struct text path, profile;
    struct pool pool;

    pool_enter(&pool);
    text_init(&path);
    text_init(&profile);
    append_profile(&path, look->watch, trace, find_start(look->watch, trace->done_ns));
    written_append(&profile, write_profile, session);
    if (!whole_file_put(path.bytes, &profile) || !set_time(path.bytes, end_ns))
        watch_fail(look, path.bytes);
    pool_leave(&pool);
}

/* Write the window from `done_ns` on.  It has no profile if the recording ends before it, as that
 * of a process that has not recorded since.
 * Returns: false: it must be tried again. */
static bool write_window(struct watch_look *look, struct watch_trace *trace, uint64_t end_ns)
{
    struct session_options options = session_defaults();
    struct diagnostic diagnostic;
    struct session session;
    enum status status;

    options.window = (struct session_window){.is_cut = true,
                                             .from_ns = trace->done_ns - trace->start_ns,
                                             .to_ns = end_ns - trace->start_ns};
    status = session_open(&session, trace->path, &options, &diagnostic);
    if (status && status != STATUS_USAGE)
        watch_complain(look, trace, &diagnostic);
    if (status)
        return status == STATUS_USAGE;
    put_profile(look, trace, &session, end_ns);
    session_close(&session);
    return !look->has_failed;
}

static bool is_stopped(const struct watch_look *look, unsigned written)
{
    unsigned allowed = look->is_last ? WINDOWS_AT_LAST : WINDOWS_AT_ONCE;

    return written >= allowed || (!look->is_last && look->watch->request.is_stopped());
}

bool watch_write_windows(struct watch_look *look, struct watch_trace *trace, uint64_t until_ns,
                         bool is_over)
{
    uint64_t every_ns = look->watch->request.every_ns;

    for (unsigned written = 0; trace->done_ns < until_ns; written++) {
        uint64_t end_ns = find_start(look->watch, trace->done_ns) + every_ns;

        if (end_ns > until_ns && !is_over && !look->is_last)
            return true;
        end_ns = least(end_ns, until_ns);
        if (look->has_failed || is_stopped(look, written) || !write_window(look, trace, end_ns))
            return false;
        trace->done_ns = end_ns;
    }
    return true;
}
