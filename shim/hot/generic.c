/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plans of user kernels: made when the catalog file is read, followed at
 * every call.
 */
#include "hot/generic.h"

#include <stddef.h>

#include "adapter/adapter.h"
#include "hot/probe.h"
#include "hot/shape.h"

static bool is_real(const struct catalog_argument *argument)
{
    return !argument->is_pointer &&
           (argument->access == CATALOG_FLOAT || argument->access == CATALOG_DOUBLE);
}

/* Integers and reals are numbered apart, each from the first register on. */
static unsigned place_of(const struct catalog_kernel *kernel, unsigned argument)
{
    unsigned place = 0;

    for (unsigned i = 0; i < argument; i++)
        place += !is_real(&kernel->arguments[i]);
    return place;
}

static enum catalog_access width_of(enum catalog_access access, bool is_wide)
{
    if (access != CATALOG_INTEGER)
        return access;
    return is_wide ? CATALOG_INT64 : CATALOG_INT32;
}

const char *generic_make_plan(struct generic_plan *plan, const struct catalog_kernel *kernel,
                              bool is_wide)
{
    unsigned integers = place_of(kernel, kernel->argument_count) + kernel->hidden;
    unsigned reals = kernel->argument_count + kernel->hidden - integers;

    if (integers > GENERIC_INTEGERS || reals > GENERIC_REALS)
        return "it has more arguments than a wrapper for user kernels passes on";
    plan->dims = kernel->shape_count;
    for (unsigned i = 0; i < kernel->shape_count; i++) {
        const struct catalog_term *term = &kernel->shape[i];
        const struct catalog_argument *argument;

        if (term->argument < 0)
            return "its shape has a formula, which this version cannot compute while it records";
        argument = &kernel->arguments[term->argument];
        plan->steps[i] = (struct generic_step){(uint8_t)place_of(kernel, (unsigned)term->argument),
                                               (uint8_t)width_of(argument->access, is_wide),
                                               argument->is_pointer};
    }
    return NULL;
}

static int64_t read_word(const struct generic_step *step, word value)
{
    const void *at = step->is_pointer ? (const void *)value : (const void *)&value;

    if (step->access == CATALOG_LETTER)
        return shape_letter(*(const char *)at);
    if (step->access == CATALOG_CBLAS)
        return shape_cblas_letter(*(const int32_t *)at);
    if (step->access == CATALOG_INT64)
        return *(const int64_t *)at;
    return *(
        const int32_t *)at; /* the low half of a word in memory: both machines are little-endian */
}

static void adapt(const struct binding *binding, const word *integers, struct probe *probe,
                  int64_t *shape)
{
    const struct adapter_call *call = binding->symbol->plan->adapter;
    const struct object_shape *of;

    if (call->before)
        call->before(integers);
    if (call->object < 0)
        return;
    of = adapter_find_shape(call, binding, (const void *)integers[call->object]);
    probe->key.head.dims = TRACE_DIMS_WIDE;
    probe->owns = of->owns;
    shape[0] = of->id;
}

void generic_prepare(const struct binding *binding, const word *integers, struct probe *probe,
                     int64_t *shape)
{
    const struct generic_plan *plan = binding->symbol->plan;

    if (plan->adapter)
        adapt(binding, integers, probe, shape);
    for (unsigned i = 0; i < plan->dims; i++)
        shape[i] = read_word(&plan->steps[i], integers[plan->steps[i].place]);
}

void generic_conclude(const struct binding *binding, const word *integers, word result)
{
    const struct adapter_call *call = binding->symbol->plan->adapter;

    if (call->after)
        call->after(binding, integers, result);
}
