/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts and ends of ops: the open ops, and the pairs of a forward op and the op that computes its
 * gradients.
 *
 * A forward op and the op that computes its gradients carry the same sequence number.  PyTorch
 * gives the number to the next op that needs gradients, so of several nested ops with one number,
 * the last one needs them.  Usually both run on one thread; a backward op on another thread finds
 * its partner in the thread that last had the number.
 */
#include "base/memory.h"
#include "model/events_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/op_laps.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_threads.h"

/* The most ops of a thread between a forward op and its gradients; beyond this, they are not
 * paired. */
enum { PARTNERS = 1 << 18 };

struct events_partner {
    uint64_t sequence; /* and one; 0: free */
    uint32_t op;
    bool has_begun; /* an op that computes its gradients */
};

/* An op that is open. */
struct open_op {
    uint32_t cell;
    uint32_t op;
    uint64_t note; /* from its start record */
    uint64_t number;   /* of the innermost op that has one, like `note` */
    struct events_sequence sequence;
    uint32_t forward;  /* the op whose gradients are computed by this op or one around it; 0:
                          unknown */
    bool is_certain;   /* the forward op surely needs gradients */
    bool is_backward;  /* this op or one around it computes gradients */
    bool is_called;    /* the program called it: only scopes are around it */
    bool has_number;   /* this op or one inside it has a number */
};

static struct session_op *op_at(const struct events *events, uint32_t index)
{
    return array_at(&events->session->ops, index);
}

static void note_forward(struct events_lane *lane, uint64_t sequence, uint32_t op)
{
    if (!lane->partners)
        lane->partners = memory_get_zeros(PARTNERS, sizeof *lane->partners);
    lane->partners[sequence % PARTNERS] = (struct events_partner){sequence, op, false};
}

static bool has_partner(const struct events_lane *lane, uint64_t sequence)
{
    return lane->partners && lane->partners[sequence % PARTNERS].sequence == sequence;
}

/* Returns: the op that had a number last; NULL: unknown. */
static struct events_partner *find_forward(const struct events *events,
                                           const struct events_lane *own, uint64_t sequence)
{
    const struct events_lane *lane = events->lanes.items;

    if (has_partner(own, sequence))
        return &own->partners[sequence % PARTNERS];
    for (size_t i = 0; i < events->lanes.count; i++)
        if (has_partner(&lane[i], sequence))
            return &lane[i].partners[sequence % PARTNERS];
    return NULL;
}

static const struct open_op *innermost(const struct events_lane *lane)
{
    return lane->ops.count > 0 ? array_at(&lane->ops, lane->ops.count - 1) : NULL;
}

bool events_is_backward(const struct events_lane *lane)
{
    return innermost(lane) && innermost(lane)->is_backward;
}

struct events_sequence events_find_sequence(const struct events_lane *lane)
{
    return innermost(lane) ? innermost(lane)->sequence : (struct events_sequence){0, 0};
}

bool events_has_gradients(const struct events *events, const struct events_lane *lane,
                          const struct events_sequence *sequence)
{
    const struct events_partner *forward = find_forward(events, lane, sequence->number);

    return forward && forward->op == sequence->op && forward->has_begun;
}

static void begin_gradients(struct events *events, const struct events_lane *lane,
                            struct open_op *open)
{
    struct events_partner *forward = find_forward(events, lane, open->note & ~TRACE_OP_BACKWARD);

    if (!forward)
        return;
    forward->has_begun = true;
    open->forward = forward->op;
}

/* A higher number than that of the outer op means that the outer op used its own number, and needs
 * gradients.  An op that needs none has the number of the next op that needs some. */
static void find_sequence(const struct open_op *around, struct open_op *opened)
{
    opened->sequence = (struct events_sequence){opened->number, opened->op};
    if (!around)
        return;
    opened->is_certain = around->is_certain;
    if (around->number != 0 && opened->number > around->number) {
        opened->sequence = (struct events_sequence){around->number, around->op};
        opened->is_certain = true;
    } else if (opened->is_certain || opened->note == 0) {
        opened->sequence = around->sequence;
    }
}

/* A name that the program or an optimizer gave to several ops. */
static bool is_scope(const struct session_op *op)
{
    return !strstr(op->name, "::");
}

static bool is_called(const struct events *events, const struct open_op *around)
{
    return !around || (around->is_called && is_scope(op_at(events, around->op)));
}

/* Take properties from the outer op, which is described already. */
static struct open_op describe(const struct events *events, const struct open_op *around,
                               const struct reader_event *event, uint32_t index)
{
    const struct session_op *op = op_at(events, index);
    uint64_t note = event->duration;
    uint64_t number = note != 0 ? note & ~TRACE_OP_BACKWARD : around ? around->number : 0;
    bool is_backward = op->is_engine || (note & TRACE_OP_BACKWARD) != 0;

    struct open_op opened = {
        .cell = event->cell,
        .op = index,
        .note = note,
        .number = number,
        .forward = around ? around->forward : 0,
        .is_backward = is_backward || (around && around->is_backward),
        .is_called = is_called(events, around),
        .has_number = note != 0,
    };

    find_sequence(around, &opened);
    return opened;
}

void events_enter_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell)
{
    struct events_lane *lane = events_find_lane(events, event);
    struct open_op opened = describe(events, innermost(lane), event, cell->op);
    struct open_op *open = array_add(&lane->ops);

    *open = opened;
    lane->op = cell->op;
    events_order_enter(events, lane, event, cell->op);
    if (opened.is_called)
        beats_enter_op(events, lane, event, cell->op);
    if (event->duration == 0)
        return;
    if (!(event->duration & TRACE_OP_BACKWARD)) {
        note_forward(lane, event->duration, cell->op);
        return;
    }
    begin_gradients(events, lane, open);
}

static struct session_op_tie *add_tie(struct array *ties, struct session_op *forward,
                                      const struct session_op_tie *of)
{
    struct session_op_tie *tie;

    if (ties->count == 0)
        array_add(ties);
    tie = array_add(ties);
    *tie = *of;
    tie->next = forward->tie;
    forward->tie = (uint32_t)(ties->count - 1);
    return tie;
}

/* A forward op has few: its gradients have as many sizes as it. */
static struct session_op_tie *find_tie(struct events *events, uint32_t forward, uint32_t backward)
{
    struct array *ties = &events->session->op_ties;
    struct session_op *op = op_at(events, forward);

    for (uint32_t i = op->tie; i != 0;) {
        struct session_op_tie *tie = array_at(ties, i);

        if (tie->backward == backward)
            return tie;
        i = tie->next;
    }
    return add_tie(ties, op, &(struct session_op_tie){.forward = forward, .backward = backward});
}

/* An op inside of a backward op has its work from its own inputs.  Views compute nothing. */
static void tie(struct events *events, const struct open_op *open, uint32_t doublings)
{
    struct session_op_tie *of;

    if (open->forward == 0 || op_at(events, open->op)->kind == OP_KIND_VIEW)
        return;
    of = find_tie(events, open->forward, open->op);
    of->calls += ldexp(1, (int)doublings);
}

static void credit_forward(struct events *events, const struct events_lane *lane,
                           const struct reader_event *event, const struct open_op *open)
{
    const struct events_partner *forward =
        find_forward(events, lane, open->note & ~TRACE_OP_BACKWARD);
    double ns = (double)clock_convert_length(events->from.clock, event->duration);

    op_at(events, open->op)->is_backward = true;
    if (!forward)
        return;
    op_at(events, forward->op)->backward_calls += (uint64_t)ldexp(1, (int)event->doublings);
    op_at(events, forward->op)->backward_ns += ldexp(ns, (int)event->doublings);
}

/* An op that needs gradients, or could need them, has a number itself or in an inner op; an op
 * without tensor inputs never has one. */
static void note_no_grad(struct events *events, const struct open_op *open,
                         const struct reader_event *event)
{
    struct session_op *op = op_at(events, open->op);

    if (open->is_called && !open->has_number && !open->is_backward && op->most_elements > 0 &&
        !is_scope(op))
        op->no_grad_calls += (uint64_t)ldexp(1, (int)event->doublings);
}

static void close_op(struct events_lane *lane, size_t index)
{
    struct open_op *open = array_at(&lane->ops, index);

    if (index > 0 && open->has_number)
        ((struct open_op *)array_at(&lane->ops, index - 1))->has_number = true;
    array_truncate(&lane->ops, index);
}

static void add_lap(struct events *events, const struct events_lane *lane,
                    const struct reader_event *event, uint32_t op)
{
    size_t depth = lane->ops.count;

    if (depth >= OP_LAPS_DEPTH || event->duration > event->ticks)
        return;
    op_laps_add(&events->session->op_laps,
                &(struct op_lap){
                    .start_ns = clock_convert(events->from.clock, event->ticks - event->duration),
                    .end_ns = clock_convert(events->from.clock, event->ticks),
                    .op = op,
                    .thread = events_find_thread(events, lane),
                    .depth = (uint32_t)depth,
                });
}

/* Ops have no start here if it was lost or not drawn. */
void events_leave_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell)
{
    struct events_lane *lane = events_find_lane(events, event);
    size_t count = lane->ops.count;

    lane->op = op_at(events, cell->op)->parent;
    events_order_leave(events, lane, event, cell->op);
    while (count > 0 && ((struct open_op *)array_at(&lane->ops, count - 1))->cell != event->cell)
        count--;
    if (count == 0)
        return;
    const struct open_op open = *(const struct open_op *)array_at(&lane->ops, count - 1);
    if (open.note & TRACE_OP_BACKWARD)
        credit_forward(events, lane, event, &open);
    note_no_grad(events, &open, event);
    close_op(lane, count - 1);
    events->session->has_drawn_ops |= event->doublings > 0;
    add_lap(events, lane, event, cell->op);
    tie(events, &open, event->doublings);
    if (!open.is_called)
        return;
    beats_leave_op(events, lane, event, &(struct beats_op){cell->op, open.has_number});
}

uint32_t events_find_only_op(const struct events *events)
{
    const struct events_lane *lane = events->lanes.items;
    uint32_t only = 0;

    if (events->session->ops.count <= 1)
        return 0;
    for (size_t i = 0; i < events->lanes.count; i++) {
        if (lane[i].op != 0 && only != 0)
            return 0;
        only |= lane[i].op;
    }
    return only;
}

/* PyTorch's own threads call kernels for the op of the thread that waits for them. */
void events_credit_worker(struct events *events, const struct session_slot *slot,
                          const struct reader_event *event)
{
    uint32_t only = events_find_only_op(events);
    struct session_op *op = op_at(events, only);
    double calls = ldexp(1, (int)event->doublings);

    if (only == 0)
        return;
    op->worker_ns += (double)clock_convert_length(events->from.clock, event->duration) * calls;
    if (slot->nested)
        return;
    op->worker_flops += slot->flops_each * calls;
    op->worker_bytes += slot->bytes_each * calls;
}

void events_free_ops(struct events_lane *lane)
{
    array_fini(&lane->ops);
    free(lane->partners);
}

void events_begin_ops(struct events_lane *lane)
{
    array_init(&lane->ops, sizeof(struct open_op));
}

/* ---- in a window ----------------------------------------------------------- */

void events_restart_ops(struct session *session)
{
    struct session_op *op = session->ops.items;
    struct session_op_tie *tie = session->op_ties.items;

    session->framework.gradient_records = session->framework.gradient_ops = 0;
    for (size_t i = 0; i < session->ops.count; i++) {
        op[i].calls = op[i].inclusive_ns = op[i].exclusive_ns = 0;
        op[i].allocations = op[i].allocated_bytes = op[i].frees = 0;
        op[i].backward_calls = op[i].no_grad_calls = 0;
        op[i].backward_ns = op[i].worker_ns = 0;
        op[i].followers = 0;
        op[i].follower_ns = op[i].gap_ns = 0;
        op[i].worker_flops = op[i].worker_bytes = 0;
    }
    for (size_t i = 0; i < session->op_ties.count; i++)
        tie[i].calls = 0;
}

/* Calls count if they start and end in the window.  Time counts for calls that end in it: the part
 * inside the window. */
void events_count_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell)
{
    struct session_op *op = op_at(events, cell->op);
    uint64_t from = events->window.from_ticks;
    uint64_t start = event->ticks > event->duration ? event->ticks - event->duration : 0;
    uint64_t ticks = event->ticks - (start > from ? start : from);

    op->is_estimated = op->is_estimated || event->doublings > 0;
    op->inclusive_ns +=
        (uint64_t)ldexp((double)clock_convert_length(events->from.clock, ticks),
                        (int)event->doublings);
    if (start >= from)
        op->calls += UINT64_C(1) << event->doublings;
}

/* An op comes after its outer op. */
void events_settle_ops(struct session *session)
{
    struct session_op *op = session->ops.items;

    for (size_t i = session->ops.count; i-- > 1;) {
        uint64_t inner_ns = op[i].exclusive_ns; /* so far, this is the sum of the inner ops */

        op[i].exclusive_ns = op[i].inclusive_ns > inner_ns ? op[i].inclusive_ns - inner_ns : 0;
        op[op[i].parent].exclusive_ns += op[i].inclusive_ns;
    }
}
