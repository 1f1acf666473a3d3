/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Attention that grows with the square of the sequence: ATTN-N2.
 *
 * Two products (scores and context) and the softmax between them grow quadratically: they handle
 * matrices of s by s numbers.  In the unfused form, each number goes through memory several times.
 * In blocks, no number leaves the cache.
 *
 * Source: T. Dao and others, FlashAttention: Fast and Memory-Efficient Exact
 * Attention with IO-Awareness, 2022.
 */
#include <math.h>

#include "base/pool.h"
#include "findings/rates.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "kernels/kernel_precision.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "statistics/fit.h"

/* From a fifth of the time on, saving half of it justifies a change of design. */
static const double attention_fraction = 0.2;

/* The side of a block: its weights, 64 KiB in float, stay in a second-level cache. */
enum { BLOCK = 128 };

/* Softmax of one number in vector registers: a maximum, a subtraction, an exponential by a
 * polynomial of degree six with its scaling, a sum and a multiplication.  That makes about 24
 * operations of a vector and two passes through the cache. */
static const double softmax_flops = 24, softmax_passes = 2;

struct attention {
    double products_ns;   /* first summed as thread time, then turned to wall time, like the next
                             fields */
    double between_ns;    /* from a product of scores to the product of its context */
    double blocked_ns;    /* the products' time if they were computed in blocks */
    long double elements; /* elements of all score matrices */
    int64_t sequence;     /* sequence length of the slot with the most time */
    int64_t head_width;
    double most_ns;
    enum machine_precision precision;
};

static bool is_scores(const struct findings_context *context, size_t slot)
{
    return roles_of(&context->roles, slot)->role == ROLE_SCORES;
}

/* Scores are square; the context has the width of a head. */
static bool makes_scores(const struct slots_product *product)
{
    return product->m == product->n && product->k != product->m;
}

/* A product of s by s by e, or s by e by s, in blocks. */
static double find_blocked_ns(const struct findings_context *context,
                              const struct slots_product *product, enum machine_precision precision)
{
    struct slots_product block = {product->m < BLOCK ? product->m : BLOCK,
                                  product->n < BLOCK ? product->n : BLOCK,
                                  product->k < BLOCK ? product->k : BLOCK, 1, product->is_complex};
    double blocks = (double)product->m / (double)block.m * (double)product->n / (double)block.n *
                    (double)product->k / (double)block.k * (double)product->count;

    return blocks * rates_product_ns(context, precision, &block);
}

static void add_product(struct attention *attention, const struct findings_context *context,
                        size_t index)
{
    const struct session_slot *slot = session_slot_at(context->session, index);
    double self_ns = (double)slots_times(context->session, slot).self_ns;
    enum machine_precision precision = kernel_precision_of_slot(context->session, slot);
    struct slots_product product;

    if (!slots_find_product(slot, &product))
        return;
    attention->products_ns += self_ns;
    attention->blocked_ns +=
        fmin(self_ns, (double)slot->calls * find_blocked_ns(context, &product, precision));
    if (!makes_scores(&product))
        return;
    attention->elements += (long double)product.m * product.n * product.count * slot->calls;
    if (self_ns <= attention->most_ns)
        return;
    attention->most_ns = self_ns;
    attention->sequence = product.m;
    attention->head_width = product.k;
    attention->precision = precision;
}

/* The result of a slot's calls: scores, the context from scores, or neither.  The gap from scores
 * to context is the softmax. */
enum part { PART_NONE, PART_SCORES, PART_CONTEXT };

struct between {
    enum part *parts;
    double ns;
};

static enum part find_part(const struct findings_context *context, size_t slot)
{
    struct slots_product product;

    if (!is_scores(context, slot))
        return PART_NONE;
    return slots_find_product(session_slot_at(context->session, slot), &product) &&
                   makes_scores(&product)
               ? PART_SCORES
               : PART_CONTEXT;
}

static void follow(void *what, const struct row_call *at)
{
    struct between *between = what;

    if (at->before && between->parts[at->before->slot] == PART_SCORES &&
        between->parts[at->call->slot] == PART_CONTEXT)
        between->ns += fmax(0, row_call_gap_ns(at));
}

static void find_between(struct attention *attention, const struct findings_context *context)
{
    size_t count = context->session->slots.count;
    struct between between = {pool_get_zeros(count + 1, sizeof *between.parts), 0};

    for (size_t i = 0; i < count; i++)
        between.parts[i] = find_part(context, i);
    row_calls_follow(context, follow, &between);
    attention->between_ns = between.ns;
}

enum { SEQUENCES = 64 };

/* The time of the products of one sequence, by its length. */
struct growth {
    double sequence[SEQUENCES];
    double ns[SEQUENCES]; /* time of a single pair */
    size_t count;
};

static void add_to_growth(struct growth *growth, const struct findings_context *context,
                          size_t index)
{
    const struct session_slot *slot = session_slot_at(context->session, index);
    struct slots_product product;
    double call_ns;

    if (!is_scores(context, index) || !slots_find_product(slot, &product) ||
        !makes_scores(&product) || growth->count >= SEQUENCES || slot->calls == 0)
        return;
    call_ns = (double)slots_times(context->session, slot).self_ns / (double)slot->calls;
    growth->sequence[growth->count] = (double)product.m;
    growth->ns[growth->count++] = call_ns / (double)product.count;
}

static void say_growth(struct text *text, const struct findings_context *context)
{
    struct growth growth = {.count = 0};
    struct fit_power power;

    for (size_t i = 0; i < context->session->slots.count; i++)
        add_to_growth(&growth, context, i);
    if (fit_check(growth.sequence, growth.ns, growth.count) != FIT_OK)
        return;
    power = fit_power_of(growth.sequence, growth.ns, growth.count, context->options.confidence);
    say(text, attn_n2_growth_text, said_real(power.exponent),
        said_share(context->options.confidence), said_real(power.exponent_interval.low),
        said_real(power.exponent_interval.high));
}

static double softmax_ns(const struct attention *attention, const struct findings_context *context)
{
    const struct machine *machine = context->judge.machine;
    double bytes = machine_precision_bytes(attention->precision), peak, bandwidth;

    if (!machine || attention->precision >= MACHINE_PRECISIONS)
        return (double)NAN;
    peak = machine_peak(machine, attention->precision, context->judge.threads);
    bandwidth = machine_bandwidth(machine, MACHINE_L2, context->judge.threads);
    /* A peak counts two operations for each instruction of a vector. */
    return findings_wall_ns(
        context, 1e9 * (double)attention->elements *
                     (softmax_flops / (peak / 2) + 2 * softmax_passes * bytes / bandwidth) /
                     context->wall.processor);
}

static void say_evidence(struct finding *finding, const struct attention *attention,
                         const struct findings_context *context)
{
    double sequence = (double)attention->sequence;

    say(&finding->evidence, attn_n2_times_text, said_time(attention->products_ns),
        said_time(attention->between_ns), said_share(finding->fraction));
    say(&finding->evidence, attn_n2_sizes_text, said_count((uint64_t)attention->sequence),
        said_count((uint64_t)attention->head_width),
        said_bytes(machine_precision_bytes(attention->precision) * sequence * sequence));
    say_growth(&finding->evidence, context);
    findings_say_whole(&finding->evidence, context);
}

static void add_attention(const struct findings_context *context, struct findings *findings,
                          const struct attention *attention)
{
    double now_ns = attention->products_ns + attention->between_ns;
    double then_ns =
        attention->blocked_ns + fmin(attention->between_ns, softmax_ns(attention, context));
    struct finding_claim claim = {now_ns, now_ns - then_ns, FINDING_CONFIDENCE_MEDIUM};
    struct finding *finding = findings_add(findings, &claim);

    say_evidence(finding, attention, context);
    finding_add_number(finding, "sequence", (double)attention->sequence);
    finding_add_number(finding, "between_ns", attention->between_ns);
    finding_add_number(finding, "products_ns", attention->products_ns);
}

static void take_to_wall(struct attention *attention, const struct findings_context *context)
{
    attention->products_ns = findings_wall_ns(context, attention->products_ns);
    attention->blocked_ns = findings_wall_ns(context, attention->blocked_ns);
    attention->between_ns = findings_outside_ns(context, attention->between_ns);
}

static void judge_attention(const struct findings_context *context, struct findings *findings,
                            const struct attention *attention)
{
    double fraction = (attention->products_ns + attention->between_ns) / context->wall.ns;
    struct said sequence = said_count((uint64_t)attention->sequence);

    if (fraction < attention_fraction)
        findings_pass(findings, attn_n2_passed_text, said_share(fraction), sequence);
    else if (attention->sequence <= BLOCK)
        findings_pass(findings, attn_n2_short_text, sequence, sequence, said_share(fraction));
    else if (isnan(softmax_ns(attention, context)) || isnan(attention->blocked_ns))
        findings_skip(findings, attn_n2_uncalibrated_text, said_share(fraction));
    else
        add_attention(context, findings, attention);
}

void rule_attn_n2(const struct findings_context *context, struct findings *findings)
{
    struct attention attention = {.precision = MACHINE_PRECISIONS};

    for (size_t i = 0; i < context->session->slots.count; i++)
        if (is_scores(context, i))
            add_product(&attention, context, i);
    if (!(attention.elements > 0)) {
        findings_skip(findings, attn_n2_skipped_text);
        return;
    }
    find_between(&attention, context);
    take_to_wall(&attention, context);
    judge_attention(context, findings, &attention);
}
