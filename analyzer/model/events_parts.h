/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Shared by the files of events: a handler for each kind of event.
 */
#ifndef MODEL_EVENTS_PARTS_H
#define MODEL_EVENTS_PARTS_H

#include "model/events.h"

struct session_slot;

static inline struct events_lane *events_find_lane(const struct events *events,
                                                   const struct reader_event *event)
{
    return (struct events_lane *)events->lanes.items + event->source;
}

/* Count an event that refers to nothing. */
void events_skip(struct events *events);

/* Returns: the thread that a lane serves; the first when unknown. */
uint32_t events_find_thread(const struct events *events, const struct events_lane *lane);

/* Returns: the last reading of the lane, as the record belongs to it; NULL when there is none. */
struct session_reading *events_find_reading(const struct events *events,
                                            const struct reader_event *event);

uint64_t events_live_bytes(const struct events *events);

/* Close the stretches of time that ended before `ticks`, and store the mapped bytes of each. */
void events_pass_time(struct events *events, uint64_t ticks);

/* Close the regions that were never left. */
void events_close_regions(struct events *events);

/* Note whether blocks have call chains, so that these can be shed. */
bool events_take_chains(const struct events *events);

/* A heap_listener of struct events: only drawn blocks are recorded from now on. */
void events_on_blocks(void *events, double ratio);

/* Draw a call of a slot.  Returns: whether to keep its duration. */
bool events_keep_call(struct events *events, const struct session_slot *slot);

/* Called after a call was added: thin the kept calls if there are too many. */
void events_bound_calls(struct events *events);

/* Replay an event by its kind. */
void events_handle(struct events *events, const struct reader_event *event);

/* The lane's next thread has started, or one after it. */
void events_change_thread(struct events *events, struct events_lane *lane, uint64_t ticks);

/* Called after all events were read: close the open regions and finish the sums. */
void events_finish(struct events *events, uint64_t ticks);

/* Handle an event for a window: before, in or after it. */
void events_take_window(struct events *events, const struct reader_event *event);

/* End the window at these ticks, if it has not ended yet. */
void events_end_window(struct events *events, uint64_t ticks);

void events_free_requests(struct events *events);
void events_free_connections(struct events *events);
void events_free_contexts(struct events *events);
void events_free_metrics(struct events *events);

void events_begin_ops(struct events_lane *lane);
void events_free_ops(struct events_lane *lane);

/* An op of a node starts, and ends. */
void events_enter_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell);
void events_leave_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell);

/* Does a lane compute gradients? */
bool events_is_backward(const struct events_lane *lane);

/* An op, and its sequence number plus one; 0: it has none. */
struct events_sequence {
    uint64_t number;
    uint32_t op;
};

/* Returns: the number of the innermost op of a lane that may need gradients. */
struct events_sequence events_find_sequence(const struct events_lane *lane);

/* Has the computation of that op's gradients started? */
bool events_has_gradients(const struct events *events, const struct events_lane *lane,
                          const struct events_sequence *sequence);

/* The same, for the order of ops. */
void events_order_enter(struct events *events, struct events_lane *lane,
                        const struct reader_event *event, uint32_t op);
void events_order_leave(struct events *events, struct events_lane *lane,
                        const struct reader_event *event, uint32_t op);

/* Returns: the only innermost open op of all threads; 0: none, or several. */
uint32_t events_find_only_op(const struct events *events);

/* A kernel outside of any op of its thread has ended. */
void events_credit_worker(struct events *events, const struct session_slot *slot,
                          const struct reader_event *event);

/* The ops of a window: it starts, an op ends in it, and it ends. */
void events_restart_ops(struct session *session);
void events_count_op(struct events *events, const struct reader_event *event,
                     const struct tallies_cell *cell);
void events_settle_ops(struct session *session);

void events_on_kernel(struct events *events, const struct reader_event *event);
void events_on_enter(struct events *events, const struct reader_event *event);
void events_on_leave(struct events *events, const struct reader_event *event);
void events_on_clock(struct events *events, const struct reader_event *event);
void events_on_reading(struct events *events, const struct reader_event *event);
void events_on_snapshot(struct events *events, const struct reader_event *event);
void events_on_border(struct events *events, const struct reader_event *event);
void events_on_turns(struct events *events, const struct reader_event *event);
void events_on_stage(struct events *events, const struct reader_event *event);
void events_on_heap(struct events *events, const struct reader_event *event);
void events_on_sample(struct events *events, const struct reader_event *event);
void events_on_span(struct events *events, const struct reader_event *event);
void events_on_mark(struct events *events, const struct reader_event *event);
void events_on_payload(struct events *events, const struct reader_event *event);
void events_restart_spans(struct events *events);
void events_on_wait(struct events *events, const struct reader_event *event);
void events_on_shared(struct events *events, const struct reader_event *event);
void events_on_surroundings(struct events *events, const struct reader_event *event);
void events_on_part(struct events *events, const struct reader_event *event);
void events_on_zeros(struct events *events, const struct reader_event *event);
void events_on_area(struct events *events, const struct reader_event *event);
void events_on_thread(struct events *events, const struct reader_event *event);
void events_on_joined(struct events *events, const struct reader_event *event);

/* Called after all events were read: sum the threads that nobody joined. */
void events_settle_threads(struct events *events);
void events_free_threads(struct events *events);

void events_on_wake(struct events *events, const struct reader_event *event);
void events_on_command(struct events *events, const struct reader_event *event);
void events_on_command_times(struct events *events, const struct reader_event *event);
void events_on_device_clock(struct events *events, const struct reader_event *event);
void events_on_device_alloc(struct events *events, const struct reader_event *event);
void events_on_device_free(struct events *events, const struct reader_event *event);
void events_on_device_number(struct events *events, const struct reader_event *event);
void events_on_map(struct events *events, const struct reader_event *event);
void events_on_unmap(struct events *events, const struct reader_event *event);
void events_on_remap_begin(struct events *events, const struct reader_event *event);
void events_on_remap(struct events *events, const struct reader_event *event);
void events_on_metric(struct events *events, const struct reader_event *event);
void events_on_request_begin(struct events *events, const struct reader_event *event);
void events_on_request_end(struct events *events, const struct reader_event *event);
void events_on_request_context(struct events *events, const struct reader_event *event);
void events_on_request(struct events *events, const struct reader_event *event);

void op_memory_init(struct op_memory *memory, const struct session *session);
void op_memory_fini(struct op_memory *memory);

/* Called before the heap changes: a block was obtained, and freed. */
void op_memory_obtain(struct events *events, const struct reader_event *event);
void op_memory_free(struct events *events, const struct reader_event *event);

/* A window starts: live blocks stay. */
void op_memory_restart(struct op_memory *memory);

/* Called after all events were read: fill in the session. */
void op_memory_finish(struct events *events);

void op_growth_init(struct op_growth *growth, const struct events *events);
void op_growth_fini(struct op_growth *growth);

/* The live bytes of an op grew, or shrank, at these ticks. */
void op_growth_add(struct events *events, uint32_t op, uint64_t bytes);
void op_growth_drop(struct events *events, uint32_t op, uint64_t bytes, uint64_t ticks);

/* A call of an outermost layer starts at these ticks. */
void op_growth_step(struct events *events, uint32_t layer, uint64_t ticks);

/* An op that ends. */
struct beats_op {
    uint32_t op;
    bool records; /* this op or an inner one recorded data for gradients */
};

void beats_init(struct beats *beats, const struct session *session);
void beats_fini(struct beats *beats);

/* A block was obtained, and the heap has taken it. */
void beats_obtain(struct events *events, const struct events_lane *lane, uint64_t size);

/* The heap's unit changes: convert all earlier amounts. */
void beats_scale(struct events *events, double ratio);

/* An outermost op starts, and ends. */
void beats_enter_op(struct events *events, struct events_lane *lane,
                    const struct reader_event *event, uint32_t op);
void beats_leave_op(struct events *events, struct events_lane *lane,
                    const struct reader_event *event, const struct beats_op *ended);

/* A call of a region starts, or ends. */
void beats_add_region(struct events *events, const struct events_lane *lane,
                      const struct reader_event *event, uint32_t region);

/* The thread of a lane ends. */
void beats_end_lane(struct events *events, struct events_lane *lane);

/* A window starts. */
void beats_restart(struct events *events);

/* Called after all events were read: finish the beats. */
void beats_finish(struct events *events);

#endif
