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
#include <stdlib.h>

#include "base/memory.h"
#include "model/session.h"
#include "model/session_memo.h"
#include "model/session_process.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/concurrency.h"

static double known(uint64_t ns)
{
    return ns == SESSION_UNKNOWN ? (double)NAN : (double)ns;
}

/* The hooked waiting of a thread. */
struct hooked {
    double ns;
    double idle_ns; /* the part of it without work */
};

static void add_wait(struct hooked *hooked, const struct session_wait *wait)
{
    hooked->ns += (double)wait->waiting_ns;
    if (wait->class == TRACE_WAIT_CLASS_IDLE)
        hooked->idle_ns += (double)wait->waiting_ns;
}

static struct hooked sum_up(const struct session *session, uint32_t thread)
{
    struct hooked hooked = {0, 0};

    for (size_t i = 0; i < session->waits.count; i++)
        if (session_wait_at(session, i)->thread == thread)
            add_wait(&hooked, session_wait_at(session, i));
    return hooked;
}

/* A program may have ten thousand threads, and as many waits. */
static struct hooked find_hooked(const struct session *session, uint32_t thread)
{
    struct session_memo_item *item = session_memo_item(session, SESSION_MEMO_WAITS);
    struct hooked *all = item ? item->of : NULL;

    if (!item)
        return sum_up(session, thread);
    if (!all) {
        all = memory_get_zeros(session->threads.count + 1, sizeof *all);
        for (size_t i = 0; i < session->waits.count; i++) {
            const struct session_wait *wait = session_wait_at(session, i);

            if (wait->thread < session->threads.count)
                add_wait(&all[wait->thread], wait);
        }
        *item = (struct session_memo_item){all, free};
    }
    return all[thread];
}

struct wait_split wait_split_of(const struct session *session, uint32_t thread)
{
    const struct session_thread *of = session_thread_at(session, thread);
    struct wait_split split = {.wall_ns = concurrency_lived_ns(of), .cpu_ns = known(of->cpu_ns)};
    double hooked_ns = find_hooked(session, thread).ns;

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

    if (thread == wait_main_thread(session) || !(split.waiting_ns > split.wall_ns / 2))
        return false;
    return split.unhooked_ns + find_hooked(session, thread).idle_ns > 0.9 * split.waiting_ns;
}
