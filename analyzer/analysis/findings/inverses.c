/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Matrices that are inverted: INVERSE.
 *
 * Source: N. Higham, Accuracy and Stability of Numerical Algorithms, 2002, chapter 14: of
 * the 2 n^3 FLOPs of an inverse a third is the factorization, and this alone solves A x = b
 * for as many b as there are, with a smaller error.
 */
#include <string.h>

#include "analysis/findings/targets.h"
#include "base/units.h"

static const double least_share = 0.1; /* of the wall time */

static bool inverts(const struct group *group, const void *what)
{
    static const char *const names[] = {"getri", "potri", "sytri", "hetri", "trtri"};

    (void)what;
    for (size_t i = 0; group->name && i < sizeof names / sizeof *names; i++)
        if (strstr(group->name, names[i]))
            return true;
    return false;
}

static void append_names(struct text *text, const struct targets *rows)
{
    for (size_t i = 0; i < rows->count && i < TARGETS_NAMED; i++) {
        text_append(text, i ? ", " : "");
        findings_append_name(text, rows->named[i]);
    }
    if (rows->count > TARGETS_NAMED)
        text_appendf(text, " and %zu more", rows->count - TARGETS_NAMED);
}

static void add_inverses(const struct findings_context *context, struct findings *findings,
                         const struct targets *rows, const struct targets_outermost *calls)
{
    double wall_ns = findings_wall_ns(context, calls->thread_ns);
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){wall_ns, wall_ns, FINDING_CONFIDENCE_MEDIUM});
    char count[UNITS_SIZE], time[UNITS_SIZE], share[UNITS_SIZE];

    text_append(&finding->title, "matrices are inverted where solving may do");
    text_appendf(
        &finding->evidence, "%s call%s, %s, %s of the wall time, kernels inside of them included: ",
        units_format_count(count, (int64_t)calls->calls), units_choose(calls->calls, "", "s"),
        units_format_time(time, wall_ns), units_format_percent(share, finding->fraction));
    append_names(&finding->evidence, rows);
    findings_append_whole(&finding->evidence, context);
    text_append(&finding->limit, "; when products with the inverse become solutions with the "
                                 "factors, which take as long");
    text_append(&finding->why, "the factors that the inverse is made of solve A x = b themselves, "
                               "for each b in as many operations as a product with the inverse, "
                               "and with a smaller error");
    text_append(&finding->action, "solve with the factors: getrs after getrf, potrs after potrf "
                                  "(scipy: lu_factor and lu_solve, cho_factor and cho_solve, or "
                                  "solve(A, b) for inv(A) @ b); where A is symmetric and positive "
                                  "definite, potrf takes half of getrf");
    text_append(&finding->refute, "wrong where the elements of the inverse are themselves the "
                                  "result, as variances are");
    text_append(&finding->see, "tprof timing --filter tri");
    finding_add_number(findings, finding, "calls", (double)calls->calls);
}

void rule_inverse(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    struct targets_outermost calls;
    char share[UNITS_SIZE];

    if (targets_gather(&rows, &calls, context, inverts, NULL, 0))
        findings->status = STATUS_OUT_OF_MEMORY;
    if (rows.count == 0)
        findings_pass(findings, "no known kernel inverts a matrix");
    else if (findings_fraction(context, calls.thread_ns) >= least_share)
        add_inverses(context, findings, &rows, &calls);
    else
        findings_pass(findings, "inverting matrices takes %s of the wall time, less than 10 %%",
                      units_format_percent(share, findings_fraction(context, calls.thread_ns)));
}
