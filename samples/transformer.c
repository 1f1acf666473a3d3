/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A transformer that classifies texts of tokens: embedding of token and
 * place, layers of pre-norm attention and feed-forward, and a linear head
 * over the mean of the tokens.  The texts are synthetic: each class has
 * favourite tokens.
 *
 * Letters in the comments: b items, n tokens an item, d the width, h heads.
 *
 * Source: Vaswani and others, "Attention is all you need", 2017; pre-norm as
 * in Xiong and others, "On layer normalization in the transformer
 * architecture", 2020.
 */
#include <math.h>
#include <stdio.h>

#include "annotate.h"
#include "arena.h"
#include "attention.h"
#include "model.h"
#include "options.h"

enum { VOCABULARY = 256, CLASSES = 4, FAVOURITES = 8, WIDENING = 4 };

static const struct options_program program = {
    .name = "transformer",
    .summary = "multi-head attention over tokens, and a head that classifies",
    .standard =
        {
            [OPTION_BATCH] = 8,
            [OPTION_SEQ] = 128,
            [OPTION_D_MODEL] = 256,
            [OPTION_HEADS] = 8,
            [OPTION_LAYERS] = 4,
            [OPTION_STEPS] = 25,
            [OPTION_THREADS] = 1,
            [OPTION_SEED] = 1,
        },
    .training_steps = 12,
    .naive_ways =
        {
            [NAIVE_ALLOC] = "each layer asks for its memory anew and gives it back",
            [NAIVE_ATTENTION] = "a head keeps its weights of all tokens by all tokens at once",
        },
};

struct layer {
    struct norm attention_norm;
    struct linear entry; /* from d to queries, keys and values side by side */
    struct linear exit;
    struct norm feed_norm;
    struct linear widen;
    struct linear narrow;
    char label[16];
};

struct transformer {
    size_t seq, width, heads, head_width, count;
    size_t tokens; /* where the embedding starts; shape: VOCABULARY by d */
    size_t places; /* that of places; shape: n by d */
    struct layer *layers;
    struct norm last_norm;
    struct linear head;
};

/* The values of a layer's forward that its backward needs.  In inference all
 * layers share one. */
struct layer_tape {
    struct norm_tape attention_norm;
    struct matrix entry;   /* shape: b n by 3 d */
    struct matrix weights; /* of attention; shape: b h n by n; none when it goes by blocks */
    struct matrix context; /* shape: b n by d */
    struct norm_tape feed_norm;
    struct matrix wide, active; /* before and after GELU; shape: b n by 4 d */
};

struct transformer_state {
    unsigned *tokens;     /* shape: b by n */
    struct matrix stream; /* what the layers add to; shape: b n by d */
    struct matrix added;  /* what one of them adds, or its gradient */
    struct layer_tape *tapes;
    struct norm_tape last_norm;
    struct matrix means; /* over the tokens; shape: b by d */
    struct matrix mean_gradients;
    struct matrix stream_gradient;
    struct matrix entry_gradient;
    struct matrix wide_gradient;
    struct matrix weight_gradient;   /* of one head; shape: n by n */
    struct attention_blocks *blocks; /* NULL when weights are kept whole */
};

static void layer_init(const struct layer *layer, float *values, struct random_stream *random)
{
    norm_init(&layer->attention_norm, values);
    linear_init(&layer->entry, values, random);
    linear_init(&layer->exit, values, random);
    norm_init(&layer->feed_norm, values);
    linear_init(&layer->widen, values, random);
    linear_init(&layer->narrow, values, random);
}

static void fill_uniform(float *values, size_t count, struct random_stream *random)
{
    for (size_t i = 0; i < count; i++)
        values[i] = random_uniform(random);
}

static void transformer_init(const struct model *model, float *values, struct random_stream *random)
{
    const struct transformer *net = model->layers;

    fill_uniform(values + net->tokens, VOCABULARY * net->width, random);
    fill_uniform(values + net->places, net->seq * net->width, random);
    for (size_t i = 0; i < net->count; i++)
        layer_init(&net->layers[i], values, random);
    norm_init(&net->last_norm, values);
    linear_init(&net->head, values, random);
}

static struct layer_tape take_tape(const struct transformer *net, const struct part *part,
                                   struct arena *arena)
{
    const struct transformer_state *state = part->state;
    size_t rows = part->count * net->seq;
    struct layer_tape tape = {
        .attention_norm = norm_tape_take(arena, rows, net->width),
        .entry = matrix_take(arena, rows, 3 * net->width),
        .context = matrix_take(arena, rows, net->width),
        .feed_norm = norm_tape_take(arena, rows, net->width),
        .wide = matrix_take(arena, rows, WIDENING * net->width),
        .active = matrix_take(arena, rows, WIDENING * net->width),
    };

    if (!state->blocks)
        tape.weights = matrix_take(arena, rows * net->heads, net->seq);
    return tape;
}

static void prepare_gradients(const struct transformer *net, struct part *part)
{
    struct transformer_state *state = part->state;
    size_t rows = part->count * net->seq;

    state->mean_gradients = matrix_take(&part->arena, part->count, net->width);
    state->stream_gradient = matrix_take(&part->arena, rows, net->width);
    state->entry_gradient = matrix_take(&part->arena, rows, 3 * net->width);
    state->wide_gradient = matrix_take(&part->arena, rows, WIDENING * net->width);
    state->weight_gradient = matrix_take(&part->arena, net->seq, net->seq);
}

static void prepare_tapes(const struct model *model, struct part *part)
{
    const struct transformer *net = model->layers;
    struct transformer_state *state = part->state;
    size_t distinct = model->options->train ? net->count : 1;

    state->tapes = arena_take(&part->arena, net->count * sizeof *state->tapes);
    if (model->options->is_naive[NAIVE_ALLOC])
        return;
    for (size_t i = 0; i < distinct; i++)
        state->tapes[i] = take_tape(net, part, &part->arena);
    for (size_t i = distinct; i < net->count; i++)
        state->tapes[i] = state->tapes[0];
}

/* Backward needs the weights. */
static bool attends_by_blocks(const struct options *options)
{
    return !options->train && !options->is_naive[NAIVE_ATTENTION];
}

static void transformer_prepare(const struct model *model, struct part *part)
{
    const struct transformer *net = model->layers;
    struct transformer_state *state = arena_take(&part->arena, sizeof *state);
    size_t rows = part->count * net->seq;

    part->state = state;
    state->tokens = arena_take(&part->arena, rows * sizeof *state->tokens);
    state->stream = matrix_take(&part->arena, rows, net->width);
    state->added = matrix_take(&part->arena, rows, net->width);
    state->last_norm = norm_tape_take(&part->arena, rows, net->width);
    state->means = matrix_take(&part->arena, part->count, net->width);
    if (attends_by_blocks(model->options))
        state->blocks = attention_blocks_take(&part->arena);
    prepare_tapes(model, part);
    if (model->options->train)
        prepare_gradients(net, part);
}

/* One token in two is a favourite of the class, the others are any. */
static unsigned transformer_load(const struct model *model, struct part *part, size_t index,
                                 struct random_stream *random)
{
    const struct transformer *net = model->layers;
    const struct transformer_state *state = part->state;
    unsigned label = random_below(random, CLASSES);
    unsigned *tokens = state->tokens + index * net->seq;

    for (size_t i = 0; i < net->seq; i++) {
        if (random_below(random, 2) == 0)
            tokens[i] = label * FAVOURITES + random_below(random, FAVOURITES);
        else
            tokens[i] = random_below(random, VOCABULARY);
    }
    return label;
}

static void embed(const struct transformer *net, const struct part *part)
{
    const struct transformer_state *state = part->state;

    annotate_begin("embedding");
    for (size_t row = 0; row < state->stream.rows; row++) {
        const float *token = part->nn.values + net->tokens + state->tokens[row] * net->width;
        const float *place = part->nn.values + net->places + row % net->seq * net->width;
        float *sum = matrix_row(state->stream, row);

        for (size_t i = 0; i < net->width; i++)
            sum[i] = token[i] + place[i];
    }
    annotate_end("embedding");
}

static void embed_backward(const struct transformer *net, const struct part *part)
{
    const struct transformer_state *state = part->state;

    annotate_begin("embedding");
    for (size_t row = 0; row < state->stream.rows; row++) {
        float *token = part->nn.gradients + net->tokens + state->tokens[row] * net->width;
        float *place = part->nn.gradients + net->places + row % net->seq * net->width;
        const float *gradient = matrix_row(state->stream_gradient, row);

        for (size_t i = 0; i < net->width; i++) {
            token[i] += gradient[i];
            place[i] += gradient[i];
        }
    }
    annotate_end("embedding");
}

/* The queries, keys or values of one head of one item: `kind` is 0, 1 or 2. */
static struct matrix view_entry(const struct transformer *net, struct matrix entry, size_t index,
                                size_t kind)
{
    size_t item = index / net->heads, head = index % net->heads;

    return matrix_columns(matrix_rows(entry, item * net->seq, net->seq),
                          kind * net->width + head * net->head_width, net->head_width);
}

/* Heads are numbered through the items of the part. */
static struct head view_head(const struct transformer *net, const struct layer_tape *tape,
                             size_t index)
{
    struct head head = {
        .queries = view_entry(net, tape->entry, index, 0),
        .keys = view_entry(net, tape->entry, index, 1),
        .values = view_entry(net, tape->entry, index, 2),
        .context = view_entry(net, tape->context, index, 0),
    };

    if (tape->weights.data)
        head.weights = matrix_rows(tape->weights, index * net->seq, net->seq);
    return head;
}

/* Scores are scaled to variance 1: a product of random rows of head_width
 * numbers has that variance. */
static float score_scale(const struct transformer *net)
{
    return 1.0f / sqrtf((float)net->head_width);
}

static void heads_forward(const struct transformer *net, const struct part *part,
                          const struct layer_tape *tape)
{
    const struct transformer_state *state = part->state;

    for (size_t i = 0; i < part->count * net->heads; i++) {
        struct head head = view_head(net, tape, i);

        if (state->blocks)
            attention_blocked(&part->nn, &head, score_scale(net), state->blocks);
        else
            attention_whole(&part->nn, &head, score_scale(net));
    }
}

/* With P = softmax(s Q K') and C = P V: dP = dC V', dV = P' dC, and through
 * the softmax to dS, dQ = s dS K, dK = s dS' Q.  `into` has the places of the
 * gradients; its context is the gradient that comes in. */
static void head_backward(const struct transformer *net, const struct nn *nn,
                          const struct head *head, const struct head *into)
{
    struct blend scaled = {score_scale(net), 0};
    struct matrix scores = into->weights;

    nn_multiply(nn,
                &(struct product){into->context, matrix_transpose(head->values), scores, {1, 0}});
    nn_multiply(nn, &(struct product){
                        matrix_transpose(head->weights), into->context, into->values, {1, 0}});
    softmax_backward(head->weights, scores);
    nn_multiply(nn, &(struct product){scores, head->keys, into->queries, scaled});
    nn_multiply(nn, &(struct product){matrix_transpose(scores), head->queries, into->keys, scaled});
}

static void attention_forward(const struct transformer *net, const struct part *part, size_t index)
{
    const struct transformer_state *state = part->state;
    const struct layer *layer = &net->layers[index];
    struct layer_tape *tape = &state->tapes[index];

    annotate_begin("attention");
    norm_forward(&part->nn, &layer->attention_norm, state->stream, &tape->attention_norm);
    linear_forward(&part->nn, &layer->entry, tape->attention_norm.output, tape->entry);
    heads_forward(net, part, tape);
    linear_forward(&part->nn, &layer->exit, tape->context, state->added);
    nn_add(state->stream, state->added);
    annotate_end("attention");
}

static void heads_backward(const struct transformer *net, const struct part *part,
                           const struct layer_tape *tape)
{
    const struct transformer_state *state = part->state;

    for (size_t i = 0; i < part->count * net->heads; i++) {
        struct head head = view_head(net, tape, i);
        struct head into = {
            .queries = view_entry(net, state->entry_gradient, i, 0),
            .keys = view_entry(net, state->entry_gradient, i, 1),
            .values = view_entry(net, state->entry_gradient, i, 2),
            .weights = state->weight_gradient,
            .context = view_entry(net, state->added, i, 0),
        };

        head_backward(net, &part->nn, &head, &into);
    }
}

/* The stream passes its gradient on unchanged, and gets that of the branch. */
static void attention_backward(const struct transformer *net, const struct part *part, size_t index)
{
    const struct transformer_state *state = part->state;
    const struct layer *layer = &net->layers[index];
    const struct layer_tape *tape = &state->tapes[index];

    annotate_begin("attention");
    linear_learn(&part->nn, &layer->exit, tape->context, state->stream_gradient);
    linear_send_back(&part->nn, &layer->exit, state->stream_gradient, state->added);
    heads_backward(net, part, tape);
    linear_learn(&part->nn, &layer->entry, tape->attention_norm.output, state->entry_gradient);
    linear_send_back(&part->nn, &layer->entry, state->entry_gradient, state->added);
    norm_backward(&part->nn, &layer->attention_norm, &tape->attention_norm, state->added);
    nn_add(state->stream_gradient, state->added);
    annotate_end("attention");
}

static void feed_forward(const struct transformer *net, const struct part *part, size_t index)
{
    const struct transformer_state *state = part->state;
    const struct layer *layer = &net->layers[index];
    struct layer_tape *tape = &state->tapes[index];

    annotate_begin("feed_forward");
    norm_forward(&part->nn, &layer->feed_norm, state->stream, &tape->feed_norm);
    linear_forward(&part->nn, &layer->widen, tape->feed_norm.output, tape->wide);
    gelu_forward(tape->wide, tape->active);
    linear_forward(&part->nn, &layer->narrow, tape->active, state->added);
    nn_add(state->stream, state->added);
    annotate_end("feed_forward");
}

static void feed_backward(const struct transformer *net, const struct part *part, size_t index)
{
    const struct transformer_state *state = part->state;
    const struct layer *layer = &net->layers[index];
    const struct layer_tape *tape = &state->tapes[index];

    annotate_begin("feed_forward");
    linear_learn(&part->nn, &layer->narrow, tape->active, state->stream_gradient);
    linear_send_back(&part->nn, &layer->narrow, state->stream_gradient, state->wide_gradient);
    gelu_backward(tape->wide, state->wide_gradient);
    linear_learn(&part->nn, &layer->widen, tape->feed_norm.output, state->wide_gradient);
    linear_send_back(&part->nn, &layer->widen, state->wide_gradient, state->added);
    norm_backward(&part->nn, &layer->feed_norm, &tape->feed_norm, state->added);
    nn_add(state->stream_gradient, state->added);
    annotate_end("feed_forward");
}

static void head_of_classes_forward(const struct transformer *net, const struct part *part)
{
    struct transformer_state *state = part->state;
    struct blend mean = {1.0f / (float)net->seq, 0};

    annotate_begin("head");
    norm_forward(&part->nn, &net->last_norm, state->stream, &state->last_norm);
    for (size_t i = 0; i < part->count; i++)
        nn_sum_rows(&part->nn, matrix_rows(state->last_norm.output, i * net->seq, net->seq),
                    matrix_row(state->means, i), mean);
    linear_forward(&part->nn, &net->head, state->means, part->scores);
    annotate_end("head");
}

/* Each token gets its share of the gradient by the mean. */
static void spread_means(const struct transformer *net, const struct transformer_state *state)
{
    float share = 1.0f / (float)net->seq;

    for (size_t row = 0; row < state->stream_gradient.rows; row++) {
        float *gradient = matrix_row(state->stream_gradient, row);
        const float *mean = matrix_row(state->mean_gradients, row / net->seq);

        for (size_t i = 0; i < net->width; i++)
            gradient[i] = share * mean[i];
    }
}

static void head_of_classes_backward(const struct transformer *net, const struct part *part)
{
    const struct transformer_state *state = part->state;

    annotate_begin("head");
    linear_learn(&part->nn, &net->head, state->means, part->score_gradients);
    linear_send_back(&part->nn, &net->head, part->score_gradients, state->mean_gradients);
    spread_means(net, state);
    norm_backward(&part->nn, &net->last_norm, &state->last_norm, state->stream_gradient);
    annotate_end("head");
}

static void layer_forward(const struct transformer *net, const struct part *part, size_t index)
{
    attention_forward(net, part, index);
    feed_forward(net, part, index);
}

/* The naive way: memory as if no layer had come before and none came after. */
static void layer_forward_in_new_memory(const struct transformer *net, const struct part *part,
                                        size_t index)
{
    const struct transformer_state *state = part->state;
    struct arena arena = {NULL};

    state->tapes[index] = take_tape(net, part, &arena);
    layer_forward(net, part, index);
    arena_fini(&arena);
}

static void transformer_forward(const struct model *model, struct part *part)
{
    const struct transformer *net = model->layers;

    embed(net, part);
    for (size_t i = 0; i < net->count; i++) {
        annotate_begin(net->layers[i].label);
        if (model->options->is_naive[NAIVE_ALLOC])
            layer_forward_in_new_memory(net, part, i);
        else
            layer_forward(net, part, i);
        annotate_end(net->layers[i].label);
    }
    head_of_classes_forward(net, part);
}

static void transformer_backward(const struct model *model, struct part *part)
{
    const struct transformer *net = model->layers;

    head_of_classes_backward(net, part);
    for (size_t i = net->count; i-- > 0;) {
        annotate_begin(net->layers[i].label);
        feed_backward(net, part, i);
        attention_backward(net, part, i);
        annotate_end(net->layers[i].label);
    }
    embed_backward(net, part);
}

/* A layer: entry 6 b n d^2, scores 2 b n^2 d, context 2 b n^2 d, exit
 * 2 b n d^2, feed-forward twice 8 b n d^2; heads do not matter, as each has
 * its share of d. */
static uint64_t layers_forward_flops(const struct options *options)
{
    uint64_t b = options->values[OPTION_BATCH], n = options->values[OPTION_SEQ];
    uint64_t d = options->values[OPTION_D_MODEL];

    return options->values[OPTION_LAYERS] * (24 * b * n * d * d + 4 * b * n * n * d);
}

/* The head: the product 2 b d c, with c the classes. */
static uint64_t head_forward_flops(const struct options *options)
{
    return 2 * options->values[OPTION_BATCH] * options->values[OPTION_D_MODEL] * CLASSES;
}

/* The mean of the tokens is 2 b n d. */
static uint64_t forward_flops(const struct options *options)
{
    return layers_forward_flops(options) + head_forward_flops(options) +
           2 * options->values[OPTION_BATCH] * options->values[OPTION_SEQ] *
               options->values[OPTION_D_MODEL];
}

/* Each product A B of forward has two in backward of the same size, dC B' and
 * A' dC.  The sums of rows for the biases are 2 b n (3 + 1 + 4 + 1) d a layer
 * and 2 b c for the head.  Backward of the mean and of the norms is loops. */
static uint64_t backward_flops(const struct options *options)
{
    uint64_t rows = options->values[OPTION_BATCH] * options->values[OPTION_SEQ];
    uint64_t biases = 18 * rows * options->values[OPTION_D_MODEL];

    return 2 * (layers_forward_flops(options) + head_forward_flops(options)) +
           options->values[OPTION_LAYERS] * biases + 2 * options->values[OPTION_BATCH] * CLASSES;
}

static void place_layer(struct layer *layer, struct layout *layout, size_t width, size_t index)
{
    layer->attention_norm = norm_place(layout, width);
    layer->entry = linear_place(layout, width, 3 * width);
    layer->exit = linear_place(layout, width, width);
    layer->feed_norm = norm_place(layout, width);
    layer->widen = linear_place(layout, width, WIDENING * width);
    layer->narrow = linear_place(layout, WIDENING * width, width);
    snprintf(layer->label, sizeof layer->label, "layer%u", (unsigned)index);
}

static void place_layers(struct transformer *net, struct layout *layout)
{
    net->tokens = layout_reserve(layout, VOCABULARY * net->width);
    net->places = layout_reserve(layout, net->seq * net->width);
    for (size_t i = 0; i < net->count; i++)
        place_layer(&net->layers[i], layout, net->width, i);
    net->last_norm = norm_place(layout, net->width);
    net->head = linear_place(layout, net->width, CLASSES);
}

static struct transformer build(struct arena *arena, const struct options *options)
{
    struct transformer net = {
        .seq = (size_t)options->values[OPTION_SEQ],
        .width = (size_t)options->values[OPTION_D_MODEL],
        .heads = (size_t)options->values[OPTION_HEADS],
        .count = (size_t)options->values[OPTION_LAYERS],
    };

    net.head_width = net.width / net.heads;
    net.layers = arena_take(arena, net.count * sizeof *net.layers);
    return net;
}

/* The wider a layer, the more weights push its output the same way, so the
 * step shrinks with the width; the 3 was found by trial. */
static float training_rate(const struct transformer *net)
{
    return 3.0f / (float)net->width;
}

static int run(const struct options *options)
{
    struct arena arena = {NULL};
    struct layout layout = {0};
    struct transformer net = build(&arena, options);
    char title[128];

    place_layers(&net, &layout);
    snprintf(title, sizeof title,
             "transformer: layers %zu, width %zu, heads %zu, tokens %zu of %d, classes %d",
             net.count, net.width, net.heads, net.seq, VOCABULARY, CLASSES);
    int status = model_run(&(struct model){
        .title = title,
        .options = options,
        .layers = &net,
        .parameters = layout.count,
        .classes = CLASSES,
        .rows_an_item = net.seq,
        .rate = training_rate(&net),
        .forward_flops = forward_flops(options),
        .backward_flops = backward_flops(options),
        .init = transformer_init,
        .prepare = transformer_prepare,
        .load = transformer_load,
        .forward = transformer_forward,
        .backward = transformer_backward,
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
