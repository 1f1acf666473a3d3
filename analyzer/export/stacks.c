/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call stacks from the samples and the sites of a session.
 */
#include "export/stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "cpu/cpu_row.h"
#include "cpu/cpu_time.h"
#include "cpu/cpu_ways.h"
#include "export/stacks_parts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"
#include "model/session_ops.h"
#include "model/session_samples.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"
#include "places/places.h"
#include "symbols/storage.h"

/* Deeper chains are endless recursion, mostly. */
enum { DEPTH_MAX = 1024, SHAPE_SIZE = 400 };

/* Below 2^63, as a double. */
static const double LARGEST = 9.2e18;

const struct export_weight_row *export_weight_at(enum export_weight weight)
{
    static const struct export_weight_row rows[] = {
#define WEIGHT(id, name, unit, help) {name, unit, help},
#include "export/weights.def"
#undef WEIGHT
    };

    return &rows[weight];
}

void export_format_weight(char text[UNITS_SIZE], enum export_weight weight, double number)
{
    const char *unit = export_weight_at(weight)->unit;

    if (strcmp(unit, "nanoseconds") == 0)
        units_format_time(text, number);
    else if (strcmp(unit, "bytes") == 0)
        units_format_bytes(text, number);
    else if (strcmp(unit, "flops") == 0)
        units_format_flops(text, number);
    else
        units_format_count(text, (int64_t)fmin(number, LARGEST));
}

const char *export_label_name(enum export_label label)
{
    static const char *const names[] = {
#define LABEL(id, name) name,
#include "export/labels.def"
#undef LABEL
    };

    return names[label];
}

const struct export_stack *export_stack_at(const struct export_stacks *stacks, size_t index)
{
    return *(struct export_stack **)array_at(&stacks->stacks, index);
}

const struct export_frame *export_frame_of(const struct export_stacks *stacks,
                                           const struct export_stack *stack)
{
    return array_at(&stacks->frames, stack->branch.key.name);
}

const struct export_stack *export_stack_around(const struct export_stacks *stacks,
                                               const struct export_stack *stack)
{
    const struct branch *parent = stack->branch.key.parent;

    return parent == &stacks->root.branch ? NULL : (const struct export_stack *)parent;
}

int64_t export_round(struct export_rounding *rounding, double weight)
{
    int64_t whole;

    rounding->sum += weight;
    whole = llround(fmin(rounding->sum, LARGEST)) - rounding->told;
    rounding->told += whole;
    return whole;
}

/* ---- frames --------------------------------------------------------------------------- */

static const char *keep(struct export_stacks *stacks, const char *text)
{
    return text ? storage_keep(stacks->texts, text, strlen(text)) : NULL;
}

static void add_frame(struct export_stacks *stacks, const struct export_frame *of)
{
    struct export_frame *frame = array_add(&stacks->frames);

    *frame = *of;
    frame->name = keep(stacks, of->name);
    frame->library = keep(stacks, of->library);
    frame->file = keep(stacks, of->file);
    for (int i = 0; i < EXPORT_LABELS; i++)

        frame->labels[i] = keep(stacks, of->labels[i]);
}

static void fill_key(struct text *key, const struct export_frame *frame)
{
    text_index_append_part(key, frame->name);
    text_index_append_part(key, frame->library);
    text_index_append_part(key, frame->file);
    for (int i = 0; i < EXPORT_LABELS && frame->is_label; i++)
        text_index_append_part(key, frame->labels[i]);
    text_appendf(key, "%u%s", (unsigned)frame->line, frame->is_inlined ? "i" : "");
}

void stacks_find_frame(struct export_stacks *stacks, const struct export_frame *frame,
                       size_t *number)
{
    struct text key;
    long found;

    text_init(&key);
    fill_key(&key, frame);
    found = text_index_add(&stacks->keys, &key);
    text_fini(&key);
    *number = (size_t)found;
    if (*number == stacks->frames.count)
        add_frame(stacks, frame);
}

void stacks_find_place(struct export_stacks *stacks, const struct place *place, size_t *number)
{
    struct export_frame frame = {.library = place->function->module, .file = place->file,
                                 .line = place->line,
                                 .is_python = place->function->is_python,
                                 .is_inlined = place->is_inlined};
    struct text name;

    text_init(&name);
    places_append_function(&name, place->function, false);
    frame.name = name.bytes;
    stacks_find_frame(stacks, &frame, number);
    text_fini(&name);
}

void stacks_enter_number(struct export_stacks *stacks, struct export_stack **stack, size_t number)
{
    if ((*stack)->branch.depth == DEPTH_MAX)
        return;
    *stack = (struct export_stack *)branches_get(&stacks->branches, &(*stack)->branch, number);
}

void stacks_enter(struct export_stacks *stacks, struct export_stack **stack,
                  const struct export_frame *frame)
{
    size_t number;

    stacks_find_frame(stacks, frame, &number);
    stacks_enter_number(stacks, stack, number);
}

/* ---- whose stack it is ------------------------------------------------------------------ */

static const char *name_thread(const struct export_stacks *stacks, uint32_t thread,
                               struct text *name)
{
    if (thread >= stacks->session->threads.count)
        return NULL;
    const uint32_t id = session_thread_at(stacks->session, thread)->id;
    const char *told = session_find_thread_name(stacks->session, id);

    text_appendf(name, "thread %u", (unsigned)id);
    if (told)
        text_appendf(name, " (%s)", told);
    return name->bytes;
}

static const char *find_region(const struct session *session, uint32_t region)
{
    return region > 0 && region < session->regions.count ? session_region_at(session, region)->path
                                                         : NULL;
}

static const char *find_op(const struct session *session, uint32_t op)
{
    return op > 0 && op < session->ops.count ? session_op_at(session, op)->name : NULL;
}

static const char *find_shape(const struct session *session, uint32_t index,
                              char shape[SHAPE_SIZE])
{
    const struct session_slot *slot;

    shape[0] = 0;
    if (index >= session->slots.count)
        return NULL;
    slot = session_slot_at(session, index);
    if (slot->kernel && slot->dims == slot->kernel->shape_count)
        catalog_format_shape(slot->kernel, slot->shape, shape, SHAPE_SIZE);
    return shape[0] ? shape : NULL;
}

static void enter_labels(struct export_stacks *stacks, struct export_stack **stack,
                         const struct stacks_owner *owner, const char *thread)
{
    const struct session *session = stacks->session;
    char shape[SHAPE_SIZE];
    const struct export_frame frame = {
        .name = "",
        .is_label = true,
        .labels = {[EXPORT_LABEL_THREAD] = thread,
                   [EXPORT_LABEL_REGION] = find_region(session, owner->region),
                   [EXPORT_LABEL_OP] = find_op(session, owner->op),
                   [EXPORT_LABEL_SHAPE] = find_shape(session, owner->slot, shape)}};

    stacks_enter(stacks, stack, &frame);
}

void stacks_enter_owner(struct export_stacks *stacks, struct export_stack **stack,
                        const struct stacks_owner *owner)
{
    const char *thread;
    struct text name;

    text_init(&name);
    thread = name_thread(stacks, owner->thread, &name);
    if (stacks->root_is == EXPORT_BY_THREAD && thread)
        stacks_enter(stacks, stack, &(struct export_frame){.name = thread, .is_thread = true});
    else if (stacks->root_is == EXPORT_BY_LABELS)
        enter_labels(stacks, stack, owner, thread);
    text_fini(&name);
}

/* ---- processor time ------------------------------------------------------------------- */

static void add_sample(struct export_stacks *stacks, struct cpu_ways *ways, size_t sample)
{
    const struct session_sample *of = session_sample_at(stacks->session, sample);
    struct export_stack *stack = &stacks->root;

    cpu_ways_find(ways, sample);
    stacks_enter_owner(stacks, &stack,
                       &(struct stacks_owner){of->thread, of->region, of->op, of->slot});
    for (size_t i = ways->steps.count; i-- > 0;) {
        const struct cpu_step *step = array_at(&ways->steps, i);

        stacks_enter(stacks, &stack,
                     &(struct export_frame){step->name,
                                            step->library,
                                            step->file,
                                            step->line,
                                            step->is_python,
                                            step->is_inlined && i + 1 < ways->steps.count,
                                            false,
                                            false,
                                            {NULL}});
    }
    stack->weights[EXPORT_CPU] += stacks->time.sample_ns[sample];
}

static void add_rest(struct export_stacks *stacks, const struct cpu_row *row, double ns)
{
    struct export_stack *stack = &stacks->root;

    stacks_enter(stacks, &stack,
                 &(struct export_frame){.name = row->name, .library = row->library});
    stack->weights[EXPORT_CPU] += ns;
}

/* What rows have beyond their samples: clocks of kernels that no sample hit, and what has no
 * stack. */
static void add_rests(struct export_stacks *stacks)
{
    const struct cpu_time *time = &stacks->time;
    double *sampled = memory_get_zeros(time->rows.count + 1, sizeof *sampled);

    for (size_t i = 0; i < time->session->samples.count; i++)
        sampled[time->sample_row[i]] += time->sample_ns[i];
    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->self_ns - sampled[i] > 0.5)
            add_rest(stacks, row, row->self_ns - sampled[i]);
    }
    free(sampled);
}

static void add_time(struct export_stacks *stacks)
{
    const struct cpu_time_options by = {CPU_BY_FUNCTION, 0.95, session_find_frames};
    struct cpu_ways ways;

    cpu_time_init(&stacks->time, stacks->session, &by);
    cpu_ways_init(&ways, &stacks->time);
    for (size_t i = 0; i < stacks->session->samples.count; i++)
        add_sample(stacks, &ways, i);
    add_rests(stacks);
    stacks->has[EXPORT_CPU] = stacks->time.cpu_ns > 0;
    cpu_ways_fini(&ways);
}

/* ---- memory --------------------------------------------------------------------------- */

/* A hundred thousand sites have few calls that are not in the chain of another, and few
 * addresses: what is found of each is kept. */
struct call_stacks {
    struct export_stacks *stacks;
    struct export_stack **of_call; /* by call; NULL: not asked for yet */
    struct array frames;           /* of size_t, numbers; an address has some, outermost first */
    struct array spans;            /* of struct frame_span, by the number of call_places */
    struct array way;              /* of uint32_t: calls to go through, the innermost first */
};

struct frame_span {
    size_t first;
    size_t end; /* 0: not known yet */
};

static void call_stacks_init(struct call_stacks *calls, struct export_stacks *stacks)
{
    *calls = (struct call_stacks){
        stacks,
        memory_get_zeros(stacks->session->calls.count + 1, sizeof *calls->of_call),
        {.item_size = sizeof(size_t)},
        {.item_size = sizeof(struct frame_span)},
        {.item_size = sizeof(uint32_t)}};
}

static void call_stacks_fini(struct call_stacks *calls)
{
    free(calls->of_call);
    array_fini(&calls->frames);
    array_fini(&calls->spans);
    array_fini(&calls->way);
}

static void add_place(struct call_stacks *calls, const struct place *place)
{
    size_t *number = array_add(&calls->frames);

    stacks_find_place(calls->stacks, place, number);
}

/* What only starts a program or a thread is no frame. */
static void fill_span(struct call_stacks *calls, const struct call_places *places,
                      struct frame_span *span)
{
    span->first = calls->frames.count;
    for (size_t i = places->count; i-- > 0;)
        if (!places->places[i].function->is_starter)
            add_place(calls, &places->places[i]);
    span->end = calls->frames.count;
}

static void find_span(struct call_stacks *calls, uint32_t call, struct frame_span *span)
{
    struct places *all = calls->stacks->time.places;
    places_look_up(all, call);
    const struct call_places *places;

    *span = (struct frame_span){0, 0};
    places = places_known(all, call);
    if (places->count == 0)
        return;
    while (calls->spans.count <= places->number)
        array_add(&calls->spans);
    struct frame_span *known = array_at(&calls->spans, places->number);
    if (known->end == 0)
        fill_span(calls, places, known);
    *span = *known;
}

static void enter_call(struct call_stacks *calls, struct export_stack **stack, uint32_t call)
{
    struct frame_span span;

    find_span(calls, call, &span);
    for (size_t i = span.first; i < span.end; i++)
        stacks_enter_number(calls->stacks, stack, *(size_t *)array_at(&calls->frames, i));
    calls->of_call[call] = *stack;
}

/* Goes out to a call whose stack is known, and back. */
static void find_stack(struct call_stacks *calls, uint32_t call, struct export_stack **stack)
{
    array_truncate(&calls->way, 0);
    for (; call != 0 && !calls->of_call[call];
         call = places_parent(calls->stacks->time.places, call)) {
        uint32_t *step = array_add(&calls->way);

        *step = call;
    }
    *stack = call != 0 ? calls->of_call[call] : &calls->stacks->root;
    for (size_t i = calls->way.count; i-- > 0;)
        enter_call(calls, stack, *(uint32_t *)array_at(&calls->way, i));
}

static void add_weight(struct export_stacks *stacks, struct export_stack *stack,
                       enum export_weight weight, uint64_t of)
{
    if (of != SESSION_UNKNOWN)
        stack->weights[weight] += (double)of;
    else
        stacks->has[weight] = false;
}

static void add_site(struct call_stacks *calls, const struct session_site *site)
{
    struct export_stacks *stacks = calls->stacks;
    struct export_stack *stack;

    find_stack(calls, site->call, &stack);
    if (stack == &stacks->root)
        stacks_enter(stacks, &stack, &(struct export_frame){.name = "no call chain"});
    add_weight(stacks, stack, EXPORT_ALLOCATIONS, site->allocations);
    add_weight(stacks, stack, EXPORT_ALLOCATED, site->allocated_bytes);
    add_weight(stacks, stack, EXPORT_PEAK, site->peak_bytes);
    add_weight(stacks, stack, EXPORT_LIVE, site->live_bytes);
}

static void add_memory(struct export_stacks *stacks)
{
    const struct session *session = stacks->session;
    struct call_stacks calls;

    call_stacks_init(&calls, stacks);
    for (enum export_weight i = EXPORT_ALLOCATIONS; i <= EXPORT_LIVE; i++)
        stacks->has[i] = session->sites.count > 0;
    for (size_t i = 0; i < session->sites.count; i++)
        add_site(&calls, session_site_at(session, i));
    call_stacks_fini(&calls);
}

/* ---- all ------------------------------------------------------------------------------- */

/* Those inside have come before. */
static void add_up(struct export_stack *stack)
{
    struct export_stack *around = (struct export_stack *)stack->branch.key.parent;

    for (int i = 0; i < EXPORT_WEIGHTS; i++) {
        stack->wholes[i] += stack->weights[i];
        around->wholes[i] += stack->wholes[i];
    }
}

static void list(struct export_stacks *stacks)
{
    for (struct branch *branch = branches_last(&stacks->branches); branch;
         branch = branches_before(branch)) {
        struct export_stack **place = array_add(&stacks->stacks);

        *place = (struct export_stack *)branch;
        (*place)->index = stacks->stacks.count - 1;
        add_up(*place);
    }
}

void export_stacks_init(struct export_stacks *stacks, const struct session *session,
                        enum export_root root_is)
{
    *stacks = (struct export_stacks){.session = session,
                                     .root_is = root_is,
                                     .texts = storage_new(),
                                     .branches = {.size = sizeof(struct export_stack)}};
    array_init(&stacks->frames, sizeof(struct export_frame));
    array_init(&stacks->stacks, sizeof(struct export_stack *));
    add_time(stacks);
    stacks_add_waits(stacks);
    stacks_add_kernels(stacks);
    add_memory(stacks);
    list(stacks);
}

enum export_weight export_stacks_choose(const struct export_stacks *stacks,
                                        enum export_weight asked)
{
    if (asked != EXPORT_WEIGHTS)
        return asked;
    return !stacks->has[EXPORT_CPU] && stacks->has[EXPORT_WALL] ? EXPORT_WALL : EXPORT_CPU;
}

void export_stacks_fini(struct export_stacks *stacks)
{
    array_fini(&stacks->stacks);
    array_fini(&stacks->frames);
    branches_fini(&stacks->branches);
    text_index_fini(&stacks->keys);
    cpu_time_fini(&stacks->time);
    storage_free(stacks->texts);
}
