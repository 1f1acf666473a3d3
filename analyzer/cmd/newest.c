/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The newest trace here.  Of a name with .tprof in it the first bytes decide: a report
 * beside its trace is newer than that.  A launcher such as mpirun or timeout ends last,
 * and its trace has nothing in it; the traces of what it started are its relatives by
 * the numbers of the processes.
 */
#include "cmd/newest.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "spec/trace.h"

enum { NAMED = 3 }; /* relatives; of more their number is told */

struct candidate {
    const char *path; /* in the glob */
    struct timespec changed;
    uint32_t pid;
    uint32_t parent_pid;
    uint64_t start_ns;
    bool is_related;
};

/* Returns: whether a file is a trace. */
static bool read_candidate(struct candidate *candidate, const char *path)
{
    struct trace_header header;
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool is_trace;

    if (descriptor < 0)
        return false;
    is_trace = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
               pread(descriptor, &header, sizeof header, 0) == (ssize_t)sizeof header &&
               memcmp(header.magic, TRACE_MAGIC, sizeof header.magic) == 0;
    close(descriptor);
    if (is_trace)
        *candidate = (struct candidate){.path = path,
                                        .changed = status.st_mtim,
                                        .pid = header.pid,
                                        .parent_pid = header.parent_pid,
                                        .start_ns = header.realtime_start_ns};
    return is_trace;
}

static enum status gather(struct array *candidates, const glob_t *found)
{
    for (size_t i = 0; i < found->gl_pathc; i++) {
        struct candidate candidate, *added;

        if (!read_candidate(&candidate, found->gl_pathv[i]))
            continue;
        added = array_add(candidates);
        if (!added)
            return STATUS_OUT_OF_MEMORY;
        *added = candidate;
    }
    return STATUS_OK;
}

static bool is_newer(const struct candidate *a, const struct candidate *b)
{
    return a->changed.tv_sec != b->changed.tv_sec ? a->changed.tv_sec > b->changed.tv_sec
                                                  : a->changed.tv_nsec > b->changed.tv_nsec;
}

static struct candidate *choose(const struct array *candidates)
{
    struct candidate *newest = NULL;

    for (size_t i = 0; i < candidates->count; i++) {
        struct candidate *candidate = array_at(candidates, i);

        if (!newest || !is_newer(newest, candidate))
            newest = candidate;
    }
    return newest;
}

/* Numbers are used again, so a child must have started later. */
static bool is_child(const struct candidate *child, const struct candidate *parent)
{
    return child->parent_pid == parent->pid && child->start_ns >= parent->start_ns;
}

/* Before and after an exec; at the same time it is a copy. */
static bool is_sequel(const struct candidate *a, const struct candidate *b)
{
    return a->pid == b->pid && a->parent_pid == b->parent_pid && a->start_ns != b->start_ns;
}

static bool is_relative_of_any(const struct candidate *candidate, const struct array *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *other = array_at(candidates, i);

        if (other->is_related && (is_child(candidate, other) || is_child(other, candidate) ||
                                  is_sequel(candidate, other)))
            return true;
    }
    return false;
}

/* Each round adds those one step further away. */
static void relate(const struct array *candidates, struct candidate *newest)
{
    bool has_grown = true;

    newest->is_related = true;
    while (has_grown) {
        has_grown = false;
        for (size_t i = 0; i < candidates->count; i++) {
            struct candidate *candidate = array_at(candidates, i);

            if (candidate->is_related || !is_relative_of_any(candidate, candidates))
                continue;
            candidate->is_related = has_grown = true;
        }
    }
}

static void append_relatives(struct text *names, const struct array *candidates,
                             const struct candidate *newest)
{
    size_t count = 0;

    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *candidate = array_at(candidates, i);

        if (!candidate->is_related || candidate == newest)
            continue;
        if (count++ < NAMED)
            text_appendf(names, "%s%s", count > 1 ? ", " : "", candidate->path);
    }
    if (count > NAMED)
        text_appendf(names, " and %zu more", count - NAMED);
}

static enum status take(char *path, size_t size, struct text *relatives,
                        const struct array *candidates, struct diagnostic *diagnostic)
{
    struct candidate *newest = choose(candidates);

    if (!newest || snprintf(path, size, "%s", newest->path) >= (int)size)
        return diagnostic_set(diagnostic, STATUS_IO,
                              "there is no *.tprof file here that is a trace; make one with: tprof "
                              "run -- COMMAND");
    relate(candidates, newest);
    append_relatives(relatives, candidates, newest);
    return text_status(relatives) ? diagnostic_set_out_of_memory(diagnostic) : STATUS_OK;
}

enum status newest_find(char *path, size_t size, struct text *relatives,
                        struct diagnostic *diagnostic)
{
    struct array candidates;
    glob_t found = {0};
    enum status status = STATUS_OK;

    array_init(&candidates, sizeof(struct candidate));
    if (glob("*.tprof*", 0, NULL, &found) == 0)
        status = gather(&candidates, &found);
    status = status ? diagnostic_set_out_of_memory(diagnostic)
                    : take(path, size, relatives, &candidates, diagnostic);
    array_fini(&candidates);
    globfree(&found);
    return status;
}
