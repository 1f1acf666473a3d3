/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * End of recording in a process, for good or for a while.
 */
#include "record/process_end.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/notice.h"
#include "record/facts.h"
#include "record/guard.h"
#include "record/lanes.h"
#include "record/live_heap.h"
#include "record/path.h"
#include "record/process.h"
#include "record/process_keep.h"
#include "record/room.h"
#include "record/settings.h"
#include "record/stages.h"
#include "record/usage.h"

/* Of the children that were waited for, and of theirs. */
static struct rusage children_usage(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_CHILDREN, &usage) == 0 ? usage : (struct rusage){0};
}

static uint64_t nanoseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;
}

static uint64_t children_ns(void)
{
    const struct rusage usage = children_usage();

    return nanoseconds(usage.ru_utime) + nanoseconds(usage.ru_stime);
}

/* Whether they left traces is unknown here. */
static const char *tell_children(void)
{
    const struct rusage usage = children_usage();

    if (usage.ru_minflt + usage.ru_majflt == 0)
        return "";
    return "; programs that it started may have traces of their own";
}

/* A large trace is not to surprise anyone: " (130 MiB)". */
static void tell_size(char *room, size_t capacity)
{
    enum { MIB = 1 << 20, LARGE_MIB = 32 };
    unsigned long mib = process->file.header->size / MIB;

    room[0] = '\0';
    if (mib >= LARGE_MIB)
        snprintf(room, capacity, " (%lu MiB)", mib);
}

/* The command that reads traces: the wheel's has a name of its own, packages/wheel.py says why. */
static const char *reader(void)
{
    const char *preloaded = environment_get("LD_PRELOAD");

    return preloaded && strstr(preloaded, "/libtprof/lib/libtprof.so") ? "libtprof" : "tprof";
}

/* Reported once: after a refused sandbox the process ends a second time. */
static void say_trace(void)
{
    static char path[PATH_MAX]; /* stacks may be small */
    char size[32];

    if (process->is_told)
        return;
    process->is_told = true;
    path_quote(process->file.path, path, sizeof path);
    tell_size(size, sizeof size);
    process->file.header->untold =
        !notice("%s: recorded in %s%s; read it with: %s report %s%s", environment_program(),
                process->file.path, size, reader(), path, tell_children());
}

static void say_limit(const char *name)
{
    const char *trace = path_base_name(process->file.path);

    if (process->budget.pace.is_for_space)
        notice("%s: %s is incomplete: little of its disk is free, and a trace takes a tenth of "
               "that at most",
               name, trace);
    else
        notice("%s: %s is incomplete: %s=%s leaves no room", name, trace,
               settings_variable(SETTING_DISK), settings.text[SETTING_DISK]);
}

/* tprof run says it where standard error is closed, or another file. */
static void say_untraced(const char *name)
{
    struct trace_untraced *untraced = &process->file.header->untraced;
    int length = untraced->count > 1 ? 2 : 0;

    if (untraced->count == 0)
        return;
    untraced->is_said =
        notice("%s: %llu process%.*s that it forked could not create a trace (user %u: %s); set "
               "TPROF_OUTPUT to a folder where that user can write",
               name, (unsigned long long)untraced->count, length, "es", untraced->user,
               strerror(untraced->error));
}

/* Each process reports its own loss.  Only the first process reports the rest, since a build
 * has hundreds of processes. */
static void say_summary(void)
{
    const struct trace_header *header = process->file.header;
    const char *name = environment_program();

    if (settings.quiet)
        return;
    if (process->file.is_failed && !process->is_counted)
        notice("%s: cannot write %s: %s; nothing is kept. Set TPROF_OUTPUT to a path that can be "
               "written",
               name, process->file.path, strerror(header->failed_errno));
    else if (process->file.is_kept && process->file.is_at_limit)
        say_limit(name);
    else if (process->file.is_kept && header->failed_chunks > 0)
        notice("%s: %s is incomplete: %s", name, path_base_name(process->file.path),
               strerror(header->failed_errno));
    else if (process->file.is_kept && process->is_root)
        say_trace();
    say_untraced(name);
}

void process_tell_cut(void)
{
    if (!settings.quiet)
        notice("%s: %s was cut by another program, or its disk is gone; recording ended then",
               environment_program(), path_base_name(process->file.path));
}

static void say_yield(void)
{
    if (!settings.quiet)
        notice("%s: the program changed memory where its recording lay; recording ended then",
               environment_program());
}

/* All work at the end that needs the lock. */
static void close_books(enum trace_ending ending)
{
    bool is_root_ending = process->is_root && ending != TRACE_EXECUTED;

    if (is_root_ending || atomic_load(&process->has_snapshot) || live_heap_has_grown())
        process_keep();
    if (!process->file.is_kept)
        return;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].end)
            rooms[i].end();
    facts_flush();
    stages_let_pass(false);
    lanes_end();
}

/* The memory goes on behind a failed exec, small children leave no trace, and users may want no
 * readings. */
static bool is_worth_reading(enum trace_ending ending)
{
    return settings.interval_ns != 0 && lane_self->state == LANE_READY && process_is_recording() &&
           ending != TRACE_EXECUTED && ending != TRACE_YIELDED &&
           (process->is_root || process->file.is_kept);
}

static void finish_rooms(void)
{
    if (lane_self->state != LANE_READY || !process_is_recording())
        return;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].finish)
            rooms[i].finish();
}

/* A signal handler may call exit() in the middle of anything.  The books stay unchanged then, and
 * only the ending is stored. */
void process_end(enum trace_ending ending, int status)
{
    struct trace_header *header = process->file.header;

    finish_rooms();
    if (is_worth_reading(ending))
        usage_write_last();
    if (lane_self->state != LANE_BUSY && lock_take_patiently(&process->lock)) {
        close_books(ending);
        lock_release(&process->lock);
    }
    live_heap_end();
    if (process->file.is_kept) { /* else nobody reads them: a shell has hundreds of children */
        header->last = usage_read(0).reading;
        header->own_bytes = memory_resident();
        header->children_ns = children_ns();
    }
    header->end = clock_read_pair();
    header->exit_status = status;
    header->ending = ending;
    if (ending != TRACE_EXECUTED)
        say_summary();
    if (ending == TRACE_YIELDED)
        say_yield();
}

void process_resume(void)
{
    struct trace_header *header = process->file.header;

    header->ending = TRACE_RUNNING;
    header->end = (struct trace_clock_pair){0};
    header->last = header->first;
    header->own_bytes = 0;
    header->children_ns = 0;
    if (!lock_take_patiently(&process->lock))
        return;
    lanes_resume();
    stages_let_pass(live_heap_is_before);
    lock_release(&process->lock);
}

void process_yield(void)
{
    if (!process_is_recording())
        return;
    atomic_store(&process->state, PROCESS_OFF);
    lanes_stop(true);
    process_end(TRACE_YIELDED, 0);
    guard_stop();
}

/* Replaces the process, whose memory goes away. */
static struct process yielded = {.state = PROCESS_OFF};

/* A forked child that has recorded nothing has no lanes. */
void process_leave_memory(void)
{
    if (!process || process == &yielded)
        return;
    lanes_leave();
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].leave)
            rooms[i].leave();
    yielded.pid = calls_getpid();
    process = &yielded;
    process_forget_parent();
}

bool process_enter_sandbox(bool is_for_all)
{
    bool is_recording = process_is_recording();

    if (process_is_inside_sandbox() || process_is_borrowed())
        return false;
    if (process)
        atomic_fetch_add(&process->asking, 1);
    lanes_stop(is_for_all);
    if (is_recording) {
        process_end(TRACE_SANDBOXED, 0);
        guard_stop();
    }
    return true;
}

void process_leave_sandbox(void)
{
    if (process && atomic_load(&process->asking) > 0)
        atomic_fetch_sub(&process->asking, 1);
    if (!process_is_recording())
        return;
    atomic_fetch_add((_Atomic uint64_t *)&process->file.header->lost_records,
                     atomic_exchange(&process->missed, 0));
    process_resume();
    if (process->file.is_kept)
        guard_start();
}
