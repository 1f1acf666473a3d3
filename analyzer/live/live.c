/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Frames to rows and rates.
 */
#include "live/live.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/memory.h"
#include "live/live_parts.h"
#include "live/live_process.h"
#include "model/session_open.h"
#include "model/session_opened.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"

/* Names are looked up again after this many times what the last look took. */
enum { NAMES_SHARE = 400 };

static const double second = 1e9;

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* ---- names ----------------------------------------------------------------------------- */

static void forget_names(struct live *live)
{
    if (!live->has_names)
        return;
    outline_close(&live->outline);
    session_close(&live->session);
    live->has_names = false;
}

static bool look_up_names(struct live *live, struct diagnostic *diagnostic)
{
    uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);

    forget_names(live);
    if (session_open_totals(&live->session, &live->outline, live->file.path, diagnostic))
        return false;
    live->has_names = true;
    live->names_due_ns = start_ns + NAMES_SHARE * (clock_ns(CLOCK_MONOTONIC) - start_ns);
    return true;
}

static void refresh_names(struct live *live, const struct live_frame *frame)
{
    struct diagnostic diagnostic;

    if (frame->fact_bytes == live->fact_bytes || frame->taken_ns < live->names_due_ns)
        return;
    if (look_up_names(live, &diagnostic))
        live->fact_bytes = frame->fact_bytes;
}

/* ---- rows ------------------------------------------------------------------------------ */

static struct live_lane_infos *infos_of(struct live *live, const struct live_lane *lane)
{
    struct live_lane_infos *infos = live->lanes.items;

    for (size_t i = 0; i < live->lanes.count; i++)
        if (infos[i].lane == lane->lane)
            return &infos[i];
    infos = array_add(&live->lanes);
    infos->lane = lane->lane;
    array_init_owned(&infos->infos, sizeof(struct live_info));
    return infos;
}

/* A row is found by its kind and name. */
static uint32_t find_row(struct live *live, enum live_kind kind, const char *name)
{
    struct live_row *row;
    struct text key;
    long index;

    text_init(&key);
    text_appendf(&key, "%d %s", kind, name);
    index = text_index_add(&live->keys, &key);
    text_fini(&key);
    if ((size_t)index < live->rows.count)
        return (uint32_t)index;
    row = array_add(&live->rows);
    *row = (struct live_row){.name = memory_copy(name), .kind = kind};
    return (uint32_t)index;
}

static bool is_lost(const char *name)
{
    return strncmp(name, "?", 1) == 0 ||
           strncmp(name, SESSION_NAME_LOST, strlen(SESSION_NAME_LOST)) == 0;
}

/* Returns: the innermost op around a cell; 0: none. */
static uint32_t find_op(const struct live_frame *frame, const struct live_lane *lane, uint32_t node)
{
    for (size_t i = 0; node != 0 && node < lane->count && i < lane->count; i++) {
        const union trace_cell *cell = live_frame_cell(frame, lane, node);

        if (cell->kind != TRACE_CELL_NODE || cell->node.parent >= node)
            return 0;
        if (cell->node.label & TRACE_LABEL_OP)
            return node;
        node = cell->node.parent;
    }
    return 0;
}

static void learn_slot(struct live *live, const struct live_frame *frame,
                       const struct live_lane *lane, const struct trace_slot *slot,
                       struct live_info *info)
{
    struct session_slot known;
    struct text name;

    text_init(&name);
    tallies_describe_slot(&live->outline.tallies, slot, &known);
    text_append(&name, session_name_slot(&live->session, &known));
    info->is_nested = known.nested;
    info->flops_each = (double)known.flops_each;
    info->is_known = !is_lost(name.bytes);
    info->op = find_op(frame, lane, slot->node);
    if (info->is_known && info->op == 0)
        info->row = find_row(live, LIVE_KERNEL, name.bytes);
    text_fini(&name);
}

static void learn_wait(struct live *live, const struct trace_wait *raw, struct live_info *info)
{
    struct session_wait wait;
    struct text name;

    text_init(&name);
    tallies_describe_wait(&live->outline.tallies, raw, &wait);
    session_opened_append_wait(&name, &live->outline.tallies, raw);
    info->is_known = raw->waited == 0 || wait.name;
    info->row =
        find_row(live, wait.class == TRACE_WAIT_CLASS_IDLE ? LIVE_IDLE : LIVE_WAIT, name.bytes);
    text_fini(&name);
}

static bool is_thread(const struct live_frame *frame, const struct live_lane *lane, uint32_t node)
{
    const union trace_cell *cell = node < lane->count ? live_frame_cell(frame, lane, node) : NULL;

    return cell && cell->kind == TRACE_CELL_NODE && cell->node.parent == 0;
}

/* PyTorch: "Optimizer.step#Adam.step" */
static bool is_optimizer(const char *name)
{
    static const char start[] = "Optimizer.step";

    return strncmp(name, start, sizeof start - 1) == 0;
}

static void learn_node(struct live *live, const struct live_frame *frame,
                       const struct live_lane *lane, const struct trace_node *node,
                       struct live_info *info)
{
    bool is_op = (node->label & TRACE_LABEL_OP) != 0;
    struct text name;

    info->is_known = true;
    info->row = LIVE_NO_ROW;
    if (node->parent == 0 || (node->label & TRACE_LABEL_SITE))
        return;
    text_init(&name);
    session_opened_append_label(&name, &live->outline.facts, node->label);
    info->is_known = !is_lost(name.bytes);
    if (info->is_known) {
        info->row = find_row(live, is_op ? LIVE_OP : LIVE_REGION, name.bytes);
        if (is_op ? is_optimizer(name.bytes) : is_thread(frame, lane, node->parent))
            ((struct live_row *)array_at(&live->rows, info->row))->is_step = true;
    }
    text_fini(&name);
}

static void learn(struct live *live, const struct live_frame *frame, const struct live_lane *lane,
                  const union trace_cell *cell, struct live_info *info)
{
    *info = (struct live_info){.row = LIVE_NO_ROW, .flops_each = (double)NAN};
    if (!live->has_names)
        return;
    switch ((enum trace_cell_kind)cell->kind) {
    case TRACE_CELL_SLOT: learn_slot(live, frame, lane, &cell->slot, info); return;
    case TRACE_CELL_WAIT: learn_wait(live, &cell->wait, info); return;
    case TRACE_CELL_NODE: learn_node(live, frame, lane, &cell->node, info); return;
    case TRACE_CELL_COMMAND: /* the device's time is known later: it has no row */
    case TRACE_CELL_NONE: return;
    }
}

/* ---- sums ------------------------------------------------------------------------------ */

/* The counter of the process now. */
static double ticks_now(const struct live *live, const struct live_frame *frame)
{
    const struct trace_header *header = &frame->header;
    double ns = (double)frame->taken_ns - (double)header->start.monotonic_ns;

    if (!live->is_local || !live->has_names)
        return (double)header->latest.done;
    return (double)header->start.ticks + ns / live->outline.clock.ns_per_tick;
}

static double to_ns(const struct live *live, double ticks)
{
    return live->has_names ? ticks * live->outline.clock.ns_per_tick : (double)NAN;
}

/* Returns: for how long the call of a cell has been open; 0: it is not. */
static double open_ticks(const struct live *live, const struct live_frame *frame,
                         const struct live_lane *lane, size_t number)
{
    const struct trace_open *open = &lane->open;
    double now = ticks_now(live, frame);

    if (live->state != LIVE_RUNS)
        return 0;
    if (open->call == number)
        return fmax(0, now - (double)open->call_ticks);
    if (open->wait == number && open->wait_ticks != 0)
        return fmax(0, now - (double)open->wait_ticks);
    return 0;
}

static struct live_sums sum_slot(const struct live *live, const struct trace_slot *slot,
                                 const struct live_info *info, double open)
{
    double calls = (double)(slot->calls + slot->untimed);
    double mean = slot->calls > 0 ? (double)slot->ticks / (double)slot->calls : 0;
    double inner = (double)slot->inner_ticks;
    double ticks = (double)slot->ticks + mean * (double)slot->untimed;

    return (struct live_sums){
        .ns = to_ns(live, fmax(0, ticks - inner) + open),
        .calls = calls,
        .flops = info->is_nested || isnan(info->flops_each) ? 0 : calls * info->flops_each};
}

static struct live_sums sum_wait(const struct live *live, const struct trace_wait *wait,
                                 double open)
{
    return (struct live_sums){.ns = to_ns(live, (double)wait->ticks + open),
                              .calls = (double)(wait->calls + wait->untimed),
                              .bytes = (double)wait->bytes};
}

static struct live_sums sum_node(const struct live *live, const struct trace_node *node)
{
    bool is_op = (node->label & TRACE_LABEL_OP) != 0;
    double ticks = (double)node->ticks - (is_op ? (double)node->inner_ticks : 0);

    return (struct live_sums){.ns = to_ns(live, fmax(0, ticks)),
                              .calls = (double)node->calls,
                              .bytes = (double)node->allocated_bytes};
}

static void add_sums(struct live_sums *to, struct live_sums sums)
{
    to->ns += sums.ns;
    to->calls += sums.calls;
    to->flops += sums.flops;
    to->bytes += sums.bytes;
}

static struct live_sums *ring_of(struct live *live, uint32_t row)
{
    return &((struct live_row *)array_at(&live->rows, row))->ring[live->count % LIVE_RING];
}

/* In 256ths of a tick. */
static double price(uint64_t cost, double count)
{
    return (double)cost / TRACE_OVERHEAD_SCALE * count;
}

/* The time of a kernel is in that of its op. */
static void add_to_op(struct live *live, const struct live_lane *lane, uint32_t op, double flops)
{
    const struct live_info *info = array_at(&infos_of(live, lane)->infos, op);

    if (info->row != LIVE_NO_ROW)
        ring_of(live, info->row)->flops += flops;
}

void live_add(struct live *live, enum live_kind kind, const char *name, struct live_sums sums)
{
    add_sums(ring_of(live, find_row(live, kind, name)), sums);
}

static void add_cell(struct live *live, const struct live_frame *frame,
                     const struct live_lane *lane, size_t number)
{
    const union trace_cell *cell = live_frame_cell(frame, lane, number);
    const struct live_info *info = array_at(&infos_of(live, lane)->infos, number);
    const struct trace_overhead *cost = &frame->header.overhead;
    struct live_totals *totals = &live->ring[live->count % LIVE_RING];
    double open = open_ticks(live, frame, lane, number);
    struct live_sums sums = {0};

    switch ((enum trace_cell_kind)cell->kind) {
    case TRACE_CELL_SLOT:
        sums = sum_slot(live, &cell->slot, info, open);
        totals->flops += sums.flops;
        totals->kernel_ns += sums.ns;
        totals->recording_ns += to_ns(live, price(cost->kernel, (double)cell->slot.calls) +
                                                price(cost->counted, (double)cell->slot.untimed));
        break;
    case TRACE_CELL_WAIT: sums = sum_wait(live, &cell->wait, open); break;
    case TRACE_CELL_NODE:
        totals->blocks += (double)cell->node.allocations;
        totals->block_bytes += (double)cell->node.allocated_bytes;
        if (cell->node.parent != 0) {
            sums = sum_node(live, &cell->node);
            totals->recording_ns += to_ns(live, price(cost->region, sums.calls));
        }
        break;
    case TRACE_CELL_COMMAND:
    case TRACE_CELL_NONE: return;
    }
    if (cell->kind == TRACE_CELL_SLOT && info->op != 0)
        add_to_op(live, lane, info->op, sums.flops);
    if (info->row == LIVE_NO_ROW)
        return;
    add_sums(ring_of(live, info->row), sums);
    if (((struct live_row *)array_at(&live->rows, info->row))->kind == LIVE_WAIT)
        totals->waiting_ns += sums.ns;
}

static void learn_lane(struct live *live, const struct live_frame *frame,
                       const struct live_lane *lane)
{
    struct live_lane_infos *infos = infos_of(live, lane);

    for (size_t i = 0; i < lane->count; i++) {
        struct live_info *info =
            i < infos->infos.count ? array_at(&infos->infos, i) : array_add(&infos->infos);

        if (!info->is_known)
            learn(live, frame, lane, live_frame_cell(frame, lane, i), info);
    }
}

static void sum_up(struct live *live, const struct live_frame *frame)
{
    const struct live_lane *lane = frame->lanes.items;

    for (size_t i = 0; i < frame->lanes.count; i++)
        learn_lane(live, frame, &lane[i]);
    for (size_t i = 0; i < live->rows.count; i++)
        *ring_of(live, (uint32_t)i) = (struct live_sums){0};
    live->ring[live->count % LIVE_RING] = (struct live_totals){.taken_ns = frame->taken_ns};
    for (size_t i = 0; i < frame->lanes.count; i++)
        for (size_t j = 1; j < lane[i].count; j++)
            add_cell(live, frame, &lane[i], j);
    live_sum_requests(live);
}

/* ---- the process ----------------------------------------------------------------------- */

/* In another space of numbers the process has another number here: then its readings go on. */
static void judge_state(struct live *live, const struct live_frame *frame, double *cpu_ns)
{
    const struct trace_header *header = &frame->header;
    bool has_moved = header->latest.done > live->latest_ticks && live->count > 0;

    live->is_local = live->has_names && live_process_is_own_host(live->session.process.host);
    *cpu_ns = header->latest.done != 0 ? (double)header->latest.reading.user_ns +
                                             (double)header->latest.reading.system_ns
                                       : (double)NAN;
    if (live_process_has_ended(header)) {
        live->state = LIVE_ENDED;
        return;
    }
    if (live->is_local && live_process_runs(header, cpu_ns)) {
        live->state = LIVE_RUNS;
        return;
    }
    live->state = has_moved ? LIVE_RUNS : LIVE_UNSEEN;
}

static void take_states(struct live *live, const struct live_frame *frame, double cpu_ns)
{
    const struct trace_header *header = &frame->header;
    struct live_totals *totals = &live->ring[live->count % LIVE_RING];
    uint64_t resident = header->latest.reading.rss_bytes;

    totals->cpu_ns = cpu_ns;
    totals->recording_ns += to_ns(live, (double)(header->slow_ticks + header->block_ticks));
    totals->heap_bytes =
        header->heap_live_bytes > 0 ? (double)header->heap_live_bytes : (double)NAN;
    totals->resident_bytes =
        header->latest.done != 0 && resident != SESSION_UNKNOWN ? (double)resident : (double)NAN;
}

/* ---- frames ---------------------------------------------------------------------------- */

enum status live_open(struct live *live, const char *path, struct diagnostic *diagnostic)
{
    enum status status;

    *live = (struct live){.first_ns = clock_ns(CLOCK_MONOTONIC)};
    status = live_file_open(&live->file, path, diagnostic);
    live_frame_init(&live->frames[0]);
    live_frame_init(&live->frames[1]);
    array_init_owned(&live->lanes, sizeof(struct live_lane_infos));
    array_init_owned(&live->rows, sizeof(struct live_row));
    array_init_owned(&live->threads, sizeof(struct live_thread));
    array_init_owned(&live->alerts, sizeof(struct live_alert));
    text_init(&live->texts);
    if (!status && !look_up_names(live, diagnostic))
        status = diagnostic->status;
    if (!status) {
        alert_samples_init(&live->samples, &live->session.process);
        return STATUS_OK;
    }
    live_close(live);
    return status;
}

void live_close(struct live *live)
{
    struct live_lane_infos *infos = live->lanes.items;
    struct live_row *row = live->rows.items;

    for (size_t i = 0; i < live->lanes.count; i++)
        array_fini(&infos[i].infos);
    for (size_t i = 0; i < live->rows.count; i++)
        free((char *)row[i].name);
    forget_names(live);
    live_file_close(&live->file);
    live_frame_fini(&live->frames[0]);
    live_frame_fini(&live->frames[1]);
    array_fini(&live->lanes);
    array_fini(&live->rows);
    array_fini(&live->threads);
    array_fini(&live->alerts);
    free(live->latencies);
    text_index_fini(&live->keys);
    text_fini(&live->texts);
    if (live->samples.rows.item_size > 0)
        alert_samples_fini(&live->samples);
}

bool live_read(struct live *live)
{
    struct live_frame *frame = &live->frames[!live->shown];
    double cpu_ns;

    if (!live_file_read(&live->file, frame) ||
        (live->count > 0 && !live_file_follows(&live->file, &live->frames[live->shown], frame)))
        return false;
    refresh_names(live, frame);
    judge_state(live, frame, &cpu_ns);
    sum_up(live, frame);
    take_states(live, frame, cpu_ns);
    live->shown = !live->shown;
    live->count++;
    live_find_threads(live);
    live_feed_alerts(live);
    live->own_ns = (double)clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    return true;
}

const struct live_totals *live_before(const struct live *live, size_t frames)
{
    return &live->ring[(live->count - 1 - frames) % LIVE_RING];
}

const struct live_totals *live_now(const struct live *live)
{
    return live_before(live, 0);
}

size_t live_span(const struct live *live, size_t frames)
{
    if (live->count == 0)
        return 0;
    return frames < live->count - 1 ? frames : live->count - 1;
}

struct live_sums live_rate(const struct live *live, const struct live_row *row, size_t frames)
{
    size_t span = live_span(live, frames);
    const struct live_sums *now, *before;
    double seconds;

    if (span == 0)
        return (struct live_sums){(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    now = &row->ring[(live->count - 1) % LIVE_RING];
    before = &row->ring[(live->count - 1 - span) % LIVE_RING];
    seconds = (double)(live_now(live)->taken_ns - live_before(live, span)->taken_ns) / second;
    return (struct live_sums){
        fmax(0, now->ns - before->ns) / seconds, (now->calls - before->calls) / seconds,
        (now->flops - before->flops) / seconds, (now->bytes - before->bytes) / seconds};
}

/* The region with most time among those that repeat. */
const struct live_row *live_find_steps(const struct live *live)
{
    const struct live_row *row = live->rows.items, *best = NULL;
    double most = 0;

    for (size_t i = 0; live->count > 0 && i < live->rows.count; i++) {
        const struct live_sums *now = &row[i].ring[(live->count - 1) % LIVE_RING];

        if (row[i].is_step && now->calls >= 2 && now->ns > most) {
            most = now->ns;
            best = &row[i];
        }
    }
    return best;
}

double live_allowed(const struct live *live)
{
    const struct trace_latest *latest = &live->frames[live->shown].header.latest;
    double count = live->session.process.cpu_count == SESSION_UNKNOWN
                       ? (double)NAN
                       : (double)live->session.process.cpu_count;

    if (latest->surroundings_ticks == 0 || latest->surroundings.quota_ppm == SESSION_UNKNOWN)
        return count;
    return fmin(count, (double)latest->surroundings.quota_ppm / 1e6);
}

double live_age_s(const struct live *live)
{
    const struct live_frame *frame = &live->frames[live->shown];
    const struct trace_header *header = &frame->header;

    if (live->state == LIVE_ENDED && header->end.monotonic_ns != 0)
        return (double)(header->end.monotonic_ns - header->start.monotonic_ns) / second;
    if (live->is_local && live->state == LIVE_RUNS)
        return ((double)frame->taken_ns - (double)header->start.monotonic_ns) / second;
    return live_ticks_to_s(live, header->latest.done);
}
