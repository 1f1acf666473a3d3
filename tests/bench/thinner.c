/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the trace that shedding blocks would have made.
 *
 * The records of blocks are read once, in the order of time, so that the block of each free is
 * known.  A plan then decides about each record, lane by lane, and the chunks of events are
 * rewritten.
 */
#include "thinner.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <fcntl.h>
#include <unistd.h>

#include "model/heap_map.h"
#include "reader/merge.h"
#include "spec/event_words.h"
#include "spec/trace.h"

enum {
    NOBODY = UINT32_MAX,
    COUNT_SHIFT = 12,
    TYPE_SHIFT = 4,
    HEAP_WORDS = 3
};

enum action {
    KEPT,
    DROPPED,
    UNCHAINED,
    DRAWN,
    DRAWN_COARSELY,
    FREED /* the block that realloc got is not drawn: the old one is free */
};

/* A record of a block, or a reading. */
struct step {
    uint64_t size;
    uint64_t ticks;
    uint32_t block; /* the step that obtained the block; for an obtaining step, its own; NOBODY */
    uint32_t source;
    enum trace_event_kind kind; /* EXTENDED: a reading */
};

struct lane {
    uint32_t number;
    unsigned char *actions; /* of its records of blocks, in order */
    uint64_t *readings;     /* the heap then, in usable bytes */
    size_t count;
    size_t reading_count;
    /* while a plan is made or written */
    size_t next;
    size_t next_reading;
    double left;      /* bytes to the next point */
    bool is_coarse;   /* from points far apart */
    uint32_t release; /* the block given to realloc; NOBODY */
    bool keeps_release;
    uint64_t release_head;
};

struct thinner {
    char *bytes; /* bytes of the file */
    size_t size;
    struct step *steps;
    size_t count;
    size_t blocks;
    struct lane *lanes; /* by source */
    size_t lane_count;
    unsigned char *drawn; /* by step */
    uint64_t random;
    uint64_t distance;
    uint64_t call_bytes; /* that each block counts for beyond its size, as in the trace's header */
    bool is_coarse; /* points are four times as far apart */
    uint64_t live;
    uint64_t peak;
    uint64_t peak_ticks;
    uint64_t stage_ticks[2];
    bool is_usable; /* sizes become usable bytes, and nothing else */
    uint64_t *out;
    size_t words;
    size_t capacity;
};

static uint64_t usable_of(uint64_t size)
{
    const uint64_t least = 24, head = 8, grain = 16;

    return size <= least ? least : (size + head + grain - 1) / grain * grain - head;
}

/* ---- reading ----------------------------------------------------------- */

static bool is_block(enum trace_event_kind kind)
{
    return kind >= TRACE_EVENT_MALLOC && kind <= TRACE_EVENT_RESTORE;
}

static bool is_reading(const struct reader_event *event)
{
    return event->kind == TRACE_EVENT_EXTENDED &&
           (event->type == TRACE_EXTENDED_READING || event->type == TRACE_EXTENDED_SNAPSHOT ||
            event->type == TRACE_EXTENDED_BORDER);
}

static struct step *add_step(struct thinner *thinner, size_t *capacity)
{
    if (thinner->count == *capacity) {
        *capacity = *capacity > 0 ? 2 * *capacity : 1 << 16;
        thinner->steps = realloc(thinner->steps, *capacity * sizeof *thinner->steps);
        if (!thinner->steps)
            abort();
    }
    return &thinner->steps[thinner->count++];
}

static void map_put(struct heap_map *map, uint64_t address, uint32_t step)
{
    struct heap_block *place = heap_map_find(map, address);

    if (!place)
        place = heap_map_claim(map, address);
    *place = (struct heap_block){.address = address, .site = step};
}

static uint32_t map_take(struct heap_map *map, uint64_t address, bool stays)
{
    struct heap_block *place = address > 0 ? heap_map_find(map, address) : NULL;
    uint32_t step = place ? place->site : NOBODY;

    if (place && !stays)
        heap_map_clear(map, place);
    return step;
}

/* A block that realloc was given is in the map until realloc has ended. */
static uint32_t find_block(struct heap_map *map, const struct reader_event *event, uint32_t step,
                           uint64_t *release)
{
    if (event->kind == TRACE_EVENT_RELEASE) {
        *release = event->address;
        return map_take(map, event->address, true);
    }
    if (event->kind == TRACE_EVENT_RESTORE) {
        *release = 0;
        return map_take(map, event->address, true);
    }
    if (*release > 0)
        (void)map_take(map, *release, false);
    *release = 0;
    if (event->kind == TRACE_EVENT_FREE)
        return map_take(map, event->address, false);
    map_put(map, event->address, step);
    return step;
}

static void take_event(struct thinner *thinner, struct heap_map *map, uint64_t *releases,
                       const struct reader_event *event)
{
    static size_t capacity;
    uint32_t number = (uint32_t)thinner->count;
    struct step *step;

    if (!is_block(event->kind) && !is_reading(event))
        return;
    if (thinner->count == 0)
        capacity = 0;
    step = add_step(thinner, &capacity);
    *step = (struct step){.size = event->kind < TRACE_EVENT_FREE ? event->size : 0,
                          .ticks = event->ticks,
                          .block = NOBODY,
                          .source = event->source,
                          .kind = event->kind};
    if (!is_block(event->kind)) {
        thinner->lanes[event->source].reading_count++;
        return;
    }
    step->block = find_block(map, event, number, &releases[event->source]);
    thinner->lanes[event->source].count++;
    thinner->blocks++;
}

static void make_lanes(struct thinner *thinner, const struct merge *merge)
{
    thinner->lane_count = merge->source_count;
    thinner->lanes = calloc(merge->source_count + 1, sizeof *thinner->lanes);
    for (size_t i = 0; i < merge->source_count; i++)
        thinner->lanes[i].number = merge_lane(merge, i);
}

static void read_events(struct thinner *thinner, struct merge *merge)
{
    const struct reader_event *event;
    struct heap_map map;
    uint64_t *releases;
    size_t blocks = 0;

    make_lanes(thinner, merge);
    releases = calloc(thinner->lane_count + 1, sizeof *releases);
    heap_map_init(&map);
    if (!releases)
        abort();
    while ((event = merge_next(merge))) {
        take_event(thinner, &map, releases, event);
        blocks += event->kind < TRACE_EVENT_FREE;
        if (heap_map_is_full(&map, blocks))

            heap_map_grow(&map);
    }
    heap_map_fini(&map);
    free(releases);
    for (size_t i = 0; i < thinner->lane_count; i++) {
        thinner->lanes[i].actions = calloc(thinner->lanes[i].count + 1, 1);
        thinner->lanes[i].readings =
            calloc(thinner->lanes[i].reading_count + 1, sizeof(uint64_t));
    }
    thinner->drawn = calloc(thinner->count + 1, 1);
}

static bool load(struct thinner *thinner, const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;

    if (descriptor < 0 || fstat(descriptor, &status))
        return false;
    thinner->size = (size_t)status.st_size;
    thinner->bytes = malloc(thinner->size);
    bool is_read = thinner->bytes &&
                   pread(descriptor, thinner->bytes, thinner->size, 0) == (ssize_t)thinner->size;
    close(descriptor);
    return is_read;
}

/* Within a budget, points are drawn from the start.  The blocks that they hit have their own
 * weights, which no plan knows: only 34 of 100 intervals contained the truth then. */
static bool has_drawn(const struct trace_header *header)
{
    return header->overhead_ppm != 0 || header->disk_bytes != 0 || header->sample_bytes != 0;
}

struct thinner *thinner_open(const char *path)
{
    struct thinner *thinner = calloc(1, sizeof *thinner);
    struct diagnostic diagnostic;
    struct reader reader;
    struct merge merge;

    if (!thinner || !load(thinner, path) || reader_open(&reader, path, &diagnostic)) {
        fprintf(stderr, "%s: cannot be read\n", path);
        return NULL;
    }
    if (has_drawn(&reader.header)) {
        fprintf(stderr, "%s: record it with TPROF_OVERHEAD=none TPROF_DISK=none\n", path);
        return NULL;
    }
    thinner->call_bytes = reader.header.call_bytes;
    merge_open(&merge, &reader);
    read_events(thinner, &merge);
    merge_close(&merge);
    reader_close(&reader);
    return thinner;
}

void thinner_close(struct thinner *thinner)
{
    for (size_t i = 0; i < thinner->lane_count; i++) {
        free(thinner->lanes[i].actions);
        free(thinner->lanes[i].readings);
    }
    free(thinner->lanes);
    free(thinner->drawn);
    free(thinner->steps);
    free(thinner->bytes);
    free(thinner->out);
    free(thinner);
}

size_t thinner_count(const struct thinner *thinner)
{
    return thinner->blocks;
}

/* ---- the plan ---------------------------------------------------------- */

/* splitmix64 (Steele, Lea and Flood 2014): any seed will do.  Returns: from above 0 to 1. */
static double even(struct thinner *thinner)
{
    uint64_t mixed = thinner->random += UINT64_C(0x9e3779b97f4a7c15);

    mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((mixed ^ mixed >> 31) >> 11) + 1) / 0x1p53;
}

enum { COARSER = 4 };

static void throw_point(struct thinner *thinner, struct lane *lane)
{
    double distance = (double)thinner->distance * (thinner->is_coarse ? COARSER : 1);

    lane->left = -log(even(thinner)) * distance;
    lane->is_coarse = thinner->is_coarse;
}

/* The part of a block behind a point does not matter. */
static enum action draw(struct thinner *thinner, struct lane *lane, uint64_t size)
{
    double bytes = (double)size + (double)thinner->call_bytes;
    bool was_coarse = lane->is_coarse;

    if (bytes <= lane->left) {
        lane->left -= bytes;
        return KEPT;
    }
    throw_point(thinner, lane);
    return was_coarse ? DRAWN_COARSELY : DRAWN;
}

static void count_obtained(struct thinner *thinner, const struct step *step)
{
    thinner->live += usable_of(step->size);
    if (thinner->live > thinner->peak) {
        thinner->peak = thinner->live;
        thinner->peak_ticks = step->ticks;
    }
}

static void count_returned(struct thinner *thinner, uint32_t block)
{
    if (block != NOBODY)
        thinner->live -= usable_of(thinner->steps[block].size);
}

/* As the heap does that is replayed, the old block of a realloc lives until that ends. */
static void end_release(struct thinner *thinner, struct lane *lane)
{
    count_returned(thinner, lane->release);
    lane->release = NOBODY;
}

static enum action plan_obtained(struct thinner *thinner, struct lane *lane,
                                 const struct step *step, int stage)
{
    enum action drawn = draw(thinner, lane, step->size);
    bool was_kept = lane->keeps_release && step->kind == TRACE_EVENT_REALLOC;

    end_release(thinner, lane);
    count_obtained(thinner, step);
    lane->keeps_release = false;
    thinner->drawn[step->block] = drawn != KEPT;
    if (drawn != KEPT)
        return drawn;
    if (stage < 2)
        return stage == 1 ? UNCHAINED : KEPT;
    return was_kept ? FREED : DROPPED;
}

static enum action plan_returned(struct thinner *thinner, struct lane *lane,
                                 const struct step *step, int stage)
{
    bool is_kept = stage < 2 || (step->block != NOBODY && thinner->drawn[step->block]);

    if (step->kind == TRACE_EVENT_RESTORE) {
        is_kept = lane->keeps_release;
        lane->release = NOBODY;
        lane->keeps_release = false;
    } else {
        end_release(thinner, lane);
        lane->keeps_release = is_kept && step->kind == TRACE_EVENT_RELEASE;
        if (step->kind == TRACE_EVENT_RELEASE)
            lane->release = step->block;
        else
            count_returned(thinner, step->block);
    }
    return is_kept ? KEPT : DROPPED;
}

static void start_plan(struct thinner *thinner, const struct thinner_plan *plan)
{
    thinner->random = plan->seed;
    thinner->distance = plan->distance;
    thinner->live = thinner->peak = thinner->peak_ticks = 0;
    thinner->stage_ticks[0] = thinner->stage_ticks[1] = 0;
    thinner->is_usable = thinner->is_coarse = false;
    for (size_t i = 0; i < thinner->lane_count; i++) {
        struct lane *lane = &thinner->lanes[i];

        lane->next = lane->next_reading = 0;
        throw_point(thinner, lane);
        lane->release = NOBODY;
        lane->keeps_release = false;
    }
}

/* Returns: how many stages have begun at this step. */
static int find_stage(struct thinner *thinner, const struct thinner_plan *plan, size_t number)
{
    const double at = (double)number / (double)thinner->count;
    const double begins[] = {plan->chains, plan->blocks};
    int stage = 0;

    for (int i = 0; i < 2; i++) {
        if (at < begins[i])
            continue;
        stage = i + 1;
        if (thinner->stage_ticks[i] == 0)
            thinner->stage_ticks[i] = thinner->steps[number].ticks;
    }
    return stage;
}

static void make_plan(struct thinner *thinner, const struct thinner_plan *plan)
{
    start_plan(thinner, plan);
    for (size_t i = 0; i < thinner->count; i++) {
        const struct step *step = &thinner->steps[i];
        struct lane *lane = &thinner->lanes[step->source];
        int stage = find_stage(thinner, plan, i);

        thinner->is_coarse = (double)i >= plan->coarser * (double)thinner->count;
        if (step->kind == TRACE_EVENT_EXTENDED)
            lane->readings[lane->next_reading++] = thinner->live;
        else if (step->kind < TRACE_EVENT_FREE)
            lane->actions[lane->next++] =
                (unsigned char)plan_obtained(thinner, lane, step, stage);
        else
            lane->actions[lane->next++] =
                (unsigned char)plan_returned(thinner, lane, step, stage);
    }
}

/* ---- writing ----------------------------------------------------------- */

static void put(struct thinner *thinner, uint64_t word)
{
    if (thinner->words == thinner->capacity) {
        thinner->capacity = thinner->capacity > 0 ? 2 * thinner->capacity : 1 << 16;
        thinner->out = realloc(thinner->out, thinner->capacity * sizeof *thinner->out);
        if (!thinner->out)
            abort();
    }
    thinner->out[thinner->words++] = word;
}

static uint64_t kind_mask(void)
{
    return (1 << TRACE_KIND_BITS) - 1;
}

static void put_size(struct thinner *thinner, uint64_t size, uint64_t chain)
{
    put(thinner, (size < TRACE_SIZE_LARGE ? size : TRACE_SIZE_LARGE) | chain << TRACE_SIZE_BITS);
}

struct chunk_writing {
    struct lane *lane;
    uint64_t ticks;    /* before the record */
    bool has_dropped;  /* a record that the next one's time is counted from */
};

static uint64_t delta_of(const uint64_t *word, enum trace_event_kind kind)
{
    uint64_t steps = word[0] >> TRACE_KIND_BITS & ((1 << TRACE_ALLOC_DELTA_BITS) - 1);

    if (kind == TRACE_EVENT_TIME || kind == TRACE_EVENT_NONE)
        return 0;
    return is_block(kind) ? steps << TRACE_TICK_SHIFT : word[0] >> TRACE_DELTA_BITS;
}

static bool is_drawn(enum action action)
{
    return action == DRAWN || action == DRAWN_COARSELY;
}

static void put_block(struct thinner *thinner, const uint64_t *word, enum action action)
{
    uint64_t distance = thinner->distance * (action == DRAWN_COARSELY ? COARSER : 1);
    uint64_t kind = word[0] & kind_mask();
    uint64_t small = word[1] & TRACE_SIZE_LARGE;
    uint64_t size = small == TRACE_SIZE_LARGE ? word[2] : small;
    uint64_t chain = action == UNCHAINED ? 0 : word[1] >> TRACE_SIZE_BITS;
    uint64_t told = thinner->is_usable ? usable_of(size) : size;

    put(thinner, is_drawn(action) ? (word[0] & ~kind_mask()) | TRACE_EVENT_DRAWN : word[0]);
    put_size(thinner, told, chain);
    if (is_drawn(action))
        put(thinner, kind | distance << TRACE_KIND_BITS |
                         (usable_of(size) - size) << (TRACE_KIND_BITS + TRACE_DISTANCE_BITS));
    if (told >= TRACE_SIZE_LARGE)
        put(thinner, told);
}

/* The same time, and the address given to realloc. */
static void put_freed(struct thinner *thinner, const uint64_t *word, uint64_t release_head)
{
    const uint64_t low = (UINT64_C(1) << (TRACE_KIND_BITS + TRACE_ALLOC_DELTA_BITS)) - 1;

    put(thinner, (word[0] & low & ~kind_mask()) | TRACE_EVENT_FREE | (release_head & ~low));
}

static void put_heap(struct thinner *thinner, uint64_t live)
{
    put(thinner, TRACE_EVENT_EXTENDED | TRACE_EXTENDED_HEAP << TYPE_SHIFT |
                     HEAP_WORDS << COUNT_SHIFT);
    put(thinner, live);
    put(thinner, 0);
    put(thinner, 0);
}

static bool is_reading_record(const uint64_t *word)
{
    uint64_t type = word[0] >> TYPE_SHIFT & 0xff;

    return (word[0] & kind_mask()) == TRACE_EVENT_EXTENDED &&
           (type == TRACE_EXTENDED_READING || type == TRACE_EXTENDED_SNAPSHOT ||
            type == TRACE_EXTENDED_BORDER);
}

static void put_any(struct thinner *thinner, const uint64_t *word, size_t words,
                    struct lane *lane)
{
    for (size_t i = 0; i < words; i++)
        put(thinner, word[i]);
    if (is_reading_record(word) && !thinner->is_usable)
        put_heap(thinner, lane->readings[lane->next_reading++]);
}

static void put_time(struct thinner *thinner, struct chunk_writing *writing)
{
    if (!writing->has_dropped)
        return;
    put(thinner, TRACE_EVENT_TIME);
    put(thinner, writing->ticks);
    writing->has_dropped = false;
}

static void put_record(struct thinner *thinner, const uint64_t *word, size_t words,
                       struct chunk_writing *writing)
{
    enum trace_event_kind kind = (enum trace_event_kind)(word[0] & kind_mask());
    struct lane *lane = writing->lane;
    enum action action = is_block(kind) ? (enum action)lane->actions[lane->next++] : KEPT;

    if (kind == TRACE_EVENT_RELEASE)
        lane->release_head = word[0];
    if (action == DROPPED) {
        writing->has_dropped = true;
        return;
    }
    if (kind != TRACE_EVENT_TIME)
        put_time(thinner, writing);
    if (action == FREED)
        put_freed(thinner, word, lane->release_head);
    else if (is_block(kind) && kind < TRACE_EVENT_FREE)
        put_block(thinner, word, action);
    else
        put_any(thinner, word, words, lane);
}

static struct lane *find_lane(struct thinner *thinner, uint32_t number)
{
    for (size_t i = 0; i < thinner->lane_count; i++)
        if (thinner->lanes[i].number == number)
            return &thinner->lanes[i];
    abort();
}

/* Returns: the start of the chunk in the output, in words. */
static size_t put_words(struct thinner *thinner, const void *bytes, size_t size)
{
    const uint64_t *word = bytes;
    size_t start = thinner->words;

    for (size_t i = 0; i < size / sizeof *word; i++)
        put(thinner, word[i]);
    return start;
}

static void put_events(struct thinner *thinner, const struct trace_chunk *head)
{
    const uint64_t *word = (const void *)head;
    struct chunk_writing writing = {find_lane(thinner, head->lane), head->clock.ticks, false};
    size_t end = head->used / sizeof *word;

    for (size_t at = sizeof *head / sizeof *word; at < end;) {
        enum trace_event_kind kind = (enum trace_event_kind)(word[at] & kind_mask());
        size_t words = words_of_kind(kind) + words_beyond_kind(&word[at]);

        if (kind == TRACE_EVENT_NONE || at + words > end)
            return;
        put_record(thinner, &word[at], words, &writing);
        writing.ticks = kind == TRACE_EVENT_TIME ? word[at + 1]
                                                 : writing.ticks + delta_of(&word[at], kind);
        if (kind == TRACE_EVENT_TIME)
            writing.has_dropped = false;
        at += words;
    }
}

static void put_chunk(struct thinner *thinner, const struct trace_chunk *head)
{
    size_t start;

    if (head->kind != TRACE_EVENTS) {
        start = put_words(thinner, head, head->size);
    } else {
        start = put_words(thinner, head, sizeof *head);
        put_events(thinner, head);
    }
    struct trace_chunk *out = (void *)&thinner->out[start];
    out->offset = start * sizeof *thinner->out;
    if (head->kind == TRACE_EVENTS)
        out->used = (thinner->words - start) * sizeof *thinner->out;
    while (thinner->words * sizeof *thinner->out % TRACE_CHUNK_ALIGN != 0)
        put(thinner, 0);
    out = (void *)&thinner->out[start];
    out->size = (thinner->words - start) * sizeof *thinner->out;
}

static void put_header(struct thinner *thinner)
{
    struct trace_header *header = (void *)thinner->out;

    header->size = thinner->words * sizeof *thinner->out;
    if (thinner->is_usable)
        return;
    header->stage_ticks[TRACE_STAGE_CHAINS] = thinner->stage_ticks[0];
    header->stage_ticks[TRACE_STAGE_BLOCKS] = thinner->stage_ticks[1];
    header->heap_live_bytes = thinner->live;
    header->heap_peak_bytes = thinner->peak;
    header->heap_peak_ticks = thinner->peak_ticks;
}

static bool write_trace(struct thinner *thinner, int descriptor)
{
    thinner->words = 0;
    put_words(thinner, thinner->bytes, TRACE_HEADER_SIZE);
    for (size_t i = 0; i < thinner->lane_count; i++)
        thinner->lanes[i].next = thinner->lanes[i].next_reading = 0;
    for (size_t at = TRACE_HEADER_SIZE; at + sizeof(struct trace_chunk) <= thinner->size;) {
        const struct trace_chunk *head = (const void *)(thinner->bytes + at);

        if (head->magic != TRACE_CHUNK_MAGIC || head->size > thinner->size - at)
            break;
        put_chunk(thinner, head);
        at += head->size;
    }
    put_header(thinner);
    size_t size = thinner->words * sizeof *thinner->out;
    return ftruncate(descriptor, (off_t)size) == 0 &&
           pwrite(descriptor, thinner->out, size, 0) == (ssize_t)size;
}

bool thinner_write(struct thinner *thinner, const struct thinner_plan *plan, int descriptor)
{
    make_plan(thinner, plan);
    return write_trace(thinner, descriptor);
}

bool thinner_write_usable(struct thinner *thinner, int descriptor)
{
    const struct thinner_plan exact = {1, 1, 2, 2, 2};

    start_plan(thinner, &exact);
    for (size_t i = 0; i < thinner->lane_count; i++)
        memset(thinner->lanes[i].actions, KEPT, thinner->lanes[i].count);
    thinner->is_usable = true;
    return write_trace(thinner, descriptor);
}
