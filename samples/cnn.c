/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A small image net: three convolutions, each followed by pooling, and a
 * linear head.  The images are synthetic waves in colour under noise; their
 * class is the direction of the wave, which no single pixel shows.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "annotate.h"
#include "arena.h"
#include "convolution.h"
#include "model.h"
#include "options.h"

enum { SIDE = 32, COLOURS = 3, STAGES = 3, CLASSES = 10 };
enum { PIXELS = SIDE * SIDE, LAST_SIDE = SIDE >> STAGES };

/* Channels before the first stage and after each. */
static const size_t channels[STAGES + 1] = {COLOURS, 16, 32, 64};

static const char *const labels[STAGES] = {"layer0", "layer1", "layer2"};

static const struct options_program program = {
    .name = "cnn",
    .summary = "a small net of convolutions",
    .standard =
        {
            [OPTION_BATCH] = 32,
            [OPTION_STEPS] = 200,
            [OPTION_THREADS] = 1,
            [OPTION_SEED] = 1,
        },
    .training_steps = 60,
    .naive_ways =
        {
            [NAIVE_ALLOC] = "each step asks for its memory anew and gives it back",
        },
};

struct cnn {
    struct convolution stages[STAGES];
    struct linear head;
};

/* A part's images before each stage and after the last, those before each
 * pooling, and the gradients of both. */
struct cnn_state {
    struct convolution stages[STAGES]; /* with patches of this part's own */
    struct matrix inputs[STAGES + 1];
    struct matrix waves[STAGES];
    struct matrix input_gradients[STAGES + 1];
    struct matrix wave_gradients[STAGES];
};

static void cnn_init(const struct model *model, float *values, struct random_stream *random)
{
    const struct cnn *cnn = model->layers;

    for (int i = 0; i < STAGES; i++)
        linear_init(&cnn->stages[i].kernel, values, random);
    linear_init(&cnn->head, values, random);
}

/* Take the memory that forward needs. */
static void take_stage(struct cnn_state *state, int stage, struct arena *arena)
{
    struct convolution *convolution = &state->stages[stage];
    size_t pixels = convolution->side * convolution->side;
    size_t rows = state->inputs[stage].rows;

    convolution->patches =
        arena_take_floats(arena, pixels * CONVOLUTION_TAPS * convolution->channels);
    state->waves[stage] = matrix_take(arena, rows, channels[stage + 1]);
    state->inputs[stage + 1] = matrix_take(arena, rows / 4, channels[stage + 1]);
}

static void take_gradients(struct cnn_state *state, int stage, struct part *part)
{
    size_t rows = state->inputs[stage].rows;

    state->wave_gradients[stage] = matrix_take(&part->arena, rows, channels[stage + 1]);
    state->input_gradients[stage + 1] = matrix_take(&part->arena, rows / 4, channels[stage + 1]);
}

static void cnn_prepare(const struct model *model, struct part *part)
{
    const struct cnn *cnn = model->layers;
    struct cnn_state *state = arena_take(&part->arena, sizeof *state);

    part->state = state;
    memcpy(state->stages, cnn->stages, sizeof state->stages);
    state->inputs[0] = matrix_take(&part->arena, part->count * PIXELS, COLOURS);
    for (int i = 0; i < STAGES && !model->options->is_naive[NAIVE_ALLOC]; i++)
        take_stage(state, i, &part->arena);
    for (int i = 0; i < STAGES && model->options->train; i++)
        take_gradients(state, i, part);
}

/* A wave of random phase, wavelength and colour in the direction of the
 * class; ten directions share half a turn, as a wave has no front. */
struct wave {
    float across, down, phase;
    float colour[COLOURS];
};

static struct wave draw_wave(unsigned label, struct random_stream *random)
{
    const float pi = 3.14159265f;
    float angle = pi * (float)label / CLASSES;
    float frequency = 1.0f + 0.3f * random_uniform(random); /* radians a pixel */
    struct wave wave = {frequency * cosf(angle), frequency * sinf(angle), 0.0f, {0.0f}};

    wave.phase = pi * random_uniform(random);
    for (int i = 0; i < COLOURS; i++)
        wave.colour[i] = 1.0f + 0.5f * random_uniform(random);
    return wave;
}

static unsigned cnn_load(const struct model *model, struct part *part, size_t index,
                         struct random_stream *random)
{
    const float noise = 0.5f;
    const struct cnn_state *state = part->state;
    struct matrix image = matrix_rows(state->inputs[0], index * PIXELS, PIXELS);
    unsigned label = random_below(random, CLASSES);
    struct wave wave = draw_wave(label, random);

    (void)model;
    for (size_t i = 0; i < PIXELS; i++) {
        float place = wave.across * (float)(i % SIDE) + wave.down * (float)(i / SIDE);
        float height = sinf(place + wave.phase);

        for (size_t colour = 0; colour < COLOURS; colour++)
            matrix_row(image, i)[colour] =
                wave.colour[colour] * height + noise * random_uniform(random);
    }
    return label;
}

/* The same floats with an image a row, as the head takes them. */
static struct matrix flatten(struct matrix images, size_t count)
{
    return matrix_view(images.data, count, images.rows / count * images.columns);
}

static void cnn_forward(const struct model *model, struct part *part)
{
    const struct cnn *cnn = model->layers;
    struct cnn_state *state = part->state;
    struct arena arena = {NULL}; /* of the naive way */

    for (int i = 0; i < STAGES && model->options->is_naive[NAIVE_ALLOC]; i++)
        take_stage(state, i, &arena);
    for (int i = 0; i < STAGES; i++) {
        annotate_begin(labels[i]);
        convolution_forward(&part->nn, &state->stages[i], state->inputs[i], state->waves[i]);
        pool_forward(state->waves[i], state->inputs[i + 1], state->stages[i].side);
        annotate_end(labels[i]);
    }
    annotate_begin("head");
    linear_forward(&part->nn, &cnn->head, flatten(state->inputs[STAGES], part->count),
                   part->scores);
    annotate_end("head");
    arena_fini(&arena);
}

static void clear(struct matrix matrix)
{
    memset(matrix.data, 0, matrix.rows * matrix.columns * sizeof(float));
}

/* The images themselves need no gradient. */
static void backward_stage(const struct part *part, int stage)
{
    const struct cnn_state *state = part->state;
    const struct convolution *convolution = &state->stages[stage];
    struct matrix gradient = state->wave_gradients[stage];

    clear(gradient);
    pool_backward(state->waves[stage], state->input_gradients[stage + 1], gradient,
                  convolution->side);
    relu_backward(state->waves[stage], gradient);
    convolution_learn(&part->nn, convolution, state->inputs[stage], gradient);
    if (stage == 0)
        return;
    clear(state->input_gradients[stage]);
    convolution_send_back(&part->nn, convolution, gradient, state->input_gradients[stage]);
}

static void cnn_backward(const struct model *model, struct part *part)
{
    const struct cnn *cnn = model->layers;
    const struct cnn_state *state = part->state;

    annotate_begin("head");
    linear_learn(&part->nn, &cnn->head, flatten(state->inputs[STAGES], part->count),
                 part->score_gradients);
    linear_send_back(&part->nn, &cnn->head, part->score_gradients,
                     flatten(state->input_gradients[STAGES], part->count));
    annotate_end("head");
    for (int i = STAGES; i-- > 0;) {
        annotate_begin(labels[i]);
        backward_stage(part, i);
        annotate_end(labels[i]);
    }
}

/* The pixels of a stage, the products of its weights, and the head: an image
 * costs 2 (sum of s^2 9 c c' + 16 64 10) with s the side and c, c' the
 * channels before and after. */
static uint64_t stage_flops(int stage)
{
    uint64_t side = SIDE >> stage;

    return 2 * side * side * CONVOLUTION_TAPS * channels[stage] * channels[stage + 1];
}

static uint64_t head_flops(void)
{
    return 2 * LAST_SIDE * LAST_SIDE * channels[STAGES] * CLASSES;
}

static uint64_t forward_flops(const struct options *options)
{
    uint64_t flops = head_flops();

    for (int i = 0; i < STAGES; i++)
        flops += stage_flops(i);
    return flops * options->values[OPTION_BATCH];
}

/* Twice forward, less the gradient by the images; and for the biases a sum of
 * rows, 2 s^2 c' a stage and 2 10 for the head. */
static uint64_t backward_flops(const struct options *options)
{
    uint64_t flops = 2 * CLASSES;

    for (int i = 0; i < STAGES; i++)
        flops += 2 * (uint64_t)(SIDE >> i) * (SIDE >> i) * channels[i + 1];
    return 2 * forward_flops(options) + (flops - stage_flops(0)) * options->values[OPTION_BATCH];
}

static void place_layers(struct cnn *cnn, struct layout *layout)
{
    for (int i = 0; i < STAGES; i++)
        cnn->stages[i] = convolution_place(layout, SIDE >> i, channels[i], channels[i + 1]);
    cnn->head = linear_place(layout, LAST_SIDE * LAST_SIDE * channels[STAGES], CLASSES);
}

static int run(const struct options *options)
{
    struct layout layout = {0};
    struct cnn cnn;
    char title[96];

    place_layers(&cnn, &layout);
    snprintf(title, sizeof title, "cnn: side %d, channels %zu, %zu, %zu and %zu, classes %d", SIDE,
             channels[0], channels[1], channels[2], channels[3], CLASSES);
    return model_run(&(struct model){
        .title = title,
        .options = options,
        .layers = &cnn,
        .parameters = layout.count,
        .classes = CLASSES,
        .rows_an_item = PIXELS,
        .rate = 0.03f,
        .forward_flops = forward_flops(options),
        .backward_flops = backward_flops(options),
        .init = cnn_init,
        .prepare = cnn_prepare,
        .load = cnn_load,
        .forward = cnn_forward,
        .backward = cnn_backward,
    });
}

int main(int count, char **arguments)
{
    struct options options;
    enum options_result result = options_read(&program, arguments, &options);

    (void)count;
    return result == OPTIONS_READ ? run(&options) : options_exit_status(result);
}
