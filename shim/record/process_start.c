/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Start of recording in a process.
 *
 * Decision: doc/decisions/wiped-lanes.
 */
#include "record/process_start.h"

#include <string.h>
#include <unistd.h>

#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/memory.h"
#include "platform/notice.h"
#include "platform/sanitizer.h"
#include "record/live_heap.h"
#include "record/path.h"
#include "record/process.h"
#include "record/room.h"
#include "record/samples.h"
#include "record/settings.h"
#include "record/stages.h"
#include "record/usage.h"
#include "trace/family.h"

/* Settings, standard error and the hooks outlive a fork; the rest does not. */
static bool is_forked;

static void start_image(void)
{
    static bool is_started;

    is_forked = is_started;
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
    header->call_bytes = SAMPLES_CALL_BYTES;
    header->is_forked = is_forked;
    header->overhead_ppm = settings.overhead_ppm;
    header->disk_bytes = settings.disk_bytes;
    header->events_each = recorded_calls == UINT64_MAX ? 0 : recorded_calls;
    header->first = process->is_root ? usage_read(0).reading : usage_read_soon();
    if (!process->is_root)
        process->next_reading_ns = header->start.monotonic_ns + settings.interval_ns;
}

/* The process began when its recording was deferred. */
static void fill_header_of_deferred(struct trace_header *header)
{
    const struct process_deferral *deferral = &process->deferral;

    header->realtime_start_ns -= header->start.monotonic_ns - deferral->start.monotonic_ns;
    header->start = deferral->start;
    header->first.user_ns = deferral->first.user_ns;
    header->first.system_ns = deferral->first.system_ns;
    header->first.thread_cpu_ns = deferral->first.thread_cpu_ns;
}

static bool begin_rooms(void)
{
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].begin && !rooms[i].begin())
            return false;
    return true;
}

/* If blocks are only counted, frees search this table, too. */
static bool has_table_of_drawn(void)
{
    return stages_throw_points() || stages_alloc_mode() == STAGES_ALLOC_COUNTS;
}

/* Once a process, before its first record. */
static void prepare(void)
{
    if (process->pid != 0)
        return;
    start_image();
    process->is_root = !is_forked && !family_has_recorded_parent();
    process->pid = calls_getpid();
}

static bool begin(void)
{
    const bool was_deferred = atomic_load(&process->state) == PROCESS_DEFERRED;

    prepare();
    stages_start();
    if (has_table_of_drawn() && !samples_init())
        return false;
    if (!settings.follow && !process->is_root)
        return false;
    if (!begin_rooms() || !file_open_image(&process->file))
        return false;
    path_expand(process->file.path, sizeof process->file.path);
    fill_header(process->file.header);
    if (was_deferred)
        fill_header_of_deferred(process->file.header);
    process->file.header->last = process->file.header->first;
    process_tell_prices();
    live_heap_start();
    if (process->is_root && settings.mistake[0] != '\0')
        notice("%s", settings.mistake);
    return true;
}

static bool may_exist(void)
{
    if (process_is_sandboxed() || sanitizer_find())
        return false;
    if (!process)
        process = memory_keep_wiped(sizeof *process);
    return process != NULL;
}

bool process_start(void)
{
    unsigned state;

    if (!may_exist())
        return false;
    state = atomic_load(&process->state);
    if (process_has_begun(state) || process_is_borrowed())
        return state == PROCESS_RECORDING;
    lock_take(&process->lock);
    state = atomic_load(&process->state);
    if (!process_has_begun(state)) {
        state = begin() ? PROCESS_RECORDING : PROCESS_OFF;
        atomic_store(&process->state, state);
    }
    lock_release(&process->lock);
    return state == PROCESS_RECORDING;
}

static bool is_given(enum settings_id id)
{
    return settings.text[id][0] != '\0';
}

/* What the user asks for does not come late. */
static bool may_defer(void)
{
    return !process->is_root && settings.follow && settings.overhead_ppm != 0 &&
           settings.alloc == SETTINGS_ALLOC_FULL && settings.snapshot_signal == 0 &&
           !is_given(SETTING_KEEP) && !is_given(SETTING_KERNELS) && !is_given(SETTING_WRAP);
}

static void defer(void)
{
    process->deferral.start = clock_read_pair();
    process->deferral.first = usage_read_without_files();
    atomic_store(&process->state, PROCESS_DEFERRED);
    for (unsigned i = 0; i < room_count; i++)
        if (rooms[i].defer)
            rooms[i].defer();
}

bool process_defer(void)
{
    bool begins;

    if (!may_exist() || atomic_load(&process->state) != PROCESS_BLANK)
        return false;
    lock_take(&process->lock);
    prepare();
    begins = atomic_load(&process->state) == PROCESS_BLANK && may_defer();
    if (begins)
        defer();
    lock_release(&process->lock);
    return begins;
}

void process_tell_obstacle(const char *obstacle)
{
    notice_init();
    settings_read();
    if (!settings.quiet && !family_has_recorded_parent())
        notice("%s is not recorded: it is built with %s, which takes malloc for itself",
               environment_program(), obstacle);
}
