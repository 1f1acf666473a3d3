/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libtprof.so: the order of start and stop.
 *
 * Records may come before the constructor and after the destructor.  Both only do the work for the
 * whole process: the hooks at the start, the ending and the summary at the end.
 */
#include <errno.h>
#include <link.h>
#include <stdlib.h>

#include "hook/hook.h"
#include "platform/clock.h"
#include "platform/cpu_leaf.h"
#include "platform/environment.h"
#include "platform/keys.h"
#include "platform/next.h"
#include "platform/next_find.h"
#include "platform/sanitizer.h"
#include "platform/vectors.h"
#include "record/lane.h"
#include "record/lanes.h"
#include "record/process.h"
#include "record/process_end.h"
#include "record/process_start.h"
#include "record/slow.h"
#include "record/deferral.h"
#include "sampler/snapshot.h"

/* Registered first, this runs last, after the destructor.  Only here, the status given to exit() is
 * known. */
static void on_exit_status(int status, void *unused)
{
    (void)unused;
    if (process_is_own())
        process_store_status(status);
}

/* Some C libraries lack these: musl has no on_exit, and glibc's at_quick_exit is in no shared
 * object. */
extern int on_exit(void (*handler)(int status, void *argument), void *argument)
    __attribute__((weak));
extern int at_quick_exit(void (*handler)(void)) __attribute__((weak));
extern int __cxa_at_quick_exit(void (*handler)(void *), void *object) __attribute__((weak));
extern void *__dso_handle HIDDEN;

/* The only handler that quick_exit calls; quick_exit stored the status. */
static void on_quick_exit(void)
{
    int saved_errno = errno;

    if (process_is_own())
        process_end(TRACE_QUIT, process->file.header->exit_status);
    errno = saved_errno;
}

static void on_cxa_quick_exit(void *unused)
{
    (void)unused;
    on_quick_exit();
}

static void await_end(void)
{
    if (on_exit)
        on_exit(on_exit_status, NULL);
    if (__cxa_at_quick_exit)
        __cxa_at_quick_exit(on_cxa_quick_exit, &__dso_handle);
    else if (at_quick_exit)
        at_quick_exit(on_quick_exit);
}

/* A process of many libraries does more than a command of a script. */
static int count_object(struct dl_phdr_info *info, size_t size, void *left)
{
    (void)info;
    (void)size;
    return --*(int *)left == 0;
}

static bool has_many_objects(void)
{
    enum { MANY = 16 };
    int left = MANY;

    return dl_iterate_phdr(count_object, &left) != 0;
}

/* Returns: whether recording is deferred. */
static bool start_or_defer(void)
{
    struct lane *lane;

    if (!has_many_objects() && (deferral_begin() || deferral_goes_on()))
        return true;
    lane = lane_enter();
    if (lane)
        lane_leave(lane);
    return false;
}

static void start_recording(void)
{
    struct slow slow;

    vectors_init();
    keys_init();
    environment_program(); /* before the program can change it */
    lanes_watch_threads();
    if (!start_or_defer() && !process_is_own())
        return;
    slow_begin(&slow);
    snapshot_listen();
    hook_init(process->is_root);
    slow_end(&slow);
    await_end();
}

__attribute__((constructor)) static void start(void)
{
    int saved_errno = errno;
    const char *obstacle = sanitizer_find();

    next_find();
    cpu_leaf_of_libc = next.__x86_get_cpuid_feature_leaf;
    if (obstacle)
        process_tell_obstacle(obstacle);
    else
        start_recording();
    errno = saved_errno;
}

/* Count the open calls of this thread, which will have no end: exit() was called in them, or a jump
 * left them. */
static void tell_open_calls(void)
{
    struct lane *lane = lane_self;

    if (lane->state != LANE_READY)
        return;
    lane->thread_node->unmatched += lane->frame_depth;
    lane->frame_depth = 0;
}

__attribute__((destructor)) static void stop(void)
{
    int saved_errno = errno;

    if (process_is_own()) {
        tell_open_calls();
        process_end(TRACE_EXITED, on_exit ? 0 : TRACE_STATUS_UNKNOWN);
    } else if (process_is_cut()) {
        process_tell_cut();
    }
    errno = saved_errno;
}
