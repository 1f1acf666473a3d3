/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * /proc/self/statm and getrusage, as a record.
 */
#include "sampler/reading.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cold/calls.h"
#include "cold/process.h"
#include "cold/settings.h"
#include "hot/extended.h"

enum { BLOCK_SIZE = 512, KIB = 1024 }; /* units of getrusage(2) */

static uint64_t nanoseconds(struct timeval time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_usec * 1000u;
}

static void read_statm(struct trace_reading *reading)
{
    uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);
    char text[128];
    char *end;
    ssize_t size;
    int descriptor = calls_open("/proc/self/statm", O_RDONLY | O_CLOEXEC, 0);

    reading->vms_bytes = UINT64_MAX;
    reading->rss_bytes = UINT64_MAX;
    if (descriptor < 0)
        return;
    size = calls_read(descriptor, text, sizeof text - 1);
    calls_close(descriptor);
    if (size <= 0)
        return;
    text[size] = '\0';
    reading->vms_bytes = strtoull(text, &end, 10) * page_size;
    reading->rss_bytes = strtoull(end, NULL, 10) * page_size;
}

static void read_usage(struct trace_reading *reading)
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

struct trace_reading reading_take(void)
{
    struct trace_reading reading;

    read_statm(&reading);
    read_usage(&reading);
    return reading;
}

/* Ticks in `ns`, by the rate since the process started; until that can be
 * told, one tick is taken for a nanosecond, which only comes back too soon. */
static uint64_t ticks_of(uint64_t ns, uint64_t now_ns, uint64_t now_ticks)
{
    const struct trace_clock_pair *start = &process->file.header->start;
    uint64_t passed_ns = now_ns - start->monotonic_ns;

    if (passed_ns < 1000000)
        return ns < 1000000 ? ns : 1000000;
    return (uint64_t)((double)ns * (double)(now_ticks - start->ticks) / (double)passed_ns);
}

uint64_t reading_take_if_due(struct lane *lane, uint64_t now)
{
    uint64_t now_ns = clock_monotonic();
    uint64_t due_ns = atomic_load(&process->next_reading_ns);
    struct trace_reading reading;

    if (settings.interval_ns == 0)
        return UINT64_MAX;
    if (now_ns < due_ns)
        return now + ticks_of(due_ns - now_ns, now_ns, now);
    /* One thread of those that come now wins the reading. */
    if (atomic_compare_exchange_strong(&process->next_reading_ns, &due_ns,
                                       now_ns + settings.interval_ns)) {
        reading = reading_take();
        extended_write(lane, now, TRACE_EXTENDED_READING, (const uint64_t *)&reading,
                       sizeof reading / sizeof(uint64_t));
    }
    return now + ticks_of(settings.interval_ns, now_ns, now);
}
