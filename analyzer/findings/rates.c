/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Predicting products of matrices.
 *
 * A product takes its FLOPs at the rate of large ones, plus the time to copy its operands: a BLAS
 * reads both, writes them in blocks and reads the blocks again.
 * Source: K. Goto, R. van de Geijn, Anatomy of High-Performance Matrix
 * Multiplication, ACM TOMS 34(3), 2008.  OpenBLAS on Zen 5, one thread, m by 512
 * by 784 in f32 with m = 8, 32, 64, 128: predicted 87, 239, 438, 836 us, measured
 * 88, 245, 448, 863.
 */
#include "findings/rates.h"

#include <math.h>

#include "findings/texts.h"

static const double copies = 3; /* copies of the operands: read, write, read again; the result is in
                                   place */

/* How fast a product is computed. */
struct speed {
    double flops_per_second;
    unsigned threads;
};

struct product_rate rates_of_products(const struct findings_context *context,
                                      enum machine_precision precision)
{
    return context->rates[precision];
}

void rates_say(struct text *text, const struct product_rate *rate)
{
    say(text, rate->is_calibrated ? rates_calibrated_text : rates_traced_text,
        said_flop_rate(rate->flops_per_second));
}

double rates_pass_ns(const struct findings_context *context, double bytes, unsigned threads)
{
    const struct machine *machine = context->judge.machine;
    enum machine_level level;
    double bandwidth;

    if (!machine)
        return 0;
    level = machine_find_home(machine, bytes, threads);
    bandwidth = machine_bandwidth(machine, level, threads);
    return bandwidth > 0 ? 1e9 * bytes / bandwidth : 0;
}

/* A complex number takes four multiplications, and twice the bytes. */
static double product_ns(const struct findings_context *context, enum machine_precision precision,
                         const struct slots_product *product, const struct speed *speed)
{
    double m = (double)product->m, n = (double)product->n, k = (double)product->k;
    double parts = product->is_complex ? 2 : 1;
    double factors = m * k + k * n, results = 2 * m * n; /* each result element is read and
                                                            written */
    double bytes = parts * machine_precision_bytes(precision) * (factors + results);
    double passes = (copies * factors + results) / (factors + results);

    return (double)product->count * (1e9 * 2 * parts * parts * m * n * k / speed->flops_per_second +
                                     passes * rates_pass_ns(context, bytes, speed->threads));
}

double rates_product_ns(const struct findings_context *context, enum machine_precision precision,
                        const struct slots_product *product)
{
    const struct speed speed = {rates_of_products(context, precision).flops_per_second,
                                context->judge.threads};

    return product_ns(context, precision, product, &speed) / context->wall.processor;
}

double rates_product_on_ns(const struct findings_context *context, enum machine_precision precision,
                           const struct slots_product *product, unsigned threads)
{
    const struct speed speed = {machine_gemm(context->judge.machine, precision, threads), threads};

    return product_ns(context, precision, product, &speed);
}

double rates_least_ns(const struct findings_context *context, size_t row)
{
    const struct judgement *judgement = findings_judgement(context, row);
    const struct group *group = findings_group(context, row);
    double rate = rates_of_products(context, judgement->precision).flops_per_second;
    struct machine_roof roof = judgement->roof;

    if (judgement->is_invalid || isnan(judgement->roof_fraction))
        return (double)NAN;
    if (group_is_product(group) && rate < roof.peak)
        roof.peak = rate;
    return 1e9 * machine_least_seconds(&roof, group->flops, group->bytes) / context->wall.processor;
}

struct succession rates_find_succession(const struct findings_context *context,
                                        const struct group *group)
{
    struct succession sum = {0};

    for (size_t i = group->slot; i != GROUPS_NO_SLOT; i = groups_next_slot(&context->groups, i)) {
        const struct succession *succession = array_at(&context->successions.slots, i);

        sum.calls += succession->calls;
        sum.runs += succession->runs;
        sum.close_gaps += succession->close_gaps;
        sum.close_gap_ns += succession->close_gap_ns;
        sum.far_gaps += succession->far_gaps;
        sum.far_gap_ns += succession->far_gap_ns;
        sum.repeats += succession->repeats;
    }
    return sum;
}
