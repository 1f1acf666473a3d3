/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The format of callgrind: the weights of each function's lines, and of their calls.
 *
 * Source: "Callgrind Format Specification" of the manual of Valgrind.  It requires numbers of
 * calls, which are not counted, so each path to a function has 1.
 */
#include <inttypes.h>
#include <math.h>

#include "base/text.h"
#include "export/export.h"
#include "model/session.h"
#include "model/session_process.h"

static void write_clean(FILE *out, const char *key, const char *text)
{
    fputs(key, out);
    for (; *text; text++)
        fputc((unsigned char)*text < ' ' || *text == 0x7f ? ' ' : *text, out);
    fputc('\n', out);
}

/* The keys of a function, and of one that is called. */
struct keys {
    const char *library, *file, *name;
};

static void write_frame(FILE *out, const struct call_frame *frame, const struct keys *keys)
{
    write_clean(out, keys->library, frame->library ? frame->library : "???");
    write_clean(out, keys->file, frame->file ? frame->file : "???");
    write_clean(out, keys->name, frame->name);
}

static void write_line(FILE *out, const struct export_stacks *stacks, uint32_t line,
                       const int64_t *costs)
{
    fprintf(out, "%" PRIu32, line);
    for (int i = 0; i < EXPORT_WEIGHTS; i++)
        if (stacks->has[i])
            fprintf(out, " %" PRId64, costs[i]);
    fputc('\n', out);
}

/* Returns: whether a frame has a weight of its own. */
static bool round_weights(const struct call_node *stack, struct export_rounding *roundings,
                          int64_t *costs)
{
    bool has_some = false;

    for (int i = 0; i < EXPORT_WEIGHTS; i++) {
        costs[i] = export_round(&roundings[i], stack->weights[i].own);
        has_some = has_some || costs[i] != 0;
    }
    return has_some;
}

static bool round_wholes(const struct call_node *stack, int64_t *costs)
{
    bool has_some = false;

    for (int i = 0; i < EXPORT_WEIGHTS; i++) {
        costs[i] = llround(stack->weights[i].whole);
        has_some = has_some || costs[i] != 0;
    }
    return has_some;
}

static void write_stack(FILE *out, const struct export_stacks *stacks,
                        const struct call_node *stack, struct export_rounding *roundings)
{
    static const struct keys own = {"ob=", "fl=", "fn="}, called = {"cob=", "cfi=", "cfn="};
    const struct call_node *around = stack->parent;
    const struct call_frame *frame = call_tree_frame(&stacks->tree, stack);
    int64_t costs[EXPORT_WEIGHTS];

    if (round_weights(stack, roundings, costs)) {
        write_frame(out, frame, &own);
        write_line(out, stacks, frame->line, costs);
    }
    if (!around->parent || !round_wholes(stack, costs))
        return;
    write_frame(out, call_tree_frame(&stacks->tree, around), &own);
    write_frame(out, frame, &called);
    fprintf(out, "calls=1 %" PRIu32 "\n", frame->line);
    write_line(out, stacks, call_tree_frame(&stacks->tree, around)->line, costs);
}

/* The weight that is shown first is written first. */
static void write_head(FILE *out, const struct export_stacks *stacks)
{
    const struct session_process *process = &stacks->session->process;

    fprintf(out, "# callgrind format\nversion: 1\ncreator: tprof\npid: %" PRIu32 "\n",
            process->pid);
    if (process->name)
        write_clean(out, "cmd: ", process->name);
    fputs("desc: Calls: not counted, 1 for each way\npositions: line\n", out);
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        if (stacks->has[i])
            fprintf(out, "event: %s : %s\n", export_weight_at(i)->name, export_weight_at(i)->help);
    fputs("events:", out);
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++)
        if (stacks->has[i])
            fprintf(out, " %s", export_weight_at(i)->name);
    fputs("\n\n", out);
}

void export_callgrind(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    struct export_rounding roundings[EXPORT_WEIGHTS] = {{0}};

    (void)weight; /* its readers let one choose */
    write_head(out, stacks);
    for (size_t i = stacks->tree.count; i-- > 0 && !ferror(out);)
        write_stack(out, stacks, call_tree_at(&stacks->tree, i), roundings);
    fputs("\ntotals:", out);
    for (int i = 0; i < EXPORT_WEIGHTS; i++)
        if (stacks->has[i])
            fprintf(out, " %" PRId64, roundings[i].told);
    fputc('\n', out);
}
