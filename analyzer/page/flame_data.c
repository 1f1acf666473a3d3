/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call trees cut to the size that a page can hold.
 */
#include "page/flame_data.h"

#include <math.h>

#include "base/array.h"
#include "base/pool.h"
#include "base/text.h"
#include "statistics/ranks.h"

/* The nodes of the page, callers first, and the number of each by its index; -1 for a node that is
 * left out. */
struct chosen {
    struct array nodes; /* const struct call_node * */
    long *numbers;
    size_t left_out;
};

static double whole_of(const struct flame_data *data, const struct call_node *node, size_t weight)
{
    return node->weights[data->weights[weight].index].whole;
}

/* Returns: the largest of its shares, from 0 to 1. */
static double share_of(const struct flame_data *data, const struct call_node *node)
{
    double share = 0;

    for (size_t i = 0; i < data->weight_count; i++)
        if (whole_of(data, data->tree->root, i) > 0)
            share = fmax(share, whole_of(data, node, i) / whole_of(data, data->tree->root, i));
    return share;
}

/* Returns: the share above which there are at most FLAME_NODES nodes.  A call weighs no more than
 * its caller, so callers of kept nodes are kept, too. */
static double find_least(const struct flame_data *data, size_t *count)
{
    struct array shares;
    double least = 0;

    array_init(&shares, sizeof(double));
    for (size_t i = 0; i < data->tree->count; i++) {
        double share = share_of(data, call_tree_at(data->tree, i));

        if (share > 0 || !data->is_part)
            *(double *)array_add_raw(&shares) = share;
    }
    *count = shares.count;
    if (shares.count > FLAME_NODES)
        least = ranks_select(shares.items, shares.count, shares.count - 1 - FLAME_NODES);
    return least;
}

static void choose(struct chosen *chosen, const struct flame_data *data)
{
    size_t count;
    double least = find_least(data, &count);

    array_init(&chosen->nodes, sizeof(const struct call_node *));
    chosen->numbers = pool_get_zeros(data->tree->count + 1, sizeof *chosen->numbers);
    for (size_t i = 0; i < data->tree->count; i++) {
        const struct call_node *node = call_tree_at(data->tree, i);

        chosen->numbers[i] = -1;
        if (!(share_of(data, node) > least))
            continue;
        chosen->numbers[i] = (long)chosen->nodes.count;
        *(const struct call_node **)array_add(&chosen->nodes) = node;
    }
    chosen->left_out = count - chosen->nodes.count;
}

static const struct call_node *chosen_at(const struct chosen *chosen, size_t index)
{
    return *(const struct call_node **)array_at(&chosen->nodes, index);
}

/* ---- JSON ----------------------------------------------------------------------------- */

static void put_comma(struct html *html, size_t index)
{
    html_put(html, index == 0 ? "" : index % 16 ? "," : ",\n");
}

static void put_parents(struct html *html, const struct chosen *chosen)
{
    html_put(html, "\"parent\":[");
    for (size_t i = 0; i < chosen->nodes.count; i++) {
        const struct call_node *parent = chosen_at(chosen, i)->parent;

        put_comma(html, i);
        html_putf(html, "%ld", parent->parent ? chosen->numbers[parent->index] : -1);
    }
    html_put(html, "],\n");
}

static void append_where(struct text *where, const struct call_frame *frame)
{
    if (frame->library)
        text_append(where, frame->library);
    else if (frame->file)
        text_append(where, frame->file);
    if (frame->line > 0)
        text_appendf(where, ":%u", (unsigned)frame->line);
}

static void put_frame(struct html *html, const struct call_frame *frame)
{
    struct text where;

    text_init(&where);
    append_where(&where, frame);
    html_put(html, "[");
    html_string(html, frame->name);
    html_put(html, ",");
    html_string(html, where.bytes);
    html_putf(html, ",%d]", (int)frame->kind);
}

/* Frames are numbered by their first use, so frames of left out nodes are absent. */
static void put_frames(struct html *html, const struct call_tree *tree, const struct chosen *chosen)
{
    size_t *numbers = pool_get_zeros(tree->frames.items.count + 1, sizeof *numbers), count = 0;

    html_put(html, "\"frames\":[");
    for (size_t i = 0; i < chosen->nodes.count; i++) {
        const struct call_node *node = chosen_at(chosen, i);

        if (numbers[node->name] > 0)
            continue;
        html_put(html, count++ ? ",\n" : "");
        numbers[node->name] = count;
        put_frame(html, call_tree_frame(tree, node));
    }
    html_put(html, "],\n\"frame\":[");
    for (size_t i = 0; i < chosen->nodes.count; i++) {
        put_comma(html, i);
        html_putf(html, "%zu", numbers[chosen_at(chosen, i)->name] - 1);
    }
    html_put(html, "],\n");
}

static void put_verdicts_of(struct html *html, const struct flame_data *data,
                            const struct chosen *chosen, size_t side)
{
    html_put(html, ",\n[");
    for (size_t i = 0; i < chosen->nodes.count; i++) {
        put_comma(html, i);
        html_putf(html, "%d", data->verdicts[chosen_at(chosen, i)->index].of[side]);
    }
    html_put(html, "]");
}

/* The first side has no verdicts. */
static void put_verdicts(struct html *html, const struct flame_data *data,
                         const struct chosen *chosen)
{
    html_put(html, "\"sides\":[");
    for (size_t i = 0; i < text_list_count(data->sides); i++) {
        html_put(html, i > 0 ? "," : "");
        html_string(html, text_list_at(data->sides, i));
    }
    html_put(html, "],\n\"verdicts\":[[]");
    for (size_t i = 1; i < data->weight_count; i++)
        put_verdicts_of(html, data, chosen, i);
    html_put(html, "],\n");
}

static void put_weight(struct html *html, const struct flame_data *data,
                       const struct chosen *chosen, size_t weight)
{
    const struct flame_weight *row = &data->weights[weight];

    html_put(html, "{\"name\":");
    html_string(html, row->name);
    html_putf(html, ",\"unit\":\"%s\",\"whole\":", row->unit);
    html_number(html, round(whole_of(data, data->tree->root, weight)));
    html_put(html, ",\"value\":[");
    for (size_t i = 0; i < chosen->nodes.count; i++) {
        put_comma(html, i);
        html_putf(html, "%.0f", whole_of(data, chosen_at(chosen, i), weight));
    }
    html_put(html, "]}");
}

static void put_weights(struct html *html, const struct flame_data *data,
                        const struct chosen *chosen)
{
    const char *comma = "";

    html_put(html, "\"weights\":[");
    for (size_t i = 0; i < data->weight_count; i++) {
        if (!data->sides &&
            (!data->weights[i].is_known || !(whole_of(data, data->tree->root, i) > 0)))
            continue;
        html_put(html, comma);
        put_weight(html, data, chosen, i);
        comma = ",\n";
    }
    html_put(html, "]");
}

void flame_data_put(struct html *html, const struct flame_data *data)
{
    struct chosen chosen;

    choose(&chosen, data);
    html_putf(html, "{\"name\":\"%s\",\"left_out\":%zu,\n", data->name, chosen.left_out);
    put_parents(html, &chosen);
    put_frames(html, data->tree, &chosen);
    if (data->sides)
        put_verdicts(html, data, &chosen);
    put_weights(html, data, &chosen);
    html_put(html, "}");
}
