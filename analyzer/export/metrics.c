/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sums of runs as text for monitoring.
 *
 * Sources: https://prometheus.io/docs/instrumenting/exposition_formats and OpenMetrics 1.0.
 */
#include "export/metrics.h"

#include <inttypes.h>

#include "analysis/analysis.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/utf8.h"
#include "devices/block_rows.h"
#include "devices/device_numbers.h"
#include "devices/queue_tracks.h"
#include "heap/memory_facts.h"
#include "kernels/groups.h"
#include "model/busy.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_losses.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

struct metric_row {
    const char *name;
    const char *help;
};

static const struct metric_row rows[METRICS] = {
#define METRIC(id, name, help) {name, help},
#include "export/metrics.def"
#undef METRIC
};

struct exposition {
    struct text *text; /* the family's */
    enum metrics_family metric;
    const struct session *session;
    const struct groups *groups; /* the session's groups by kernel */
    size_t image;                /* the number of the program in the process, from 1 on */
};

void metrics_append_label(struct text *text, const char *comma, const char *key, const char *value)
{
    struct text valid;

    text_init(&valid);
    utf8_append_valid(&valid, value);
    text_appendf(text, "%s%s=\"", comma, key);
    for (const char *c = valid.bytes; *c; c++) {
        if (*c == '\n')
            text_append(text, "\\n");
        else if (*c == '"' || *c == '\\')
            text_appendf(text, "\\%c", *c);
        else
            text_append_bytes(text, c, 1);
    }
    text_append(text, "\"");
}

/* The labels of a sample, besides those of the process; NULL: none. */
struct labels {
    const char *key, *value;
    const char *library;
    const struct session_device *device;
};

/* Devices of one name differ by their number. */
static void write_device_label(struct exposition *exposition, const struct session_device *device)
{
    metrics_append_label(exposition->text, ",", "device", device->name);
    text_appendf(exposition->text, ",device_id=\"%" PRIu32 "\"", (uint32_t)device->fact.id);
}

static void begin_sample(struct exposition *exposition, const struct labels *labels)
{
    const struct session_process *process = &exposition->session->process;
    const char *rank = session_process_rank(process);

    text_appendf(exposition->text, "%s{pid=\"%" PRIu32 "\"", rows[exposition->metric].name,
                 process->pid);
    metrics_append_label(exposition->text, ",", "program", process->name ? process->name : "");
    metrics_append_label(exposition->text, ",", "host", process->host ? process->host : "");
    if (rank)
        metrics_append_label(exposition->text, ",", "rank", rank);
    if (exposition->image > 1)
        text_appendf(exposition->text, ",image=\"%zu\"", exposition->image);
    if (labels && labels->key)
        metrics_append_label(exposition->text, ",", labels->key, labels->value);
    if (labels && labels->library)
        metrics_append_label(exposition->text, ",", "library", labels->library);
    if (labels && labels->device)
        write_device_label(exposition, labels->device);
    text_append(exposition->text, "} ");
}

static void write_count(struct exposition *exposition, const struct labels *labels, uint64_t count)
{
    if (count == SESSION_UNKNOWN)
        return;
    begin_sample(exposition, labels);
    text_appendf(exposition->text, "%" PRIu64 "\n", count);
}

static void write_real(struct exposition *exposition, const struct labels *labels, double value)
{
    begin_sample(exposition, labels);
    text_appendf(exposition->text, "%.17g\n", value);
}

/* Nine decimals are all nanoseconds. */
static void write_time(struct exposition *exposition, const struct labels *labels, uint64_t ns)
{
    if (ns == SESSION_UNKNOWN)
        return;
    begin_sample(exposition, labels);
    text_appendf(exposition->text, "%" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void write_cpu(struct exposition *exposition)
{
    const struct trace_reading *last = &exposition->session->process.last;

    write_time(exposition, &(struct labels){"mode", "user", NULL, NULL}, last->user_ns);
    write_time(exposition, &(struct labels){"mode", "system", NULL, NULL}, last->system_ns);
}

static void write_kernels(struct exposition *exposition)
{
    for (size_t i = 0; i < exposition->groups->rows.count; i++) {
        const struct group *group = array_at(&exposition->groups->rows, i);
        const struct labels labels = {"kernel", group->name, group->library, NULL};

        if (exposition->metric == METRICS_KERNEL_CALLS)
            write_count(exposition, &labels, group->calls);
        else if (exposition->metric == METRICS_KERNEL_TIME)
            write_time(exposition, &labels, group->self_ns);
        else if (group->flops == group->flops)
            write_real(exposition, &labels, (double)group->flops);
    }
}

static void write_waiting(struct exposition *exposition)
{
    static const char *const keys[] = {
#define WAIT_CLASS(class, key, help) key,
#include "spec/wait_classes.def"
#undef WAIT_CLASS
    };
    const struct session *session = exposition->session;
    uint64_t sums[sizeof keys / sizeof *keys] = {0};

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->class < sizeof keys / sizeof *keys)
            sums[wait->class] += wait->waiting_ns;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (sums[i] > 0)
            write_time(exposition, &(struct labels){"class", keys[i], NULL, NULL}, sums[i]);
}

static void write_busy(struct exposition *exposition, uint32_t device)
{
    const struct session *session = exposition->session;
    const struct labels labels = {.device = session_device_at(&session->devices, device)};
    struct busy busy;

    busy_take_all(&busy);
    busy_measure(&busy, session, device);
    if (exposition->metric == METRICS_DEVICE_UNTIMED)
        write_count(exposition, &labels, busy.untimed);
    else if (busy.commands > 0)
        write_time(exposition, &labels, (uint64_t)busy.busy_ns);
    array_fini(&busy.gaps);
}

/* Builds are work of the host, on no queue. */
static void write_commands(struct exposition *exposition, uint32_t device)
{
    const struct session_devices *devices = &exposition->session->devices;
    uint64_t sums[TRACE_COMMAND_KINDS] = {0};
    const char *kinds[TRACE_COMMAND_KINDS] = {NULL};

    for (size_t i = 0; i < devices->sums.count; i++) {
        const struct session_command_sum *sum = session_command_sum_at(devices, i);

        if (sum->queue == SESSION_NONE || session_queue_at(devices, sum->queue)->device != device)
            continue;
        kinds[sum->kind] = command_kind(sum);
        sums[sum->kind] += exposition->metric == METRICS_DEVICE_COMMANDS ? sum->calls : sum->bytes;
    }
    for (size_t i = 0; i < TRACE_COMMAND_KINDS; i++)
        if (kinds[i] && sums[i] > 0)
            write_count(
                exposition,
                &(struct labels){"kind", kinds[i], NULL, session_device_at(devices, device)},
                sums[i]);
}

static void write_peak(struct exposition *exposition, uint32_t device)
{
    const struct session *session = exposition->session;
    uint64_t peak = block_rows_most(session, device);

    if (peak > 0)
        write_count(exposition,
                    &(struct labels){.device = session_device_at(&session->devices, device)}, peak);
}

static const enum trace_device_number read_numbers[METRICS] = {
    [METRICS_DEVICE_USE] = TRACE_DEVICE_UTILISATION,
    [METRICS_DEVICE_USED] = TRACE_DEVICE_MEMORY_USED,
    [METRICS_DEVICE_TOTAL] = TRACE_DEVICE_MEMORY_USED,
    [METRICS_DEVICE_HEAT] = TRACE_DEVICE_TEMPERATURE,
    [METRICS_DEVICE_POWER] = TRACE_DEVICE_POWER,
    [METRICS_DEVICE_CLOCK] = TRACE_DEVICE_CLOCK,
    [METRICS_DEVICE_SLOWED] = TRACE_DEVICE_THROTTLE};

static void write_number(struct exposition *exposition, uint32_t device)
{
    const struct session *session = exposition->session;
    const struct labels labels = {.device = session_device_at(&session->devices, device)};
    struct device_number_sum sum;

    device_number_sum(&sum, session, device, read_numbers[exposition->metric]);
    if (sum.count == 0)
        return;
    if (exposition->metric == METRICS_DEVICE_USE)
        write_real(exposition, &labels, sum.mean / 100);
    else if (exposition->metric == METRICS_DEVICE_TOTAL)
        write_count(exposition, &labels, sum.most > 0 ? sum.most : SESSION_UNKNOWN);
    else if (exposition->metric == METRICS_DEVICE_POWER)
        write_real(exposition, &labels, (double)sum.last / 1e3);
    else if (exposition->metric == METRICS_DEVICE_CLOCK)
        write_real(exposition, &labels, (double)sum.last * 1e6);
    else if (exposition->metric == METRICS_DEVICE_SLOWED)
        write_count(exposition, &labels, device_is_slowed(sum.bits));
    else
        write_count(exposition, &labels, sum.last);
}

static void write_devices(struct exposition *exposition,
                          void (*write)(struct exposition *exposition, uint32_t device))
{
    for (uint32_t i = 0; i < exposition->session->devices.devices.count; i++)
        write(exposition, i);
}

static void write_pressure(struct exposition *exposition, const struct trace_surroundings *last)
{
    write_time(exposition, &(struct labels){"resource", "cpu", NULL, NULL}, last->cpu_pressure_ns);
    write_time(exposition, &(struct labels){"resource", "memory", NULL, NULL},
               last->memory_pressure_ns);
    write_time(exposition, &(struct labels){"resource", "io", NULL, NULL},
               last->group_io_pressure_ns);
}

static void write_events(struct exposition *exposition, const struct trace_surroundings *last)
{
    write_count(exposition, &(struct labels){"event", "high", NULL, NULL}, last->high_events);
    write_count(exposition, &(struct labels){"event", "max", NULL, NULL}, last->limit_events);
    write_count(exposition, &(struct labels){"event", "oom_kill", NULL, NULL}, last->oom_kills);
}

/* The last that was read of the surroundings. */
static void write_group(struct exposition *exposition)
{
    const struct session *session = exposition->session;
    const struct trace_surroundings *last;

    if (session->surroundings.count == 0)
        return;
    last = &((const struct session_surroundings *)array_at(&session->surroundings,
                                                           session->surroundings.count - 1))
                ->values;
    if (exposition->metric == METRICS_GROUP_MEMORY)
        write_count(exposition, NULL, last->memory_bytes);
    else if (exposition->metric == METRICS_GROUP_LIMIT)
        write_count(exposition, NULL, last->memory_limit_bytes);
    else if (exposition->metric == METRICS_GROUP_THROTTLED)
        write_time(exposition, NULL, last->throttled_ns);
    else if (exposition->metric == METRICS_GROUP_EVENTS)
        write_events(exposition, last);
    else
        write_pressure(exposition, last);
}

static void write_values(struct exposition *exposition)
{
    const struct session *session = exposition->session;

    for (size_t i = 0; i < session->metrics.count; i++) {
        const struct session_metric *metric = session_metric_at(session, i);

        write_real(exposition, &(struct labels){"name", metric->name, NULL, NULL}, metric->value);
    }
}

static uint64_t count_lost(const struct session *session)
{
    const struct session_losses *losses = &session->losses;

    if (losses->overwritten_records == SESSION_UNKNOWN)
        return SESSION_UNKNOWN;
    return losses->lost_records + losses->overwritten_records + losses->bad_records;
}

static void write_exit(struct exposition *exposition)
{
    const struct session_process *process = &exposition->session->process;
    bool has_status = process->ending == SESSION_EXITED || process->ending == SESSION_QUIT;

    if (has_status && process->exit_status != SESSION_NO_STATUS)
        write_count(exposition, NULL, (uint64_t)process->exit_status);
}

static void write_metric(struct exposition *exposition)
{
    const struct session *session = exposition->session;
    const struct session_process *process = &session->process;
    const struct session_heap *heap = &session->heap;

    switch (exposition->metric) {
    case METRICS_START: write_time(exposition, NULL, process->realtime_start_ns); return;
    case METRICS_COMPLETE: write_count(exposition, NULL, session_is_complete(session)); return;
    case METRICS_EXIT: write_exit(exposition); return;
    case METRICS_WALL: write_time(exposition, NULL, process->wall_ns); return;
    case METRICS_CPU: write_cpu(exposition); return;
    case METRICS_PEAK_RSS: write_count(exposition, NULL, process->last.peak_rss_bytes); return;
    case METRICS_PEAK_HEAP:
        write_count(exposition, NULL, memory_if_known(heap, heap->peak_bytes));
        return;
    case METRICS_LIVE:
        write_count(exposition, NULL, memory_if_known(heap, heap->live_bytes));
        return;
    case METRICS_ALLOCATED: write_count(exposition, NULL, heap->allocated_bytes); return;
    case METRICS_ALLOCATIONS: write_count(exposition, NULL, heap->allocations); return;
    case METRICS_FREES: write_count(exposition, NULL, heap->frees); return;
    case METRICS_KERNEL_CALLS:
    case METRICS_KERNEL_TIME:
    case METRICS_KERNEL_FLOPS: write_kernels(exposition); return;
    case METRICS_WAITING: write_waiting(exposition); return;
    case METRICS_DEVICE_BUSY:
    case METRICS_DEVICE_UNTIMED: write_devices(exposition, write_busy); return;
    case METRICS_DEVICE_COMMANDS:
    case METRICS_DEVICE_BYTES: write_devices(exposition, write_commands); return;
    case METRICS_DEVICE_PEAK: write_devices(exposition, write_peak); return;
    case METRICS_DEVICE_USE:
    case METRICS_DEVICE_USED:
    case METRICS_DEVICE_TOTAL:
    case METRICS_DEVICE_HEAT:
    case METRICS_DEVICE_POWER:
    case METRICS_DEVICE_CLOCK:
    case METRICS_DEVICE_SLOWED: write_devices(exposition, write_number); return;
    case METRICS_READ: write_count(exposition, NULL, process->last.read_bytes); return;
    case METRICS_WRITTEN: write_count(exposition, NULL, process->last.written_bytes); return;
    case METRICS_GROUP_MEMORY:
    case METRICS_GROUP_LIMIT:
    case METRICS_GROUP_THROTTLED:
    case METRICS_GROUP_EVENTS:
    case METRICS_GROUP_PRESSURE: write_group(exposition); return;
    case METRICS_LOST: write_count(exposition, NULL, count_lost(session)); return;
    case METRICS_OVERHEAD: write_time(exposition, NULL, session->overhead.total_ns); return;
    case METRICS_VALUE: write_values(exposition); return;
    case METRICS_ALERT: /* told one by one */
    case METRICS: return;
    }
}

/* Returns: the number of the process among those with the same name, from 1 on. */
static size_t find_image(struct metrics *metrics, const struct session_process *process)
{
    size_t *count;
    struct text key;
    long number;

    text_init(&key);
    text_appendf(&key, "%" PRIu32 " ", process->pid);
    text_index_append_part(&key, process->name);
    text_index_append_part(&key, process->host);
    text_index_append_part(&key, session_process_rank(process));
    number = text_index_add(&metrics->processes, &key);
    count = (size_t)number == metrics->images.count ? array_add(&metrics->images)
                                                    : array_at(&metrics->images, (size_t)number);
    return ++*count;
}

void metrics_init(struct metrics *metrics)
{
    text_index_init(&metrics->processes);
    array_init(&metrics->images, sizeof(size_t));
    for (int i = 0; i < METRICS; i++)
        text_init(&metrics->families[i]);
}

void metrics_fini(struct metrics *metrics)
{
    text_index_fini(&metrics->processes);
    array_fini(&metrics->images);
    for (int i = 0; i < METRICS; i++)
        text_fini(&metrics->families[i]);
}

void metrics_add(struct metrics *metrics, const struct session *session)
{
    struct analysis_options options = analysis_defaults();
    struct groups groups;
    struct pool pool;
    metrics->image = find_image(metrics, &session->process);
    options.by = ANALYSIS_BY_KERNEL;
    pool_enter(&pool);
    groups_init(&groups, session, &options);
    for (enum metrics_family i = 0; i < METRICS; i++) {
        struct exposition exposition = {&metrics->families[i], i, session, &groups, metrics->image};

        write_metric(&exposition);
    }
    pool_leave(&pool);
}

void metrics_add_alert(struct metrics *metrics, const struct session *session, const char *alert)
{
    struct exposition exposition = {&metrics->families[METRICS_ALERT], METRICS_ALERT, session, NULL,
                                    metrics->image};

    write_count(&exposition, &(struct labels){"alert", alert, NULL, NULL}, 1);
}

void metrics_write(const struct metrics *metrics, bool is_open, FILE *out)
{
    for (int i = 0; i < METRICS; i++)
        if (metrics->families[i].size > 0)
            fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n%s", rows[i].name, rows[i].help,
                    rows[i].name, metrics->families[i].bytes);
    if (is_open)
        fputs("# EOF\n", out);
}
