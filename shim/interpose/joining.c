/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calls that join or detach a thread, exported, and the records of such threads.  A record is
 * written after the call: one that failed changes nothing.
 *
 * Budget: one record of some words, beside a call that waits for a thread or makes one.
 */
#include "interpose/joining.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>

#include "platform/aside.h"
#include "platform/attributes.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/next.h"
#include "platform/small_file.h"
#include "record/extended.h"
#include "record/facts.h"
#include "record/lane.h"
#include "spec/decimal.h"

enum { THREAD_WORDS = 3, JOINED_WORDS = 1 };

static atomic_int created_less_joined;
static uint64_t threads_at_end; /* 0: not read */

REALIGNED bool joining_is_possible(const pthread_attr_t *attributes)
{
    int state;

    return !attributes || !next.pthread_attr_getdetachstate ||
           next.pthread_attr_getdetachstate(attributes, &state) != 0 ||
           state != PTHREAD_CREATE_DETACHED;
}

void joining_write_created(struct lane *lane, uint64_t thread, size_t stack_size, uint64_t chain)
{
    const uint64_t words[THREAD_WORDS] = {thread, stack_size, chain};

    extended_write(lane, clock_read(), TRACE_EXTENDED_THREAD, words, THREAD_WORDS);
    atomic_fetch_add(&created_less_joined, 1);
}

static REALIGNED void note_joined(uint64_t thread)
{
    int saved_errno = errno;
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    extended_write(lane, clock_read(), TRACE_EXTENDED_JOINED, &thread, JOINED_WORDS);
    lane_leave(lane);
    atomic_fetch_sub(&created_less_joined, 1);
    errno = saved_errno;
}

/* ---- the functions -------------------------------------------------------------------- */

#define JOIN(name, parameters, arguments)                                                          \
    EXPORT int name parameters                                                                     \
    {                                                                                              \
        int error = next.name arguments;                                                           \
                                                                                                   \
        if (error == 0)                                                                            \
            note_joined((uint64_t)thread);                                                         \
        return error;                                                                              \
    }

JOIN(pthread_join, (pthread_t thread, void **result), (thread, result))
JOIN(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOIN(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
     (thread, result, until))
JOIN(pthread_clockjoin_np,
     (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
     (thread, result, clock, until))
JOIN(pthread_detach, (pthread_t thread), (thread))

_Static_assert(thrd_success == 0, "thrd_join returns 0 where pthread_join does");

JOIN(thrd_join, (thrd_t thread, int *result), (thread, result))
JOIN(thrd_detach, (thrd_t thread), (thread))

/* ---- the end -------------------------------------------------------------------------- */

/* "PID (NAME) STATE ...": the number of threads is the 18th field after the name, which may have
 * any characters.  The thread that reads it may be an own one, which does not count.
 * `of`: the thread that waits for it. */
static void read_threads(void *of)
{
    enum { FIELDS_BEFORE = 18 };
    const long *waiting = of;
    char text[512];
    const char *field;

    if (small_file_read("/proc/self/stat", text, sizeof text) <= 0)
        return;
    field = strrchr(text, ')');
    for (unsigned i = 0; i < FIELDS_BEFORE && field; i++)
        field = strchr(field + 1, ' ');
    threads_at_end = decimal_at(field ? field + 1 : NULL, 0);
    if (threads_at_end > 1 && calls_system(SYS_gettid) != *waiting)
        threads_at_end--;
}

/* Of the threads that nobody joined, some may still run. */
void joining_end(void)
{
    long self = calls_system(SYS_gettid);

    if (atomic_load(&created_less_joined) > 0)
        aside_run(read_threads, &self);
}

bool joining_write_facts(unsigned *written)
{
    if (*written == 0 && threads_at_end > 0)
        *written = facts_write_number("threads_at_end", threads_at_end);
    return *written == (threads_at_end > 0);
}
