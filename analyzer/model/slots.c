/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Slots and their kernels.
 */
#include "model/slots.h"

#include <math.h>
#include <string.h>

#include "model/course.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_losses.h"
#include "model/session_threads.h"
#include "model/session_unknown.h"

bool slots_is_numbered(const struct session_slot *slot, uint64_t seen)
{
    return seen == slot->durations_ns.count && seen >= slot->recorded_calls &&
           slot->timed_calls == slot->calls && !slot->is_sequel;
}

uint64_t slots_without_cost(double ns, double cost_ns)
{
    return ns > cost_ns ? (uint64_t)llround(ns - cost_ns) : 0;
}

struct slots_times slots_times(const struct session *session, const struct session_slot *slot)
{
    return (struct slots_times){session_without_cost(session, slot, slot->total_ns),
                                session_without_cost(session, slot, slot->self_ns)};
}

double slots_stands_for(const struct session_slot *slot)
{
    return slot->timed_calls > 0 ? fmax(1, (double)slot->calls / (double)slot->timed_calls) : 1;
}

double slots_estimated_by_timed(const struct session *session, const struct session_slot *slot)
{
    double timed_ns = slot->estimated_ns > 0 ? session_timed_ns(session, slot) : 0;

    return timed_ns > 0 ? (double)slot->estimated_ns / timed_ns : 0;
}

static double course_ns(const struct session *session, uint32_t thread)
{
    const struct session_course *course = course_of(session, thread);
    const struct course_call *calls = course->calls.items;
    double sum_ns = 0;

    for (size_t i = 0; i < course->calls.count; i++)
        sum_ns += (double)course_length_ns(&calls[i]) *
                  (1 + slots_estimated_by_timed(session, session_slot_at(session, calls[i].slot)));
    return sum_ns;
}

bool slots_are_in_courses(const struct session *session, uint32_t thread)
{
    const double nearly = 0.95;
    double sum_ns = 0, kernel_ns = 0;

    for (uint32_t i = 0; i < session->threads.count; i++) {
        const struct session_thread *of = session_thread_at(session, i);

        if (thread != SESSION_NONE && i != thread)
            continue;
        sum_ns += course_ns(session, i);
        kernel_ns += (double)of->kernel_ns;
    }
    return sum_ns >= nearly * kernel_ns;
}

double slots_outer_cost_ns(const struct session *session, const struct session_slot *slot)
{
    const struct session_overhead *overhead = &session->overhead;
    const struct catalog_kernel *kernel = slot->kernel;
    double timed_ns = kernel && !kernel->is_compiled ? overhead->entry_ns : overhead->kernel_ns;
    double untimed_ns = kernel && kernel->is_sampled ? overhead->counted_ns : overhead->left_out_ns;

    return fmax(0, timed_ns - session_inner_cost_ns(session, slot)) +
           untimed_ns * (slots_stands_for(slot) - 1);
}

/* Beyond it no matrix fits an address space, and sizes may be multiplied. */
#define SIZE_MOST 0x1p47

static bool is_size(int64_t size)
{
    return size > 0 && (double)size <= SIZE_MOST;
}

int64_t slots_find_term(const struct session_slot *slot, const char *name)
{
    for (unsigned i = 0; slot->kernel && i < slot->kernel->shape_count && i < slot->dims; i++)
        if (strcmp(slot->kernel->shape[i].name, name) == 0)
            return slot->shape[i];
    return 0;
}

enum catalog_precision slots_said_precision(const struct session_slot *slot)
{
    const struct catalog_kernel *kernel = slot->kernel;

    if (!kernel || slot->dims != kernel->shape_count)
        return CATALOG_PRECISIONS;
    return catalog_find_precision(kernel, slot->shape);
}

/* Complex products do four times the FLOPs, without those of alpha and beta; 3M variants three
 * times. */
static const long double least_complex = 3;

static int64_t find_term_or_one(const struct session_slot *slot, const char *name)
{
    int64_t value = slots_find_term(slot, name);

    return value > 0 ? value : 1;
}

/* A linear layer by the sizes of oneDNN's inner product: the forward pass sums
 * over the inputs, its gradients over the outputs and over the items. */
static void read_layer(struct slots_product *product, const struct session_slot *slot)
{
    int64_t items = slots_find_term(slot, "mb"), outputs = slots_find_term(slot, "oc");
    long double all_inputs = (long double)slots_find_term(slot, "ic") *
                             find_term_or_one(slot, "id") * find_term_or_one(slot, "ih") *
                             find_term_or_one(slot, "iw");
    int64_t inputs = all_inputs >= 1 && all_inputs <= SIZE_MOST ? (int64_t)all_inputs : 0;

    if (strstr(slot->kernel->name, "backward_data"))
        *product = (struct slots_product){items, inputs, outputs, 0, false};
    else if (strstr(slot->kernel->name, "backward_weights"))
        *product = (struct slots_product){inputs, outputs, items, 0, false};
    else
        *product = (struct slots_product){items, outputs, inputs, 0, false};
}

static void read_product(struct slots_product *product, const struct session_slot *slot)
{
    if (strstr(slot->kernel->name, "inner_product"))
        read_layer(product, slot);
    else
        *product = (struct slots_product){slots_find_term(slot, "m"), slots_find_term(slot, "n"),
                                          slots_find_term(slot, "k"), 0, false};
}

/* How many times the FLOPs of one real product. */
static long double times_of(const struct session_slot *slot, const struct slots_product *of)
{
    return slot->flops_each / (2.0L * of->m * of->n * of->k);
}

/* A call computes several products if one more term of its shape is their number: its FLOPs are
 * that many times those of one product.  Complex products do four times the FLOPs of real ones. */
static uint64_t count_products(const struct session_slot *slot, const struct slots_product *of)
{
    const struct catalog_kernel *kernel = slot->kernel;
    long double times = times_of(slot, of);

    for (unsigned i = 0; i < kernel->shape_count; i++) {
        int64_t value = slot->shape[i];

        if (strlen(kernel->shape[i].name) == 1 && strchr("mnk", kernel->shape[i].name[0]))
            continue;
        if (is_size(value) && ((long double)value == times || 4.0L * value == times))
            return (uint64_t)value;
    }
    return 1;
}

bool slots_find_product(const struct session_slot *slot, struct slots_product *product)
{
    const struct catalog_kernel *kernel = slot->kernel;

    if (!kernel || kernel->class != CATALOG_MATMUL || kernel->shape_count != slot->dims)
        return false;
    read_product(product, slot);
    if (!is_size(product->m) || !is_size(product->n) || !is_size(product->k) ||
        !(slot->flops_each > 0))
        return false;
    product->count = count_products(slot, product);
    product->is_complex = times_of(slot, product) >= least_complex * product->count;
    return true;
}

bool slots_find_vector_product(const struct session_slot *slot,
                               struct slots_vector_product *product)
{
    struct slots_product of;

    if (slot->kernel && strstr(slot->kernel->name, "gemv")) {
        product->outputs = slots_find_term(slot, "m");
        product->inputs = slots_find_term(slot, "n");
    } else if (slots_find_product(slot, &of) && of.count == 1 && (of.m == 1 || of.n == 1)) {
        product->outputs = of.m * of.n;
        product->inputs = of.k;
    } else
        return false;
    return product->outputs > 1 && product->inputs > 1;
}
