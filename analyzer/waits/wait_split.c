/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The uses of a thread's wall time.
 *
 * The thread's own clock and the kernel's count of its delays are exact, so the rest of its
 * lifetime is waiting.  A waiting call includes the delay until the thread gets a processor again,
 * so the time in hooked calls is limited to the whole.
 */
#include "waits/wait_split.h"

#include <math.h>

#include "model/session.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/concurrency.h"

static double known(uint64_t ns)
{
    return ns == SESSION_UNKNOWN ? (double)NAN : (double)ns;
}

static double sum_hooked(const struct session *session, uint32_t thread)
{
    double sum = 0;

    for (size_t i = 0; i < session->waits.count; i++)
        if (session_wait_at(session, i)->thread == thread)
            sum += (double)session_wait_at(session, i)->waiting_ns;
    return sum;
}

struct wait_split wait_split_of(const struct session *session, uint32_t thread)
{
    const struct session_thread *of = session_thread_at(session, thread);
    struct wait_split split = {.wall_ns = concurrency_lived_ns(of), .cpu_ns = known(of->cpu_ns)};
    double hooked_ns = sum_hooked(session, thread);

    split.has_delay = of->delay_ns != SESSION_UNKNOWN;
    split.delay_ns = split.has_delay ? (double)of->delay_ns : 0;
    if (split.delay_ns > split.wall_ns - split.cpu_ns) /* includes the time before its first
                                                          record */
        split.delay_ns = fmax(0, split.wall_ns - split.cpu_ns);
    split.waiting_ns = fmax(0, split.wall_ns - split.cpu_ns - split.delay_ns);
    if (isnan(split.cpu_ns))
        split.waiting_ns = (double)NAN;
    split.hooked_ns = isnan(split.waiting_ns) ? hooked_ns : fmin(hooked_ns, split.waiting_ns);
    split.unhooked_ns = split.waiting_ns - split.hooked_ns;
    return split;
}

uint32_t wait_main_thread(const struct session *session)
{
    for (uint32_t i = 0; i < session->threads.count; i++)
        if (session_thread_at(session, i)->id == session->process.pid)
            return i;
    return 0;
}

/* A worker waits on its library's futexes, which no hook sees, or on condition variables, and calls
 * nothing else. */
bool wait_is_idle_worker(const struct session *session, uint32_t thread)
{
    struct wait_split split = wait_split_of(session, thread);
    double idle_ns = 0;

    if (thread == wait_main_thread(session) || !(split.waiting_ns > split.wall_ns / 2))
        return false;
    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->thread == thread && wait->class == TRACE_WAIT_CLASS_IDLE)
            idle_ns += (double)wait->waiting_ns;
    }
    return split.unhooked_ns + idle_ns > 0.9 * split.waiting_ns;
}
