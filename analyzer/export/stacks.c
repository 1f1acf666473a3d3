/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call stacks from the samples and the sites of a session.
 */
#include "export/stacks.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
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

int64_t export_round(struct export_rounding *rounding, double weight)
{
    int64_t whole;

    rounding->sum += weight;
    whole = llround(fmin(rounding->sum, LARGEST)) - rounding->told;
    rounding->told += whole;
    return whole;
}

/* ---- the owner of a stack --------------------------------------------------------------- */

static const char *name_thread(const struct session *session, uint32_t thread,
                               struct text *name)
{
    if (thread >= session->threads.count)
        return NULL;
    const uint32_t id = session_thread_at(session, thread)->id;
    const char *told = session_find_thread_name(session, id);

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

static struct call_node *enter_labels(struct stacks_source *source,
                                      const struct stacks_owner *owner, const char *thread)
{
    const struct session *session = source->session;
    char shape[SHAPE_SIZE];
    const struct call_frame frame = {
        .name = "",
        .kind = CALL_FRAME_LABELS,
        .labels = {[CALL_LABEL_THREAD] = thread,
                   [CALL_LABEL_REGION] = find_region(session, owner->region),
                   [CALL_LABEL_OP] = find_op(session, owner->op),
                   [CALL_LABEL_SHAPE] = find_shape(session, owner->slot, shape)}};

    return call_tree_enter_frame(&source->stacks->tree, source->root, &frame);
}

struct call_node *stacks_enter_owner(struct stacks_source *source,
                                     const struct stacks_owner *owner)
{
    struct call_tree *tree = &source->stacks->tree;
    struct call_node *node = source->root;
    const char *thread;
    struct text name;

    text_init(&name);
    thread = name_thread(source->session, owner->thread, &name);
    if (source->stacks->root_is == EXPORT_BY_THREAD && thread)
        node = call_tree_enter_frame(
            tree, node, &(struct call_frame){.name = thread, .kind = CALL_FRAME_THREAD});
    else if (source->stacks->root_is == EXPORT_BY_LABELS)
        node = enter_labels(source, owner, thread);
    return node;
}

struct call_node *stacks_enter_name(struct stacks_source *source, struct call_node *node,
                                    const char *name)
{
    return call_tree_enter_frame(&source->stacks->tree, node, &(struct call_frame){.name = name});
}

/* ---- processor time ------------------------------------------------------------------- */

void stacks_add_seen(struct stacks_source *source, struct call_node *node,
                     enum export_weight weight, double ns)
{
    node->weights[weight].own += ns;
    if (!source->stacks->has[EXPORT_CPU])
        return;
    node->weights[EXPORT_WALL].own += ns;
    source->seen_ns += ns;
}

static void add_sample(struct stacks_source *source, struct cpu_ways *ways, size_t sample)
{
    const struct session_sample *of = session_sample_at(source->session, sample);
    struct call_node *node = stacks_enter_owner(
        source, &(struct stacks_owner){of->thread, of->region, of->op, of->slot});

    cpu_ways_find(ways, sample);
    for (size_t i = ways->steps.count; i-- > 0;)
        node = call_tree_enter_frame(&source->stacks->tree, node, array_at(&ways->steps, i));
    stacks_add_seen(source, node, EXPORT_CPU, source->time.sample_ns[sample]);
}

static void add_rest(struct stacks_source *source, const struct cpu_row *row, double ns)
{
    const struct call_frame frame = {.name = row->name, .library = row->library};

    stacks_add_seen(source, call_tree_enter_frame(&source->stacks->tree, source->root, &frame),
                    EXPORT_CPU, ns);
}

/* The time of rows beyond their samples: kernels' clocks that no sample hit, and rows without a
 * stack. */
static void add_rests(struct stacks_source *source)
{
    const struct cpu_time *time = &source->time;
    double *sampled = pool_get_zeros(time->rows.count + 1, sizeof *sampled);

    for (size_t i = 0; i < time->session->samples.count; i++)
        sampled[time->sample_row[i]] += time->sample_ns[i];
    for (size_t i = 0; i < time->rows.count; i++) {
        const struct cpu_row *row = array_at(&time->rows, i);

        if (row->self_ns - sampled[i] > 0.5)
            add_rest(source, row, row->self_ns - sampled[i]);
    }
}

static void add_time(struct stacks_source *source)
{
    struct cpu_ways ways;

    cpu_ways_init(&ways, &source->time);
    for (size_t i = 0; i < source->session->samples.count; i++)
        add_sample(source, &ways, i);
    add_rests(source);
}

/* ---- memory --------------------------------------------------------------------------- */

static void add_weight(struct export_stacks *stacks, struct call_node *node,
                       enum export_weight weight, uint64_t of)
{
    if (of != SESSION_UNKNOWN)
        node->weights[weight].own += (double)of;
    else
        stacks->has[weight] = false;
}

static void add_site(struct stacks_source *source, const struct session_site *site)
{
    struct export_stacks *stacks = source->stacks;
    struct call_node *node = call_chains_enter(&source->chains, source->root, site->call);

    if (node == source->root)
        node = stacks_enter_name(source, node, "no call chain");
    add_weight(stacks, node, EXPORT_ALLOCATIONS, site->allocations);
    add_weight(stacks, node, EXPORT_ALLOCATED, site->allocated_bytes);
    add_weight(stacks, node, EXPORT_PEAK, site->peak_bytes);
    add_weight(stacks, node, EXPORT_LIVE, site->live_bytes);
}

static void add_memory(struct stacks_source *source)
{
    const struct session *session = source->session;

    for (enum export_weight i = EXPORT_ALLOCATIONS; i <= EXPORT_LIVE; i++)
        source->stacks->has[i] = session->sites.count > 0;
    for (size_t i = 0; i < session->sites.count; i++)
        add_site(source, session_site_at(session, i));
}

/* ---- all ------------------------------------------------------------------------------- */

void export_stacks_init(struct export_stacks *stacks, enum export_root root_is,
                        enum call_frames_by by)
{
    *stacks = (struct export_stacks){.root_is = root_is};
    call_tree_init(&stacks->tree, EXPORT_WEIGHTS);
    stacks->tree.frames.by = by;
}

void export_stacks_add(struct export_stacks *stacks, const struct session *session,
                       struct call_node *root)
{
    const struct cpu_time_options by = {CPU_BY_FUNCTION, 0.95, session_find_frames};
    struct stacks_source source = {.stacks = stacks, .session = session, .root = root};

    cpu_time_init(&source.time, session, &by);
    call_chains_init(&source.chains, &stacks->tree, session, source.time.places);
    source.chains.root = root;
    stacks->session = session;
    stacks->tree.deepest = root->depth + DEPTH_MAX;
    stacks->no_samples = source.time.unknown;
    memset(stacks->has, 0, sizeof stacks->has);
    stacks->has[EXPORT_CPU] = source.time.cpu_ns > 0;
    add_time(&source);
    stacks_add_waits(&source);
    stacks_add_commands(&source);
    stacks_add_kernels(&source);
    add_memory(&source);
}

void export_stacks_make(struct export_stacks *stacks, const struct session *session,
                        enum export_root root_is)
{
    export_stacks_init(stacks, root_is, CALL_FRAMES_BY_LINE);
    export_stacks_add(stacks, session, stacks->tree.root);
    call_tree_sum_up(&stacks->tree);
}

enum export_weight export_stacks_choose(const struct export_stacks *stacks,
                                        enum export_weight asked)
{
    if (asked != EXPORT_WEIGHTS)
        return asked;
    return !stacks->has[EXPORT_CPU] && stacks->has[EXPORT_WALL] ? EXPORT_WALL : EXPORT_CPU;
}

