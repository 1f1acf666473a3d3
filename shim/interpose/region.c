/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The functions of tprof.h: regions are on the hot path, the others are not.
 *
 * Budget of a region: two clock reads, two records of 16 bytes, one look-up of the label and one of
 * the node.  The thread's processor time is read in a part of the calls: record/region_clock.h.
 */
#include "interpose/region.h"

#include <errno.h>
#include <string.h>

#include "platform/clock.h"
#include "record/budget.h"
#include "record/call_draws.h"
#include "record/extended.h"
#include "record/incidents.h"
#include "record/lane_chunks.h"
#include "record/ops.h"
#include "record/passed.h"
#include "record/process.h"
#include "record/region_clock.h"
#include "record/region_stack.h"
#include "record/resident.h"
#include "record/slow.h"
#include "record/strings.h"
#include "record/tally.h"
#include "record/usage.h"

/* The least time between two readings at borders, and the part of the time that they may take: a
 * process with threads opens its files aside, which makes a reading four times as dear. */
enum { BORDER_NS = 1600000, BORDER_PARTS = 256 };

static ALWAYS_INLINE struct lane_label *label_place(struct lane *lane, const char *label)
{
    return &lane->labels[((uintptr_t)label ^ (uintptr_t)label >> 6) % LANE_LABELS];
}

void region_remember(struct lane *lane, const char *label, uint32_t number)
{
    struct lane_label *place = label_place(lane, label);

    if (number == 0 || strlen(label) >= sizeof place->text)
        return;
    place->pointer = label;
    place->id = number;
    strcpy(place->text, label);
}

static REALIGNED uint32_t learn_label(struct lane *lane, const char *label)
{
    int saved_errno = errno;
    uint64_t start_ns = region_clock_now();
    uint32_t number = strings_intern(label);

    region_remember(lane, label, number);
    region_clock_owe_since(lane, start_ns);
    errno = saved_errno;
    return number;
}

/* The pointer finds the entry; the text proves that the buffer still has the same label. */
static ALWAYS_INLINE uint32_t label_number(struct lane *lane, const char *label)
{
    struct lane_label *place = label_place(lane, label);

    if (LIKELY(place->pointer == label && strcmp(place->text, label) == 0))
        return place->id;
    return learn_label(lane, label);
}

static void write_leave(struct lane *lane, const struct lane_region *region, uint64_t now)
{
    unsigned doublings = region->clock_after_ticks == 0 ? region->doublings : 0;

    region_stack_write(lane, TRACE_EVENT_LEAVE, region->node_index, now,
                 drawn_calls_pack(now - region->start, doublings));
}

/* Take readings at the border of an outermost region, when the last ones are a while old.  They lie
 * outside of the region's time.  They are due only when the thread's clock is read, which is due
 * sooner and for shorter calls, so other calls have no cost. */
static REALIGNED void take_border(struct lane *lane, uint32_t label, bool is_begin, uint64_t now)
{
    int saved_errno = errno;
    uint64_t start_ns = region_clock_now(), ticks, wait;
    struct usage usage = usage_read(lane->thread);
    struct {
        uint64_t label;
        uint64_t is_begin;
        struct trace_reading reading;
    } words = {label, is_begin, usage.reading};

    extended_write(lane, clock_read(), TRACE_EXTENDED_BORDER, (const uint64_t *)&words,
                   sizeof words / sizeof(uint64_t));
    usage_write_beside(lane, &usage);
    ticks = clock_ticks_of(region_clock_now() - start_ns);
    process_add_slow_ticks(ticks);
    budget_note_reading(ticks);
    wait = clock_ticks_of(budget_border_ns(BORDER_NS));
    lane->border_ticks = now + (wait > BORDER_PARTS * ticks ? wait : BORDER_PARTS * ticks);
    region_clock_owe_since(lane, start_ns);
    errno = saved_errno;
}

static bool border_is_due(const struct lane *lane, uint64_t now)
{
    return lane->region_depth == 0 && now >= lane->border_ticks;
}

/* Returns: when the call begins. */
static uint64_t read_begin(struct lane *lane, struct lane_region *region, uint64_t now)
{
    if (border_is_due(lane, now)) {
        take_border(lane, region->node->label, true, now);
        now = clock_read();
    }
    return region_clock_begin(lane, region, now);
}

static void read_end(struct lane *lane, struct lane_region *region, uint64_t now)
{
    region_clock_end(lane, region, now);
    write_leave(lane, region, now);
    if (border_is_due(lane, now))
        take_border(lane, region->node->label, false, now);
}

/* Draw whether a call has a record.  The clock is read only for calls with a record. */
static void draw_region(struct lane *lane, struct lane_region *region)
{
    if (lane->region_doublings == 0)
        return;
    region->clock_after_ticks = 0;
    region->is_read = false;
    region->is_left_out = !call_draws_region(lane, region->node->calls + 1, &region->doublings);
}

static bool is_left_out(const struct lane_region *region)
{
    return region->clock_after_ticks == 0 && region->is_left_out;
}

/* The call begins `now`, and is the innermost. */
static ALWAYS_INLINE void enter_region(struct lane *lane, struct lane_region *region,
                                       struct lane_place place, uint64_t now)
{
    region->start = now;
    lane->region_depth++;
    passed_change_node(lane, &place.cell->node, place.number);
    lane_show_node(lane, place.number, now);
}

/* Begin a call whose thread's clock is read, or may be, or that may have no record. */
static COLD void open_specially(struct lane *lane, struct lane_region *region,
                                struct lane_place place, uint64_t now)
{
    region->is_left_out = false;
    region->doublings = 0;
    draw_region(lane, region);
    if (!is_left_out(region) && region_clock_is_due(lane, region->node, now))
        now = read_begin(lane, region, now);
    enter_region(lane, region, place, now);
    if (!is_left_out(region))
        region_stack_write(lane, TRACE_EVENT_ENTER, place.number, now, 0);
}

/* End one that took long, or that was begun specially. */
static COLD void end_specially(struct lane *lane, struct lane_region *region, uint64_t now)
{
    if (incidents_watch_steps())
        incidents_check_step(region->node, lane->region_depth, region->start, now);
    if (is_left_out(region))
        return;
    if (region_clock_reads_end(lane, region, now))
        read_end(lane, region, now);
    else
        write_leave(lane, region, now);
    if (lane->owed_ticks > 0) /* of a border, or of a reading when the record was written */
        region_clock_charge(lane, region->node, 0);
}

/* Regions nest, so the next ends belong to the refused begins.  A begin inside a refused region is
 * refused, too, because its end looks the same. */
static COLD void refuse_region(struct lane *lane)
{
    lane->refused_regions++;
    lane->thread_node->lost_records++;
}

static COLD void end_refused_region(struct lane *lane)
{
    lane->refused_regions--;
    lane->thread_node->lost_records++;
}

static ALWAYS_INLINE void open_region(struct lane *lane, uint32_t label, uint32_t owner)
{
    struct lane_region *region = &lane->regions[lane->region_depth];
    uint64_t now = clock_read();
    struct lane_place place;

    place = tally_node(lane, lane->node_index, label, now);
    if (UNLIKELY(!place.cell)) {
        refuse_region(lane);
        return;
    }
    region->node = &place.cell->node;
    region->node_index = place.number;
    region->owner = owner;
    region->inner_ticks = 0;
    region->clock_after_ticks = lane->clock_old_ticks;
    if (UNLIKELY(region_clock_is_asked(lane, &place.cell->node, now))) {
        open_specially(lane, region, place, now);
        return;
    }
    enter_region(lane, region, place, now);
    region_stack_write(lane, TRACE_EVENT_ENTER, place.number, now, 0);
}

/* Its time is that of the outer region. */
static ALWAYS_INLINE void add_to_outer(struct lane *lane, uint64_t duration)
{
    if (UNLIKELY(lane->innermost_op > 0))
        ops_add_to_outer_region(lane, duration);
    else if (lane->region_depth > 0)
        lane->regions[lane->region_depth - 1].inner_ticks += duration;
}

static ALWAYS_INLINE void close_region(struct lane *lane, uint64_t now)
{
    uint32_t number = lane->node_index; /* node of the innermost region */
    uint64_t duration = region_stack_pop(lane, now);
    struct lane_region *region = &lane->regions[lane->region_depth];

    add_to_outer(lane, duration);
    if (UNLIKELY(duration >= region->clock_after_ticks))
        end_specially(lane, region, now);
    else
        region_stack_write(lane, TRACE_EVENT_LEAVE, number, now, duration);
}

void region_begin(const char *label)
{
    struct lane *lane = lane_enter();

    if (UNLIKELY(!lane))
        return;
    if (LIKELY(lane->region_depth < LANE_REGIONS_MAX && lane->refused_regions == 0))
        open_region(lane, label_number(lane, label), 0);
    else
        refuse_region(lane);
    lane_leave(lane);
}

/* The depth of the innermost region with this label; the current depth if none has it. */
static COLD uint32_t find_region(const struct lane *lane, uint32_t label)
{
    for (uint32_t depth = lane->region_depth; depth > 0; depth--)
        if (lane->regions[depth - 1].node->label == label)
            return depth - 1;
    return lane->region_depth;
}

/* Closes the inner regions that are still open; a label that is not open closes nothing. */
static COLD void close_outer_region(struct lane *lane, uint32_t label, uint64_t now)
{
    uint32_t depth = find_region(lane, label);

    lane->thread_node->unmatched++;
    while (lane->region_depth > depth && lane->innermost_op > depth)
        ops_drop_innermost(lane, now);
    while (lane->region_depth > depth)
        close_region(lane, now);
}

/* Returns: the label of the innermost region, which ops may be inside of. */
static uint32_t innermost_label(const struct lane *lane)
{
    const struct trace_node *node = lane->node;

    for (uint32_t depth = lane->region_depth; depth > 0 && node->label & TRACE_LABEL_OP; depth--)
        node = lane->regions[depth - 1].node;
    return node->label;
}

static ALWAYS_INLINE void end_region(struct lane *lane, const char *label, uint64_t now)
{
    uint32_t number = label ? label_number(lane, label) : innermost_label(lane);

    if (LIKELY(lane->region_depth > 0 && lane->node->label == number))
        close_region(lane, now);
    else
        close_outer_region(lane, number, now);
}

/* The region that ended last has the cost of a reading. */
static COLD void look_up_behind(struct lane *lane, uint64_t now)
{
    struct trace_node *node =
        lane->region_depth < LANE_REGIONS_MAX ? lane->regions[lane->region_depth].node : NULL;

    lane_look_up(lane, now);
    if (lane->owed_ticks > 0 && node)
        region_clock_charge(lane, node, 0);
}

void region_end(const char *label)
{
    struct lane *lane = lane_enter();
    uint64_t now;

    if (UNLIKELY(!lane))
        return;
    now = clock_read();
    if (LIKELY(lane->refused_regions == 0))
        end_region(lane, label, now);
    else
        end_refused_region(lane);
    if (UNLIKELY(now >= lane->deadline))
        look_up_behind(lane, now);
    lane_leave(lane);
}

bool region_push(struct lane *lane, uint32_t label, uint32_t owner)
{
    if (LIKELY(lane->region_depth < LANE_REGIONS_MAX && lane->refused_regions == 0)) {
        open_region(lane, label, owner);
        return lane->refused_regions == 0;
    }
    refuse_region(lane);
    return false;
}

/* Is the region at this depth, from 1, an owner's?  Ops have none. */
static ALWAYS_INLINE bool is_of_owner(const struct lane *lane, uint32_t depth, uint32_t owner)
{
    return depth > 0 && lane->innermost_op != depth && lane->regions[depth - 1].owner == owner;
}

/* Returns: the depth of its innermost region, from 1; 0: none is open, or ops are inside. */
static COLD uint32_t find_owned(const struct lane *lane, uint32_t owner)
{
    uint32_t depth = lane->region_depth;

    while (depth > lane->innermost_op && lane->regions[depth - 1].owner != owner)
        depth--;
    return depth > lane->innermost_op ? depth : 0;
}

/* The regions inside of it are reopened around nothing: they count where they end. */
static COLD void pop_outer(struct lane *lane, uint32_t owner, uint64_t now)
{
    uint32_t depth = find_owned(lane, owner), count = 0;
    struct {
        uint32_t label;
        uint32_t owner;
    } inner[LANE_REGIONS_MAX];

    if (depth == 0) {
        lane->thread_node->unmatched++;
        return;
    }
    for (; lane->region_depth > depth; count++) {
        struct lane_region *region = &lane->regions[lane->region_depth - 1];

        inner[count].label = region->node->label;
        inner[count].owner = region->owner;
        close_region(lane, now);
        region->node->calls--;
    }
    close_region(lane, now);
    while (count-- > 0)
        open_region(lane, inner[count].label, inner[count].owner);
}

void region_pop(struct lane *lane, uint32_t owner)
{
    uint64_t now = clock_read();

    if (UNLIKELY(lane->refused_regions > 0))
        end_refused_region(lane);
    else if (LIKELY(is_of_owner(lane, lane->region_depth, owner)))
        close_region(lane, now);
    else
        pop_outer(lane, owner, now);
    if (UNLIKELY(now >= lane->deadline))
        look_up_behind(lane, now);
}

EXPORT void tprof_record_region_begin(const char *label);
EXPORT void tprof_record_region_end(const char *label);
EXPORT REALIGNED void tprof_record_snapshot(const char *label);
EXPORT void tprof_record_items(uint64_t count);
EXPORT void tprof_record_request_begin(uint64_t id);
EXPORT void tprof_record_request_end(uint64_t id);
EXPORT REALIGNED const char *tprof_record_trace(void);

void tprof_record_region_begin(const char *label)
{
    region_begin(label ? label : "(null)");
}

void tprof_record_region_end(const char *label)
{
    region_end(label);
}

static void write_extended(enum trace_extended_type type, const uint64_t *words, unsigned count)
{
    int saved_errno = errno;
    struct lane *lane = lane_enter();

    if (!lane)
        return;
    lane_keep();
    extended_write(lane, clock_read(), type, words, count);
    lane_leave(lane);
    errno = saved_errno;
}

/* A number for a text from outside the hot path. */
static uint32_t number_of(const char *text)
{
    struct lane *lane = lane_enter();
    uint32_t number;

    if (!lane)
        return 0;
    number = label_number(lane, text ? text : "(null)");
    lane_leave(lane);
    return number;
}

/* Readings are system calls, so none are made where nothing is recorded, as in a sandbox.  A strict
 * one forbids the clock, too. */
void tprof_record_snapshot(const char *label)
{
    struct lane *lane = lane_enter();
    struct {
        uint64_t label;
        struct trace_reading reading;
    } words;
    struct usage usage;
    struct slow slow;

    if (!lane)
        return;
    slow_begin(&slow);
    lane_keep();
    words.label = label_number(lane, label ? label : "(null)");
    usage = usage_read_whole(lane->thread);
    words.reading = usage.reading;
    extended_write(lane, clock_read(), TRACE_EXTENDED_SNAPSHOT, (const uint64_t *)&words,
                   sizeof words / sizeof(uint64_t));
    usage_write_beside(lane, &usage);
    resident_write(lane, &usage.reading, RESIDENT_ASKED);
    incidents_note_snapshot((uint32_t)words.label);
    lane_leave(lane);
    slow_end(&slow);
}

void region_record_metric(const char *name, uint64_t value)
{
    const uint64_t words[2] = {number_of(name), value};

    write_extended(TRACE_EXTENDED_METRIC, words, 2);
}

void tprof_record_items(uint64_t count)
{
    struct lane *lane = lane_enter();

    if (lane) {
        lane->node->items += count;
        lane_leave(lane);
    }
    write_extended(TRACE_EXTENDED_ITEMS, &count, 1);
}

void tprof_record_request_begin(uint64_t id)
{
    write_extended(TRACE_EXTENDED_REQUEST_BEGIN, &id, 1);
}

void tprof_record_request_end(uint64_t id)
{
    write_extended(TRACE_EXTENDED_REQUEST_END, &id, 1);
}

/* A program that asks for the path will read the trace, so the trace is worth a file. */
const char *tprof_record_trace(void)
{
    int saved_errno = errno;
    struct lane *lane = lane_enter();

    if (!lane)
        return NULL;
    lane_keep();
    lane_leave(lane);
    errno = saved_errno;
    return process->file.is_kept ? process->file.path : NULL;
}
