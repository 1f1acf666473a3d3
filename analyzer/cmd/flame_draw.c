/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stacks are merged by function, and laid out in columns.  The widest boxes of a caller are first.
 */
#include "cmd/flame_draw.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/branches.h"
#include "base/memory.h"
#include "base/text_index.h"
#include "base/units.h"
#include "render/display.h"

enum { WIDTH = 80, LEAST_WIDTH = 30, SHARE_WIDTH = 8, LABELLED = 4 };

struct node {
    struct branch branch; /* its name is the number of the function */
    double weight;        /* with all inside */
};

struct level {
    struct text line;
    size_t columns; /* that are drawn */
    double weight;  /* of all boxes, those that are too narrow as well */
};

struct flame {
    const struct export_stacks *stacks;
    const struct flame_choice *choice;
    const struct render_options *page;
    struct text_index names;
    struct array functions; /* of const char *, by number */
    struct branches branches;
    struct node root;
    struct array levels; /* of struct level */
    size_t width;        /* columns of the whole */
};

/* ---- the tree ----------------------------------------------------------------------------- */

static void find_function(struct flame *flame, const struct export_frame *frame, size_t *number)
{
    const char **function;
    struct text key;
    long found;

    text_init(&key);
    text_index_append_part(&key, frame->name);
    text_index_append_part(&key, frame->library);
    found = text_index_add(&flame->names, &key);
    text_fini(&key);
    *number = (size_t)found;
    if (*number < flame->functions.count)
        return;
    function = array_add(&flame->functions);
    *function = frame->name;
}

static void enter(struct flame *flame, struct node **node, const struct export_frame *frame,
                  double weight)
{
    size_t number;

    find_function(flame, frame, &number);
    *node = (struct node *)branches_get(&flame->branches, &(*node)->branch, number);
    (*node)->weight += weight;
}

/* Depth is bounded by that of the stacks. */
static void enter_callers(struct flame *flame, struct node **node, const struct export_stack *stack,
                          double weight)
{
    const struct export_stack *around = export_stack_around(flame->stacks, stack);

    if (around)
        enter_callers(flame, node, around, weight);
    enter(flame, node, export_frame_of(flame->stacks, stack), weight);
}

static void enter_inverted(struct flame *flame, struct node **node,
                           const struct export_stack *stack, double weight)
{
    for (; stack; stack = export_stack_around(flame->stacks, stack))
        enter(flame, node, export_frame_of(flame->stacks, stack), weight);
}

static void add_stacks(struct flame *flame)
{
    for (size_t i = 0; i < flame->stacks->stacks.count; i++) {
        const struct export_stack *stack = export_stack_at(flame->stacks, i);
        double weight = stack->weights[flame->choice->weight];
        struct node *node = &flame->root;

        if (!(weight > 0))
            continue;
        flame->root.weight += weight;
        if (flame->choice->is_inverted)
            enter_inverted(flame, &node, stack, weight);
        else
            enter_callers(flame, &node, stack, weight);
    }
}

/* ---- the picture ---------------------------------------------------------------------------- */

static const char *glyph(const struct flame *flame, const char *block, const char *plain)
{
    return flame->page->unicode ? block : plain;
}

/* Name and share where there is room for both, else what fits of the name. */
static void append_label(const struct flame *flame, struct text *line, const struct node *node,
                         size_t room)
{
    const char *function = *(const char **)array_at(&flame->functions, node->branch.key.name);
    struct text name, label;
    char share[UNITS_SIZE];
    size_t width;

    text_init(&name);
    text_init(&label);
    display_append_safe(&name, function, flame->page->unicode);
    text_appendf(&label, "%s %s", name.bytes,
                 units_format_percent(share, node->weight / flame->root.weight));
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

static void append_box(const struct flame *flame, struct level *level, const struct node *node,
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
    const struct node *left = *(const struct node *const *)a,
                      *right = *(const struct node *const *)b;

    if (left->weight != right->weight)
        return left->weight > right->weight ? -1 : 1;
    return left->branch.key.name < right->branch.key.name ? -1 : 1;
}

static const struct node **sort_children(const struct node *node)
{
    const struct node **children = memory_get_zeros(node->branch.child_count + 1, sizeof *children);
    size_t count = 0;

    for (const struct branch *child = node->branch.first_child; child; child = child->next)
        children[count++] = (const struct node *)child;
    qsort(children, count, sizeof *children, by_weight);
    return children;
}

/* Draws what a node calls below it: from its first column on.  Boxes of no column are not there,
 * nor is what they call. */
static void draw_children(struct flame *flame, const struct node *node, double from)
{
    const struct node **children = sort_children(node);
    double scale = (double)flame->width / flame->root.weight;

    for (size_t i = 0; i < node->branch.child_count; i++) {
        const struct node *child = children[i];
        size_t first = (size_t)lround(from), end = (size_t)lround(from + child->weight * scale);
        struct level *level = end > first ? find_level(flame, node->branch.depth) : NULL;

        if (!level)
            break;
        append_box(flame, level, child, first, end);
        level->weight += child->weight;
        draw_children(flame, child, from);
        from += child->weight * scale;
    }
    free(children);
}

static void append_levels(struct text *out, const struct flame *flame)
{
    for (size_t i = 0; i < flame->levels.count; i++) {
        struct level *level = array_at(&flame->levels, i);
        char share[UNITS_SIZE];

        text_append(out, level->line.bytes);
        display_append_spaces(out, flame->width - level->columns);
        text_appendf(out, "%s%*s\n", glyph(flame, "▏", "|"), SHARE_WIDTH - 1,
                     units_format_percent(share, level->weight / flame->root.weight));
    }
}

static void append_head(struct text *out, const struct flame *flame)
{
    char amount[UNITS_SIZE];

    export_format_weight(amount, flame->choice->weight, flame->root.weight);
    text_appendf(out, "%s: %s = 100 %%\n", export_weight_at(flame->choice->weight)->help, amount);
}

static void finish(struct flame *flame)
{
    for (size_t i = 0; i < flame->levels.count; i++)
        text_fini(&((struct level *)array_at(&flame->levels, i))->line);
    array_fini(&flame->levels);
    array_fini(&flame->functions);
    text_index_fini(&flame->names);
    branches_fini(&flame->branches);
}

void flame_draw(struct text *out, const struct export_stacks *stacks,
                const struct flame_choice *choice, const struct render_options *page)
{
    size_t width = page->width ? page->width : WIDTH;
    struct flame flame = {.stacks = stacks, .choice = choice, .page = page,
                          .branches = {.size = sizeof(struct node)}};

    flame.width = (width > LEAST_WIDTH ? width : LEAST_WIDTH) - SHARE_WIDTH;
    array_init(&flame.functions, sizeof(const char *));
    array_init(&flame.levels, sizeof(struct level));
    add_stacks(&flame);
    if (flame.root.weight > 0)
        draw_children(&flame, &flame.root, 0);
    append_head(out, &flame);
    append_levels(out, &flame);
    finish(&flame);
}
