/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Products that are multiplied out for a single vector: ORDER.
 *
 * A of m by k and B of k by n: (A B) v takes 2 m n k + 2 m n FLOPs, A (B v) takes 2 k (m + n).  The
 * trace knows shapes, not numbers.  The sizes show that the product may be multiplied by the
 * vector.  The time between the two calls shows that nothing changed the product's elements in
 * between, as an activation would: any pass over the product takes longer.
 *
 * Source: H. Barthels, M. Copik, P. Bientinesi, The generalized matrix chain algorithm, CGO 2018.
 */
#include <math.h>

#include "base/pool.h"
#include "findings/rates.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* Shares of the wall time: the least saving, and the least row. */
static const double least_share = 0.1, least_of_row = 0.01;

/* The sides of a product, or of a matrix that is multiplied by a vector. */
struct order_row {
    int64_t rows, columns; /* 0: neither a product nor a vector */
    bool is_vector;
    double pass_ns;    /* the least time to read the product once */
    double cost_ns;    /* our own, before a call */
    uint64_t calls;    /* calls of a product */
    uint64_t followed; /* the calls followed by a vector */
    uint64_t at_once;  /* the calls followed before any pass over the product */
};

static bool is_same_matrix(const struct order_row *a, const struct order_row *b)
{
    return (a->rows == b->rows && a->columns == b->columns) ||
           (a->rows == b->columns && a->columns == b->rows);
}

/* Assumes as many threads as can run: the library may use one, but the program's loops more. */
static double pass_ns(const struct findings_context *context, double bytes)
{
    uint64_t allowed = context->session->process.cpu_count;
    unsigned threads = context->judge.threads;

    if (allowed < UINT32_MAX && allowed > threads)
        threads = (unsigned)allowed;
    return rates_pass_ns(context, bytes, threads);
}

static struct order_row read_row(const struct findings_context *context, size_t row)
{
    const struct group *group = findings_group(context, row);
    const struct session_slot *slot = findings_slot(context, group);
    enum machine_precision precision = findings_judgement(context, row)->precision;
    struct slots_vector_product vector;
    struct slots_product product;
    double bytes;

    if (slots_find_vector_product(slot, &vector))
        return (struct order_row){.rows = vector.outputs,
                                  .columns = vector.inputs,
                                  .is_vector = true,
                                  .cost_ns = slots_outer_cost_ns(context->session, slot)};
    if (!slots_find_product(slot, &product) || product.count > 1 || product.k == 1 ||
        precision >= MACHINE_PRECISIONS)
        return (struct order_row){0};
    bytes = machine_precision_bytes(precision) * (double)product.m * (double)product.n;
    return (struct order_row){
        .rows = product.m, .columns = product.n, .pass_ns = pass_ns(context, bytes)};
}

/* Returns: whether there are a product and a vector. */
static bool read_rows(struct order_row *rows, const struct findings_context *context)
{
    bool has_product = false, has_vector = false;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        rows[i] = read_row(context, i);
        has_vector |= rows[i].is_vector;
        has_product |= rows[i].rows > 0 && !rows[i].is_vector;
    }
    return has_product && has_vector;
}

static void follow(void *what, const struct row_call *at)
{
    struct order_row *rows = what, *of = &rows[at->row], *before = &rows[at->row_before];

    of->calls += of->rows > 0 && !of->is_vector;
    if (!at->before || before->is_vector || !of->is_vector || !is_same_matrix(before, of))
        return;
    before->followed++;
    before->at_once += row_call_gap_ns(at) - of->cost_ns < before->pass_ns;
}

/* A vector follows most calls of a significant row.  A loop that changes the product in between
 * would do so each time, so some immediate vectors are enough.  Before the others, the thread may
 * have lost its processor. */
static bool is_multiplied_out(const struct findings_context *context, const struct order_row *of,
                              const struct group *group)
{
    const uint64_t some = 4;

    return 2 * of->followed >= of->calls && of->at_once > 0 && some * of->at_once >= of->followed &&
           findings_fraction(context, (double)group->self_ns) >= least_of_row;
}

/* The time of all vectors that are multiplied by a matrix of these sides. */
static double vectors_ns(const struct findings_context *context, const struct order_row *rows,
                         const struct order_row *matrix)
{
    double sum_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++)
        if (rows[i].is_vector && is_same_matrix(&rows[i], matrix))
            sum_ns += (double)findings_group(context, i)->self_ns;
    return sum_ns;
}

/* The saving without the product: each vector is multiplied by the two factors, with k (m + n)
 * elements, instead of by the product, with m n.  A product for many vectors may be worth its
 * time. */
static double saved_ns(const struct findings_context *context, const struct order_row *rows,
                       size_t row)
{
    const struct group *group = findings_group(context, row);
    struct slots_product of;
    double larger;

    if (!is_multiplied_out(context, &rows[row], group) ||
        !slots_find_product(findings_slot(context, group), &of))
        return 0;
    larger = (double)of.k * ((double)of.m + (double)of.n) / ((double)of.m * (double)of.n);
    return (double)group->self_ns - fmax(0, larger - 1) * vectors_ns(context, rows, &rows[row]);
}

/* If a factor has the sides of the product, the vector may belong to the factor. */
static bool is_ambiguous(const struct findings_context *context, const struct group *group)
{
    struct slots_product of;

    return !slots_find_product(findings_slot(context, group), &of) || of.k == of.n || of.k == of.m;
}

struct multiplied_out {
    struct targets rows;
    double ambiguous_ns; /* part of rows.thread_ns */
};

static struct multiplied_out gather(const struct findings_context *context,
                                    const struct order_row *rows)
{
    struct multiplied_out of = {.ambiguous_ns = 0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        double saved = saved_ns(context, rows, i);

        if (!(saved > 0))
            continue;
        targets_add(&of.rows, group, saved);
        of.ambiguous_ns += is_ambiguous(context, group) ? (double)group->self_ns : 0;
    }
    return of;
}

static void add_order(const struct findings_context *context, struct findings *findings,
                      const struct multiplied_out *of)
{
    bool is_ambiguous = of->ambiguous_ns > of->rows.thread_ns / 2;
    struct finding *finding =
        targets_claim(findings, &of->rows, context,
                      is_ambiguous ? FINDING_CONFIDENCE_LIMIT : FINDING_CONFIDENCE_LOW);

    if (is_ambiguous)
        finding_weaken(finding, FINDING_BOUNDS);
    say(&finding->evidence, order_follows_text);
}

void rule_order(const struct findings_context *context, struct findings *findings)
{
    struct order_row *rows = pool_get_zeros(context->groups.rows.count + 1, sizeof *rows);
    struct multiplied_out of = {.ambiguous_ns = 0};
    bool has_both;

    has_both = read_rows(rows, context);
    if (has_both) {
        row_calls_follow(context, follow, rows);
        of = gather(context, rows);
    }
    if (has_both && !context->judge.machine)
        findings_skip(findings, order_uncalibrated_text);
    else if (findings_fraction(context, of.rows.saved_ns) >= least_share)
        add_order(context, findings, &of);
    else
        findings_pass(findings, order_passed_text,
                      said_share(findings_fraction(context, of.rows.thread_ns)));
}
