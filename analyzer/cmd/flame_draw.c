/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks are merged by function, and laid out in columns.  The widest boxes of a caller are first.
 */
#include "cmd/flame_draw.h"

#include <math.h>

#include "base/array.h"
#include "base/units.h"
#include "render/display.h"
#include "stacks/call_tree.h"

enum { WIDTH = 80, LEAST_WIDTH = 30, SHARE_WIDTH = 8, LABELLED = 4 };

struct level {
    struct text line;
    size_t columns; /* number of drawn columns */
    double weight;  /* weight of all boxes, also of those too narrow to draw */
};

struct flame {
    const struct flame_choice *choice;
    const struct render_options *page;
    struct call_tree tree; /* the whole tree, of one weight */
    struct array levels;   /* of struct level */
    struct array starts;   /* double, by depth: the column where the next box starts */
    size_t width;          /* columns of the whole */
};

/* ---- the tree ----------------------------------------------------------------------------- */

static struct call_node *enter(struct flame *flame, struct call_node *node,
                               const struct call_frame *frame, double weight)
{
    node = call_tree_enter_frame(&flame->tree, node, frame);
    node->weights[0].whole += weight;
    return node;
}

/* Depth is bounded by that of the stacks. */
static struct call_node *enter_callers(struct flame *flame, const struct call_tree *stacks,
                                       const struct call_node *stack, double weight)
{
    struct call_node *node = flame->tree.root;

    if (stack->depth > 1)
        node = enter_callers(flame, stacks, stack->parent, weight);
    return enter(flame, node, call_tree_frame(stacks, stack), weight);
}

static void enter_inverted(struct flame *flame, const struct call_tree *stacks,
                           const struct call_node *stack, double weight)
{
    struct call_node *node = flame->tree.root;

    for (; stack->parent; stack = stack->parent)
        node = enter(flame, node, call_tree_frame(stacks, stack), weight);
}

static void add_stacks(struct flame *flame, const struct call_tree *stacks)
{
    for (size_t i = stacks->count; i-- > 0;) {
        const struct call_node *stack = call_tree_at(stacks, i);
        double weight = stack->weights[flame->choice->weight].own;

        if (!(weight > 0))
            continue;
        flame->tree.root->weights[0].whole += weight;
        if (flame->choice->is_inverted)
            enter_inverted(flame, stacks, stack, weight);
        else
            enter_callers(flame, stacks, stack, weight);
    }
}

/* ---- the picture ---------------------------------------------------------------------------- */

static const char *glyph(const struct flame *flame, const char *block, const char *plain)
{
    return flame->page->unicode ? block : plain;
}

static double share_of(const struct flame *flame, double weight)
{
    return weight / flame->tree.root->weights[0].whole;
}

/* Name and share if both fit, else the start of the name. */
static void append_label(const struct flame *flame, struct text *line, const struct call_node *node,
                         size_t room)
{
    const char *function = call_tree_frame(&flame->tree, node)->name;
    struct text name, label;
    char share[UNITS_SIZE];
    size_t width;

    text_init(&name);
    text_init(&label);
    display_append_safe(&name, function, flame->page->unicode);
    text_appendf(&label, "%s %s", name.bytes,
                 units_format_percent(share, share_of(flame, node->weights[0].whole)));
    if (display_width(label.bytes) > room) {
        text_clear(&label);
        display_append_shortened(&label, name.bytes, room, flame->page->unicode);
    }
    width = display_width(label.bytes);
    text_append(line, label.bytes);
    while (width++ < room)
        text_append(line, glyph(flame, "░", "-"));
    text_fini(&name);
    text_fini(&label);
}

static void append_box(const struct flame *flame, struct level *level, const struct call_node *node,
                       size_t from, size_t end)
{
    display_append_spaces(&level->line, from - level->columns);
    text_append(&level->line, glyph(flame, "▌", "|"));
    if (end - from >= LABELLED)
        append_label(flame, &level->line, node, end - from - 1);
    else
        for (size_t i = from + 1; i < end; i++)
            text_append(&level->line, glyph(flame, "░", "-"));
    level->columns = end;
}

static struct level *find_level(struct flame *flame, size_t depth)
{
    while (flame->levels.count <= depth) {
        struct level *level = array_add(&flame->levels);

        text_init(&level->line);
    }
    return array_at(&flame->levels, depth);
}

static int by_weight(const void *a, const void *b)
{
    const struct call_node *left = *(const struct call_node *const *)a;
    const struct call_node *right = *(const struct call_node *const *)b;

    if (left->weights[0].whole != right->weights[0].whole)
        return left->weights[0].whole > right->weights[0].whole ? -1 : 1;
    return left->name < right->name ? -1 : 1;
}

static double *find_start(struct flame *flame, size_t depth)
{
    while (flame->starts.count <= depth)
        array_add(&flame->starts);
    return array_at(&flame->starts, depth);
}

/* Draws a node behind those before it.  Boxes without a column are left out, with their callees. */
static bool draw(void *of, const struct call_node *node)
{
    struct flame *flame = of;
    double weight = node->weights[0].whole;
    double scale = (double)flame->width / flame->tree.root->weights[0].whole;
    double from = *find_start(flame, node->depth), next = from + weight * scale;
    size_t first = (size_t)lround(from), end = (size_t)lround(next);
    struct level *level;

    if (end <= first)
        return false;
    level = find_level(flame, node->depth - 1);
    append_box(flame, level, node, first, end);
    level->weight += weight;
    *find_start(flame, node->depth) = next;
    *find_start(flame, node->depth + 1) = from;
    return true;
}

static void append_levels(struct text *out, const struct flame *flame)
{
    for (size_t i = 0; i < flame->levels.count; i++) {
        struct level *level = array_at(&flame->levels, i);
        char share[UNITS_SIZE];

        text_append(out, level->line.bytes);
        display_append_spaces(out, flame->width - level->columns);
        text_appendf(out, "%s%*s\n", glyph(flame, "▏", "|"), SHARE_WIDTH - 1,
                     units_format_percent(share, share_of(flame, level->weight)));
    }
}

static void append_head(struct text *out, const struct flame *flame)
{
    char amount[UNITS_SIZE];

    export_format_weight(amount, flame->choice->weight,
                         flame->tree.root->weights[0].whole);
    text_appendf(out, "%s: %s = 100 %%\n", export_weight_at(flame->choice->weight)->help, amount);
}

static void finish(struct flame *flame)
{
    for (size_t i = 0; i < flame->levels.count; i++)
        text_fini(&((struct level *)array_at(&flame->levels, i))->line);
    array_fini(&flame->levels);
    array_fini(&flame->starts);
}

void flame_draw(struct text *out, const struct export_stacks *stacks,
                const struct flame_choice *choice, const struct render_options *page)
{
    size_t width = page->width ? page->width : WIDTH;
    struct flame flame = {.choice = choice, .page = page};

    flame.width = (width > LEAST_WIDTH ? width : LEAST_WIDTH) - SHARE_WIDTH;
    array_init(&flame.levels, sizeof(struct level));
    array_init(&flame.starts, sizeof(double));
    call_tree_init(&flame.tree, 1);
    flame.tree.frames.by = CALL_FRAMES_BY_FUNCTION;
    add_stacks(&flame, &stacks->tree);
    if (flame.tree.root->weights[0].whole > 0)
        call_tree_walk(&flame.tree, by_weight, draw, &flame);
    append_head(out, &flame);
    append_levels(out, &flame);
    finish(&flame);
}
