/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pthread_create, exported: before a second thread runs, the trace becomes a
 * file; and the new thread learns where its own stack is, which nothing else
 * can tell without a lock.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/resource.h>

#include "hot/callchain.h"
#include "hot/next.h"

enum { PENDING_MAX = 256, SMALLEST_DEFAULT = 2 << 20 };

/* What a thread that was created and has not begun is to run. */
struct pending {
    atomic_bool is_taken;
    void *(*routine)(void *);
    void *argument;
    size_t stack_size;
};

/* A forked child may inherit some that nobody will give back. */
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

/* The default is the limit of the first thread's stack; without a limit, what
 * glibc has as its least (nptl/nptl-stack.h). */
static size_t size_of_stack(const pthread_attr_t *attributes)
{
    struct rlimit limit;
    size_t size = SMALLEST_DEFAULT;

    if (attributes)
        return pthread_attr_getstacksize(attributes, &size) == 0 ? size : 0;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < size)
        size = limit.rlim_cur;
    return size;
}

/* The first function of the thread: it leaves no frame, as it ends in a jump
 * to the program's own (-O2).  The upper half of the stack is certain: guard
 * pages and what libc takes are in the lower one, and at its very top. */
static void *begin_thread(void *of)
{
    struct pending *place = of;
    void *(*routine)(void *) = place->routine;
    void *argument = place->argument;
    uintptr_t high = (uintptr_t)pthread_self();
    uintptr_t here = STACK_POINTER();

    if (here < high && high - here < place->stack_size)
        callchain_stack = (struct callchain_stack){here - place->stack_size / 2, high};
    atomic_store(&place->is_taken, false);
    return routine(argument);
}

/* The image in memory becomes the file while this is the only thread: no
 * record of another can fall between the two. */
static void note_second_thread(void)
{
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    lane_leave(lane);
    lane_keep();
}

EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                          void *(*routine)(void *), void *restrict argument)
{
    struct pending *place;
    int error;

    note_second_thread();
    place = take_pending();
    if (!place)
        return next.pthread_create(thread, attributes, routine, argument);
    place->routine = routine;
    place->argument = argument;
    place->stack_size = size_of_stack(attributes);
    error = next.pthread_create(thread, attributes, begin_thread, place);
    if (error != 0)
        atomic_store(&place->is_taken, false);
    return error;
}
