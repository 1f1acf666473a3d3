/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Counters of the processor and of the kernel.  A counter that cannot be opened
 * has the reason in its place.
 *
 * Decision: doc/decisions/counters-by-the-parent.
 */
#include "launch/counters.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "machine/meters.h"

enum counters_privilege { COUNTERS_OWN, COUNTERS_ALL };

struct event {
    enum trace_counter_id counter;
    enum counters_condition condition;
    enum counters_privilege privilege;
    uint32_t type;
    uint64_t config;
    uint64_t weight;
};

static const struct event events[] = {
#define COUNTER_EVENT(counter, condition, privilege, type, config, weight)                         \
    {TRACE_COUNTER_##counter, COUNTERS_##condition, COUNTERS_##privilege, type, config, weight},
#include "launch/counter_events.def"
#undef COUNTER_EVENT
};

enum { EVENTS = sizeof events / sizeof *events };
_Static_assert((int)EVENTS <= (int)COUNTERS_EVENTS_MAX, "each event has a descriptor");

static int open_event(struct perf_event_attr *attributes, pid_t process)
{
    long descriptor =
        syscall(SYS_perf_event_open, attributes, process, -1, -1, PERF_FLAG_FD_CLOEXEC);

    return descriptor < 0 ? -errno : (int)descriptor;
}

static int read_paranoid(void)
{
    FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
    int level = INT_MIN;

    if (file && fscanf(file, "%d", &level) != 1)
        level = INT_MIN;
    if (file)
        fclose(file);
    return level;
}

#if defined(__x86_64__)

static bool is_vendor(const char *name)
{
    unsigned words[3], unused;

    return __get_cpuid(0, &unused, &words[0], &words[2], &words[1]) &&
           memcmp(words, name, sizeof words) == 0;
}

static unsigned family(void)
{
    unsigned signature = 0, unused;

    __get_cpuid(1, &signature, &unused, &unused, &unused);
    return (signature >> 8 & 15) + (signature >> 20 & 255);
}

/* ADX came with Broadwell, like these events.  Knights Landing has AVX512ER but not the events, and
 * the small cores of hybrid processors have neither all of them. */
static bool has_fp_arith(void)
{
    enum { ADX = 1 << 19, AVX512ER = 1 << 27 };
    unsigned features = 0, unused;

    return __get_cpuid_count(7, 0, &unused, &features, &unused, &unused) && (features & ADX) &&
           !(features & AVX512ER) && access("/sys/devices/cpu_atom", F_OK) != 0;
}

struct counters_system counters_this_system(void)
{
    enum { ZEN_FAMILY = 0x17 };

    return (struct counters_system){
        .open = open_event,
        .paranoid = read_paranoid(),
        .is_intel = is_vendor("GenuineIntel") && has_fp_arith(),
        .is_zen =
            (is_vendor("AuthenticAMD") || is_vendor("HygonGenuine")) && family() >= ZEN_FAMILY,
    };
}

#else

struct counters_system counters_this_system(void)
{
    return (struct counters_system){.open = open_event, .paranoid = read_paranoid()};
}

#endif

static void explain(char reason[COUNTERS_REASON_SIZE], int error,
                    const struct counters_system *system)
{
    if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP || error == EINVAL)
        snprintf(reason, COUNTERS_REASON_SIZE,
                 "perf_event_open: not supported by this processor or virtual machine");
    else if ((error == EACCES || error == EPERM) && system->paranoid > 1)
        snprintf(reason, COUNTERS_REASON_SIZE,
                 "perf_event_open: not permitted, perf_event_paranoid is %d", system->paranoid);
    else if (error == EACCES || error == EPERM)
        snprintf(reason, COUNTERS_REASON_SIZE,
                 "perf_event_open: not permitted, perhaps by the container");
    else if (error == ENOSYS)
        snprintf(reason, COUNTERS_REASON_SIZE, "this system has no perf_event_open");
    else
        snprintf(reason, COUNTERS_REASON_SIZE, "perf_event_open: %.100s", strerror(error));
}

static void clear(struct counters *counters)
{
    memset(counters, 0, sizeof *counters);
    for (int i = 0; i < COUNTERS_EVENTS_MAX; i++)
        counters->descriptors[i] = -1;
    for (uint32_t i = 0; i < TRACE_COUNTERS; i++)
        counters->values[i].counter = i;
}

static struct perf_event_attr describe(const struct event *event)
{
    return (struct perf_event_attr){
        .type = event->type,
        .size = sizeof(struct perf_event_attr),
        .config = event->config,
        .disabled = 1,
        .inherit = 1,
        .enable_on_exec = 1,
        .exclude_kernel = event->privilege == COUNTERS_OWN,
        .exclude_hv = event->privilege == COUNTERS_OWN,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
    };
}

static bool applies(const struct event *event, const struct counters_system *system)
{
    switch (event->condition) {
    case COUNTERS_ALWAYS: return true;
    case COUNTERS_INTEL: return system->is_intel;
    case COUNTERS_ZEN: return system->is_zen;
    }
    return false;
}

static void open_one(struct counters *counters, int index, pid_t process,
                     const struct counters_system *system)
{
    struct perf_event_attr attributes = describe(&events[index]);
    int descriptor = system->open(&attributes, process);

    counters->descriptors[index] = descriptor < 0 ? -1 : descriptor;
    if (descriptor < 0)
        explain(counters->reasons[events[index].counter], -descriptor, system);
}

void counters_open(struct counters *counters, pid_t process, const struct counters_system *system)
{
    bool has_event[TRACE_COUNTERS] = {false};

    clear(counters);
    for (int i = 0; i < EVENTS; i++)
        if (applies(&events[i], system)) {
            has_event[events[i].counter] = true;
            open_one(counters, i, process, system);
        }
    for (int i = 0; i < TRACE_COUNTERS; i++)
        if (!has_event[i])
            snprintf(counters->reasons[i], COUNTERS_REASON_SIZE,
                     "no event of this processor is known for it");
}

void counters_refuse(struct counters *counters, const char *reason)
{
    clear(counters);
    for (int i = 0; i < TRACE_COUNTERS; i++)
        snprintf(counters->reasons[i], COUNTERS_REASON_SIZE, "%s", reason);
}

/* The values of PERF_FORMAT_TOTAL_TIME_... */
struct sum {
    uint64_t value;
    uint64_t enabled_ns;
    uint64_t running_ns;
};

/* The events of one counter: each is scaled separately, as they may have run at different times. */
struct total {
    double value;
    double least_fraction; /* share of the time that the event with least time ran */
    uint64_t enabled_ns;
};

static void add(struct total *total, const struct sum *sum, uint64_t weight)
{
    double fraction = sum->enabled_ns > 0 ? (double)sum->running_ns / (double)sum->enabled_ns : 0;

    if (total->enabled_ns == 0 || fraction < total->least_fraction)
        total->least_fraction = fraction;
    if (sum->enabled_ns > total->enabled_ns)
        total->enabled_ns = sum->enabled_ns;
    if (fraction > 0)
        total->value += (double)sum->value * (double)weight / fraction;
}

static void store(struct trace_counter *counter, const struct total *total)
{
    counter->value = (uint64_t)llround(total->value * total->least_fraction);
    counter->enabled_ns = total->enabled_ns;
    counter->running_ns = (uint64_t)llround((double)total->enabled_ns * total->least_fraction);
}

void counters_read(struct counters *counters)
{
    struct total totals[TRACE_COUNTERS] = {{0, 0, 0}};

    for (int i = 0; i < EVENTS; i++) {
        struct sum sum = {0, 0, 0};
        int descriptor = counters->descriptors[i];

        if (descriptor < 0)
            continue;
        if (read(descriptor, &sum, sizeof sum) == (ssize_t)sizeof sum)
            add(&totals[events[i].counter], &sum, events[i].weight);
        close(descriptor);
        counters->descriptors[i] = -1;
    }
    for (int i = 0; i < TRACE_COUNTERS; i++)
        store(&counters->values[i], &totals[i]);
}

void counters_take_meters(struct counters *counters, const struct meter_value *values,
                          uint64_t elapsed_ns)
{
    static const enum trace_counter_id places[METERS] = {
        [METER_PACKAGES] = TRACE_COUNTER_PACKAGE_ENERGY,
        [METER_DRAM] = TRACE_COUNTER_DRAM_ENERGY,
        [METER_THROTTLES] = TRACE_COUNTER_THROTTLES,
    };

    for (int i = 0; i < METERS; i++) {
        counters->values[places[i]] =
            (struct trace_counter){.counter = places[i],
                                   .value = values[i].value,
                                   .enabled_ns = elapsed_ns > 0 ? elapsed_ns : 1,
                                   .running_ns = elapsed_ns > 0 ? elapsed_ns : 1};
        snprintf(counters->reasons[places[i]], COUNTERS_REASON_SIZE, "%s",
                 values[i].is_known ? "" : values[i].reason);
    }
}

/* A counter without one of its events would be too low, so it is unknown. */
void counters_append(const struct counters *counters, struct text *facts)
{
    static const char zeros[8];

    for (int i = 0; i < TRACE_COUNTERS; i++) {
        struct trace_counter value = counters->values[i];
        const char *reason = counters->reasons[i];
        struct trace_fact head = {TRACE_FACT_COUNTER, 0};

        if (reason[0])
            value.value = value.enabled_ns = value.running_ns = 0;
        head.size = (uint32_t)(sizeof value + strlen(reason));
        text_append_bytes(facts, (const char *)&head, sizeof head);
        text_append_bytes(facts, (const char *)&value, sizeof value);
        text_append_bytes(facts, reason, strlen(reason));
        text_append_bytes(facts, zeros, (8 - head.size % 8) % 8);
    }
}
