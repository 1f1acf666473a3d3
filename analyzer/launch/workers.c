/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The traces of the processes that a program began, once it has ended.
 */
#include "launch/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch/trace_glob.h"
#include "reader/reader.h"

/* A process that was killed has not stored its end. */
static bool is_over(const struct trace_header *header)
{
    return header->ending != TRACE_RUNNING || (kill((pid_t)header->pid, 0) != 0 && errno == ESRCH);
}

/* Nothing behind the size of the header is part of the trace. */
static void cut_hole(const char *path, const struct trace_header *header)
{
    struct stat status;
    int ignored;

    if (header->packed_size != 0 || header->size == 0 || stat(path, &status) != 0 ||
        (uint64_t)status.st_size <= header->size)
        return;
    ignored = truncate(path, (off_t)header->size);
    (void)ignored;
}

/* Sums over the traces of a run. */
struct missing {
    struct trace_untraced last; /* and the numbers of the first processes */
    unsigned named;
};

static void add(struct missing *missing, const struct trace_untraced *untraced)
{
    if (untraced->count == 0 || untraced->is_said)
        return;
    for (unsigned i = 0; i < TRACE_UNTRACED_NAMED && i < untraced->count; i++)
        if (missing->named < TRACE_UNTRACED_NAMED)
            missing->last.pids[missing->named++] = untraced->pids[i];
    missing->last.count += untraced->count;
    missing->last.error = untraced->error;
    missing->last.user = untraced->user;
}

static void name_processes(struct text *line, const struct missing *missing)
{
    for (unsigned i = 0; i < missing->named; i++)
        text_appendf(line, "%s%u", i > 0 ? ", " : "", missing->last.pids[i]);
    if (missing->named < missing->last.count)
        text_append(line, ", ...");
}

static void tell(struct text *line, const struct missing *missing)
{
    const struct trace_untraced *last = &missing->last;
    const struct passwd *user = getpwuid(last->user);

    text_appendf(line, "%llu process%s left no trace (", (unsigned long long)last->count,
                 last->count > 1 ? "es" : "");
    name_processes(line, missing);
    text_appendf(line, "): user %s could not create one: %s; ", user ? user->pw_name : "",
                 strerror(last->error));
    text_append(line, last->error == ENOENT
                          ? "set --output to a folder that their root has, too"
                          : "set --output to a folder where that user can write, such as "
                            "--output /tmp/%e.%p.tprof");
}

void workers_settle(uint64_t since_ns, struct text *line)
{
    struct missing missing = {0};
    struct trace_header header;
    glob_t found;

    trace_glob(&found, 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];

        if (!reader_peek(path, &header) || header.version != TRACE_VERSION ||
            header.realtime_start_ns < since_ns)
            continue;
        if (is_over(&header))
            cut_hole(path, &header);
        add(&missing, &header.untraced);
    }
    globfree(&found);
    if (missing.last.count > 0)
        tell(line, &missing);
}
