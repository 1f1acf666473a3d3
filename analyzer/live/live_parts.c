/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads and alerts of a frame.
 */
#include "live/live_parts.h"

#include <math.h>
#include <string.h>

#include "model/session_devices.h"
#include "model/session_opened.h"
#include "model/session_process.h"

enum { ALERTS_KEPT = 8, STALL_STEPS = 10 };

static const double second = 1e9, stall_least_s = 1;

double live_ticks_to_s(const struct live *live, uint64_t ticks)
{
    const struct trace_header *header = &live->frames[live->shown].header;

    if (ticks < header->start.ticks || !live->has_names)
        return (double)NAN;
    return (double)(ticks - header->start.ticks) * live->outline.clock.ns_per_tick / second;
}

/* ---- threads --------------------------------------------------------------------------- */

/* The words of threads follow one another in one text, so their places are set at the end. */
struct found {
    struct live_thread thread;
    size_t call, wait, region; /* where the words begin, plus one; 0: none */
};

static size_t begin_words(struct live *live)
{
    return live->texts.size + 1;
}

static void end_words(struct live *live)
{
    text_append_bytes(&live->texts, "", 1);
}

/* Returns: nanoseconds since a start; NAN: it is unknown. */
static double since(const struct live *live, uint64_t ticks)
{
    double start_s = ticks != 0 ? live_ticks_to_s(live, ticks) : (double)NAN;
    double now_s = live->state == LIVE_UNSEEN
                       ? live_ticks_to_s(live, live->frames[live->shown].header.latest.done)
                       : live_age_s(live);

    return isnan(start_s) || isnan(now_s) ? (double)NAN : fmax(0, now_s - start_s) * second;
}

static const union trace_cell *cell_of(const struct live_frame *frame, const struct live_lane *lane,
                                       uint64_t number, enum trace_cell_kind kind)
{
    const union trace_cell *cell =
        number != 0 && number < lane->count ? live_frame_cell(frame, lane, number) : NULL;

    return cell && cell->kind == (uint32_t)kind ? cell : NULL;
}

static void take_call(struct live *live, const struct live_frame *frame,
                      const struct live_lane *lane, struct found *found)
{
    const struct trace_open *open = &lane->open;
    const union trace_cell *wait = cell_of(frame, lane, open->wait, TRACE_CELL_WAIT);
    const union trace_cell *slot = cell_of(frame, lane, open->call, TRACE_CELL_SLOT);

    if (wait) {
        found->wait = begin_words(live);
        found->thread.wait_since_ns = since(live, open->wait_ticks);
        session_opened_append_wait(&live->texts, &live->outline.tallies, &wait->wait);
        end_words(live);
    }
    if (slot) {
        found->call = begin_words(live);
        found->thread.call_since_ns = since(live, open->call_ticks);
        session_opened_append_slot(&live->texts, &live->outline.tallies, &slot->slot);
        end_words(live);
    }
}

/* Returns: the node of the thread around a node; NULL: the lane is not sound. */
static const struct trace_node *thread_of(const struct live_frame *frame,
                                          const struct live_lane *lane, uint64_t number)
{
    const union trace_cell *cell = cell_of(frame, lane, number, TRACE_CELL_NODE);

    while (cell && cell->node.parent != 0) {
        uint64_t parent = cell->node.parent;

        cell = parent < number ? cell_of(frame, lane, parent, TRACE_CELL_NODE) : NULL;
        number = parent;
    }
    return cell ? &cell->node : NULL;
}

static void take_region(struct live *live, const struct live_frame *frame,
                        const struct live_lane *lane, struct found *found)
{
    const union trace_cell *cell = cell_of(frame, lane, lane->open.node, TRACE_CELL_NODE);

    if (!cell || cell->node.parent == 0)
        return;
    found->region = begin_words(live);
    found->thread.region_since_ns = since(live, lane->open.node_ticks);
    session_opened_append_label(&live->texts, &live->outline.facts, cell->node.label);
    end_words(live);
}

static void take_lane(struct live *live, const struct live_frame *frame,
                      const struct live_lane *lane, struct array *all)
{
    const struct trace_node *node = thread_of(frame, lane, lane->open.node);
    struct found *found;

    if (!node || node->last_ticks != 0)
        return;
    found = array_add(all);
    *found = (struct found){.thread = {.id = node->thread,
                                       .call_since_ns = (double)NAN,
                                       .wait_since_ns = (double)NAN,
                                       .region_since_ns = (double)NAN}};
    take_call(live, frame, lane, found);
    take_region(live, frame, lane, found);
}

void live_find_threads(struct live *live)
{
    const struct live_frame *frame = &live->frames[live->shown];
    const struct live_lane *lane = frame->lanes.items;
    const struct found *found;
    struct array all;

    array_init_owned(&all, sizeof(struct found));
    text_clear(&live->texts);
    array_truncate(&live->threads, 0);
    for (size_t i = 0; live->has_names && live->state != LIVE_ENDED && i < frame->lanes.count; i++)
        take_lane(live, frame, &lane[i], &all);
    found = all.items;
    for (size_t i = 0; i < all.count; i++) {
        struct live_thread *thread = array_add(&live->threads);

        *thread = found[i].thread;
        if (found[i].call != 0)
            thread->call = live->texts.bytes + found[i].call - 1;
        if (found[i].wait != 0)
            thread->wait = live->texts.bytes + found[i].wait - 1;
        if (found[i].region != 0)
            thread->region = live->texts.bytes + found[i].region - 1;
    }
    array_fini(&all);
}

/* ---- alerts ---------------------------------------------------------------------------- */

/* Returns: the row of an alert that is on; NULL: none. */
static struct live_alert *find_alert(struct live *live, enum alert_id id)
{
    struct live_alert *alert = live->alerts.items;

    for (size_t i = 0; i < live->alerts.count; i++)
        if (alert[i].is_on && alert[i].alert.id == id)
            return &alert[i];
    return NULL;
}

static void drop_oldest(struct live *live)
{
    struct live_alert *alert = live->alerts.items;

    if (live->alerts.count < ALERTS_KEPT)
        return;
    memmove(alert, alert + 1, (live->alerts.count - 1) * sizeof *alert);
    array_truncate(&live->alerts, live->alerts.count - 1);
}

static void show_alert(struct live *live, enum alert_id id, bool is_on)
{
    struct live_alert *alert = find_alert(live, id);

    if (!is_on) {
        if (alert)
            alert->is_on = false;
        return;
    }
    if (!alert) {
        drop_oldest(live);
        alert = array_add(&live->alerts);
    }
    *alert = (struct live_alert){live->states[id].alert, true};
}

/* Readings that are not taken any more say nothing of now. */
static struct alert_devices devices_now(const struct live *live, uint64_t ticks)
{
    static const double stale_s = 10;
    const struct live_device *device = live->file.devices.items;
    struct alert_devices devices = alert_devices_unknown();

    for (size_t i = 0; i < live->file.devices.count; i++) {
        if (device[i].ticks == 0 ||
            live_ticks_to_s(live, ticks) - live_ticks_to_s(live, device[i].ticks) > stale_s)
            continue;
        for (unsigned j = 0; j < TRACE_DEVICE_NUMBERS; j++)
            if (device[i].values[j] != UINT64_MAX)
                alert_devices_take(
                    &devices, &(struct session_device_number){.number = (enum trace_device_number)j,
                                                              .value = device[i].values[j],
                                                              .most = device[i].most[j]});
    }
    return devices;
}

static void add_sample(struct live *live, const struct trace_latest *latest)
{
    struct alert_sample *sample = array_add(&live->samples.rows);

    sample->time_ns = (uint64_t)(live_ticks_to_s(live, latest->done) * second);
    sample->reading = latest->reading;
    sample->surroundings_ns = 0;
    sample->devices = devices_now(live, latest->done);
    if (latest->surroundings_ticks != 0)
        sample->surroundings_ns =
            (uint64_t)(live_ticks_to_s(live, latest->surroundings_ticks) * second);
    if (latest->surroundings_ticks != 0)
        sample->surroundings = latest->surroundings;
    else
        memset(&sample->surroundings, 0xff, sizeof sample->surroundings);
}

/* The rules need two samples, and OOM-SOON the last minute: keep that. */
static void drop_samples(struct live *live)
{
    enum { KEPT = 256 };
    struct alert_sample *samples = live->samples.rows.items;
    size_t count = live->samples.rows.count;

    if (count < 2 * KEPT)
        return;
    memmove(samples, samples + count - KEPT, KEPT * sizeof *samples);
    array_truncate(&live->samples.rows, KEPT);
}

static void feed_readings(struct live *live, const struct trace_latest *latest)
{
    size_t last;

    if (latest->done == 0 || latest->done == live->latest_ticks)
        return;
    live->latest_ticks = latest->done;
    add_sample(live, latest);
    drop_samples(live);
    last = live->samples.rows.count - 1;
    for (int i = 0; i < ALERTS; i++) {
        struct alert_point point =
            alert_samples_measure(&live->samples, alert_rules[i].measure, last);

        if (i != ALERT_STALL)
            show_alert(live, (enum alert_id)i,
                       alert_state_feed(&live->states[i], (enum alert_id)i, &point, NULL));
    }
}

/* The mean of the steps stands for their median here: their lengths are not in the totals. */
static void feed_steps(struct live *live)
{
    const struct live_row *steps = live_find_steps(live);
    uint64_t now_ns = live_now(live)->taken_ns;
    struct alert_point point = {.value = 1, .low = (double)NAN, .high = (double)NAN};
    double mean_ns, gap_ns;

    if (!steps)
        return;
    const struct live_sums *now = &steps->ring[(live->count - 1) % LIVE_RING];
    if (live->count < 2 || now->calls > steps->ring[(live->count - 2) % LIVE_RING].calls)
        live->stall_ns = now_ns;
    mean_ns = now->calls > 0 ? now->ns / now->calls : (double)NAN;
    gap_ns = (double)(now_ns - live->stall_ns);
    if (now->calls >= STALL_STEPS && gap_ns >= stall_least_s * second)
        point.value = gap_ns / mean_ns;
    point.to_ns = (uint64_t)(live_age_s(live) * second);
    point.from_ns = point.to_ns > (uint64_t)gap_ns ? point.to_ns - (uint64_t)gap_ns : 0;
    show_alert(live, ALERT_STALL,
               alert_state_feed(&live->states[ALERT_STALL], ALERT_STALL, &point, NULL));
}

void live_feed_alerts(struct live *live)
{
    if (live->state == LIVE_ENDED || !live->has_names)
        return;
    feed_readings(live, &live->frames[live->shown].header.latest);
    feed_steps(live);
}

const char *live_device_name(const struct live *live, const struct live_device *device)
{
    const struct session_devices *devices = &live->session.devices;

    for (size_t i = 0; live->has_names && i < devices->devices.count; i++) {
        const struct session_device *known = session_device_at(devices, i);

        if (known->fact.id == device->device && known->name[0] != '\0')
            return known->name;
    }
    return "a device";
}
