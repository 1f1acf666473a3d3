/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices that are inverted: INVERSE.
 *
 * Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 14: of the 2 n^3
 * FLOPs of an inverse, a third is the factorization.  The factors suffice to solve A x = b for any
 * number of b, with a smaller error.
 */
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "findings/routines.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session_kernels.h"

static const double least_share = 0.1; /* share of the wall time */

/* numpy.linalg.inv is gesv with an identity: as many right-hand sides as unknowns.  Such a call is
 * recognized if its result is multiplied by a matrix with fewer columns.  The advice also holds for
 * other right-hand sides: (A^-1 B) v is A^-1 (B v). */
struct system_row {
    int64_t order; /* unknowns of a system with as many right-hand sides; 0: another kernel */
    int64_t side;  /* side of the square matrix in a product with at most half as many columns; 0:
                      another kernel */
    uint64_t calls;
    uint64_t followed; /* calls followed by such a product before the thread's next such system */
};

/* Smaller systems spend most of their time outside of FLOPs. */
static const int64_t least_order = 64;

/* The right-hand sides take three quarters of the (2/3 + 2) n^3 FLOPs.  Their triangular systems
 * are solved at a lower rate than the factorization: they took 75 to 79 % of the time with OpenBLAS
 * 0.3.21, and 72 to 77 % with netlib's, for n from 64 to 1500.  So this share is an upper bound. */
static const double right_sides_share = 0.8;

static int64_t find_order(const struct group *group, const struct session_slot *slot)
{
    int64_t order = slots_find_term(slot, "n");
    bool is_meant = routine_of(group->name) == ROUTINE_SOLVES && order >= least_order &&
                    order == slots_find_term(slot, "nrhs");

    return is_meant ? order : 0;
}

static int64_t find_side(const struct group *group, const struct session_slot *slot)
{
    struct slots_product product;
    int64_t rows = slots_find_term(slot, "m");

    if (group->name && strstr(group->name, "gemv"))
        return rows == slots_find_term(slot, "n") ? rows : 0;
    if (!slots_find_product(slot, &product))
        return 0;
    if (product.m == product.k && product.n <= product.m / 2)
        return product.m;
    return product.n == product.k && product.m <= product.n / 2 ? product.n : 0;
}

struct systems {
    struct system_row *rows; /* rows of the context */
    struct system_row *last; /* the last system of the thread whose result nothing has used */
};

/* Returns: whether there is a system with as many right sides. */
static bool read_rows(struct system_row *rows, const struct findings_context *context)
{
    bool has_order = false;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        const struct session_slot *slot = findings_slot(context, group);

        rows[i] = (struct system_row){find_order(group, slot), find_side(group, slot), 0, 0};
        has_order |= rows[i].order > 0;
    }
    return has_order;
}

static void follow(void *what, const struct row_call *at)
{
    struct systems *systems = what;
    struct system_row *of = &systems->rows[at->row];

    if (!at->before)
        systems->last = NULL;
    if (of->order > 0) {
        of->calls++;
        systems->last = of;
    } else if (systems->last && of->side == systems->last->order) {
        systems->last->followed++;
        systems->last = NULL;
    }
}

/* Ask whether such a product follows at least half of the calls of a row. */
static bool is_inverse(const struct findings_context *context, size_t row, const void *rows)
{
    const struct system_row *of = (const struct system_row *)rows + row;

    (void)context;
    return of->followed > 0 && 2 * of->followed >= of->calls;
}

/* Returns: whether a finding was added. */
static bool add_systems(const struct findings_context *context, struct findings *findings)
{
    struct systems systems = {
        pool_get_zeros(context->groups.rows.count + 1, sizeof *systems.rows), NULL};
    struct targets_outermost of = {.calls = 0};
    struct finding *finding;

    if (read_rows(systems.rows, context)) {
        row_calls_follow(context, follow, &systems);
        targets_gather(&of, context, is_inverse, systems.rows, 0);
    }
    if (!(findings_fraction(context, of.thread_ns) >= least_share))
        return false;
    of.saved_ns = right_sides_share * of.thread_ns;
    finding = targets_claim_outermost(findings, &of, context, FINDING_CONFIDENCE_LOW);
    say(&finding->evidence, inverse_follows_text);
    finding_advise(finding, "inverse_systems");
    return true;
}

void rule_inverse(const struct findings_context *context, struct findings *findings)
{
    bool is_found = add_systems(context, findings);
    struct targets_outermost of = {.calls = 0};
    double fraction;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (routine_of(group->name) == ROUTINE_INVERTS && group->owning_calls > 0)
            targets_add_outermost(&of, group, 1);
    }
    fraction = findings_fraction(context, of.thread_ns);
    if (fraction >= least_share)
        finding_advise(targets_claim_outermost(findings, &of, context, FINDING_CONFIDENCE_MEDIUM),
                       "inverse_lapack");
    else if (!is_found && of.rows.count > 0)
        findings_pass(findings, inverse_passed_text, said_share(fraction));
    else if (!is_found)
        findings_pass(findings, inverse_none_text);
}
