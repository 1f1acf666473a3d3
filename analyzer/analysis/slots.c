/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots and their kernels.
 */
#include "analysis/slots.h"

#include <math.h>
#include <string.h>

const struct catalog_kernel *slots_kernel(const struct session *session,
                                          const struct session_slot *slot)
{
    const struct session_binding *binding = array_at(&session->bindings, slot->binding);

    return binding->kernel;
}

double slots_inner_cost_ns(const struct session *session, const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slots_kernel(session, slot);

    if (kernel && !kernel->is_compiled)
        return session->overhead.entry_inner_ns;
    return session->overhead.kernel_inner_ns;
}

uint64_t slots_without_cost(double ns, double cost_ns)
{
    return ns > cost_ns ? (uint64_t)llround(ns - cost_ns) : 0;
}

struct slots_times slots_times(const struct session *session, const struct session_slot *slot)
{
    double cost_ns = round(slots_inner_cost_ns(session, slot) * (double)slot->calls);

    return (struct slots_times){slots_without_cost((double)slot->total_ns, cost_ns),
                                slots_without_cost((double)slot->self_ns, cost_ns)};
}

/* Returns: the value of a term, or 0. */
static int64_t find_term(const struct catalog_kernel *kernel, const struct session_slot *slot,
                         const char *name)
{
    for (unsigned i = 0; i < kernel->shape_count; i++)
        if (strcmp(kernel->shape[i].name, name) == 0)
            return slot->shape[i];
    return 0;
}

/* How many products a call is made of follows from its FLOPs, whatever the
 * term of a batch is called; complex ones count four times as many. */
bool slots_find_product(const struct session *session, const struct session_slot *slot,
                        struct slots_product *product)
{
    const struct catalog_kernel *kernel = slots_kernel(session, slot);
    long double count;

    if (!kernel || kernel->class != CATALOG_MATMUL || kernel->shape_count != slot->dims)
        return false;
    product->m = find_term(kernel, slot, "m");
    product->n = find_term(kernel, slot, "n");
    product->k = find_term(kernel, slot, "k");
    if (product->m <= 0 || product->n <= 0 || product->k <= 0)
        return false;
    count = slot->flops_each / (2.0L * product->m * product->n * product->k);
    if (!(count >= 1 && count < 0x1p62L) || count != floorl(count))
        return false;
    product->count = (uint64_t)count;
    return true;
}
