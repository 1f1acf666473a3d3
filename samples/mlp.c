/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A multi-layer perceptron that tells ten kinds of noisy patterns apart:
 * inputs of 784 numbers, hidden layers with ReLU, ten classes.  Each class
 * has one pattern, drawn from the seed; an item is its pattern under noise.
 */
#include <stdio.h>

#include "annotate.h"
#include "arena.h"
#include "model.h"
#include "naive.h"
#include "options.h"

enum { INPUTS = 784, CLASSES = 10 };

static const struct options_program program = {
    .name = "mlp",
    .summary = "a perceptron with hidden layers",
    .standard =
        {
            [OPTION_BATCH] = 32,
            [OPTION_D_MODEL] = 512,
            [OPTION_LAYERS] = 1,
            [OPTION_STEPS] = 2500,
            [OPTION_THREADS] = 1,
            [OPTION_SEED] = 1,
        },
    .training_steps = 1200,
    .naive_ways =
        {
            [NAIVE_DOUBLE] = "the first layer computes in double, whatever else is planted",
            [NAIVE_GEMV] = "each item is multiplied alone instead of the batch",
            [NAIVE_REORDER] = "weights are kept in another order, and stored anew for each product",
        },
};

struct layer {
    struct linear linear;
    char label[16];
};

/* `count` hidden layers, then the head. */
struct mlp {
    size_t count;
    struct layer *layers;
    float *patterns; /* shape: CLASSES by INPUTS */
};

/* A part's input, the output of each hidden layer, and two gradients. */
struct mlp_state {
    struct matrix *inputs; /* of layer i; that of the head is the last */
    struct matrix gradients[2];
    struct nn first; /* what the first layer computes with in forward */
};

static void mlp_init(const struct model *model, float *values, struct random_stream *random)
{
    const struct mlp *mlp = model->layers;

    for (size_t i = 0; i <= mlp->count; i++)
        linear_init(&mlp->layers[i].linear, values, random);
}

static void keep_in_other_order(const struct model *model, struct part *part)
{
    const struct mlp *mlp = model->layers;

    naive_set_reorder(&part->nn, &part->arena, model->parameters);
    for (size_t i = 0; i <= mlp->count; i++)
        naive_store(&part->nn, &mlp->layers[i].linear);
}

/* A layer in double is that alone: neither item by item nor reordered. */
static void prepare_naive(const struct model *model, struct part *part)
{
    const struct mlp *mlp = model->layers;
    struct mlp_state *state = part->state;

    if (model->options->is_naive[NAIVE_GEMV])
        naive_set_each_item(&part->nn);
    if (model->options->is_naive[NAIVE_REORDER])
        keep_in_other_order(model, part);
    state->first = part->nn;
    if (model->options->is_naive[NAIVE_DOUBLE])
        naive_set_double(&state->first, &part->arena, &mlp->layers[0].linear, part->count);
}

static void mlp_prepare(const struct model *model, struct part *part)
{
    const struct mlp *mlp = model->layers;
    struct mlp_state *state = arena_take(&part->arena, sizeof *state);
    size_t width = mlp->layers[mlp->count].linear.inputs;

    part->state = state;
    state->inputs = arena_take(&part->arena, (mlp->count + 1) * sizeof *state->inputs);
    for (size_t i = 0; i <= mlp->count; i++)
        state->inputs[i] = matrix_take(&part->arena, part->count, mlp->layers[i].linear.inputs);
    prepare_naive(model, part);
    if (!model->options->train)
        return;
    for (int i = 0; i < 2; i++)
        state->gradients[i] = matrix_take(&part->arena, part->count, width);
}

static unsigned mlp_load(const struct model *model, struct part *part, size_t index,
                         struct random_stream *random)
{
    const float noise = 3.0f; /* to one of pattern: a few hundred steps to learn */
    const struct mlp *mlp = model->layers;
    const struct mlp_state *state = part->state;
    unsigned label = random_below(random, CLASSES);
    float *input = matrix_row(state->inputs[0], index);

    for (size_t i = 0; i < INPUTS; i++)
        input[i] = mlp->patterns[label * INPUTS + i] + noise * random_uniform(random);
    return label;
}

static void mlp_forward(const struct model *model, struct part *part)
{
    const struct mlp *mlp = model->layers;
    const struct mlp_state *state = part->state;

    for (size_t i = 0; i < mlp->count; i++) {
        const struct nn *nn = i == 0 ? &state->first : &part->nn;

        annotate_begin(mlp->layers[i].label);
        linear_forward(nn, &mlp->layers[i].linear, state->inputs[i], state->inputs[i + 1]);
        relu_forward(state->inputs[i + 1]);
        annotate_end(mlp->layers[i].label);
    }
    annotate_begin("head");
    linear_forward(&part->nn, &mlp->layers[mlp->count].linear, state->inputs[mlp->count],
                   part->scores);
    annotate_end("head");
}

/* Learn layer `index` and, unless it is the first, go on to the one below. */
static struct matrix backward_layer(const struct mlp *mlp, const struct part *part, size_t index,
                                    struct matrix gradient)
{
    const struct mlp_state *state = part->state;
    const struct layer *layer = &mlp->layers[index];
    struct matrix below = state->gradients[index % 2];

    annotate_begin(layer->label);
    linear_learn(&part->nn, &layer->linear, state->inputs[index], gradient);
    if (index > 0) {
        linear_send_back(&part->nn, &layer->linear, gradient, below);
        relu_backward(state->inputs[index], below);
    }
    annotate_end(layer->label);
    return below;
}

static void mlp_backward(const struct model *model, struct part *part)
{
    const struct mlp *mlp = model->layers;
    struct matrix gradient = part->score_gradients;

    for (size_t i = mlp->count + 1; i-- > 0;)
        gradient = backward_layer(mlp, part, i, gradient);
}

/* With b items, h the width and l hidden layers, forward is
 * 2 b (784 h + (l - 1) h^2 + 10 h): 2 m n k a layer. */
static uint64_t forward_flops(const struct options *options)
{
    uint64_t width = options->values[OPTION_D_MODEL];
    uint64_t layers = options->values[OPTION_LAYERS];

    return 2 * options->values[OPTION_BATCH] * width * (INPUTS + (layers - 1) * width + CLASSES);
}

/* Backward has two products as large as that of forward for each layer but
 * the first, which has only that of its weights; and the sum of rows for each
 * bias, 2 b (l h + 10). */
static uint64_t backward_flops(const struct options *options)
{
    uint64_t batch = options->values[OPTION_BATCH];
    uint64_t width = options->values[OPTION_D_MODEL];
    uint64_t layers = options->values[OPTION_LAYERS];

    return 2 * forward_flops(options) - 2 * batch * INPUTS * width +
           2 * batch * (layers * width + CLASSES);
}

static void place_layers(struct mlp *mlp, struct layout *layout, size_t width)
{
    size_t inputs = INPUTS;

    for (size_t i = 0; i < mlp->count; i++) {
        mlp->layers[i].linear = linear_place(layout, inputs, width);
        snprintf(mlp->layers[i].label, sizeof mlp->layers[i].label, "layer%u", (unsigned)i);
        inputs = width;
    }
    mlp->layers[mlp->count].linear = linear_place(layout, inputs, CLASSES);
    snprintf(mlp->layers[mlp->count].label, sizeof mlp->layers[0].label, "head");
}

static void build(struct mlp *mlp, struct arena *arena, const struct options *options)
{
    struct random_stream random = random_open(options->values[OPTION_SEED], MODEL_STREAM_DATA);

    mlp->count = (size_t)options->values[OPTION_LAYERS];
    mlp->layers = arena_take(arena, (mlp->count + 1) * sizeof *mlp->layers);
    mlp->patterns = arena_take_floats(arena, CLASSES * INPUTS);
    for (size_t i = 0; i < CLASSES * INPUTS; i++)
        mlp->patterns[i] = random_uniform(&random);
}

static int run(const struct options *options)
{
    struct arena arena = {NULL};
    struct layout layout = {0};
    struct mlp mlp;
    char title[80];

    build(&mlp, &arena, options);
    place_layers(&mlp, &layout, (size_t)options->values[OPTION_D_MODEL]);
    snprintf(title, sizeof title, "mlp: inputs %d, hidden layers %zu, width %u, classes %d", INPUTS,
             mlp.count, (unsigned)options->values[OPTION_D_MODEL], CLASSES);
    int status = model_run(&(struct model){
        .title = title,
        .options = options,
        .layers = &mlp,
        .parameters = layout.count,
        .classes = CLASSES,
        .rows_an_item = 1,
        .rate = 0.01f,
        .forward_flops = forward_flops(options),
        .backward_flops = backward_flops(options),
        .init = mlp_init,
        .prepare = mlp_prepare,
        .load = mlp_load,
        .forward = mlp_forward,
        .backward = mlp_backward,
    });
    arena_fini(&arena);
    return status;
}

int main(int count, char **arguments)
{
    struct options options;
    enum options_result result = options_read(&program, arguments, &options);

    (void)count;
    return result == OPTIONS_READ ? run(&options) : options_exit_status(result);
}
