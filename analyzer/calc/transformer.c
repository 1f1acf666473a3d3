/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A transformer: layers of attention and feed-forward, and a head over a
 * vocabulary.  Encoder and decoder differ in the mask and the last norm.
 *
 * The backward pass of a product is two products of its size: one for the
 * gradient of each operand.
 *
 * Source: Vaswani and others, 2017; Kaplan and others, "Scaling laws for
 * neural language models", 2020, and Chowdhery and others, PaLM, 2022,
 * appendix B, whose 6 N + 12 L H Q T a trained token these parts sum to.
 */
#include "calc/parts.h"

#include "calc/texts.h"

enum option {
    LAYERS,
    D_MODEL,
    HEADS,
    KV_HEADS,
    FF,
    SEQ,
    BATCH,
    VOCAB,
    POSITIONS,
    CONTEXT,
    DECODER,
    GATED,
    UNTIED,
    NO_BIAS,
    TRAINING,
    DTYPE,
    OPTIONS
};

enum { PASSES = 3 }; /* in training: forward, and backward for either operand */

static const struct calc_option options[] = {
    [LAYERS] =
        CALC_NUMBER("layers", "layers", "layers of attention and feed-forward", CALC_NEEDED, NULL),
    [D_MODEL] = CALC_NUMBER("d_model", "d-model", "width of a token", CALC_NEEDED, NULL),
    [HEADS] = CALC_NUMBER("heads", "heads", "heads that split the width", CALC_NEEDED, NULL),
    [KV_HEADS] =
        CALC_NUMBER("kv_heads", "kv-heads", "heads of keys and values, if several heads share them",
                    CALC_OPTIONAL, NULL),
    [FF] =
        CALC_NUMBER("ff", "ff", "inner width of the feed-forward (4 d-model)", CALC_OPTIONAL, NULL),
    [SEQ] = CALC_NUMBER("seq", "seq", "tokens to work on", CALC_NEEDED, NULL),
    [BATCH] = CALC_NUMBER("batch", "batch", "sequences", CALC_OPTIONAL, "1"),
    [VOCAB] = CALC_NUMBER("vocab", "vocab", "tokens of the vocabulary; without it, no head",
                          CALC_OPTIONAL, NULL),
    [POSITIONS] = CALC_NUMBER("positions", "positions", "places with learned embeddings",
                              CALC_OPTIONAL, NULL),
    [CONTEXT] = CALC_NUMBER("context", "context",
                            "tokens that each token sees, including cached ones (seq)",
                            CALC_OPTIONAL, NULL),
    [DECODER] = CALC_SWITCH("decoder", "decoder", "with a causal mask and a last norm"),
    [GATED] = CALC_SWITCH("gated", "gated", "a feed-forward of three matrices, as in Llama"),
    [UNTIED] = CALC_SWITCH("untied", "untied", "the head has parameters of its own"),
    [NO_BIAS] = CALC_SWITCH("no_bias", "no-bias", "linear layers and norms add no bias"),
    [TRAINING] = CALC_SWITCH("training", "training", "with the backward pass"),
    [DTYPE] = CALC_DTYPE,
};

static struct calc_heads read_heads(const struct calc_value *values)
{
    return (struct calc_heads){
        .batch = values[BATCH].numbers[0],
        .seq = values[SEQ].numbers[0],
        .context = values[values[CONTEXT].is_set ? CONTEXT : SEQ].numbers[0],
        .width = values[D_MODEL].numbers[0],
        .heads = values[HEADS].numbers[0],
        .key_heads = values[values[KV_HEADS].is_set ? KV_HEADS : HEADS].numbers[0],
        .new_keys = values[SEQ].numbers[0],
    };
}

static void add_embedding(struct calc_work *work, const struct calc_value *values,
                          const struct calc_heads *heads)
{
    long double tokens = heads->batch * heads->seq;
    long double places = values[POSITIONS].is_set ? values[POSITIONS].numbers[0] : 0;

    work->group = "embedding";
    if (values[VOCAB].is_set)
        calc_add(work,
                 &(struct calc_part){.name = "tokens",
                                     .parameters = values[VOCAB].numbers[0] * heads->width,
                                     .bytes = 2 * work->element_size * tokens * heads->width});
    if (places > 0)
        calc_add(work,
                 &(struct calc_part){.name = "places",
                                     .elementwise_flops = CALC_ADD_FLOPS * tokens * heads->width,
                                     .parameters = places * heads->width,
                                     .bytes = 2 * work->element_size * tokens * heads->width});
}

static void add_feed_forward(struct calc_work *work, const struct calc_value *values,
                             const struct calc_heads *heads)
{
    long double tokens = heads->batch * heads->seq;
    long double inner = values[FF].is_set ? values[FF].numbers[0] : 4 * heads->width;
    struct calc_linear widen = {tokens, heads->width, inner};

    work->group = "feed-forward";
    calc_add_linear(work, "widen", &widen);
    if (values[GATED].is_set) {
        calc_add_linear(work, "gate", &widen);
        calc_add_pass(work, "activation and gate", tokens * inner, 2 * CALC_ADD_FLOPS);
    } else {
        calc_add_pass(work, "GELU", tokens * inner, CALC_GELU_FLOPS);
    }
    calc_add_linear(work, "narrow", &(struct calc_linear){tokens, inner, heads->width});
}

static void add_layers(struct calc_work *work, const struct calc_value *values,
                       const struct calc_heads *heads)
{
    long double tokens = heads->batch * heads->seq;

    work->times = values[LAYERS].numbers[0];
    calc_add_attention(work, heads);
    add_feed_forward(work, values, heads);
    work->group = "around";
    work->times *= 2; /* both of these surround a residual */
    calc_add_norm(work, "norms", tokens, heads->width);
    calc_add_pass(work, "residuals", tokens * heads->width, CALC_ADD_FLOPS);
    work->times = 1;
}

static void add_head(struct calc_work *work, const struct calc_value *values,
                     const struct calc_heads *heads)
{
    long double tokens = heads->batch * heads->seq, vocabulary = values[VOCAB].numbers[0];
    long double weights = heads->width * vocabulary;

    work->group = "head";
    if (values[DECODER].is_set)
        calc_add_norm(work, "norm", tokens, heads->width);
    if (values[VOCAB].is_set)
        calc_add(work, &(struct calc_part){
                           .name = "vocabulary",
                           .flops = 2 * tokens * weights,
                           .parameters = values[UNTIED].is_set ? weights : 0,
                           .bytes = work->element_size *
                                    (tokens * heads->width + weights + tokens * vocabulary)});
}

/* Elementwise passes have no agreed count backward. */
static void add_backward(struct calc_result *result)
{
    for (size_t i = 0; i < result->parts.count; i++) {
        struct calc_part *part = array_at(&result->parts, i);

        if (part->flops <= 0)
            continue;
        part->flops *= PASSES;
        part->bytes *= PASSES;
    }
}

static void set_causal(struct calc_result *result, const struct calc_value *values,
                       const struct calc_heads *heads)
{
    long double passes = values[TRAINING].is_set ? PASSES : 1;

    if (!values[DECODER].is_set || heads->seq <= 1)
        return;
    result->needed_flops =
        calc_sum(result).flops - passes * values[LAYERS].numbers[0] * calc_masked_flops(heads);
    result->needed_words = &calc_needed_mask_text;
}

static void add_notes(struct calc_result *result, const struct calc_value *values,
                      const struct calc_heads *heads)
{
    if (values[CONTEXT].is_set)
        text_list_say(&result->notes, calc_context_text,
                      said_real((double)(calc_quadratic_flops(result) / heads->context /
                                         (heads->batch * heads->seq))));
    if (values[TRAINING].is_set)
        text_list_say(&result->notes, calc_training_text);
}

static enum status count(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic)
{
    struct calc_work work = calc_begin(result, "embedding", &values[DTYPE]);
    struct calc_heads heads = read_heads(values);

    if (calc_check_heads(&heads, values[DECODER].is_set, "transformer", diagnostic))
        return STATUS_USAGE;
    work.has_bias = !values[NO_BIAS].is_set;
    add_embedding(&work, values, &heads);
    add_layers(&work, values, &heads);
    add_head(&work, values, &heads);
    if (values[TRAINING].is_set)
        add_backward(result);
    result->items = heads.batch;
    result->tokens = heads.batch * heads.seq;
    result->sequence = values[CONTEXT].is_set ? 0 : heads.seq;
    set_causal(result, values, &heads);
    add_notes(result, values, &heads);
    return STATUS_OK;
}

const struct calc_operation calc_transformer = {
    "transformer", "an encoder or decoder, forward or in training", options, OPTIONS, count,
};
