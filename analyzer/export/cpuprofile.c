/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * V8's CPU profile, as Chrome's DevTools and Visual Studio Code open it.
 *
 * Source: Profiler.Profile of js_protocol.json, in the npm package devtools-protocol.  A sample
 * lasts until the next one, and the last one until the end.  Here each function has one sample for
 * all the time in its own code, in the order of a flame graph, the longest first.  DevTools sums
 * up "hitCount", not the samples; so a hit is a microsecond, and both sums agree.
 *
 * A node is a function below its callers.  V8 tells lines only of a function's own time, as
 * "positionTicks", so the lines of calls are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "export/export.h"
#include "export/v8_frame.h"
#include "model/session.h"
#include "model/session_process.h"

enum { NS_PER_US = 1000, ROOT_ID = 1, FIRST_ID = 2 };

/* The time in a line of a function's own code. */
struct tick {
    uint32_t node;
    uint32_t line; /* 0: unknown */
    double ns;
    int64_t us;
};

struct profile {
    const struct export_stacks *stacks;
    enum export_weight weight;
    struct call_tree tree;  /* nodes are numbers of functions */
    struct text_index keys; /* of functions */
    struct array functions; /* struct v8_frame, with the lowest line that was seen */
    struct array ticks;     /* struct tick, by node and line */
    int64_t *own_us;        /* by node */
    int64_t whole_us;
    struct array order; /* const struct call_node *: those of a flame graph */
};

/* ---- functions -------------------------------------------------------------------------- */

static uint64_t find_function(struct profile *profile, const struct call_frame *frame)
{
    const char *file = frame->file ? frame->file : frame->library;
    struct v8_frame *function;
    struct text key;
    size_t number;

    text_init(&key);
    text_index_append_part(&key, frame->name);
    text_index_append_part(&key, file);
    number = (size_t)text_index_add(&profile->keys, &key);
    text_fini(&key);
    if (number == profile->functions.count) {
        function = array_add(&profile->functions);
        *function = (struct v8_frame){frame->name, file, frame->line};
    }
    function = array_at(&profile->functions, number);
    if (frame->line > 0 && (function->line == 0 || frame->line < function->line))
        function->line = frame->line;
    return number;
}

static void add_tick(struct profile *profile, const struct call_node *node, uint32_t line,
                     double ns)
{
    if (ns > 0)
        *(struct tick *)array_add(&profile->ticks) = (struct tick){node->index, line, ns, 0};
}

/* Callers come before their callees. */
static void add_functions(struct profile *profile)
{
    const struct call_tree *of = &profile->stacks->tree;
    struct call_node **made = pool_get_zeros(of->count + 1, sizeof(struct call_node *));

    for (size_t i = 0; i < of->count; i++) {
        const struct call_node *stack = call_tree_at(of, i);
        const struct call_weight *weight = &stack->weights[profile->weight];
        const struct call_frame *frame = call_tree_frame(of, stack);
        struct call_node *around =
            stack->parent->parent ? made[stack->parent->index] : profile->tree.root;

        if (!(weight->whole > 0))
            continue;
        made[i] = call_tree_enter(&profile->tree, around, find_function(profile, frame));
        made[i]->weights[0].own += weight->own;
        add_tick(profile, made[i], frame->line, weight->own);
    }
}

/* ---- times ------------------------------------------------------------------------------ */

static int by_node_and_line(const void *left, const void *right)
{
    const struct tick *a = left, *b = right;

    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static void round_ticks(struct profile *profile)
{
    struct array *ticks = &profile->ticks;
    struct export_rounding rounding = {0};

    if (ticks->count > 0)
        qsort(ticks->items, ticks->count, sizeof(struct tick), by_node_and_line);
    profile->own_us = pool_get_zeros(profile->tree.count + 1, sizeof *profile->own_us);
    for (size_t i = 0; i < ticks->count; i++) {
        struct tick *tick = array_at(ticks, i);

        tick->us = export_round(&rounding, tick->ns / NS_PER_US);
        profile->own_us[tick->node] += tick->us;
    }
    profile->whole_us = rounding.told;
}

/* ---- writing ---------------------------------------------------------------------------- */

static void write_children(FILE *out, const struct call_node *node)
{
    const char *comma = "";

    fputs(",\"children\":[", out);
    for (const struct call_node *child = node->first_child; child; child = child->next) {
        fprintf(out, "%s%" PRIu32, comma, child->index + FIRST_ID);
        comma = ",";
    }
    fputs("]", out);
}

/* Returns: the first tick of the next node. */
static size_t write_ticks(FILE *out, const struct profile *profile, uint32_t node, size_t first)
{
    const struct tick *ticks = profile->ticks.items;
    const char *before = ",\"positionTicks\":[";
    bool has_some = false;
    size_t i = first;

    while (i < profile->ticks.count && ticks[i].node == node) {
        const uint32_t line = ticks[i].line;
        int64_t us = 0;

        for (; i < profile->ticks.count && ticks[i].node == node && ticks[i].line == line; i++)
            us += ticks[i].us;
        if (line == 0 || us == 0)
            continue;
        fprintf(out, "%s{\"line\":%" PRIu32 ",\"ticks\":%" PRId64 "}", before, line, us);
        before = ",";
        has_some = true;
    }
    if (has_some)
        fputs("]", out);
    return i;
}

static void write_nodes(FILE *out, const struct profile *profile)
{
    struct text_index scripts = {0};
    size_t tick = 0;

    fprintf(out, "{\"id\":%d,\"callFrame\":", ROOT_ID);
    v8_frame_write_root(out);
    fputs(",\"hitCount\":0", out);
    write_children(out, profile->tree.root);
    fputs("}", out);
    for (uint32_t i = 0; i < profile->tree.count; i++) {
        const struct call_node *node = call_tree_at(&profile->tree, i);

        fprintf(out, ",\n{\"id\":%" PRIu32 ",\"callFrame\":", i + FIRST_ID);
        v8_frame_write(out, &scripts, array_at(&profile->functions, node->name));
        fprintf(out, ",\"hitCount\":%" PRId64, profile->own_us[i]);
        write_children(out, node);
        tick = write_ticks(out, profile, i, tick);
        fputs("}", out);
    }
    text_index_fini(&scripts);
}

static int longest_first(const void *left, const void *right)
{
    const struct call_node *a = *(struct call_node *const *)left,
                           *b = *(struct call_node *const *)right;
    const double one = a->weights[0].whole, other = b->weights[0].whole;

    if (one != other)
        return one > other ? -1 : 1;
    return (a->index > b->index) - (a->index < b->index);
}

static bool note_order(void *own, const struct call_node *node)
{
    struct profile *profile = own;

    if (profile->own_us[node->index] > 0)
        *(const struct call_node **)array_add(&profile->order) = node;
    return true;
}

/* A sample of the root, which lasts no time, ends the last function. */
static void write_samples(FILE *out, const struct profile *profile)
{
    const struct call_node *const *order = profile->order.items;

    fputs("],\n\"samples\":[", out);
    for (size_t i = 0; i < profile->order.count; i++)
        fprintf(out, "%" PRIu32 ",", order[i]->index + FIRST_ID);
    fprintf(out, "%d],\n\"timeDeltas\":[0", ROOT_ID);
    for (size_t i = 0; i < profile->order.count; i++)
        fprintf(out, ",%" PRId64, profile->own_us[order[i]->index]);
    fputs("]", out);
}

void export_cpuprofile(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct profile profile = {.stacks = stacks, .weight = weight};
    const uint64_t start_us = stacks->session->process.realtime_start_ns / NS_PER_US;

    call_tree_init(&profile.tree, 1);
    text_index_init(&profile.keys);
    array_init(&profile.functions, sizeof(struct v8_frame));
    array_init(&profile.ticks, sizeof(struct tick));
    array_init(&profile.order, sizeof(const struct call_node *));
    add_functions(&profile);
    call_tree_sum_up(&profile.tree);
    round_ticks(&profile);
    call_tree_walk(&profile.tree, longest_first, note_order, &profile);
    fputs("{\"nodes\":[", out);
    write_nodes(out, &profile);
    write_samples(out, &profile);
    fprintf(out, ",\n\"startTime\":%" PRIu64 ",\"endTime\":%" PRIu64 "}\n", start_us,
            start_us + (uint64_t)profile.whole_us);
}
