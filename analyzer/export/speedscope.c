/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The JSON of speedscope: a list of frames, and a profile of stacks for each weight.
 *
 * Source: https://www.speedscope.app/file-format-schema.json.  Times of stacks are sums, so the
 * order of the stacks means nothing.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "export/export.h"
#include "export/json_string.h"
#include "model/session.h"

static void write_frame(FILE *out, const struct call_frame *frame)
{
    const char *file = frame->file ? frame->file : frame->library;

    fputs("{\"name\":", out);
    json_write_string(out, frame->name);
    if (file) {
        fputs(",\"file\":", out);
        json_write_string(out, file);
    }
    if (frame->line > 0)
        fprintf(out, ",\"line\":%" PRIu32, frame->line);
    fputs("}", out);
}

static void write_frames(FILE *out, const struct export_stacks *stacks)
{
    for (size_t i = 0; i < stacks->tree.frames.items.count; i++) {
        fputs(i > 0 ? ",\n" : "", out);
        write_frame(out, call_frames_at(&stacks->tree.frames, i));
    }
}

/* Depth is bounded by that of the stacks. */
static void write_stack(FILE *out, const struct call_node *stack)
{
    if (stack->depth > 1)
        write_stack(out, stack->parent);
    fprintf(out, "%s%" PRIu64, stack->depth > 1 ? "," : "", stack->name);
}

static void write_stacks(FILE *out, const struct export_stacks *stacks, enum export_weight weight)
{
    struct export_rounding rounding = {0};
    const char *comma = "";

    for (size_t i = stacks->tree.count; i-- > 0;) {
        const struct call_node *stack = call_tree_at(&stacks->tree, i);

        if (export_round(&rounding, stack->weights[weight].own) == 0)
            continue;
        fprintf(out, "%s[", comma);
        write_stack(out, stack);
        fputs("]", out);
        comma = ",\n";
    }
}

/* Returns: their sum. */
static int64_t write_weights(FILE *out, const struct export_stacks *stacks,
                             enum export_weight weight)
{
    struct export_rounding rounding = {0};
    const char *comma = "";

    for (size_t i = stacks->tree.count; i-- > 0;) {
        int64_t of = export_round(&rounding, call_tree_at(&stacks->tree, i)->weights[weight].own);

        if (of == 0)
            continue;
        fprintf(out, "%s%" PRId64, comma, of);
        comma = ",";
    }
    return rounding.told;
}

static void write_profile(FILE *out, const struct export_stacks *stacks, enum export_weight weight)
{
    const struct export_weight_row *row = export_weight_at(weight);
    bool is_plain = strcmp(row->unit, "nanoseconds") != 0 && strcmp(row->unit, "bytes") != 0;
    const char *unit = is_plain ? "none" : row->unit;
    int64_t sum;

    fprintf(out, "{\"type\":\"sampled\",\"name\":\"%s\",\"unit\":\"%s\",\"samples\":[", row->help,
            unit);
    write_stacks(out, stacks, weight);
    fputs("],\n\"weights\":[", out);
    sum = write_weights(out, stacks, weight);
    fprintf(out, "],\"startValue\":0,\"endValue\":%" PRId64 "}", sum);
}

void export_speedscope(const struct export_stacks *stacks, enum export_weight weight, FILE *out)
{
    const char *comma = "";
    int active = 0;

    fputs("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
          "\"exporter\":\"tprof\",\"name\":",
          out);
    json_write_string(out, text_base_name(stacks->session->path));
    fputs(",\n\"shared\":{\"frames\":[", out);
    write_frames(out, stacks);
    fputs("]},\n\"profiles\":[", out);
    for (enum export_weight i = 0; i < EXPORT_WEIGHTS; i++) {
        if (!stacks->has[i])
            continue;
        fputs(comma, out);
        write_profile(out, stacks, i);
        active += i < weight;
        comma = ",\n";
    }
    fprintf(out, "],\n\"activeProfileIndex\":%d}\n", active);
}
