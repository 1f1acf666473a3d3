/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames as tables: processes, rows, threads, alerts.
 */
#include "live/live_report.h"

#include <math.h>

#include "base/text.h"
#include "devices/device_numbers.h"
#include "live/live_parts.h"
#include "live/live_screen.h"
#include "model/session_process.h"

static const double second = 1e9;

static const struct column process_columns[] = {
    {"pid", "pid", "number of the process", UNIT_NUMBER, 0},
    {"name", "name", "of the program", UNIT_TEXT, 0},
    {"rank", "rank", "in its job", UNIT_TEXT, 0},
    {"state", "state", "runs, ended or unseen", UNIT_TEXT, 0},
    {"age_ns", "age", "since its start", UNIT_NS, 0},
    {"span_ns", "span", "that the second rates are over", UNIT_NS, 0},
    {"processors_allowed", "allowed", "processors that it may use", UNIT_REAL, 0},
    {"processors_used", "used", "processors that it used in the last frame", UNIT_REAL, 0},
    {"processors_used_span", "used (span)", "the same over the span", UNIT_REAL, 0},
    {"step", "step", "region that repeats", UNIT_TEXT, 0},
    {"steps", "steps", "its calls", UNIT_COUNT, 0},
    {"steps_per_second", "steps/s", "in the last frame", UNIT_PER_SECOND, 0},
    {"steps_per_second_span", "steps/s (span)", "over the span", UNIT_PER_SECOND, 0},
    {"flops", "FLOPs", "of known kernels, in all", UNIT_FLOPS, 0},
    {"flops_per_second", "FLOP/s", "in the last frame", UNIT_FLOPS_PER_SECOND, 0},
    {"flops_per_second_span", "FLOP/s (span)", "over the span", UNIT_FLOPS_PER_SECOND, 0},
    {"heap_bytes", "heap", "live heap", UNIT_BYTES, 0},
    {"resident_bytes", "resident", "resident memory", UNIT_BYTES, 0},
    {"waiting_threads", "waiting", "threads that waited, on average", UNIT_REAL, 0},
    {"recording_fraction", "recording", "processors that recording took", UNIT_FRACTION, 0},
    {"requests", "requests", "answered in all", UNIT_COUNT, 0},
    {"requests_per_second", "requests/s", "in the last frame", UNIT_PER_SECOND, 0},
    {"requests_per_second_span", "requests/s (span)", "over the span", UNIT_PER_SECOND, 0},
    {"p50_ns", "p50", "latency of requests over the span", UNIT_NS, 0},
    {"p99_ns", "p99", "the same", UNIT_NS, 0},
    {"frames", "frames", "read so far", UNIT_COUNT, 0},
    {"torn_frames", "torn", "frames that were torn and left out", UNIT_COUNT, 0},
};

static const struct column row_columns[] = {
    {"pid", "pid", "of the process", UNIT_NUMBER, 0},
    {"name", "name", "of the kernel, op, wait, region or endpoint", UNIT_TEXT, 0},
    {"kind", "kind", "kernel, op, wait, idle, region or request", UNIT_TEXT, 0},
    {"threads", "1 s", "threads inside in the last frame, on average", UNIT_FRACTION, 0},
    {"threads_span", "60 s", "the same over the span", UNIT_FRACTION, 0},
    {"calls", "calls", "in all", UNIT_COUNT, 0},
    {"calls_per_second", "calls/s", "in the last frame", UNIT_PER_SECOND, 0},
    {"flops_per_second", "FLOP/s", "in the last frame", UNIT_FLOPS_PER_SECOND, 0},
    {"bytes_per_second", "bytes/s", "that it read, wrote, answered, or (op, region) obtained",
     UNIT_BYTES_PER_SECOND, 0},
};

static const struct column thread_columns[] = {
    {"pid", "pid", "of the process", UNIT_NUMBER, 0},
    {"thread", "thread", "its number", UNIT_NUMBER, 0},
    {"call", "call", "of a kernel, that has not returned", UNIT_TEXT, 0},
    {"call_since_ns", "since", "for how long it has lasted", UNIT_NS, 0},
    {"wait", "waits", "call that waits, by itself or in the kernel", UNIT_TEXT, 0},
    {"wait_since_ns", "since", "for how long it has waited", UNIT_NS, 0},
    {"region", "region", "innermost one, or op", UNIT_TEXT, 0},
    {"region_since_ns", "since", "for how long it has been open", UNIT_NS, 0},
};

static const struct column alert_columns[] = {
    {"pid", "pid", "of the process", UNIT_NUMBER, 0},
    {"alert", "alert", "its name", UNIT_TEXT, 0},
    {"what", "what", "in words", UNIT_TEXT, 0},
    {"severity", "severity", "low, medium or high", UNIT_TEXT, 0},
    {"from_ns", "from", "since the start", UNIT_NS, 0},
    {"is_on", "on", "it goes on", UNIT_BOOL, 0},
    {"worst", "worst", "the worst value", UNIT_REAL, 0},
    {"unit", "unit", "of that", UNIT_TEXT, 0},
};

static const struct column device_columns[] = {
    {"pid", "pid", "of the process", UNIT_NUMBER, 0},
    {"device", "device", "its name, as the driver says", UNIT_TEXT, 0},
    {"busy", "busy", "of the driver's last period", UNIT_FRACTION, 0},
    {"memory_bytes", "memory", "in use by all processes", UNIT_BYTES, 0},
    {"memory_limit_bytes", "of", "memory that it has", UNIT_BYTES, 0},
    {"own_memory_bytes", "own", "memory in use by this process", UNIT_BYTES, 0},
    {"temperature_celsius", "temperature", "of the device", UNIT_NUMBER, 0},
    {"power_milliwatts", "power", "that it draws", UNIT_NUMBER, 0},
    {"slowed", "slowed", "its power or heat slows it", UNIT_BOOL, 0},
    {"read_ago_ns", "read", "so long before this frame", UNIT_NS, 0},
};

#define SCHEMA(name, title, columns)                                                               \
    static const struct table_schema name##_schema = {#name, title, columns,                       \
                                                      sizeof columns / sizeof *columns, NULL}

SCHEMA(processes, "Processes", process_columns);
SCHEMA(rows, "Rows", row_columns);
SCHEMA(threads, "Threads", thread_columns);
SCHEMA(alerts, "Alerts", alert_columns);
SCHEMA(devices, "Devices", device_columns);

static uint32_t pid_of(const struct live *live)
{
    return live->frames[live->shown].header.pid;
}

static const char *state_word(enum live_state state)
{
    static const char *const words[] = {
        [LIVE_RUNS] = "runs", [LIVE_ENDED] = "ended", [LIVE_UNSEEN] = "unseen"};

    return words[state];
}

/* Returns: the growth of a number by the second. */
static double rate(const struct live *live, size_t frames, double now, double before)
{
    size_t span = live_span(live, frames);

    if (span == 0)
        return (double)NAN;
    return (now - before) * second /
           (double)(live_now(live)->taken_ns - live_before(live, span)->taken_ns);
}

static void add_steps(struct value *row, const struct live *live)
{
    const struct live_row *steps = live_find_steps(live);

    if (!steps)
        return;
    value_set_text(&row[9], steps->name);
    value_set_count(&row[10], steps->ring[(live->count - 1) % LIVE_RING].calls);
    value_set_real(&row[11], live_rate(live, steps, 1).calls);
    value_set_real(&row[12], live_rate(live, steps, LIVE_SPAN).calls);
}

static void add_process(struct table *table, const struct live *live)
{
    const struct live_totals *now = live_now(live), *one = live_before(live, live_span(live, 1));
    const struct live_totals *span = live_before(live, live_span(live, LIVE_SPAN));
    struct value *row = table_add_row(table);

    value_set_unsigned(&row[0], pid_of(live));
    value_set_text(&row[1], live->session.process.name);
    value_set_text(&row[2], session_process_rank(&live->session.process));
    value_set_text(&row[3], state_word(live->state));
    value_set_rounded(&row[4], live_age_s(live) * second);
    value_set_unsigned(&row[5], now->taken_ns - span->taken_ns);
    value_set_real(&row[6], live_allowed(live));
    value_set_real(&row[7], rate(live, 1, now->cpu_ns, one->cpu_ns) / second);
    value_set_real(&row[8], rate(live, LIVE_SPAN, now->cpu_ns, span->cpu_ns) / second);
    add_steps(row, live);
    value_set_count(&row[13], (long double)now->flops);
    value_set_real(&row[14], rate(live, 1, now->flops, one->flops));
    value_set_real(&row[15], rate(live, LIVE_SPAN, now->flops, span->flops));
    value_set_rounded(&row[16], now->heap_bytes);
    value_set_rounded(&row[17], now->resident_bytes);
    value_set_real(&row[18], rate(live, 1, now->waiting_ns, one->waiting_ns) / second);
    value_set_real(&row[19], rate(live, LIVE_SPAN, now->recording_ns, span->recording_ns) / second);
    value_set_count(&row[20], (long double)now->requests);
    value_set_real(&row[21], rate(live, 1, now->requests, one->requests));
    value_set_real(&row[22], rate(live, LIVE_SPAN, now->requests, span->requests));
    value_set_rounded(&row[23], live_percentile(live, LIVE_SPAN, 0.5));
    value_set_rounded(&row[24], live_percentile(live, LIVE_SPAN, 0.99));
    value_set_unsigned(&row[25], live->count);
    value_set_unsigned(&row[26], live->file.dropped);
}

static const char *kind_word(enum live_kind kind)
{
    static const char *const words[] = {
        [LIVE_KERNEL] = "kernel", [LIVE_OP] = "op",         [LIVE_WAIT] = "wait",
        [LIVE_IDLE] = "idle",     [LIVE_REGION] = "region", [LIVE_REQUEST] = "request"};

    return words[kind];
}

static void add_rows(struct table *table, const struct live *live)
{
    const struct live_row *rows = live->rows.items;

    for (size_t i = 0; i < live->rows.count; i++) {
        struct live_sums one = live_rate(live, &rows[i], 1);
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[0], pid_of(live));
        value_set_text(&row[1], rows[i].name);
        value_set_text(&row[2], kind_word(rows[i].kind));
        value_set_real(&row[3], one.ns / second);
        value_set_real(&row[4], live_rate(live, &rows[i], LIVE_SPAN).ns / second);
        value_set_count(&row[5], rows[i].ring[(live->count - 1) % LIVE_RING].calls);
        value_set_real(&row[6], one.calls);
        value_set_real(&row[7], one.flops);
        value_set_real(&row[8], one.bytes);
    }
}

static void add_threads(struct table *table, const struct live *live)
{
    const struct live_thread *threads = live->threads.items;

    for (size_t i = 0; i < live->threads.count; i++) {
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[0], pid_of(live));
        value_set_unsigned(&row[1], threads[i].id);
        value_set_text(&row[2], threads[i].call);
        value_set_rounded(&row[3], threads[i].call_since_ns);
        value_set_text(&row[4], threads[i].wait);
        value_set_rounded(&row[5], threads[i].wait_since_ns);
        value_set_text(&row[6], threads[i].region);
        value_set_rounded(&row[7], threads[i].region_since_ns);
    }
}

static void add_alerts(struct table *table, const struct live *live)
{
    const struct live_alert *alerts = live->alerts.items;

    for (size_t i = 0; i < live->alerts.count; i++) {
        const struct alert_rule *rule = &alert_rules[alerts[i].alert.id];
        struct value *row = table_add_row(table);

        value_set_unsigned(&row[0], pid_of(live));
        value_set_text(&row[1], rule->name);
        value_set_text(&row[2], rule->what);
        value_set_text(&row[3], alert_severity_word(rule->severity));
        value_set_unsigned(&row[4], alerts[i].alert.from_ns);
        value_set_bool(&row[5], alerts[i].is_on);
        value_set_real(&row[6], alerts[i].alert.worst);
        value_set_text(&row[7], alert_unit_key(alert_measures[rule->measure].unit));
    }
}

static void set_number(struct value *value, const struct live_device *device,
                       enum trace_device_number number)
{
    if (device->values[number] != UINT64_MAX)
        value_set_unsigned(value, device->values[number]);
}

static void add_device(struct value *row, const struct live *live, const struct live_device *device)
{
    uint64_t busy = device->values[TRACE_DEVICE_UTILISATION];
    uint64_t reasons = device->values[TRACE_DEVICE_THROTTLE];
    double age_ns = live_age_s(live) * second - live_ticks_to_s(live, device->ticks) * second;

    value_set_unsigned(&row[0], pid_of(live));
    value_set_text(&row[1], live_device_name(live, device));
    if (busy != UINT64_MAX)
        value_set_real(&row[2], (double)busy / 100);
    set_number(&row[3], device, TRACE_DEVICE_MEMORY_USED);
    if (device->most[TRACE_DEVICE_MEMORY_USED] != 0)
        value_set_unsigned(&row[4], device->most[TRACE_DEVICE_MEMORY_USED]);
    set_number(&row[5], device, TRACE_DEVICE_MEMORY_USED_OWN);
    set_number(&row[6], device, TRACE_DEVICE_TEMPERATURE);
    set_number(&row[7], device, TRACE_DEVICE_POWER);
    if (reasons != UINT64_MAX)
        value_set_bool(&row[8], device_is_slowed(reasons));
    value_set_rounded(&row[9], fmax(age_ns, 0));
}

static void add_devices(struct table *table, const struct live *live)
{
    const struct live_device *devices = live->file.devices.items;

    for (size_t i = 0; i < live->file.devices.count; i++)
        if (devices[i].ticks != 0)
            add_device(table_add_row(table), live, &devices[i]);
}

static void add_table(struct document *document, const struct table_schema *schema,
                      void (*add)(struct table *table, const struct live *live),
                      const struct live *live, size_t count)
{
    struct table *table = document_start_table(document, schema->name, SECTION_IN_BOTH, schema);

    for (size_t i = 0; i < count; i++)
        if (live[i].count > 0)
            add(table, &live[i]);
}

void live_report_build(struct document *document, const struct live *live, size_t count)
{
    document_init(document);
    document->name = "live";
    document->main = "processes";
    add_table(document, &processes_schema, add_process, live, count);
    add_table(document, &rows_schema, add_rows, live, count);
    add_table(document, &threads_schema, add_threads, live, count);
    add_table(document, &devices_schema, add_devices, live, count);
    add_table(document, &alerts_schema, add_alerts, live, count);
}
