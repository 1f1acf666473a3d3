/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * V8's sampling heap profile, as Chrome's DevTools and Visual Studio Code open it.
 *
 * Source: HeapProfiler.SamplingHeapProfile of js_protocol.json, in the npm package
 * devtools-protocol.  Its nodes have no lines but that of their function; here a node is a line of
 * a function, so that a viewer leads to the line that allocates or calls.
 */
#include <inttypes.h>

#include "base/pool.h"
#include "export/export.h"
#include "export/v8_frame.h"

enum { ROOT_ID = 1, FIRST_ID = 2 };

struct profile {
    const struct export_stacks *stacks;
    enum export_weight weight;
    int64_t *bytes; /* by node */
    struct text_index scripts;
    uint32_t depth; /* of the open node */
    FILE *out;
};

static void round_bytes(struct profile *profile)
{
    const struct call_tree *tree = &profile->stacks->tree;
    struct export_rounding rounding = {0};

    profile->bytes = pool_get_zeros(tree->count + 1, sizeof *profile->bytes);
    for (size_t i = 0; i < tree->count; i++)
        profile->bytes[i] =
            export_round(&rounding, call_tree_at(tree, i)->weights[profile->weight].own);
}

/* Close the open nodes down to a depth. */
static void close_nodes(struct profile *profile, uint32_t depth)
{
    for (; profile->depth > depth; profile->depth--)
        fputs("]}", profile->out);
}

/* The open node is an ancestor, or inside an earlier sibling. */
static void write_node(struct profile *profile, const struct call_node *node)
{
    const struct call_frame *frame = call_tree_frame(&profile->stacks->tree, node);
    const bool is_first = node->depth > profile->depth;

    close_nodes(profile, node->depth - 1);
    fputs(is_first ? "\n{\"callFrame\":" : ",\n{\"callFrame\":", profile->out);
    v8_frame_write(
        profile->out, &profile->scripts,
        &(struct v8_frame){frame->name, frame->file ? frame->file : frame->library, frame->line});
    fprintf(profile->out, ",\"selfSize\":%" PRId64 ",\"id\":%" PRIu32 ",\"children\":[",
            profile->bytes[node->index], node->index + FIRST_ID);
    profile->depth = node->depth;
}

/* Returns: the next node that is not inside; NULL behind the last. */
static const struct call_node *after(const struct call_node *node)
{
    while (node && !node->next)
        node = node->parent;
    return node ? node->next : NULL;
}

/* A tree may be deeper than a stack has room for: there is no recursion. */
static void write_nodes(struct profile *profile)
{
    const struct call_node *node = profile->stacks->tree.root->first_child;

    while (node) {
        const bool is_written = node->weights[profile->weight].whole > 0;

        if (is_written)
            write_node(profile, node);
        node = is_written && node->first_child ? node->first_child : after(node);
    }
    close_nodes(profile, 0);
}

/* The order of the samples means nothing: a sample stands for all blocks of its node. */
static void write_samples(const struct profile *profile)
{
    size_t ordinal = 0;

    for (size_t i = 0; i < profile->stacks->tree.count; i++)
        if (profile->bytes[i] > 0) {
            fprintf(profile->out, "%s{\"size\":%" PRId64 ",\"nodeId\":%zu,\"ordinal\":%zu}",
                    ordinal > 0 ? ",\n" : "", profile->bytes[i], i + FIRST_ID, ordinal + 1);
            ordinal++;
        }
}

void export_heapprofile(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct profile profile = {.stacks = stacks, .weight = weight, .out = out};

    text_index_init(&profile.scripts);
    round_bytes(&profile);
    fputs("{\"head\":{\"callFrame\":", out);
    v8_frame_write_root(out);
    fprintf(out, ",\"selfSize\":0,\"id\":%d,\"children\":[", ROOT_ID);
    write_nodes(&profile);
    fputs("]},\n\"samples\":[", out);
    write_samples(&profile);
    fputs("]}\n", out);
    text_index_fini(&profile.scripts);
}
