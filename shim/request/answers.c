/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Records and counts of answers.
 */
#include "request/answers.h"

#include <stdbool.h>
#include <stddef.h>

#include "platform/clock.h"
#include "record/extended.h"
#include "record/lane.h"
#include "record/process.h"
#include "record/thread_context.h"

void answers_write(const struct trace_request *request)
{
    enum { WORDS = sizeof *request / sizeof(uint64_t) };
    uint64_t words[WORDS];
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    __builtin_memcpy(words, request, sizeof words);
    lane_keep();
    extended_write(lane, clock_read(), TRACE_EXTENDED_REQUEST, words, WORDS);
    lane_leave(lane);
}

void answers_write_context(const struct trace_request *request)
{
    enum { CONTEXT_WORDS = 5, CALLED_SHIFT = 32 };
    uint64_t words[CONTEXT_WORDS];
    struct thread_context context;
    struct lane *lane;

    if (!thread_context_is_published || !thread_context_read(&context))
        return;
    words[0] = request->connection | (uint64_t)((request->flags & TRACE_REQUEST_CALLED) != 0)
                                         << CALLED_SHIFT;
    words[1] = request->start;
    __builtin_memcpy(&words[2], &context, sizeof context);
    lane = lane_enter();
    if (!lane)
        return;
    extended_write(lane, clock_read(), TRACE_EXTENDED_REQUEST_CONTEXT, words, CONTEXT_WORDS);
    lane_leave(lane);
}

_Static_assert(sizeof(struct thread_context) == 3 * sizeof(uint64_t), "a context is three words");

/* A process that answers is worth a file. */
static bool keep_trace(void)
{
    struct lane *lane = process_is_recording() && process->file.is_kept ? NULL : lane_enter();

    if (lane) {
        lane_keep();
        lane_leave(lane);
    }
    return process_is_recording() && process->file.is_kept;
}

void answers_count(struct sums_counted *counted, const struct trace_request *request, uint64_t end)
{
    if (!counted->sums && keep_trace())
        *counted = (struct sums_counted){
            .sums = sums_find(request->endpoint, request->port, end),
            .ticks = UINT64_MAX,
        };
    sums_count(counted, request);
}
