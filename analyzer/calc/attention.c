/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Multi-head attention with its projections.  With b items, n tokens, m tokens
 * of context and width d: 8 b n d^2 in the projections of self-attention and
 * 4 b n m d in scores and context, whatever the number of heads.
 *
 * Source: Vaswani and others, "Attention is all you need", 2017.
 */
#include "calc/parts.h"

#include <math.h>

#include "calc/texts.h"

enum option { BATCH, SEQ, D_MODEL, HEADS, KV_HEADS, KV_SEQ, FF, CAUSAL, NO_BIAS, DTYPE, OPTIONS };

static const struct calc_option options[] = {
    [BATCH] = CALC_NUMBER("batch", "batch", "sequences", CALC_OPTIONAL, "1"),
    [SEQ] = CALC_NUMBER("seq", "seq", "tokens of a sequence", CALC_NEEDED, NULL),
    [D_MODEL] = CALC_NUMBER("d_model", "d-model", "width of a token", CALC_NEEDED, NULL),
    [HEADS] = CALC_NUMBER("heads", "heads", "heads that split the width; they do not change FLOPs",
                          CALC_OPTIONAL, "1"),
    [KV_HEADS] =
        CALC_NUMBER("kv_heads", "kv-heads", "heads of keys and values, if several heads share them",
                    CALC_OPTIONAL, NULL),
    [KV_SEQ] = CALC_NUMBER("kv_seq", "kv-seq",
                           "tokens of keys and values, if from another sequence or, with a "
                           "causal mask, from a cache",
                           CALC_OPTIONAL, NULL),
    [FF] = CALC_NUMBER("ff", "ff", "add a feed-forward of this inner width", CALC_OPTIONAL, NULL),
    [CAUSAL] = CALC_SWITCH("causal", "causal", "also count a kernel that skips masked scores"),
    [NO_BIAS] = CALC_SWITCH("no_bias", "no-bias", "projections add no bias"),
    [DTYPE] = CALC_DTYPE,
};

void calc_add_attention(struct calc_work *work, const struct calc_heads *of)
{
    long double queries = of->batch * of->seq, keys = of->batch * of->new_keys;
    long double head_width = of->width / of->heads, shared = head_width * of->key_heads;
    struct calc_product scores = {of->batch * of->heads, of->seq, of->context, head_width, true};
    struct calc_product context = {of->batch * of->heads, of->seq, head_width, of->context, true};

    work->group = "projections";
    calc_add_linear(work, "queries", &(struct calc_linear){queries, of->width, of->width});
    calc_add_linear(work, "keys", &(struct calc_linear){keys, of->width, shared});
    calc_add_linear(work, "values", &(struct calc_linear){keys, of->width, shared});
    work->group = "attention";
    calc_add_product(work, "scores", &scores);
    calc_add_pass(work, "softmax", queries * of->heads * of->context, CALC_SOFTMAX_FLOPS);
    calc_add_product(work, "context", &context);
    work->group = "projections";
    calc_add_linear(work, "output", &(struct calc_linear){queries, of->width, of->width});
}

long double calc_masked_flops(const struct calc_heads *of)
{
    return 4 * of->batch * of->width * (of->seq * (of->seq - 1) / 2);
}

enum status calc_check_heads(const struct calc_heads *of, bool is_causal, const char *operation,
                             struct diagnostic *diagnostic)
{
    if (fmodl(of->width, of->heads) != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc %s: --d-model %.0Lf is not divisible by --heads %.0Lf",
                              operation, of->width, of->heads);
    if (fmodl(of->heads, of->key_heads) != 0)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc %s: --heads %.0Lf is not divisible by --kv-heads %.0Lf",
                              operation, of->heads, of->key_heads);
    if (is_causal && of->context < of->seq)
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "flops calc %s: with a causal mask the context, %.0Lf tokens, cannot "
                              "be shorter than --seq %.0Lf",
                              operation, of->context, of->seq);
    return STATUS_OK;
}

static struct calc_heads read_heads(const struct calc_value *values)
{
    struct calc_heads heads = {
        .batch = values[BATCH].numbers[0],
        .seq = values[SEQ].numbers[0],
        .context = values[values[KV_SEQ].is_set ? KV_SEQ : SEQ].numbers[0],
        .width = values[D_MODEL].numbers[0],
        .heads = values[HEADS].numbers[0],
        .key_heads = values[values[KV_HEADS].is_set ? KV_HEADS : HEADS].numbers[0],
    };

    heads.new_keys = values[CAUSAL].is_set ? heads.seq : heads.context;
    return heads;
}

static void add_feed_forward(struct calc_work *work, const struct calc_heads *heads,
                             long double inner)
{
    long double tokens = heads->batch * heads->seq;

    work->group = "feed-forward";
    calc_add_linear(work, "widen", &(struct calc_linear){tokens, heads->width, inner});
    calc_add_pass(work, "GELU", tokens * inner, CALC_GELU_FLOPS);
    calc_add_linear(work, "narrow", &(struct calc_linear){tokens, inner, heads->width});
}

static enum status count(const struct calc_value *values, struct calc_result *result,
                         struct diagnostic *diagnostic)
{
    struct calc_work work = calc_begin(result, "attention", &values[DTYPE]);
    struct calc_heads heads = read_heads(values);

    if (calc_check_heads(&heads, values[CAUSAL].is_set, "attention", diagnostic))
        return STATUS_USAGE;
    work.has_bias = !values[NO_BIAS].is_set;
    calc_add_attention(&work, &heads);
    if (values[FF].is_set)
        add_feed_forward(&work, &heads, values[FF].numbers[0]);
    result->items = heads.batch;
    result->tokens = heads.batch * heads.seq;
    result->sequence = values[KV_SEQ].is_set ? 0 : heads.seq;
    if (values[CAUSAL].is_set) {
        result->needed_flops = calc_sum(result).flops - calc_masked_flops(&heads);
        result->needed_words = &calc_needed_mask_text;
    }
    return STATUS_OK;
}

const struct calc_operation calc_attention = {
    "attention", "multi-head attention with its projections", options, OPTIONS, count,
};
