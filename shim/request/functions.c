/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The open call of each thread.  It is in thread-local memory, which a forked child has, too; so
 * the call knows its process.
 */
#include "request/functions.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/own_stack.h"
#include "record/incidents.h"
#include "record/lane.h"
#include "record/live_heap.h"
#include "record/process.h"
#include "request/answers.h"
#include "request/asking.h"
#include "request/endpoint_name.h"
#include "request/endpoints.h"
#include "request/sums.h"
#include "spec/trace.h"

struct open_call {
    uintptr_t frame; /* 0: none */
    uint64_t start;  /* in ticks */
    uint64_t cpu_ns; /* clock of the thread; 0: not asked */
    int64_t live_bytes;
    uint32_t lane;
    uint32_t endpoint;
    int32_t process;
};

bool functions_are_bound;

static _Thread_local struct open_call open_call INITIAL_EXEC;
static atomic_uint calls;

static bool is_on_own_stack(uintptr_t frame)
{
    return own_stack_holds(frame) || own_stack_reaches(frame);
}

/* Stacks grow down: a call whose frame is not above a new one's was jumped over. */
static bool is_open(uintptr_t frame)
{
    if (open_call.frame == 0 || !process || open_call.process != process->pid)
        return false;
    return open_call.frame > frame || (open_call.frame < frame && !is_on_own_stack(frame));
}

bool functions_begins(uintptr_t frame)
{
    return !process_is_sandboxed() && !process_is_borrowed() && !is_open(frame);
}

/* The name is found before the start. */
void functions_begin(uintptr_t frame, const char *function, struct first_bytes argument)
{
    int saved_errno = errno;
    char name[ENDPOINT_NAME_SIZE];
    size_t size = endpoint_name_of_call(function, argument, name);
    const struct lane *lane = lane_ready();
    struct open_call call;

    open_call.frame = 0;
    if (lane) {
        call = (struct open_call){
            .frame = frame,
            .lane = lane->number,
            .process = process->pid,
            .live_bytes = live_heap_of(lane),
            .endpoint = endpoints_find_name(name, size),
        };
        call.cpu_ns = asking_draws(clock_read()) ? calls_clock(CLOCK_THREAD_CPUTIME_ID) : 0;
        call.start = clock_read();
        open_call = call;
    }
    errno = saved_errno;
}

static int64_t find_kept(const struct open_call *call, const struct lane *lane)
{
    int64_t live = live_heap_of(lane);

    return live == INT64_MIN || call->live_bytes == INT64_MIN ? TRACE_REQUEST_KEPT_UNKNOWN
                                                              : live - call->live_bytes;
}

static void tell(const struct open_call *call, const struct lane *lane, uint64_t end)
{
    struct sums_counted counted = {0};
    const struct trace_request request = {
        .start = call->start,
        .ticks = end - call->start,
        .first_ticks = end - call->start,
        .cpu_ns =
            call->cpu_ns != 0 ? calls_clock(CLOCK_THREAD_CPUTIME_ID) - call->cpu_ns : UINT64_MAX,
        .kept_bytes = find_kept(call, lane),
        .arrival_us = UINT32_MAX,
        .proxy_us = UINT32_MAX,
        .endpoint = call->endpoint,
        .connection = atomic_fetch_add_explicit(&calls, 1, memory_order_relaxed) + 1,
        .thread = (uint32_t)lane->thread,
        .queue = UINT16_MAX,
        .flags = TRACE_REQUEST_CALLED,
        .protocol = TRACE_PROTOCOL_OTHER,
    };

    answers_count(&counted, &request, end);
    if (incidents_is_slow_request(request.ticks))
        incidents_note_request(&request);
    answers_write_context(&request);
    answers_write(&request);
}

/* In a forked child, or on another thread, the call is not known. */
void functions_end(uintptr_t frame)
{
    int saved_errno = errno;
    struct open_call call = open_call;
    const struct lane *lane;
    uint64_t end;

    if (call.frame != frame || process_is_sandboxed() || process_is_borrowed())
        return;
    end = clock_read();
    open_call.frame = 0;
    lane = lane_ready();
    if (lane && process->pid == call.process && lane->number == call.lane)
        tell(&call, lane, end);
    errno = saved_errno;
}
