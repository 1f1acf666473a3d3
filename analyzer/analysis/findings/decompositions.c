/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompositions of matrices of which more is computed than may be needed: DECOMPOSE.
 *
 * A matrix that is factored for each right-hand side; singular vectors beyond the singular values;
 * all eigenvalues or singular values.  The trace tells shapes and not numbers: that
 * two matrices are the same, or which values are used, is for the reader to say.
 *
 * Sources: G. Golub and C. Van Loan, Matrix Computations, 2013: factors in 2/3 n^3 FLOPs solve
 * for each right-hand side in 2 n^2; N. Halko and others, Finding structure with randomness,
 * 2011: a few of all singular values cost their share of a decomposition.
 */
#include <math.h>
#include <string.h>

#include "analysis/findings/targets.h"
#include "base/units.h"

static const double least_share = 0.1; /* of the wall time */

/* So many of one shape, each for fewer than two right-hand sides. */
static const uint64_t least_factorizations = 3;
static const double few_sides = 2;

static bool has_one_of(const struct group *group, const char *const *names)
{
    for (; group->name && *names; names++)
        if (strstr(group->name, *names))
            return true;
    return false;
}

/* Whether a letter was given for an argument: either case means the same. */
static bool is_given(const struct group *group, const char *upper, const char *lower)
{
    return strstr(group->shape, upper) || strstr(group->shape, lower);
}

/* ---- what of the time of a row could be saved, 0 to 1 ------------------------------------ */

/* Drivers factor and solve in one call; "gesv" is in the names of singular values, too. */
static const char *const drivers[] = {"gesv", "posv", "sysv", "hesv", "gbsv", "pbsv", NULL};
static const char *const factorizers[] = {"getrf", "potrf", "sytrf", "hetrf",
                                          "gbtrf", "pbtrf", NULL};
static const char *const solvers[] = {"getrs", "potrs", "sytrs", "hetrs", "gbtrs", "pbtrs", NULL};
static const char *const singular[] = {"gesdd", "gesvd", NULL};
static const char *const all_values[] = {"syev", "heev",  "geev",  "sygv", "hegv",
                                         "stev", "gesdd", "gesvd", NULL};

static bool is_driver(const struct group *group)
{
    return has_one_of(group, drivers) && !has_one_of(group, singular);
}

/* The first factorization of each shape stays. */
static double find_repeated(const struct findings_context *context, const struct group *group)
{
    (void)context;
    if (group->owning_calls < least_factorizations ||
        !(is_driver(group) || has_one_of(group, factorizers)))
        return 0;
    return 1 - 1 / (double)group->owning_calls;
}

/* A matrix of m by n has min(m, n) singular values, and as many vectors that belong to them. */
static double find_outer(const struct findings_context *context, const struct group *group)
{
    const struct session_slot *slot = findings_slot(context, group);
    double rows = (double)slots_find_term(slot, "m"), columns = (double)slots_find_term(slot, "n");
    bool has_all = is_given(group, "jobz=A", "jobz=a") ||
                   (rows > columns ? is_given(group, "jobu=A", "jobu=a")
                                   : is_given(group, "jobvt=A", "jobvt=a"));

    if (!has_one_of(group, singular) || !has_all || !(rows > 0 && columns > 0))
        return 0;
    return fabs(rows - columns) / fmax(rows, columns);
}

static double find_all(const struct findings_context *context, const struct group *group)
{
    bool has_range = strstr(group->shape, "range=") && !is_given(group, "range=A", "range=a");

    (void)context;
    return has_one_of(group, all_values) && !has_range ? 1 : 0;
}

/* ---- rows of one sort -------------------------------------------------------------------- */

struct decompositions {
    struct targets rows;
    struct targets_outermost calls;
    double saved_ns; /* thread time */
};

static bool are_any(const struct findings_context *context, const struct decompositions *of)
{
    (void)context;
    return of->calls.calls > 0;
}

/* Factors that serve several right-hand sides are kept already; those that serve none may be of
 * a determinant or an inverse. */
static bool serve_few(const struct findings_context *context, const struct decompositions *of)
{
    double sides = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (is_driver(group) || has_one_of(group, solvers))
            sides += (double)group->owning_calls *
                     fmax(1, (double)slots_find_term(findings_slot(context, group), "nrhs"));
    }
    return of->calls.calls > 0 && sides >= (double)of->calls.calls &&
           sides < few_sides * (double)of->calls.calls;
}

static const struct sort {
    double (*find_share)(const struct findings_context *context, const struct group *group);
    bool (*is_meant)(const struct findings_context *context, const struct decompositions *of);
    double confidence;
    const char *title, *limit, *why, *action, *refute, *see;
} sorts[] = {
    {find_repeated, serve_few, FINDING_CONFIDENCE_LIMIT,
     "matrices are factored for a single right-hand side each",
     "; were the matrix of each size the same, and factored once",
     "factors cost n^3 operations, a right-hand side n^2: factors that are kept solve for each "
     "further one",
     "where the matrix stays the same, factor it once before the loop and solve with its factors: "
     "getrf and getrs, potrf and potrs (scipy: lu_factor and lu_solve, cho_factor and cho_solve); "
     "where it is sparse or banded, a solver for that",
     "wrong where each matrix is another; the trace knows shapes and not numbers",
     "tprof timing --filter 'trf|sv'"},
    {find_outer, are_any, FINDING_CONFIDENCE_LOW,
     "singular vectors are computed that belong to no singular value",
     "; without these, as a share of all vectors",
     "a matrix of m by n has min(m, n) singular values, and all beyond as many vectors only fill "
     "the space up",
     "ask for the vectors of the singular values alone: full_matrices=False (numpy and scipy take "
     "True where nothing is said), jobz=S of gesdd, jobu=S of gesvd",
     "wrong where the null space is what is looked for", "tprof timing --filter 'gesdd|gesvd'"},
    {find_all, are_any, FINDING_CONFIDENCE_LIMIT, "all eigenvalues or singular values are computed",
     "; at most, were a few of them enough",
     "a whole decomposition takes n^3 operations, a few values and vectors a few products with "
     "the matrix",
     "where the largest few are used, as in PCA, ask for these: eigsh and svds of scipy, "
     "svd_solver='randomized' of scikit-learn, syevr with a range; where no vector is used, for "
     "values alone (jobz=N, eigvalsh)",
     "wrong where all of them are needed; the trace does not tell which are used",
     "tprof timing --filter 'ev|gesdd|gesvd'"},
};

/* Rows of which no call is outside of other kernels have no time of their own here; a call that
 * only asks for the size of its workspace computes nothing. */
static bool decomposes(const struct group *group)
{
    return group->owning_calls > 0 && !strstr(group->shape, "work=0");
}

static struct decompositions gather(const struct findings_context *context, const struct sort *sort)
{
    struct decompositions of = {.saved_ns = 0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        double share = decomposes(group) ? sort->find_share(context, group) : 0;

        if (!(share > 0))
            continue;
        targets_add_outermost(&of.rows, &of.calls, group);
        of.saved_ns += share * (double)group->owning_ns;
    }
    return of;
}

static void add_decompositions(const struct findings_context *context, struct findings *findings,
                               const struct sort *sort, const struct decompositions *of)
{
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){findings_wall_ns(context, of->calls.thread_ns),
                                          findings_wall_ns(context, of->saved_ns),
                                          targets_confidence(&of->rows, sort->confidence)});

    text_append(&finding->title, sort->title);
    targets_append_outermost(&finding->evidence, &of->rows, &of->calls, context);
    text_append(&finding->limit, sort->limit);
    text_append(&finding->why, sort->why);
    text_append(&finding->action, sort->action);
    text_append(&finding->refute, sort->refute);
    text_append(&finding->see, sort->see);
    finding_add_number(findings, finding, "calls", (double)of->calls.calls);
}

void rule_decompose(const struct findings_context *context, struct findings *findings)
{
    double most = 0;
    size_t found = 0;
    char share[UNITS_SIZE];

    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
        struct decompositions of = gather(context, &sorts[i]);
        double fraction = findings_fraction(context, of.calls.thread_ns);

        if (!sorts[i].is_meant(context, &of))
            continue;
        most = fmax(most, fraction);
        if (fraction < least_share)
            continue;
        add_decompositions(context, findings, &sorts[i], &of);
        found++;
    }
    if (found == 0)
        findings_pass(findings,
                      "factors for single right-hand sides, and all eigenvalues or singular "
                      "values, take %s of the wall time, less than 10 %%",
                      units_format_percent(share, most));
}
