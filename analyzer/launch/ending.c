/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Adds facts to a program's trace that only its parent knows.
 */
#include "launch/ending.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "launch/trace_glob.h"
#include "reader/append.h"
#include "reader/reader.h"

/* Only the parent learns of a signal, so it writes it into the child's trace. */
static bool store_wait_status(const char *path, int status)
{
    struct {
        uint32_t waited;
        int32_t wait_status;
    } waited = {1, status};
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool is_stored;

    _Static_assert(offsetof(struct trace_header, wait_status) ==
                       offsetof(struct trace_header, waited) + sizeof waited.waited,
                   "they stand together");

    if (descriptor < 0)
        return false;
    is_stored = pwrite(descriptor, &waited, sizeof waited,
                       (off_t)offsetof(struct trace_header, waited)) == (ssize_t)sizeof waited;
    close(descriptor);
    return is_stored;
}

void ending_note_before(pid_t child, struct array *before)
{
    struct trace_header header;
    glob_t found;

    array_init(before, sizeof header.start);
    trace_glob(&found, child);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct trace_clock_pair *start =
            reader_peek(found.gl_pathv[i], &header) ? array_add(before) : NULL;

        if (start)
            *start = header.start;
    }
    globfree(&found);
}

static bool was_there(const struct array *before, const struct trace_header *header)
{
    for (size_t i = 0; i < before->count; i++) {
        const struct trace_clock_pair *start = array_at(before, i);

        if (start->ticks == header->start.ticks &&
            start->monotonic_ns == header->start.monotonic_ns)
            return true;
    }
    return false;
}

/* Facts that could not be stored are missing; the report then says that they were not counted. */
static void store_facts(const char *path, const struct text *facts)
{
    struct diagnostic unused;
    enum status status;

    status = append_facts(path, facts->bytes, facts->size, &unused);
    (void)status;
}

static bool is_own(const struct trace_header *header, pid_t child, const struct array *before)
{
    return header->version == TRACE_VERSION && header->pid == (uint32_t)child &&
           !was_there(before, header);
}

/* A trace of the process. */
struct own_trace {
    const char *path; /* from the glob */
    uint64_t realtime_start_ns;
    bool is_over;
    bool is_untold;
};

/* Memory that runs out leaves traces without an ending, as a parent that is killed does. */
static void gather_own(struct array *own, const glob_t *found, pid_t child,
                       const struct array *before)
{
    struct trace_header header;

    array_init(own, sizeof(struct own_trace));
    for (size_t i = 0; i < found->gl_pathc; i++) {
        const char *path = found->gl_pathv[i];
        struct own_trace *trace =
            reader_peek(path, &header) && is_own(&header, child, before) ? array_add(own) : NULL;

        if (trace)
            *trace = (struct own_trace){path, header.realtime_start_ns,
                                        header.ending != TRACE_RUNNING, header.untold != 0};
    }
}

/* Counters are those of the process, and so of all programs that it executed. */
static void append_seen(struct text *facts, const struct ending *ending, size_t programs)
{
    struct counters refused;

    counters_refuse(&refused, "not told apart from the programs before and after an exec");
    counters_append(programs > 1 ? &refused : ending->counters, facts);
    conditions_append(ending->conditions, facts);
}

static bool store_all(const struct array *own, const struct ending *ending,
                      struct ending_trace *trace)
{
    uint64_t newest_ns = 0;
    bool has_trace = false;
    struct text facts;

    text_init(&facts);
    append_seen(&facts, ending, own->count);
    for (size_t i = 0; i < own->count; i++) {
        const struct own_trace *stored = array_at(own, i);

        if (!store_wait_status(stored->path, ending->status))
            continue;
        store_facts(stored->path, &facts);
        if (!has_trace || stored->realtime_start_ns >= newest_ns) {
            newest_ns = stored->realtime_start_ns;
            trace->is_over = stored->is_over;
            trace->is_untold = stored->is_untold;
            snprintf(trace->path, sizeof trace->path, "%s", stored->path);
        }
        has_trace = true;
    }
    text_fini(&facts);
    return has_trace;
}

bool ending_store(pid_t child, const struct ending *ending, struct ending_trace *trace)
{
    struct array own;
    glob_t found;
    bool has_trace;

    trace_glob(&found, child);
    gather_own(&own, &found, child, ending->before);
    has_trace = store_all(&own, ending, trace);
    array_fini(&own);
    globfree(&found);
    return has_trace;
}
