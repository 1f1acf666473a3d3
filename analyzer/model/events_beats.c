/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Beats by the order of a thread's outermost ops: those that the program calls.
 *
 * Consecutive ops of one kind are one pass, which ends with the last of them.  Consecutive calls of
 * a layer are one pass, too.  Such a call starts with the op that started the first call, if the op
 * before is the one that ended the last call.  That last op is known when another kind of op
 * follows.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/session_layers.h"
#include "model/session_unknown.h"

/* Some 80 MB.  Later ones are left out. */
enum { BEATS_MOST = 1 << 20 };

/* A call of a layer may have ended at a beat, and another started at the next. */
struct beats_return {
    size_t end; /* index of the beat */
    uint32_t layer;
    uint32_t last_call;
};

void beats_init(struct beats *beats, const struct session *session)
{
    const struct session_layer *layer = session->layers.items;

    array_init(&beats->returns, sizeof(struct beats_return));
    if (session->ops.count <= 1)
        return;
    beats->layers = memory_get_zeros(session->layers.count + 1, sizeof *beats->layers);
    op_groups_init(&beats->groups, session);
    for (uint32_t i = 1; i < session->layers.count; i++)
        beats->layers[i].outermost =
            layer[i].outer == 0 ? i : beats->layers[layer[i].outer].outermost;
}

void beats_fini(struct beats *beats)
{
    op_groups_fini(&beats->groups);
    free(beats->layers);
    array_fini(&beats->returns);
}

/* ---- the heap ------------------------------------------------------------ */

static void raise_peak(struct beats_peak *peak, uint64_t bytes, uint32_t op)
{
    if (bytes > peak->bytes)
        *peak = (struct beats_peak){bytes, op};
}

void beats_obtain(struct events *events, const struct events_lane *lane, uint64_t size)
{
    struct beats *beats = &events->beats;

    beats->obtained_bytes += size;
    beats->obtained_blocks++;
    raise_peak(&beats->peak, events->heap.live_bytes, lane->op);
    raise_peak(&beats->since, events->heap.live_bytes, lane->op);
}

static void scale(uint64_t *bytes, double ratio)
{
    *bytes = (uint64_t)((double)*bytes * ratio);
}

/* Only drawn blocks have records from here on. */
void beats_scale(struct events *events, double ratio)
{
    struct session_beat *beat = events->session->beats.items;
    struct events_lane *lane = events->lanes.items;

    scale(&events->beats.peak.bytes, ratio);
    scale(&events->beats.since.bytes, ratio);
    for (size_t i = 0; i < events->session->beats.count; i++) {
        scale(&beat[i].live_bytes, ratio);
        scale(&beat[i].peak_bytes, ratio);
    }
    for (size_t i = 0; i < events->lanes.count; i++) {
        scale(&lane[i].beats.last.live_bytes, ratio);
        scale(&lane[i].beats.last.peak_bytes, ratio);
    }
}

static bool has_all_blocks(const struct events *events)
{
    return events->heap.stage != HEAP_BLOCKS && events->heap.options.sample_bytes == 0;
}

/* ---- adding beats ---------------------------------------------------------- */

static struct session_beat describe(const struct events *events, const struct events_lane *lane,
                                    const struct reader_event *event)
{
    const struct beats *beats = &events->beats;
    bool is_known = has_all_blocks(events);

    return (struct session_beat){
        .thread = events_find_thread(events, lane),
        .time_ns = clock_convert(events->from.clock, event->ticks),
        .live_bytes = events->heap.live_bytes,
        .obtained_bytes = is_known ? beats->obtained_bytes : SESSION_UNKNOWN,
        .obtained_blocks = is_known ? beats->obtained_blocks : SESSION_UNKNOWN,
        .peak_bytes = beats->peak.bytes,
        .peak_op = beats->peak.op,
    };
}

static void add(struct events *events, const struct session_beat *beat)
{
    struct array *beats = &events->session->beats;
    struct session_beat *added;

    if (beats->count >= BEATS_MOST) {
        events->session->has_beats_left_out = true;
        return;
    }
    added = array_add_raw(beats);
    *added = *beat;
}

/* The peak starts over from here. */
static void add_now(struct events *events, const struct session_beat *beat)
{
    events->beats.peak = (struct beats_peak){events->heap.live_bytes, 0};
    add(events, beat);
}

static void note_last_call(struct beats *beats, const struct beats_lane *lane)
{
    if (lane->kind == BEAT_FORWARD && lane->layer != 0)
        beats->layers[lane->layer].last_call = lane->last_call + 1;
}

/* The pass ended with its last op; later changes of the heap belong to the next beat. */
static void end_pass(struct events *events, struct events_lane *lane)
{
    struct beats *beats = &events->beats;
    enum session_beat_kind kind = lane->beats.kind;

    lane->beats.kind = BEAT_NONE;
    lane->beats.is_open = false;
    if (kind == BEAT_NONE || lane->beats.last.kind != kind)
        return;
    lane->beats.last.kind = BEAT_NONE;
    if (beats->of == lane)
        beats->peak = beats->since;
    beats->of = NULL;
    struct session_beat end = lane->beats.last;
    end.kind = kind;
    add(events, &end);
}

static void begin_pass(struct events *events, struct events_lane *lane,
                       const struct reader_event *event, const struct session_beat *of)
{
    struct session_beat beat = describe(events, lane, event);

    if (of->layer != 0)
        op_growth_step(events, of->layer, event->ticks);
    beat.kind = of->kind;
    beat.op = of->op;
    beat.layer = of->layer;
    lane->beats.kind = of->kind;
    lane->beats.layer = of->layer;
    lane->beats.begin = events->session->beats.count;
    lane->beats.is_open = of->kind == BEAT_OPTIMIZER || of->kind == BEAT_LOADER;
    add_now(events, &beat);
}

/* ---- the kinds of ops -------------------------------------------------------- */

static bool begins_with(const char *name, const char *begin)
{
    return strncmp(name, begin, strlen(begin)) == 0;
}

static enum session_beat_kind kind_of(const struct session_op *op, uint64_t note)
{
    if (begins_with(op->name, "Optimizer.step#"))
        return BEAT_OPTIMIZER;
    if (begins_with(op->name, "enumerate(DataLoader)#"))
        return BEAT_LOADER;
    if (op->is_engine)
        return BEAT_BACKWARD;
    return op->layer != 0 || (note != 0 && !(note & TRACE_OP_BACKWARD)) ? BEAT_FORWARD : BEAT_NONE;
}

/* A name that the program gave to several ops. */
static bool is_own_scope(const struct session_op *op, enum session_beat_kind kind)
{
    return !strstr(op->name, "::") && kind != BEAT_OPTIMIZER && kind != BEAT_LOADER;
}

static struct session_beat classify(const struct events *events, uint32_t index, uint64_t note)
{
    const struct session_op *op = session_op_at(events->session, index);
    struct session_beat beat = {.kind = kind_of(op, note), .op = index};

    if (beat.kind == BEAT_FORWARD)
        beat.layer = events->beats.layers[op->layer].outermost;
    return beat;
}

/* ---- ops --------------------------------------------------------------------- */

static bool goes_on(const struct beats_lane *lane, const struct session_beat *of)
{
    return (of->kind == BEAT_FORWARD || of->kind == BEAT_BACKWARD) && lane->kind == of->kind &&
           lane->layer == of->layer;
}

static void note_return(struct beats *beats, const struct beats_lane *lane, size_t end)
{
    struct beats_return *added = array_add(&beats->returns);

    *added = (struct beats_return){end, lane->layer, lane->last_call};
}

/* A layer may be called again. */
static void go_on(struct events *events, struct events_lane *lane, const struct reader_event *event,
                  const struct session_beat *of)
{
    struct beats *beats = &events->beats;
    size_t count = events->session->beats.count;
    bool returns = of->layer != 0 && lane->beats.last.kind == BEAT_FORWARD &&
                   beats->layers[of->layer].first_call == beats->groups.calls[of->op] + 1;

    if (!returns)
        return;
    note_return(beats, &lane->beats, count);
    end_pass(events, lane);
    begin_pass(events, lane, event, of);
}

static void change_pass(struct events *events, struct events_lane *lane,
                        const struct reader_event *event, const struct session_beat *of)
{
    struct beats_layer *layer = &events->beats.layers[of->layer];

    note_last_call(&events->beats, &lane->beats);
    end_pass(events, lane);
    if (of->kind == BEAT_NONE)
        return;
    if (of->layer != 0 && layer->first_call == 0)
        layer->first_call = events->beats.groups.calls[of->op] + 1;
    begin_pass(events, lane, event, of);
}

void beats_enter_op(struct events *events, struct events_lane *lane,
                    const struct reader_event *event, uint32_t op)
{
    struct session_beat of = classify(events, op, event->duration);

    if (lane->beats.is_open || is_own_scope(session_op_at(events->session, op), of.kind))
        return;
    if (goes_on(&lane->beats, &of))
        go_on(events, lane, event, &of);
    else
        change_pass(events, lane, event, &of);
}

static void note_end(struct events *events, struct events_lane *lane,
                     const struct reader_event *event, uint32_t op)
{
    struct beats *beats = &events->beats;
    struct session_beat end = describe(events, lane, event);

    end.kind = lane->beats.kind;
    end.is_end = true;
    end.op = op;
    end.layer = lane->beats.layer;
    lane->beats.last = end;
    lane->beats.last_call = beats->groups.calls[op];
    beats->since = (struct beats_peak){events->heap.live_bytes, 0};
    beats->of = lane;
}

static void note_records(const struct events *events, const struct beats_lane *lane)
{
    const struct array *beats = &events->session->beats;

    if (lane->begin < beats->count)
        ((struct session_beat *)array_at(beats, lane->begin))->records = true;
}

void beats_leave_op(struct events *events, struct events_lane *lane,
                    const struct reader_event *event, const struct beats_op *ended)
{
    const struct session_op *of = session_op_at(events->session, ended->op);
    enum session_beat_kind kind = kind_of(of, 0);

    if (lane->beats.kind == BEAT_NONE || is_own_scope(of, kind) ||
        (lane->beats.is_open && kind != lane->beats.kind))
        return;
    if (ended->records)
        note_records(events, &lane->beats);
    note_end(events, lane, event, ended->op);
    if (lane->beats.is_open)
        end_pass(events, lane);
}

void beats_add_region(struct events *events, const struct events_lane *lane,
                      const struct reader_event *event, uint32_t region)
{
    struct session_beat beat = describe(events, lane, event);

    beat.kind = BEAT_REGION;
    beat.is_end = event->kind == TRACE_EVENT_LEAVE;
    beat.op = region;
    add_now(events, &beat);
}

void beats_end_lane(struct events *events, struct events_lane *lane)
{
    struct beats *beats = &events->beats;

    if (lane->beats.kind == BEAT_FORWARD && beats->layers[lane->beats.layer].last_call == 0)
        note_last_call(beats, &lane->beats);
    end_pass(events, lane);
}

/* ---- all of them ------------------------------------------------------------- */

void beats_restart(struct events *events)
{
    struct events_lane *lane = events->lanes.items;

    array_truncate(&events->session->beats, 0);
    array_truncate(&events->beats.returns, 0);
    for (size_t i = 0; i < events->lanes.count; i++)
        lane[i].beats.begin = SIZE_MAX;
}

/* The op that starts calls also occurs inside a call: there, the op before it does not end a call.
 * Such returns are dropped. */
static void drop_returns(struct events *events)
{
    const struct beats *beats = &events->beats;
    const struct beats_return *back = beats->returns.items;
    struct session_beat *beat = events->session->beats.items;

    for (size_t i = 0; i < beats->returns.count; i++) {
        if (back[i].end + 1 >= events->session->beats.count ||
            beats->layers[back[i].layer].last_call == back[i].last_call + 1)
            continue;
        beat[back[i].end].kind = beat[back[i].end + 1].kind = BEAT_NONE;
    }
}

/* If two beats have one time, the end comes first. */
static int compare_beats(const void *left, const void *right)
{
    const struct session_beat *one = left, *other = right;

    if (one->time_ns != other->time_ns)
        return one->time_ns < other->time_ns ? -1 : 1;
    return (int)other->is_end - (int)one->is_end;
}

void beats_finish(struct events *events)
{
    struct events_lane *lane = events->lanes.items;
    struct array *beats = &events->session->beats;

    for (size_t i = 0; i < events->lanes.count; i++)
        beats_end_lane(events, &lane[i]);
    drop_returns(events);
    if (beats->count > 0)
        qsort(beats->items, beats->count, sizeof(struct session_beat), compare_beats);
}
