/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Parts and their sums.
 */
#include "calc/parts.h"

struct calc_work calc_begin(struct calc_result *result, const char *group,
                            const struct calc_value *dtype)
{
    return (struct calc_work){.result = result,
                              .group = group,
                              .times = 1,
                              .element_size = dtype->numbers[0],
                              .has_bias = true};
}

void calc_add(struct calc_work *work, const struct calc_part *part)
{
    struct calc_part *added = array_add(&work->result->parts);

    *added = *part;
    added->group = work->group;
    added->flops *= work->times;
    added->elementwise_flops *= work->times;
    added->parameters *= work->times;
    added->bytes *= work->times;
}

void calc_add_product(struct calc_work *work, const char *name, const struct calc_product *of)
{
    calc_add(work, &(struct calc_part){.name = name,
                                       .flops = 2 * of->batch * of->m * of->n * of->k,
                                       .bytes = work->element_size * of->batch *
                                                (of->m * of->k + of->k * of->n + of->m * of->n),
                                       .is_quadratic = of->is_quadratic});
}

void calc_add_linear(struct calc_work *work, const char *name, const struct calc_linear *of)
{
    long double bias = work->has_bias ? of->outputs : 0;
    long double parameters = of->inputs * of->outputs + bias;

    calc_add(work,
             &(struct calc_part){.name = name,
                                 .flops = 2 * of->rows * of->inputs * of->outputs,
                                 .elementwise_flops = CALC_ADD_FLOPS * of->rows * bias,
                                 .parameters = parameters,
                                 .bytes = work->element_size *
                                          (of->rows * (of->inputs + of->outputs) + parameters)});
}

void calc_add_pass(struct calc_work *work, const char *name, long double elements,
                   long double flops_each)
{
    calc_add(work, &(struct calc_part){.name = name,
                                       .elementwise_flops = flops_each * elements,
                                       .bytes = 2 * work->element_size * elements});
}

void calc_add_norm(struct calc_work *work, const char *name, long double rows, long double width)
{
    long double parameters = work->has_bias ? 2 * width : width;

    calc_add(work,
             &(struct calc_part){.name = name,
                                 .elementwise_flops = CALC_NORM_FLOPS * rows * width,
                                 .parameters = parameters,
                                 .bytes = work->element_size * (2 * rows * width + parameters)});
}

struct calc_part calc_sum(const struct calc_result *result)
{
    struct calc_part sum = {0};

    for (size_t i = 0; i < result->parts.count; i++) {
        const struct calc_part *part = array_at(&result->parts, i);

        sum.flops += part->flops;
        sum.elementwise_flops += part->elementwise_flops;
        sum.parameters += part->parameters;
        sum.bytes += part->bytes;
    }
    return sum;
}

long double calc_quadratic_flops(const struct calc_result *result)
{
    long double flops = 0;

    for (size_t i = 0; i < result->parts.count; i++) {
        const struct calc_part *part = array_at(&result->parts, i);

        flops += part->is_quadratic ? part->flops : 0;
    }
    return flops;
}
