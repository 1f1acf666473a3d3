/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Files of /proc, getrusage and the thread's clock.
 *
 * Decision: doc/decisions/waiting.
 */
#include "record/usage.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "platform/aside.h"
#include "platform/calls.h"
#include "platform/clock.h"
#include "platform/small_file.h"
#include "record/extended.h"
#include "record/live_heap.h"
#include "record/process.h"
#include "record/resident.h"
#include "spec/decimal.h"

enum { BLOCK_SIZE = 512, KIB = 1024 }; /* units of getrusage(2) */
enum { TEXT_SIZE = 256 };              /* bytes that are read of a file */
enum { PSS_SHARE = 100 };              /* at most one hundredth of the time */

static uint64_t nanoseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

/* Read the number after the first `name` in a file; UINT64_MAX when there is none. */
static uint64_t read_number(const char *path, const char *name)
{
    char text[TEXT_SIZE];
    const char *found = small_file_read(path, text, sizeof text) > 0 ? strstr(text, name) : NULL;

    return decimal_at(found ? found + strlen(name) : NULL, UINT64_MAX);
}

static void read_statm(struct usage *usage)
{
    uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);
    char text[TEXT_SIZE];
    uint64_t pages;
    const char *rest;

    usage->reading.vms_bytes = usage->reading.rss_bytes = usage->shared_bytes = UINT64_MAX;
    if (small_file_read("/proc/self/statm", text, sizeof text) <= 0)
        return;
    rest = decimal_read(text, &pages);
    if (rest)
        usage->reading.vms_bytes = pages * page_size;
    rest = rest ? decimal_read(rest, &pages) : NULL;
    if (rest)
        usage->reading.rss_bytes = pages * page_size;
    if (rest && decimal_read(rest, &pages))
        usage->shared_bytes = pages * page_size;
}

static void read_resources(struct trace_reading *reading)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    reading->peak_rss_bytes = (uint64_t)usage.ru_maxrss * KIB;
    reading->user_ns = nanoseconds(usage.ru_utime);
    reading->system_ns = nanoseconds(usage.ru_stime);
    reading->minor_faults = (uint64_t)usage.ru_minflt;
    reading->major_faults = (uint64_t)usage.ru_majflt;
    reading->voluntary_switches = (uint64_t)usage.ru_nvcsw;
    reading->involuntary_switches = (uint64_t)usage.ru_nivcsw;
    reading->read_bytes = (uint64_t)usage.ru_inblock * BLOCK_SIZE;
    reading->written_bytes = (uint64_t)usage.ru_oublock * BLOCK_SIZE;
}

static void read_without_files(struct trace_reading *reading)
{
    read_resources(reading);
    reading->thread_cpu_ns = calls_clock(CLOCK_THREAD_CPUTIME_ID);
}

static void read_called(void *of)
{
    struct trace_reading *reading = of;

    reading->called_bytes = read_number("/proc/self/io", "rchar: ");
}

/* "some avg10=0.00 avg60=0.00 avg300=0.00 total=MICROSECONDS" */
static void read_pressure(struct trace_reading *reading)
{
    uint64_t pressure_us = read_number("/proc/pressure/io", "total=");

    reading->io_pressure_ns = pressure_us == UINT64_MAX ? UINT64_MAX : pressure_us * 1000;
}

/* The kernel walks all pages for the PSS, some 4 ms a gigabyte.  When snapshots follow in quick
 * succession, most omit the PSS. */
static uint64_t read_pss(void)
{
    static atomic_uint_fast64_t next_ns;
    uint64_t start_ns = clock_monotonic();
    uint64_t pss_kib;

    if (start_ns < atomic_load(&next_ns))
        return UINT64_MAX;
    pss_kib = read_number("/proc/self/smaps_rollup", "\nPss:");
    atomic_store(&next_ns, start_ns + PSS_SHARE * (clock_monotonic() - start_ns));
    return pss_kib == UINT64_MAX ? UINT64_MAX : pss_kib * KIB;
}

struct usage usage_read_whole(int32_t thread)
{
    struct usage usage = usage_read(thread);

    usage.reading.pss_bytes = read_pss();
    return usage;
}

/* "TIME DELAY TURNS" in nanoseconds; zeros where the kernel does not count. */
uint64_t usage_delay_ns(int32_t thread)
{
    char path[48], text[TEXT_SIZE];
    uint64_t ran, delay, turns;
    const char *rest;

    snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", thread);
    rest = small_file_read(path, text, sizeof text) > 0 ? decimal_read(text, &ran) : NULL;
    rest = rest ? decimal_read(rest, &delay) : NULL;
    return rest && decimal_read(rest, &turns) && turns > 0 ? delay : UINT64_MAX;
}

/* Reads all that needs a descriptor, at once: a thread aside takes some 40 us. */
static void read_files(void *of)
{
    struct usage *usage = of;

    read_statm(usage);
    read_pressure(&usage->reading);
    read_called(&usage->reading);
    if (usage->thread != 0)
        usage->delay_ns = usage_delay_ns(usage->thread);
}

struct usage usage_read(int32_t thread)
{
    struct usage usage = {.thread = thread, .delay_ns = UINT64_MAX};

    aside_run(read_files, &usage);
    usage.reading.pss_bytes = UINT64_MAX;
    read_without_files(&usage.reading);
    return usage;
}

struct trace_reading usage_read_without_files(void)
{
    struct trace_reading reading;

    memset(&reading, 0xff, sizeof reading);
    read_without_files(&reading);
    return reading;
}

struct trace_reading usage_read_soon(void)
{
    struct trace_reading reading = usage_read_without_files();

    aside_run(read_called, &reading);
    return reading;
}

void usage_keep(void)
{
    struct trace_reading *reading = &process->file.header->first;
    struct usage usage;

    if (process->is_root)
        return;
    usage = usage_read(0);
    reading->vms_bytes = usage.reading.vms_bytes;
    reading->rss_bytes = usage.reading.rss_bytes;
    reading->io_pressure_ns = usage.reading.io_pressure_ns;
    atomic_store(&process->next_reading_ns, 0);
}

static void write_turns(struct lane *lane, uint64_t delay_ns)
{
    uint64_t words[] = {delay_ns, UINT64_MAX, UINT64_MAX};
    struct rusage turns;

    if (getrusage(RUSAGE_THREAD, &turns) == 0) {
        words[1] = (uint64_t)turns.ru_nvcsw;
        words[2] = (uint64_t)turns.ru_nivcsw;
    }
    extended_write(lane, clock_read(), TRACE_EXTENDED_TURNS, words, sizeof words / sizeof *words);
}

void usage_write_beside(struct lane *lane, const struct usage *usage)
{
    live_heap_write(lane);
    write_turns(lane, usage->delay_ns);
    if (usage->shared_bytes != UINT64_MAX)
        extended_write(lane, clock_read(), TRACE_EXTENDED_SHARED, &usage->shared_bytes, 1);
}

void usage_write_last(void)
{
    struct lane *lane = lane_enter();
    struct usage usage;

    if (!lane)
        return;
    usage = usage_read(lane->thread);
    if (resident_is_due(&usage.reading, RESIDENT_AT_END)) {
        extended_write(lane, clock_read(), TRACE_EXTENDED_READING, (const uint64_t *)&usage.reading,
                       sizeof usage.reading / sizeof(uint64_t));
        usage_write_beside(lane, &usage);
        resident_write(lane, &usage.reading, RESIDENT_AT_END);
    }
    lane_leave(lane);
}
