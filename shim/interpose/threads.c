/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pthread_create and thrd_create, exported.  Before a second thread runs, the trace becomes a file.
 * A thread that can be joined has a record.  The new thread learns here where its own stack is;
 * any other way takes a lock.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <threads.h>

#include "chain/callchain.h"
#include "interpose/joining.h"
#include "platform/aside.h"
#include "platform/next.h"
#include "platform/own_stack.h"
#include "record/lane.h"
#include "record/lanes.h"
#include "sampler/cpu_timers.h"

enum { PENDING_MAX = 256 };

/* The function of a thread that was created and has not begun.  Its creator needs the place until
 * its call returns. */
struct pending {
    atomic_bool is_taken;
    atomic_uint users;          /* the creator, and the thread */
    _Atomic uintptr_t identity; /* the thread's pthread_t, once it has begun; before 0 */
    void *(*routine)(void *);
    thrd_start_t plain_routine; /* routine of thrd_create */
    void *argument;
    size_t stack_size;
};

/* A forked child may inherit entries that no thread frees. */
static struct pending pending[PENDING_MAX];

static struct pending *take_pending(void)
{
    static atomic_uint next_place;
    unsigned start = atomic_fetch_add(&next_place, 1);

    for (unsigned i = 0; i < PENDING_MAX; i++) {
        struct pending *place = &pending[(start + i) % PENDING_MAX];

        if (!atomic_exchange(&place->is_taken, true))
            return place;
    }
    return NULL;
}

static void prepare(struct pending *place, void *argument, size_t stack_size)
{
    place->argument = argument;
    place->stack_size = stack_size;
    atomic_store(&place->users, 2);
    atomic_store(&place->identity, 0);
}

static void leave_pending(struct pending *place)
{
    if (atomic_fetch_sub(&place->users, 1) == 1)
        atomic_store(&place->is_taken, false);
}

/* For NULL the present default of glibc.  Returns: 0 when it is unknown. */
static REALIGNED size_t size_of_stack(const pthread_attr_t *attributes)
{
    pthread_attr_t standard;
    size_t size = 0;

    if (!next.pthread_attr_getstacksize)
        return 0;
    if (attributes)
        return next.pthread_attr_getstacksize(attributes, &size) == 0 ? size : 0;
    if (pthread_attr_init(&standard) != 0)
        return 0;
    if (next.pthread_attr_getstacksize(&standard, &size) != 0)
        size = 0;
    pthread_attr_destroy(&standard);
    return size;
}

/* The upper half of the stack is certain: guard pages are in the lower half, and libc's own data is
 * there or at the very top.  This page is in use already. */
static void learn_stack(const struct pending *place)
{
    enum { PAGE = 4096 };
    uintptr_t high = (uintptr_t)pthread_self();
    uintptr_t here = STACK_POINTER();

    if (here < high && high - here < place->stack_size)
        own_stack_set(here & ~(uintptr_t)(PAGE - 1), high, here - place->stack_size / 2);
}

/* The first functions of threads: they leave no frame, because they end in a jump to the program's
 * own (-O2). */
static void *begin_thread(void *of)
{
    struct pending *place = of;
    void *(*routine)(void *) = place->routine;
    void *argument = place->argument;

    learn_stack(place);
    atomic_store(&place->identity, (uintptr_t)pthread_self());
    leave_pending(place);
    cpu_timers_begin_thread();
    return routine(argument);
}

static int begin_plain_thread(void *of)
{
    struct pending *place = of;
    thrd_start_t routine = place->plain_routine;
    void *argument = place->argument;

    learn_stack(place);
    atomic_store(&place->identity, (uintptr_t)pthread_self());
    leave_pending(place);
    cpu_timers_begin_thread();
    return routine(argument);
}

/* The image in memory becomes the file while this is the only thread: no
 * record of another can fall between the two. */
static REALIGNED void note_second_thread(void)
{
    struct lane *lane;

    aside_note_thread();
    lanes_watch_threads();
    lane = lane_enter();
    if (!lane)
        return;
    lane_leave(lane);
    lane_keep();
}

static REALIGNED void record_creation(uint64_t thread, const pthread_attr_t *attributes,
                                      size_t stack_size, const struct unwind_state *caller)
{
    int saved_errno = errno;
    struct lane *lane = joining_is_possible(attributes) ? lane_enter() : NULL;

    if (!lane)
        return;
    joining_write_created(lane, thread, stack_size,
                          lane->chain ? callchain_take(lane, *caller) : 0);
    lane_leave(lane);
    errno = saved_errno;
}

/* Where the thread has begun, the program may have freed the variable with its pthread_t.
 * `stored`: that variable. */
static void end_creation(struct pending *place, const uintptr_t *stored,
                         const pthread_attr_t *attributes, const struct unwind_state *caller)
{
    uintptr_t identity = atomic_load(&place->identity);
    size_t stack_size = place->stack_size;

    if (identity == 0)
        identity = *stored;
    leave_pending(place);
    record_creation(identity, attributes, stack_size, caller);
}

_Static_assert(sizeof(pthread_t) == sizeof(uintptr_t) && sizeof(thrd_t) == sizeof(uintptr_t),
               "an identity of a thread is a word");

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*routine)(void *), void *restrict argument)
{
    const struct unwind_state caller = unwind_caller();
    struct pending *place;
    int error;

    note_second_thread();
    place = take_pending();
    if (!place)
        return next.pthread_create(thread, attributes, routine, argument);
    place->routine = routine;
    prepare(place, argument, size_of_stack(attributes));
    error = next.pthread_create(thread, attributes, begin_thread, place);
    if (error == 0)
        end_creation(place, (const uintptr_t *)thread, attributes, &caller);
    else
        atomic_store(&place->is_taken, false);
    return error;
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
    const struct unwind_state caller = unwind_caller();
    struct pending *place;
    int result;

    note_second_thread();
    place = take_pending();
    if (!place)
        return next.thrd_create(thread, routine, argument);
    place->plain_routine = routine;
    prepare(place, argument, size_of_stack(NULL));
    result = next.thrd_create(thread, begin_plain_thread, place);
    if (result == thrd_success)
        end_creation(place, (const uintptr_t *)thread, NULL, &caller);
    else
        atomic_store(&place->is_taken, false);
    return result;
}
