/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Folded stacks: "main;parse;scan 4000000", the outermost frame first.
 *
 * Source: stackcollapse-perf.pl of https://github.com/brendangregg/FlameGraph, its head.
 */
#include <inttypes.h>

#include "base/text.h"
#include "export/export.h"

/* Characters that would end a frame or a line become spaces. */
static void append_clean(struct text *line, const char *name)
{
    for (; *name; name++) {
        bool ends = *name == ';' || (unsigned char)*name < ' ' || *name == 0x7f;

        text_append_bytes(line, ends ? " " : name, 1);
    }
}

static void append_frame(struct text *line, const struct call_frame *frame)
{
    append_clean(line, frame->name);
    if (frame->kind != CALL_FRAME_PYTHON)
        return;
    text_append(line, " (");
    append_clean(line, frame->library);
    if (frame->line > 0)
        text_appendf(line, ":%u", (unsigned)frame->line);
    text_append(line, ")");
}

/* Depth is bounded by that of the stacks. */
static void append_stack(struct text *line, const struct export_stacks *stacks,
                         const struct call_node *stack)
{
    if (stack->depth > 1) {
        append_stack(line, stacks, stack->parent);
        text_append(line, ";");
    }
    append_frame(line, call_tree_frame(&stacks->tree, stack));
}

void export_folded(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct export_rounding rounding = {0};
    struct text line;

    text_init(&line);
    for (size_t i = stacks->tree.count; i-- > 0 && !ferror(out);) {
        const struct call_node *stack = call_tree_at(&stacks->tree, i);
        int64_t of = export_round(&rounding, stack->weights[weight].own);

        if (of == 0)
            continue;
        text_clear(&line);
        append_stack(&line, stacks, stack);
        fprintf(out, "%s %" PRId64 "\n", line.bytes, of);
    }
}
