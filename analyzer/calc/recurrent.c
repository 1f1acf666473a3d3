/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Recurrent layers: simple, LSTM and GRU.  At each step every gate multiplies the input and the
 * state by matrices.  The products of the input can be made for all steps at once.  The products of
 * the state must wait for the step before, so its weights are read again at each step.
 *
 * Parameters are counted as PyTorch, cuDNN and oneDNN's users have them: two
 * vectors of biases a gate.  Source: torch.nn.LSTM.
 */
#include "calc/parts.h"

enum option { SEQ, INPUT, HIDDEN, LAYERS, BATCH, BIDIRECTIONAL, NO_BIAS, DTYPE, OPTIONS };

static const struct calc_option options[] = {
    [SEQ] = CALC_NUMBER("seq", "seq", "steps of a sequence", CALC_NEEDED, NULL),
    [INPUT] = CALC_NUMBER("input", "input", "width of a step", CALC_NEEDED, NULL),
    [HIDDEN] = CALC_NUMBER("hidden", "hidden", "width of the state", CALC_NEEDED, NULL),
    [LAYERS] = CALC_NUMBER("layers", "layers", "on top of each other", CALC_OPTIONAL, "1"),
    [BATCH] = CALC_NUMBER("batch", "batch", "sequences", CALC_OPTIONAL, "1"),
    [BIDIRECTIONAL] = CALC_SWITCH("bidirectional", "bidirectional", "in both directions"),
    [NO_BIAS] = CALC_SWITCH("no_bias", "no-bias", "gates add no bias"),
    [DTYPE] = CALC_DTYPE,
};

/* The differences between the kinds. */
struct cell {
    long double gates;
    /* For a unit at a step: sums of the two products, activations, and the new
     * state.  LSTM: 4 + 4, and f c + i g, tanh, o times: 5.  GRU: 3 + 3 with r
     * times, and (1 - z) n + z h: 4 and one more product. */
    long double unit_flops;
};

static void add_layers(struct calc_work *work, const struct calc_value *values,
                       const struct cell *cell, long double inputs)
{
    long double steps = values[SEQ].numbers[0], batch = values[BATCH].numbers[0];
    long double hidden = values[HIDDEN].numbers[0], outputs = cell->gates * hidden;
    long double weights = hidden * outputs + (work->has_bias ? outputs : 0);
    struct calc_part state = {.name = "state products",
                              .flops = 2 * steps * batch * hidden * outputs,
                              .elementwise_flops = work->has_bias ? steps * batch * outputs : 0,
                              .parameters = weights};

    state.bytes = work->element_size * steps * (weights + batch * (hidden + outputs));
    calc_add_linear(work, "input products", &(struct calc_linear){steps * batch, inputs, outputs});
    calc_add(work, &state);
    calc_add(work, &(struct calc_part){
                       .name = "gates",
                       .elementwise_flops = cell->unit_flops * steps * batch * hidden,
                       .bytes = work->element_size * steps * batch * (2 * outputs + 3 * hidden)});
}

static void count_cells(const struct calc_value *values, struct calc_result *result,
                        const struct cell *cell)
{
    struct calc_work work = calc_begin(result, "first layer", &values[DTYPE]);
    long double directions = values[BIDIRECTIONAL].is_set ? 2 : 1;

    work.has_bias = !values[NO_BIAS].is_set;
    work.times = directions;
    add_layers(&work, values, cell, values[INPUT].numbers[0]);
    work.group = "other layers";
    work.times = directions * (values[LAYERS].numbers[0] - 1);
    if (work.times > 0)
        add_layers(&work, values, cell, directions * values[HIDDEN].numbers[0]);
    result->items = values[BATCH].numbers[0];
    result->tokens = values[BATCH].numbers[0] * values[SEQ].numbers[0];
}

static enum status count_rnn(const struct calc_value *values, struct calc_result *result,
                             struct diagnostic *diagnostic)
{
    (void)diagnostic;
    count_cells(values, result, &(struct cell){1, 2});
    return STATUS_OK;
}

static enum status count_lstm(const struct calc_value *values, struct calc_result *result,
                              struct diagnostic *diagnostic)
{
    (void)diagnostic;
    count_cells(values, result, &(struct cell){4, 13});
    return STATUS_OK;
}

static enum status count_gru(const struct calc_value *values, struct calc_result *result,
                             struct diagnostic *diagnostic)
{
    (void)diagnostic;
    count_cells(values, result, &(struct cell){3, 11});
    return STATUS_OK;
}

const struct calc_operation calc_rnn = {
    "rnn", "simple recurrent layers", options, OPTIONS, count_rnn,
};
const struct calc_operation calc_lstm = {
    "lstm", "LSTM layers", options, OPTIONS, count_lstm,
};
const struct calc_operation calc_gru = {
    "gru", "GRU layers", options, OPTIONS, count_gru,
};
