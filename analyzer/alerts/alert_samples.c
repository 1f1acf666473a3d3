/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Measures between two readings.
 */
#include "alerts/alert_samples.h"

#include <math.h>
#include <string.h>

#include "devices/device_numbers.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "statistics/trend.h"

/* Growth is looked for in the last minute.  Below half of the limit a program may still be loading
 * its data, and stop then. */
enum { OOM_POINTS = 120, OOM_LEAST_POINTS = 8 };

static const uint64_t least_gap_ns = 500000000;
static const uint64_t oom_window_ns = 60000000000;
static const double oom_least_used = 0.5, oom_confidence = 0.95;
static const uint64_t least_segments = 50; /* fewer are no sample of a network */
static const double own_bytes_least = 1e6; /* bytes a second that a disk notices */
static const double own_part = 0.5;

void alert_samples_init(struct alert_samples *samples, const struct session_process *process)
{
    *samples = (struct alert_samples){.cpu_count = process->cpu_count,
                                      .memory_limit_bytes = process->memory_limit_bytes,
                                      .memory_total_bytes = process->memory_total_bytes};
    array_init(&samples->rows, sizeof(struct alert_sample));
}

void alert_samples_fini(struct alert_samples *samples)
{
    array_fini(&samples->rows);
}

struct alert_devices alert_devices_unknown(void)
{
    const double unknown = (double)NAN;

    return (struct alert_devices){unknown, unknown, unknown, unknown};
}

static const struct alert_sample *sample_at(const struct alert_samples *samples, size_t index)
{
    return array_at(&samples->rows, index);
}

/* ---- a session ------------------------------------------------------------------------- */

/* The surroundings that were read last before a time. */
static void take_surroundings(struct alert_sample *sample, const struct session *session,
                              uint64_t until_ns, size_t *next)
{
    const struct session_surroundings *all = session->surroundings.items;

    while (*next < session->surroundings.count && all[*next].time_ns < until_ns)
        ++*next;
    sample->surroundings_ns = *next > 0 ? all[*next - 1].time_ns : 0;
    if (*next > 0)
        sample->surroundings = all[*next - 1].values;
    else
        memset(&sample->surroundings, 0xff, sizeof sample->surroundings);
}

static double share_of(const struct session_device_number *reading)
{
    return reading->most > 0 ? (double)reading->value / (double)reading->most : (double)NAN;
}

/* fmin and fmax take the number beside a NAN. */
void alert_devices_take(struct alert_devices *devices, const struct session_device_number *reading)
{
    if (reading->number == TRACE_DEVICE_UTILISATION)
        devices->busy = fmin(devices->busy, share_of(reading));
    if (reading->number == TRACE_DEVICE_MEMORY_USED)
        devices->memory = fmax(devices->memory, share_of(reading));
    if (reading->number == TRACE_DEVICE_TEMPERATURE)
        devices->heat = fmax(devices->heat, share_of(reading));
    if (reading->number == TRACE_DEVICE_THROTTLE)
        devices->slowed = fmax(devices->slowed, device_is_slowed(reading->value));
}

/* All readings of devices since the last sample. */
static void take_devices(struct alert_sample *sample, const struct session *session,
                         uint64_t until_ns, size_t *next)
{
    const struct session_device_number *all = session->devices.numbers.items;

    sample->devices = alert_devices_unknown();
    for (; *next < session->devices.numbers.count && all[*next].time_ns < until_ns; ++*next)
        alert_devices_take(&sample->devices, &all[*next]);
}

/* The records of surroundings follow the one of their reading, so each sample takes those up to the
 * next reading. */
static uint64_t next_time(const struct session *session, size_t index)
{
    const struct session_reading *readings = session->readings.items;

    return index + 1 < session->readings.count ? readings[index + 1].time_ns : SESSION_UNKNOWN;
}

/* The last reading counts in any case. */
static bool is_too_soon(const struct session *session, size_t index, uint64_t last_ns)
{
    const struct session_reading *readings = session->readings.items;
    uint64_t gap_ns = index + 1 < session->readings.count ? least_gap_ns : 1;

    return readings[index].time_ns < last_ns + gap_ns;
}

void alert_samples_fill(struct alert_samples *samples, const struct session *session)
{
    const struct session_reading *readings = session->readings.items;
    uint64_t last_ns = 0;
    size_t next = 0, next_number = 0;

    for (size_t i = 0; i < session->readings.count; i++) {
        struct alert_sample *sample;

        if (samples->rows.count > 0 && is_too_soon(session, i, last_ns))
            continue;
        sample = array_add(&samples->rows);
        sample->time_ns = last_ns = readings[i].time_ns;
        sample->reading = readings[i].values;
        take_surroundings(sample, session, next_time(session, i), &next);
        take_devices(sample, session, next_time(session, i), &next_number);
    }
}

/* ---- measures -------------------------------------------------------------------------- */

/* Returns: how much a sum has grown; NAN: unknown, or it fell. */
static double growth(uint64_t before, uint64_t now)
{
    if (before == SESSION_UNKNOWN || now == SESSION_UNKNOWN || now < before)
        return (double)NAN;
    return (double)(now - before);
}

static double or_unknown(uint64_t number)
{
    return number == SESSION_UNKNOWN ? (double)NAN : (double)number;
}

/* A sample, the one before it, and the time between them. */
struct pair {
    const struct alert_samples *samples;
    const struct alert_sample *before, *now;
    size_t index;
    double ns;
};

double alert_samples_allowed(const struct alert_samples *samples, size_t index)
{
    const struct alert_sample *now = sample_at(samples, index);
    double quota = or_unknown(now->surroundings.quota_ppm) / 1e6;

    return fmin(or_unknown(samples->cpu_count), quota);
}

static double cpu_ns(const struct pair *pair)
{
    return growth(pair->before->reading.user_ns, pair->now->reading.user_ns) +
           growth(pair->before->reading.system_ns, pair->now->reading.system_ns);
}

static struct pair pair_at(const struct alert_samples *samples, size_t index)
{
    const struct alert_sample *before = sample_at(samples, index - 1);
    const struct alert_sample *now = sample_at(samples, index);

    return (struct pair){samples, before, now, index, (double)(now->time_ns - before->time_ns)};
}

double alert_samples_used(const struct alert_samples *samples, size_t index)
{
    struct pair pair;

    if (index == 0 || index >= samples->rows.count)
        return (double)NAN;
    pair = pair_at(samples, index);
    return cpu_ns(&pair) / pair.ns;
}

static struct alert_point point_of(double value)
{
    return (struct alert_point){.value = value, .low = (double)NAN, .high = (double)NAN};
}

static struct alert_point measure_cpu(const struct pair *pair)
{
    return point_of(cpu_ns(pair) / pair->ns / alert_samples_allowed(pair->samples, pair->index));
}

/* Memory that the kernel cannot take back, and its limit: of the group, else of the process and the
 * machine. */
struct memory {
    double used, limit;
};

static struct memory memory_of(const struct alert_samples *samples,
                               const struct alert_sample *sample)
{
    const struct trace_surroundings *around = &sample->surroundings;
    double limit =
        fmin(or_unknown(around->memory_limit_bytes), or_unknown(samples->memory_limit_bytes));
    double files = or_unknown(around->file_bytes);

    if (!isnan(limit) && around->memory_bytes != SESSION_UNKNOWN)
        return (struct memory){fmax(0, (double)around->memory_bytes - (isnan(files) ? 0 : files)),
                               limit};
    return (struct memory){or_unknown(sample->reading.rss_bytes),
                           isnan(limit) ? or_unknown(samples->memory_total_bytes) : limit};
}

static struct alert_point measure_memory(const struct pair *pair)
{
    struct memory memory = memory_of(pair->samples, pair->now);

    return point_of(memory.used / memory.limit);
}

static struct alert_point measure_resident(const struct pair *pair)
{
    return point_of(or_unknown(pair->now->reading.rss_bytes));
}

/* The kernel adds the time up for all processors at once, so it may run ahead of the clock. */
static struct alert_point measure_disk(const struct pair *pair)
{
    double share =
        growth(pair->before->reading.io_pressure_ns, pair->now->reading.io_pressure_ns) / pair->ns;

    return point_of(share > 1 ? 1 : share); /* fmin would take an unknown share for 1 */
}

static double grown(const struct pair *pair, size_t offset)
{
    uint64_t before, now;

    memcpy(&before, (const char *)&pair->before->surroundings + offset, sizeof before);
    memcpy(&now, (const char *)&pair->now->surroundings + offset, sizeof now);
    return growth(before, now);
}

#define GROWN(pair, field) grown(pair, offsetof(struct trace_surroundings, field))

/* Without a period nothing is known: the group slept, or the file was not read again. */
static struct alert_point measure_throttled(const struct pair *pair)
{
    double periods = GROWN(pair, periods);

    return point_of(periods > 0 ? GROWN(pair, throttled_periods) / periods : (double)NAN);
}

static struct alert_point measure_refaults(const struct pair *pair)
{
    double ns = (double)pair->now->surroundings_ns - (double)pair->before->surroundings_ns;

    return point_of(ns > 0 ? GROWN(pair, refaults) / ns * 1e9 : (double)NAN);
}

static struct alert_point measure_oom_kills(const struct pair *pair)
{
    return point_of(GROWN(pair, oom_kills));
}

static struct alert_point measure_overflows(const struct pair *pair)
{
    return point_of(GROWN(pair, listen_overflows));
}

static struct alert_point measure_retransmits(const struct pair *pair)
{
    double segments = GROWN(pair, sent_segments);

    return point_of(segments >= (double)least_segments ? GROWN(pair, retransmits) / segments
                                                       : (double)NAN);
}

static struct alert_point measure_hot(const struct pair *pair)
{
    return point_of(GROWN(pair, throttles));
}

static struct alert_point measure_gpu(const struct pair *pair)
{
    return point_of(pair->now->devices.busy);
}

static struct alert_point measure_gpu_memory(const struct pair *pair)
{
    return point_of(pair->now->devices.memory);
}

static struct alert_point measure_gpu_heat(const struct pair *pair)
{
    return point_of(pair->now->devices.heat);
}

static struct alert_point measure_gpu_slowed(const struct pair *pair)
{
    return point_of(pair->now->devices.slowed);
}

/* The ends of steps are no readings. */
static struct alert_point measure_nothing(const struct pair *pair)
{
    (void)pair;
    return point_of((double)NAN);
}

/* ---- time to the limit ----------------------------------------------------------------- */

struct course {
    double x[OOM_POINTS], y[OOM_POINTS];
    size_t count;
};

static size_t find_first(const struct alert_samples *samples, size_t index)
{
    uint64_t until_ns = sample_at(samples, index)->time_ns;
    size_t first = index;

    while (first > 0 && index - first + 1 < OOM_POINTS &&
           sample_at(samples, first - 1)->time_ns + oom_window_ns >= until_ns)
        first--;
    return first;
}

static void gather(struct course *course, const struct alert_samples *samples, size_t index)
{
    course->count = 0;
    for (size_t i = find_first(samples, index); i <= index; i++) {
        const struct alert_sample *sample = sample_at(samples, i);
        double used = memory_of(samples, sample).used;

        if (isnan(used))
            continue;
        course->x[course->count] = (double)sample->time_ns;
        course->y[course->count++] = used;
    }
}

/* Only a growth that is no chance has an end in sight: the lower bound of its slope is above 0. */
static struct alert_point measure_oom(const struct pair *pair)
{
    struct memory memory = memory_of(pair->samples, pair->now);
    struct alert_point point = point_of((double)NAN);
    struct course course;
    struct trend trend;

    if (isnan(memory.limit) || isnan(memory.used))
        return point;
    point.value = (double)INFINITY;
    gather(&course, pair->samples, pair->index);
    if (course.count < OOM_LEAST_POINTS || memory.used < oom_least_used * memory.limit)
        return point;
    trend_find(&trend, course.x, course.y, course.count, oom_confidence);
    if (!(trend.low > 0))
        return point;
    point.value = (memory.limit - memory.used) / trend.slope;
    point.low = (memory.limit - memory.used) / trend.high;
    point.high = (memory.limit - memory.used) / trend.low;
    return point;
}

static struct alert_point (*const measures[ALERT_MEASURES])(const struct pair *pair) = {
    [ALERT_MEASURE_CPU] = measure_cpu,
    [ALERT_MEASURE_MEMORY] = measure_memory,
    [ALERT_MEASURE_RESIDENT] = measure_resident,
    [ALERT_MEASURE_DISK] = measure_disk,
    [ALERT_MEASURE_THROTTLED] = measure_throttled,
    [ALERT_MEASURE_OOM] = measure_oom,
    [ALERT_MEASURE_REFAULTS] = measure_refaults,
    [ALERT_MEASURE_OOM_KILLS] = measure_oom_kills,
    [ALERT_MEASURE_OVERFLOWS] = measure_overflows,
    [ALERT_MEASURE_RETRANSMITS] = measure_retransmits,
    [ALERT_MEASURE_HOT] = measure_hot,
    [ALERT_MEASURE_GPU] = measure_gpu,
    [ALERT_MEASURE_GPU_MEMORY] = measure_gpu_memory,
    [ALERT_MEASURE_GPU_HEAT] = measure_gpu_heat,
    [ALERT_MEASURE_GPU_SLOWED] = measure_gpu_slowed,
    [ALERT_MEASURE_STEP] = measure_nothing,
};

/* Surroundings are not read with each reading: the span of their sums is their own. */
static struct alert_point over_surroundings(struct alert_point point, const struct pair *pair)
{
    if (pair->now->surroundings_ns <= pair->before->surroundings_ns ||
        pair->before->surroundings_ns == 0)
        return point_of((double)NAN);
    point.from_ns = pair->before->surroundings_ns;
    point.to_ns = pair->now->surroundings_ns;
    return point;
}

/* Refaults, throttling and the network are sums; the memory and its limit are states. */
static bool is_of_sums(enum alert_measure measure)
{
    return alert_measures[measure].source < TRACE_SOURCES && measure != ALERT_MEASURE_OOM;
}

struct alert_point alert_samples_measure(const struct alert_samples *samples,
                                         enum alert_measure measure, size_t index)
{
    struct alert_point point;
    struct pair pair;

    if (index == 0 || index >= samples->rows.count)
        return point_of((double)NAN);
    pair = pair_at(samples, index);
    point = measures[measure](&pair);
    point.from_ns = pair.before->time_ns;
    point.to_ns = pair.now->time_ns;
    if (is_of_sums(measure))
        point = over_surroundings(point, &pair);
    point.sample = index;
    return point;
}

/* ---- causes ---------------------------------------------------------------------------- */

static enum alert_cause judge(bool is_known, bool is_own)
{
    return !is_known ? ALERT_CAUSE_UNKNOWN : is_own ? ALERT_CAUSE_PROGRAM : ALERT_CAUSE_OTHERS;
}

/* Bytes between the process and disks. */
static enum alert_cause judge_disk(const struct pair *pair)
{
    double bytes = growth(pair->before->reading.read_bytes, pair->now->reading.read_bytes) +
                   growth(pair->before->reading.written_bytes, pair->now->reading.written_bytes);

    return judge(!isnan(bytes), bytes / pair->ns * 1e9 >= own_bytes_least);
}

/* The process, or other processes of its group. */
static enum alert_cause judge_throttled(const struct pair *pair)
{
    double part = alert_samples_used(pair->samples, pair->index) /
                  alert_samples_allowed(pair->samples, pair->index);

    return judge(!isnan(part), part >= own_part);
}

static enum alert_cause judge_memory(const struct pair *pair)
{
    double part =
        or_unknown(pair->now->reading.rss_bytes) / memory_of(pair->samples, pair->now).used;

    return judge(!isnan(part), part >= own_part);
}

enum alert_cause alert_samples_judge(const struct alert_samples *samples,
                                     enum alert_measure measure, size_t index)
{
    struct pair pair;

    if (index == 0 || index >= samples->rows.count)
        return ALERT_CAUSE_UNKNOWN;
    pair = pair_at(samples, index);
    switch (measure) {
    case ALERT_MEASURE_CPU:
    case ALERT_MEASURE_RESIDENT: return ALERT_CAUSE_PROGRAM;
    case ALERT_MEASURE_DISK: return judge_disk(&pair);
    case ALERT_MEASURE_THROTTLED: return judge_throttled(&pair);
    case ALERT_MEASURE_MEMORY:
    case ALERT_MEASURE_REFAULTS:
    case ALERT_MEASURE_OOM: return judge_memory(&pair);
    case ALERT_MEASURE_OOM_KILLS:
    case ALERT_MEASURE_OVERFLOWS:
    case ALERT_MEASURE_RETRANSMITS:
    case ALERT_MEASURE_HOT:
    case ALERT_MEASURE_GPU:
    case ALERT_MEASURE_GPU_MEMORY:
    case ALERT_MEASURE_GPU_HEAT:
    case ALERT_MEASURE_GPU_SLOWED:
    case ALERT_MEASURE_STEP:
    case ALERT_MEASURES: break;
    }
    return ALERT_CAUSE_UNKNOWN;
}
