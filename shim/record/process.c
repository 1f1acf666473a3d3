/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Start and end of recording in a process.
 *
 * Decision: doc/decisions/wiped-lanes.
 */
#include "record/process.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/notice.h"
#include "platform/sanitizer.h"
#include "record/facts.h"
#include "record/guard.h"
#include "record/lanes.h"
#include "record/path.h"
#include "record/room.h"
#include "record/samples.h"
#include "record/settings.h"
#include "record/usage.h"
#include "trace/family.h"

struct process *process;

static atomic_bool is_inside; /* a sandbox, which outlives a fork */

/* Settings, standard error and the hooks outlive a fork; the rest does not. */
static void start_image(void)
{
    static bool is_started;

    if (is_started)
        return;
    is_started = true;
    notice_init();
    settings_read();
    path_init();
    clock_init();
}

static void fill_header(struct trace_header *header)
{
    uint64_t recorded_calls = settings_recorded_calls();

    memcpy(header->magic, TRACE_MAGIC, sizeof header->magic);
    header->version = TRACE_VERSION;
    header->byte_order = TRACE_BYTE_ORDER;
#if defined(__x86_64__)
    header->machine = TRACE_X86_64;
#else
    header->machine = TRACE_AARCH64;
#endif
    header->clock = clock_kind();
    header->pid = (uint32_t)process->pid;
    header->parent_pid = (uint32_t)getppid();
    header->start = clock_read_pair();
    header->realtime_start_ns = calls_clock(CLOCK_REALTIME);
    header->page_size = (uint32_t)sysconf(_SC_PAGESIZE);
    header->capacity = settings.capacity_bytes;
    header->sample_bytes = settings.sample_bytes;
    header->overhead_ppm = settings.overhead_ppm;
    header->disk_bytes = settings.disk_bytes;
    header->events_each = recorded_calls == UINT64_MAX ? 0 : recorded_calls;
    header->first = usage_read().reading;
    header->last = header->first;
}

void process_cut(void)
{
    process->file.is_cut = true;
    atomic_store(&process->state, PROCESS_OFF);
    lanes_wake();
}

/* A sandbox may allow no question for the process id, and in one nothing is cut. */
bool process_is_cut(void)
{
    return process && process->file.is_cut && process->pid == calls_getpid();
}

static bool begin_rooms(void)
{
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].begin && !rooms[i].begin())
            return false;
    return true;
}

/* Where blocks are only counted, frees look into it, too. */
static bool has_table_of_drawn(void)
{
    return stages_throw_points() || stages_alloc_mode() == STAGES_ALLOC_COUNTS;
}

static bool begin(void)
{
    start_image();
    process->pid = calls_getpid();
    process->is_root = !family_has_recorded_parent();
    stages_start();
    if (has_table_of_drawn() && !samples_init())
        return false;
    if (!settings.follow && !process->is_root)
        return false;
    if (!begin_rooms() || !file_open_image(&process->file))
        return false;
    path_expand(process->file.path, sizeof process->file.path);
    fill_header(process->file.header);
    live_heap_start();
    if (process->is_root && settings.mistake[0] != '\0')
        notice("%s", settings.mistake);
    return true;
}

bool process_start(void)
{
    unsigned state;

    if (process_is_sandboxed() || sanitizer_find())
        return false;
    if (!process)
        process = memory_map_wiped(sizeof *process);
    if (!process)
        return false;
    lock_take(&process->lock);
    state = atomic_load(&process->state);
    if (state == PROCESS_BLANK) {
        state = begin() ? PROCESS_RECORDING : PROCESS_OFF;
        atomic_store(&process->state, state);
    }
    lock_release(&process->lock);
    return state == PROCESS_RECORDING;
}

bool process_keep(void)
{
    if (process->file.is_kept || process->file.is_failed)
        return process->file.is_kept;
    if (!file_keep(&process->file))
        return false;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].keep)
            rooms[i].keep();
    guard_start();
    facts_flush();
    return true;
}

void process_keep_now(void)
{
    if (process->file.is_kept || process->file.is_failed || process_is_sandboxed())
        return;
    lock_take(&process->lock);
    process_keep();
    lock_release(&process->lock);
}

bool process_is_recording(void)
{
    return process && !process_is_sandboxed() && atomic_load(&process->state) == PROCESS_RECORDING;
}

bool process_is_new(void)
{
    return process && !process_is_sandboxed() && atomic_load(&process->state) == PROCESS_BLANK;
}

bool process_is_own(void)
{
    return process_is_recording() && process->pid == calls_getpid();
}

void process_tell_obstacle(const char *obstacle)
{
    notice_init();
    settings_read();
    if (!settings.quiet && !family_has_recorded_parent())
        notice("%s is not recorded: it is built with %s, which takes malloc for itself",
               environment_program(), obstacle);
}

/* Children that were waited for; whether they left traces is unknown here. */
static const char *tell_children(void)
{
    struct rusage usage;

    if (getrusage(RUSAGE_CHILDREN, &usage) != 0 || usage.ru_minflt + usage.ru_majflt == 0)
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

/* Say it once: after a refused sandbox the process ends a second time. */
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
        !notice("%s: recorded in %s%s; read it with: tprof report %s%s", environment_program(),
                process->file.path, size, path, tell_children());
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

/* Each process reports its own loss.  Only the first process reports the rest, since a build
 * has hundreds of processes. */
static void say_summary(void)
{
    const struct trace_header *header = process->file.header;
    const char *name = environment_program();

    if (settings.quiet)
        return;
    if (process->file.is_failed)
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

    if (is_root_ending || atomic_load(&process->has_snapshot))
        process_keep();
    if (!process->file.is_kept)
        return;
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].end)
            rooms[i].end();
    facts_flush();
    lanes_end();
}

/* A signal handler may call exit() in the middle of anything.  The books stay as they are then,
 * and only the ending is stored. */
void process_end(enum trace_ending ending, int status)
{
    struct trace_header *header = process->file.header;

    if (lane_self->state != LANE_BUSY && lock_take_patiently(&process->lock)) {
        close_books(ending);
        lock_release(&process->lock);
    }
    live_heap_end();
    header->last = usage_read().reading;
    header->own_bytes = memory_resident();
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
    if (!lock_take_patiently(&process->lock))
        return;
    lanes_resume();
    lock_release(&process->lock);
}

/* A vfork child runs in its parent's memory; a forked child finds no process id there. */
bool process_is_borrowed(void)
{
    return process && process->pid != 0 && process->pid != calls_getpid();
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

/* In the place of the process, which lies in memory that goes. */
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
}

bool process_enter_sandbox(bool is_for_all)
{
    bool is_recording = process_is_recording();

    if (atomic_load(&is_inside) || process_is_borrowed())
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

bool process_is_sandboxed(void)
{
    return atomic_load(&is_inside) || (process && atomic_load(&process->asking) > 0);
}

void process_stay_in_sandbox(void)
{
    atomic_store(&is_inside, true);
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

void process_miss_record(void)
{
    if (UNLIKELY(process && atomic_load(&process->asking) > 0))
        atomic_fetch_add(&process->missed, 1);
}

void process_add_slow_ticks(uint64_t ticks)
{
    if (process && process->file.header)
        atomic_fetch_add((_Atomic uint64_t *)&process->file.header->slow_ticks, ticks);
}

void process_store_status(int status)
{
    process->file.header->exit_status = status & 0xff; /* as waitpid returns it */
}
