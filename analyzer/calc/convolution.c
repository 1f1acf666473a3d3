/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A convolution over two dimensions: each place of each output channel sums the products of a
 * window in the input channels of its group.
 *
 * Frameworks count the whole window at each place.  Taps on padding need no arithmetic; the count
 * without them is shown, too.
 *
 * Decision: doc/decisions/padded-convolutions.
 */
#include "calc/parts.h"

#include <math.h>

#include "calc/texts.h"
#include "kernels/taps.h"

enum option {
    BATCH,
    CHANNELS,
    HEIGHT,
    WIDTH,
    FILTERS,
    KERNEL,
    STRIDE,
    PADDING,
    DILATION,
    GROUPS,
    NO_BIAS,
    DTYPE,
    OPTIONS
};

static const struct calc_option options[] = {
    [BATCH] = CALC_NUMBER("batch", "batch", "images", CALC_OPTIONAL, "1"),
    [CHANNELS] = CALC_NUMBER("channels", "channels", "of the input", CALC_NEEDED, NULL),
    [HEIGHT] = CALC_NUMBER("height", "height", "of the input", CALC_NEEDED, NULL),
    [WIDTH] = CALC_NUMBER("width", "width", "of the input (height)", CALC_OPTIONAL, NULL),
    [FILTERS] = CALC_NUMBER("filters", "filters", "channels of the output", CALC_NEEDED, NULL),
    [KERNEL] = {{"kernel", "kernel", "size of the window, as 3 or 3x5", UNIT_TEXT, 0},
                CALC_PAIR,
                CALC_NEEDED,
                NULL,
                1,
                TAPS_MOST},
    [STRIDE] = {{"stride", "stride", "steps of the window", UNIT_TEXT, 0},
                CALC_PAIR,
                CALC_OPTIONAL,
                "1",
                1,
                0},
    [PADDING] = {{"padding", "padding", "around the input, on each side", UNIT_TEXT, 0},
                 CALC_PAIR,
                 CALC_OPTIONAL,
                 "0",
                 0,
                 0},
    [DILATION] = {{"dilation", "dilation", "distance of taps", UNIT_TEXT, 0},
                  CALC_PAIR,
                  CALC_OPTIONAL,
                  "1",
                  1,
                  0},
    [GROUPS] =
        CALC_NUMBER("groups", "groups", "groups of channels that do not mix", CALC_OPTIONAL, "1"),
    [NO_BIAS] = CALC_SWITCH("no_bias", "no-bias", "add no bias"),
    [DTYPE] = CALC_DTYPE,
};

/* One of the two dimensions. */
struct line {
    long double size, kernel, padding, dilation;
    long double outputs; /* places of the window; below 1: the window does not fit */
    long double taps;    /* the taps of all places that fall on the input */
};

static struct line make_line(const struct calc_value *values, size_t dimension, long double size)
{
    long double stride = values[STRIDE].numbers[dimension];
    struct line line = {.size = size,
                        .kernel = values[KERNEL].numbers[dimension],
                        .padding = values[PADDING].numbers[dimension],
                        .dilation = values[DILATION].numbers[dimension]};
    long double room = size + 2 * line.padding - line.dilation * (line.kernel - 1) - 1;

    line.outputs = room < 0 ? 0 : floorl(room / stride) + 1;
    line.taps = taps_count(&(struct taps_line){.size = size,
                                               .places = line.outputs,
                                               .kernel = line.kernel,
                                               .stride = stride,
                                               .padding = line.padding,
                                               .spacing = line.dilation});
    return line;
}

static enum status check(const struct calc_value *values, const struct line *rows,
                         const struct line *columns, struct diagnostic *diagnostic)
{
    const long double groups = values[GROUPS].numbers[0];
    const enum option of = fmodl(values[CHANNELS].numbers[0], groups) != 0 ? CHANNELS : FILTERS;

    if (fmodl(values[of].numbers[0], groups) != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc conv2d: --%s %.0Lf is not divisible by --groups %.0Lf",
                              options[of].column.title, values[of].numbers[0], groups);
    if (rows->outputs < 1 || columns->outputs < 1)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc conv2d: the window, %.0Lf by %.0Lf with its dilation, is "
                              "larger than the padded input, %.0Lf by %.0Lf",
                              rows->dilation * (rows->kernel - 1) + 1,
                              columns->dilation * (columns->kernel - 1) + 1,
                              rows->size + 2 * rows->padding, columns->size + 2 * columns->padding);
    return STATUS_OK;
}

static void add_convolution(struct calc_work *work, const struct calc_value *values,
                            const struct line *rows, const struct line *columns)
{
    long double batch = values[BATCH].numbers[0], filters = values[FILTERS].numbers[0];
    long double channels = values[CHANNELS].numbers[0] / values[GROUPS].numbers[0];
    long double places = rows->outputs * columns->outputs;
    long double weights = filters * channels * rows->kernel * columns->kernel;
    long double bias = values[NO_BIAS].is_set ? 0 : filters;
    long double inputs = batch * values[CHANNELS].numbers[0] * rows->size * columns->size;

    calc_add(work, &(struct calc_part){.name = "windows",
                                       .flops = 2 * batch * places * weights,
                                       .elementwise_flops = batch * places * bias,
                                       .parameters = weights + bias,
                                       .bytes = work->element_size * (inputs + weights + bias +
                                                                      batch * filters * places)});
    work->result->needed_flops = 2 * batch * filters * channels * rows->taps * columns->taps;
    work->result->needed_words = &calc_needed_taps_text;
}

static enum status count(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic)
{
    struct calc_work work = calc_begin(result, "convolution", &values[DTYPE]);
    long double height = values[HEIGHT].numbers[0];
    struct line rows = make_line(values, 0, height);
    struct line columns =
        make_line(values, 1, values[WIDTH].is_set ? values[WIDTH].numbers[0] : height);

    if (check(values, &rows, &columns, diagnostic))
        return STATUS_USAGE;
    result->items = values[BATCH].numbers[0];
    add_convolution(&work, values, &rows, &columns);
    text_list_say(&result->notes, calc_output_text, said_real((double)values[FILTERS].numbers[0]),
                  said_real((double)rows.outputs), said_real((double)columns.outputs));
    return STATUS_OK;
}

const struct calc_operation calc_conv2d = {
    "conv2d", "a convolution over images, also grouped and depthwise", options, OPTIONS, count,
};
