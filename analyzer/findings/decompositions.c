/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decompositions of matrices that may compute more than is needed: DECOMPOSE.
 *
 * Four kinds of waste: factors of a matrix for a single right-hand side; singular vectors beyond
 * the singular values; vectors that may be unused; all eigenvalues or singular values.  The trace
 * shows shapes, not numbers: only the reader knows whether two matrices are the same, or which
 * values are used.
 *
 * Sources: G. Golub and C. Van Loan, Matrix Computations, 2013: factors in 2/3 n^3 FLOPs solve for
 * each right-hand side in 2 n^2; N. Halko and others, Finding structure with randomness, 2011: a
 * few of the singular values cost a matching share of the decomposition.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "findings/routines.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "kernels/kernel_precision.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_kernels.h"

static const double least_share = 0.1; /* share of the wall time */

/* The rule needs this many factorizations of one shape, each for fewer than two right-hand
 * sides. */
static const uint64_t least_factorizations = 3;
static const double few_sides = 2;

/* Processor time to compute one of the n^2 elements.  Filling a matrix with exponentials of
 * distances, as for a Gaussian process, took 2.8 (numpy) and 5.6 (C++).  Copying an element took
 * 0.2, transposing one 0.6, and scipy's cho_factor without its potrf 0.8.  scipy's solve takes 4.5
 * with fresh memory.  So a runtime has a higher limit, unless the blocks show that a matrix was
 * made. */
static const double element_ns = 2, runtime_element_ns = 12;

/* From this many blocks of a matrix's size per factorization on, the program makes matrices:
 * libraries of a runtime copy fewer.  scipy's solve takes two blocks, numpy's and cho_factor one
 * block.  numpy takes three or more to make a matrix of distances. */
static const double made_blocks = 3;

/* Such a block may also hold pivots and the right-hand side. */
static const double most_of_matrix = 1.25;

/* The time between factorizations must suffice once on average.  A long pause counts for no more
 * than this: some pauses are long because other programs had the processor. */
static const double most_times = 3;

/* Ranks behind HOT, because the finding only says where the time goes. */
static const double confidence_anew = 0.015;

static bool is_of(const struct group *group, enum routine routine)
{
    return routine_of(group->name) == routine;
}

/* Ask whether an argument has this letter, in either case. */
static bool is_given(const struct group *group, const char *upper, const char *lower)
{
    return strstr(group->shape, upper) || strstr(group->shape, lower);
}

/* The first factorization of each shape stays. */
static double find_repeated(const struct findings_context *context, const struct group *group)
{
    (void)context;
    if (group->owning_calls < least_factorizations ||
        !(is_of(group, ROUTINE_SOLVES) || is_of(group, ROUTINE_FACTORS)))
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

    if (!is_of(group, ROUTINE_SINGULAR) || !has_all || !(rows > 0 && columns > 0))
        return 0;
    return fabs(rows - columns) / fmax(rows, columns);
}

/* Vectors take time besides the values.  With four times as many rows as columns, the values took
 * 0.20 of the full time; values and their vectors took 0.44. */
static double find_vectors(const struct findings_context *context, const struct group *group,
                           enum routine_vectors vectors)
{
    struct routine_values values = routine_find_values(group->name, group->shape);

    if (values.vectors != vectors)
        return 0;
    return 1 - values.share * sqrt(1 - find_outer(context, group));
}

static double find_singular(const struct findings_context *context, const struct group *group)
{
    return find_vectors(context, group, VECTORS_SINGULAR);
}

static double find_symmetric(const struct findings_context *context, const struct group *group)
{
    return find_vectors(context, group, VECTORS_SYMMETRIC);
}

static double find_general(const struct findings_context *context, const struct group *group)
{
    return find_vectors(context, group, VECTORS_GENERAL);
}

static double find_all(const struct findings_context *context, const struct group *group)
{
    bool has_range = strstr(group->shape, "range=") && !is_given(group, "range=A", "range=a");

    (void)context;
    return (is_of(group, ROUTINE_EIGENVALUES) || is_of(group, ROUTINE_SINGULAR)) && !has_range;
}

struct decompositions {
    struct targets_outermost calls;
    bool *marked; /* one flag for each row of the context */
};

/* Factors for several right-hand sides are kept already.  Factors without any may be of a
 * determinant or an inverse. */
static bool serve_few(const struct findings_context *context, const struct targets_outermost *of)
{
    double sides = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (is_of(group, ROUTINE_SOLVES) || is_of(group, ROUTINE_SOLVES_BY_FACTORS))
            sides += (double)group->owning_calls *
                     fmax(1, (double)slots_find_term(findings_slot(context, group), "nrhs"));
    }
    return of->calls > 0 && sides >= (double)of->calls && sides < few_sides * (double)of->calls;
}

/* Calls of the marked rows that follow another such call in their thread. */
struct anew {
    const struct findings_context *context;
    const bool *marked; /* the rows */
    double element_ns;  /* time to make one element */
    uint64_t calls;
    double own_ns;     /* time between the two calls, outside of kernels */
    double times;      /* how often this time suffices to make the matrix */
    double between_ns; /* own time since the thread's last such call; NAN before the first */
};

static double find_elements(const struct findings_context *context, size_t row)
{
    const struct group *group = findings_group(context, row);
    double n = (double)slots_find_term(findings_slot(context, group), "n");

    return n * n;
}

/* A site may have smaller blocks, too: they are counted as blocks of its largest size. */
static double count_blocks(const struct session *session, double least_size, double most_size)
{
    double count = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);
        double size = (double)site->max_size;

        if (size >= least_size && size <= most_of_matrix * most_size)
            count += (double)site->allocated_bytes / size;
    }
    return count;
}

/* Ask whether the program allocated enough blocks to make a matrix for each call. */
static bool are_blocks_made(const struct findings_context *context, const bool *marked)
{
    double calls = 0, least_size = (double)INFINITY, most_size = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        double size =
            find_elements(context, i) * machine_precision_bytes(kernel_precision_of(group));

        if (!marked[i] || !(size > 0))
            continue;
        calls += (double)group->owning_calls;
        least_size = fmin(least_size, size);
        most_size = fmax(most_size, size);
    }
    return calls > 0 &&
           count_blocks(context->session, least_size, most_size) >= made_blocks * calls;
}

static void add_anew(struct anew *anew, size_t row)
{
    double needed_ns = anew->element_ns * find_elements(anew->context, row);

    anew->calls++;
    anew->own_ns += anew->between_ns;
    if (needed_ns > 0) /* otherwise the size is unknown */
        anew->times +=
            fmin(most_times, anew->between_ns * anew->context->wall.processor / needed_ns);
}

static void follow_anew(void *what, const struct row_call *at)
{
    struct anew *anew = what;

    if (at->before)
        anew->between_ns += fmax(0, row_call_gap_ns(at));
    else
        anew->between_ns = (double)NAN;
    if (!anew->marked[at->row])
        return;
    if (!isnan(anew->between_ns))
        add_anew(anew, at->row);
    anew->between_ns = 0;
}

/* Ask whether the matrices can have been made again each time, and say so.  Otherwise the time
 * between two calls was spent copying the matrix, as the call overwrites it: the repair saves that
 * time, too. */
static bool are_anew(struct text *text, struct decompositions *of,
                     const struct findings_context *context)
{
    bool is_copied = context->successions.runtime && !are_blocks_made(context, of->marked);
    struct anew anew = {.context = context,
                        .marked = of->marked,
                        .element_ns = is_copied ? runtime_element_ns : element_ns};

    row_calls_follow(context, follow_anew, &anew);
    if (anew.calls == 0)
        return false;
    if (!(anew.times >= (double)anew.calls)) {
        of->calls.saved_ns += anew.own_ns;
        return false;
    }
    say(text, decompose_between_text, said_time(anew.own_ns / (double)anew.calls));
    return true;
}

static bool has_side(const struct session_slot *slot, int64_t side)
{
    struct slots_product product;
    struct slots_vector_product vector;

    if (side == 0)
        return false;
    if (slots_find_vector_product(slot, &vector))
        return vector.outputs == side || vector.inputs == side;
    return slots_find_product(slot, &product) &&
           (product.m == side || product.n == side || product.k == side);
}

/* Calls of the marked rows, and how often a product follows whose side is as long as their vectors,
 * before the next such call. */
struct used {
    const struct findings_context *context;
    const bool *marked; /* the rows */
    uint64_t calls, times;
    const struct session_slot *last; /* the thread's last call whose vectors are not used yet */
};

static void follow_vectors(void *what, const struct row_call *at)
{
    struct used *used = what;
    const struct session_slot *slot =
        findings_slot(used->context, findings_group(used->context, at->row));

    if (!at->before)
        used->last = NULL;
    if (used->marked[at->row]) {
        used->last = slot;
        used->calls++;
    } else if (used->last && (has_side(slot, slots_find_term(used->last, "n")) ||
                              has_side(slot, slots_find_term(used->last, "m")))) {
        used->last = NULL;
        used->times++;
    }
}

/* Ask whether products that may use the vectors follow at least half of the calls, and say so. */
static bool are_used(struct text *text, struct decompositions *of,
                     const struct findings_context *context)
{
    struct used used = {.context = context, .marked = of->marked};

    row_calls_follow(context, follow_vectors, &used);
    if (used.calls == 0 || 2 * used.times < used.calls)
        return false;
    say(text, decompose_used_text, said_count(used.times));
    return true;
}

static const struct sort {
    double (*find_share)(const struct findings_context *context, const struct group *group);
    bool (*is_meant)(const struct findings_context *context,
                     const struct targets_outermost *of); /* NULL: they always are */
    bool (*is_doubtful)(struct text *text, struct decompositions *of,
                        const struct findings_context *context); /* and why; or NULL */
    double confidence;
    const char *advice, *more_advice; /* rows of texts.def; or NULL */
} sorts[] = {
    {find_repeated, serve_few, are_anew, FINDING_CONFIDENCE_LIMIT, "decompose_repeated", NULL},
    {find_outer, NULL, NULL, FINDING_CONFIDENCE_LOW, "decompose_outer", NULL},
    {find_singular, NULL, are_used, FINDING_CONFIDENCE_LOW, "decompose_singular",
     "decompose_vectors"},
    {find_symmetric, NULL, are_used, FINDING_CONFIDENCE_LOW, "decompose_symmetric",
     "decompose_vectors"},
    {find_general, NULL, are_used, FINDING_CONFIDENCE_LOW, "decompose_general",
     "decompose_vectors"},
    {find_all, NULL, NULL, FINDING_CONFIDENCE_LIMIT, "decompose_all", NULL},
};

/* A row without outermost calls has no time of its own here.  A call that only asks for the size of
 * its workspace computes nothing. */
static bool decomposes(const struct group *group)
{
    return group->owning_calls > 0 && !strstr(group->shape, "work=0");
}

static void gather(struct decompositions *of, const struct findings_context *context,
                   const struct sort *sort)
{
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        double share = decomposes(group) ? sort->find_share(context, group) : 0;

        of->marked[i] = share > 0;
        if (of->marked[i])
            targets_add_outermost(&of->calls, group, share);
    }
}

/* A runtime takes long enough between two calls to show that it made no other matrix; a loop in C
 * may change a few elements unseen. */
static double confidence_of(const struct sort *sort, const struct findings_context *context)
{
    bool is_shown = sort->is_doubtful == are_anew && context->successions.runtime;

    return is_shown ? FINDING_CONFIDENCE_LOW : sort->confidence;
}

static void add_decompositions(const struct findings_context *context, struct findings *findings,
                               const struct sort *sort, struct decompositions *of)
{
    struct text doubt;
    struct finding *finding;
    bool is_doubtful;

    text_init(&doubt);
    is_doubtful = sort->is_doubtful && sort->is_doubtful(&doubt, of, context);
    finding = targets_claim_outermost(findings, &of->calls, context,
                                      is_doubtful ? confidence_anew : confidence_of(sort, context));
    if (is_doubtful)
        text_appendf(&finding->evidence, " %s", doubt.bytes);
    finding_advise(finding, sort->advice);
    if (sort->more_advice)
        finding_advise(finding, sort->more_advice);
}

/* Add the finding of one kind if its time is large enough.
 * Returns: its share of the wall time. */
static double add_sort(const struct findings_context *context, struct findings *findings,
                       const struct sort *sort)
{
    struct decompositions of = {
        .marked = pool_get_zeros(context->groups.rows.count + 1, sizeof *of.marked)};
    double fraction = 0;

    gather(&of, context, sort);
    if (!sort->is_meant || sort->is_meant(context, &of.calls))
        fraction = findings_fraction(context, of.calls.thread_ns);
    if (fraction >= least_share)
        add_decompositions(context, findings, sort, &of);
    return fraction;
}

void rule_decompose(const struct findings_context *context, struct findings *findings)
{
    double most = 0;

    for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
        most = fmax(most, add_sort(context, findings, &sorts[i]));
    if (most < least_share)
        findings_pass(findings, decompose_passed_text, said_share(most));
}
