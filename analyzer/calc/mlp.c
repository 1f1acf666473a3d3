/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A multi-layer perceptron: linear layers with an activation between them.
 */
#include "calc/parts.h"

enum option { LAYERS, BATCH, NO_BIAS, DTYPE, OPTIONS };

static const struct calc_option options[] = {
    [LAYERS] = {{"layers", "layers", "widths from the input to the output, as 784,512,10",
                 UNIT_TEXT, 0},
                CALC_LIST,
                CALC_NEEDED,
                NULL,
                1,
                0},
    [BATCH] = CALC_NUMBER("batch", "batch", "items", CALC_OPTIONAL, "1"),
    [NO_BIAS] = CALC_SWITCH("no_bias", "no-bias", "layers add no bias"),
    [DTYPE] = CALC_DTYPE,
};

static const char *layer_name(size_t layer, size_t count)
{
    return layer == 0 ? "first" : layer + 1 == count ? "last" : "inner";
}

static enum status count(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic)
{
    struct calc_work work = calc_begin(result, "linear", &values[DTYPE]);
    const long double *widths = values[LAYERS].numbers;
    size_t layers = values[LAYERS].count - 1;
    long double batch = values[BATCH].numbers[0];

    if (layers == 0)
        return diagnostic_set(
            diagnostic, STATUS_USAGE,
            "flops calc mlp: --layers %.40s: expected at least two widths, of the "
            "input and of the output",
            values[LAYERS].text);
    work.has_bias = !values[NO_BIAS].is_set;
    result->items = batch;
    for (size_t i = 0; i < layers; i++) {
        work.group = "linear";
        calc_add_linear(&work, layer_name(i, layers),
                        &(struct calc_linear){batch, widths[i], widths[i + 1]});
        work.group = "activation";
        if (i + 1 < layers)
            calc_add_pass(&work, layer_name(i, layers), batch * widths[i + 1], CALC_ADD_FLOPS);
    }
    return STATUS_OK;
}

const struct calc_operation calc_mlp = {
    "mlp", "linear layers with activations between", options, OPTIONS, count,
};
