/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What only the parent of a program knows, put into its trace.
 */
#include "cmd/ending.h"

#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "reader/append.h"
#include "spec/trace.h"

/* Numbers of processes are used again, in containers by each run: a trace that began before
 * is of another one. */
static bool is_of_child(const struct trace_header *header, pid_t child, const struct ending *ending)
{
    return memcmp(header->magic, TRACE_MAGIC, sizeof header->magic) == 0 &&
           header->pid == (uint32_t)child && header->version == TRACE_VERSION &&
           header->realtime_start_ns >= ending->start_ns;
}

/* Only the parent learns of a signal: it writes it into the child's trace. */
static bool store_wait_status(const char *path, pid_t child, const struct ending *ending,
                              struct trace_header *header)
{
    struct {
        uint32_t waited;
        int32_t wait_status;
    } waited = {1, ending->status};
    int descriptor = open(path, O_RDWR | O_CLOEXEC);
    bool is_its_own;

    _Static_assert(offsetof(struct trace_header, wait_status) ==
                       offsetof(struct trace_header, waited) + sizeof waited.waited,
                   "they stand together");

    if (descriptor < 0)
        return false;
    is_its_own = pread(descriptor, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
                 is_of_child(header, child, ending);
    if (is_its_own)
        is_its_own = pwrite(descriptor, &waited, sizeof waited,
                            (off_t)offsetof(struct trace_header, waited)) == (ssize_t)sizeof waited;
    close(descriptor);
    return is_its_own;
}

/* The pattern of TPROF_OUTPUT with everything that varies as a star. */
static void output_pattern(char *pattern, size_t size)
{
    const char *output = getenv("TPROF_OUTPUT");
    size_t used = 0;

    if (!output || !output[0])
        output = "%e.%p.tprof";
    for (; *output && used + 3 < size; output++) {
        if (*output == '%' && output[1] != '\0') {
            pattern[used++] = output[1] == '%' ? '%' : '*';
            output++;
        } else {
            pattern[used++] = *output;
        }
    }
    pattern[used++] = '*';
    pattern[used] = '\0';
}

/* Facts that could not be stored are missing from the report, which says that
 * nobody counted. */
static void store_facts(const char *path, const struct text *facts)
{
    struct diagnostic unused;
    enum status status = text_status(facts);

    if (!status)
        status = append_facts(path, facts->bytes, facts->size, &unused);
    (void)status;
}

bool ending_store(pid_t child, const struct ending *ending, struct ending_trace *trace)
{
    char pattern[PATH_MAX];
    glob_t found = {0};
    struct trace_header header;
    uint64_t newest_ns = 0;
    bool has_trace = false;
    struct text facts;

    text_init(&facts);
    counters_append(ending->counters, &facts);
    conditions_append(ending->conditions, &facts);

    output_pattern(pattern, sizeof pattern);
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            if (!store_wait_status(found.gl_pathv[i], child, ending, &header))
                continue;
            store_facts(found.gl_pathv[i], &facts);
            if (!has_trace || header.realtime_start_ns >= newest_ns) {
                newest_ns = header.realtime_start_ns;
                trace->is_told = header.ending != TRACE_RUNNING;
                snprintf(trace->path, sizeof trace->path, "%s", found.gl_pathv[i]);
            }
            has_trace = true;
        }
    globfree(&found);
    text_fini(&facts);
    return has_trace;
}
