/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Threads that are too many, too few, or unequal: THREADS-OVER, SERIAL and
 * IMBALANCE, from the courses of all threads.
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "figures/together.h"
#include "findings/context.h"
#include "findings/rates.h"
#include "findings/reference_blas.h"
#include "model/session.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

static const double over_factor = 1.25, over_share = 0.10; /* scikit-learn's issue 34070 */
static const double least_lost = 0.01; /* of the wall time */
static const double few_factor = 0.5, few_share = 0.20;

/* Waking threads and waiting for them takes 5 to 20 us: shorter calls gain nothing by more. */
static const double least_split_ns = 50000;

static const double uneven_share = 0.20;

/* Time by how many processors kernels could use at once. */
struct use {
    const char *unknown; /* why, or NULL */
    double allowed;
    double threads;  /* that a call takes */
    double over_ns;  /* runnable threads beyond over_factor times the allowed */
    double few_ns;   /* at most few_factor of the allowed, in calls worth splitting */
    double idle_ns;  /* of it, by the share of processors that were not used */
};

static void add_time(struct use *use, size_t inside, double ns, double long_ns)
{
    double runnable = (double)inside * use->threads;

    if (runnable > over_factor * use->allowed)
        use->over_ns += ns;
    if (runnable <= few_factor * use->allowed) {
        use->few_ns += long_ns;
        use->idle_ns += long_ns * (1 - runnable / use->allowed);
    }
}

/* Families of the catalog whose libraries split a call by the variables that are named here. */
static const char *const threaded[] = {"*fortran", "cblas", "lapacke*"};

/* FFTW takes its threads from the plan, and a user's kernel from its code, where it is no product. */
static bool takes_threads(const struct group *group)
{
    const struct catalog_kernel *kernel = group->kernel;

    if (!kernel)
        return false;
    for (size_t i = 0; kernel->family && i < sizeof threaded / sizeof *threaded; i++)
        if (fnmatch(threaded[i], kernel->family, 0) == 0)
            return true;
    return kernel->class == CATALOG_MATMUL || strncmp(kernel->name, "dnnl_", 5) == 0;
}

/* What of the time in kernels is in calls that are worth splitting: 0 to 1. */
static double find_long_share(const struct findings_context *context)
{
    double all_ns = 0, long_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        all_ns += (double)group->self_ns;
        if (takes_threads(group) && (double)group->self_ns >= least_split_ns * (double)group->calls)
            long_ns += (double)group->self_ns;
    }
    return all_ns > 0 ? long_ns / all_ns : 0;
}

/* Threads that wait for a processor take no time of it: a library's own are not seen then. */
static bool hides_threads(const struct findings_context *context)
{
    return context->judge.threads_from == JUDGE_FROM_TIME && findings_is_disturbed(context) &&
           context->session->threads.count > context->wall.kernel_threads;
}

/* Threads of a call that were estimated from processor time are the process's: where several
 * threads call kernels, they are not one call's.  A library may have more threads than there are
 * processors, or fewer than it was told. */
static double threads_of_call(const struct findings_context *context)
{
    double set = (double)context->judge.threads;

    if (context->wall.kernel_threads > 1)
        return context->judge.threads_from == JUDGE_FROM_TIME ? 1 : set;
    return fmax(set, room_threads_of_call(context->session, &context->judge));
}

static struct use find_use(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    struct use use = {.threads = threads_of_call(context)};
    double long_share = find_long_share(context);
    struct together together;

    if (context->groups.rows.count == 0)
        use.unknown = "no known kernel was called";
    else if (process->cpu_count == SESSION_UNKNOWN || process->cpu_count == 0)
        use.unknown = "how many processors were allowed is not known";
    else if (hides_threads(context))
        use.unknown = "other programs had the processors for a part of the time, and nobody set "
                      "how many threads a call takes: OPENBLAS_NUM_THREADS or OMP_NUM_THREADS "
                      "would tell";
    if (use.unknown)
        return use;
    use.allowed = (double)process->cpu_count;
    if (context->wall.kernel_threads == 1) {
        add_time(&use, 1, context->kernel_ns, long_share * context->kernel_ns);
        return use;
    }
    if (together_init(&together, context->session)) {
        findings->status = STATUS_OUT_OF_MEMORY;
        return use;
    }
    if (!together.is_whole)
        use.unknown = "too many calls are missing or were not timed: how many threads were inside "
                      "kernels at once is not known";
    for (size_t i = 1; i < together.inside_ns.count; i++) {
        double ns = *(const double *)array_at(&together.inside_ns, i);

        add_time(&use, i, ns, long_share * ns);
    }
    together_fini(&together);
    return use;
}

static void append_threads(struct text *text, const struct findings_context *context,
                           const struct use *use)
{
    text_appendf(text,
                 "%zu thread%s, each with %.0f thread%s of a library, call%s kernels on %.0f "
                 "allowed processor%s",
                 context->wall.kernel_threads, units_choose(context->wall.kernel_threads, "", "s"),
                 use->threads, units_choose((uint64_t)llround(use->threads), "", "s"),
                 units_choose(context->wall.kernel_threads, "s", ""), use->allowed,
                 units_choose((uint64_t)llround(use->allowed), "", "s"));
}

/* ---- THREADS-OVER ------------------------------------------------------------------------ */

/* The wall time of a row with threads that do not wait for each other: that of its products by
 * calibration, on the processors that the program has.  What else it calls takes as long. */
static double apart_ns(const struct findings_context *context, size_t index)
{
    enum machine_precision precision = findings_judgement(context, index)->precision;
    const struct group *group = findings_group(context, index);
    double now_ns = findings_wall_ns(context, (double)group->self_ns);
    struct slots_product product;

    if (!slots_find_product(findings_slot(context, group), &product) ||
        !rates_of_products(context, precision).is_calibrated)
        return now_ns;
    return fmin(now_ns, (double)group->calls *
                            rates_product_on_ns(context, precision, &product, 1) /
                            context->room.left);
}

static bool has_calibrated_products(const struct findings_context *context)
{
    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        if (rates_of_products(context, (enum machine_precision)i).is_calibrated)
            return true;
    return false;
}

/* Threads that take turns on full processors lose what they spin away, and nothing else.  Returns:
 * what is lost, of the time in which there are too many; NAN where no rate tells. */
static double find_lost_ns(const struct findings_context *context, const struct use *use)
{
    double then_ns = 0, now_ns = findings_wall_ns(context, (double)context->groups.self_ns);

    if (!has_calibrated_products(context) || isnan(context->room.left))
        return (double)NAN;
    for (size_t i = 0; i < context->groups.rows.count; i++)
        then_ns += apart_ns(context, i);
    return now_ns > 0 ? use->over_ns * fmax(0, 1 - then_ns / now_ns) : 0;
}

/* Threads of the program's own, each with calls of its own, lose next to nothing by taking turns:
 * four threads with OpenBLAS's products on one processor took 0.95 to 1.1 of the processor time of
 * one.  BLIS's threads spin: two on one processor took 4 to 30 times that of one. */
static const char *find_doubt(const struct findings_context *context, const struct use *use,
                              double lost_ns)
{
    if (isnan(lost_ns) && use->threads > 1)
        return "; what that costs is not known without tprof calibrate";
    return isnan(lost_ns) || lost_ns < least_lost * context->wall.ns
               ? "; they take turns, which costs little"
               : NULL;
}

static struct finding *claim_over(const struct findings_context *context, struct findings *findings,
                                  const struct use *use)
{
    double lost_ns = find_lost_ns(context, use);
    const char *doubt = find_doubt(context, use, lost_ns);
    struct finding_claim claim = {use->over_ns, doubt ? use->over_ns : lost_ns,
                                  FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);

    append_threads(&finding->evidence, context, use);
    text_append(&finding->evidence, doubt ? doubt : "");
    if (doubt)
        finding_weaken(finding, FINDING_POINTS);
    else
        text_append(&finding->limit, "; with products as fast as by calibration");
    return finding;
}

static void add_over(const struct findings_context *context, struct findings *findings,
                     const struct use *use)
{
    struct finding *finding = claim_over(context, findings, use);
    char share[UNITS_SIZE];

    text_appendf(&finding->title, "more threads than processors run during %s of the wall time",
                 units_format_percent(share, finding->fraction));
    text_append(&finding->why, "threads that wait for one another at a barrier spin or sleep while "
                               "one of them has no processor");
    text_appendf(&finding->action,
                 "OPENBLAS_NUM_THREADS=1 (OMP_NUM_THREADS, MKL_NUM_THREADS) where the program has "
                 "threads of its own, or at most %.0f of these at a time",
                 fmax(1, floor(use->allowed / use->threads)));
    text_append(&finding->refute, "threads that do not wait for each other lose nothing but cache: "
                                  "run it with fewer and compare");
    text_append(&finding->see, "tprof threads");
    finding_add_number(findings, finding, "threads_of_call", use->threads);
    finding_add_number(findings, finding, "allowed", use->allowed);
}

void rule_threads_over(const struct findings_context *context, struct findings *findings)
{
    struct use use = find_use(context, findings);
    char share[UNITS_SIZE];

    if (use.unknown)
        findings_skip(findings, "%s", use.unknown);
    else if (use.over_ns >= over_share * context->wall.ns)
        add_over(context, findings, &use);
    else
        findings_pass(findings,
                      "more than 1.25 times the %.0f allowed processor%s asked for during %s of "
                      "the wall time",
                      use.allowed, units_choose((uint64_t)llround(use.allowed), " was", "s were"),
                      units_format_percent(share, use.over_ns / context->wall.ns));
}

/* ---- SERIAL ------------------------------------------------------------------------------ */

static void append_serial_action(struct text *text, const struct findings_context *context,
                                 const struct use *use)
{
    struct reference_blas blas = reference_blas_find(context);

    if (blas.library)
        text_appendf(text, "first another BLAS, as %s has no threads (DISPATCH)", blas.library);
    else
        text_appendf(text,
                     "OPENBLAS_NUM_THREADS=%.0f (OMP_NUM_THREADS, MKL_NUM_THREADS) where the "
                     "program does not say itself how many",
                     use->allowed);
    text_append(text, ", or parts of the batch in threads of its own");
}

static void add_serial(const struct findings_context *context, struct findings *findings,
                       const struct use *use)
{
    bool is_disturbed = findings_is_disturbed(context);
    const struct finding_claim claim = {use->few_ns, use->idle_ns,
                                        is_disturbed ? FINDING_CONFIDENCE_LIMIT
                                                     : FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add_waiting(findings, &claim, 0);
    char share[UNITS_SIZE];

    text_appendf(&finding->title,
                 "kernels use at most half of the %.0f allowed processor%s during %s of the wall "
                 "time",
                 use->allowed, units_choose((uint64_t)llround(use->allowed), "", "s"),
                 units_format_percent(share, finding->fraction));
    append_threads(&finding->evidence, context, use);
    text_append(&finding->why, "processors that nobody uses make nothing faster");
    append_serial_action(&finding->action, context, use);
    text_append(&finding->refute, "small calls and what memory bounds gain less than processors "
                                  "are added; other processes may need them");
    if (is_disturbed)
        text_append(&finding->refute, ", and other programs had them for a part of the time");
    text_append(&finding->see, "tprof threads");
    finding_add_number(findings, finding, "threads_of_call", use->threads);
    finding_add_number(findings, finding, "allowed", use->allowed);
}

void rule_serial(const struct findings_context *context, struct findings *findings)
{
    struct use use = find_use(context, findings);
    char share[UNITS_SIZE];

    if (use.unknown)
        findings_skip(findings, "%s", use.unknown);
    else if (use.few_ns >= few_share * context->wall.ns)
        add_serial(context, findings, &use);
    else
        findings_pass(
            findings,
            "kernels of 50 us and more used at most half of the %.0f allowed processor%s during "
            "%s of the wall time",
            use.allowed, units_choose((uint64_t)llround(use.allowed), "", "s"),
            units_format_percent(share, use.few_ns / context->wall.ns));
}

/* ---- IMBALANCE --------------------------------------------------------------------------- */

/* What parts of equal work save, made by as many threads as there are processors for. */
static double even_saves_ns(const struct together_work *work, double processors)
{
    double workers = (double)work->workers;

    return fmax(0, work->most_ns - work->mean_ns * workers / fmin(workers, processors));
}

/* Where others had the processors that equal parts would use, nothing is promised. */
static struct finding *claim_imbalance(const struct findings_context *context,
                                       struct findings *findings, const struct together_work *work)
{
    const double least_ns = least_lost * context->wall.ns;
    double allowed = (double)context->session->process.cpu_count;
    struct finding_claim claim = {work->most_ns, even_saves_ns(work, context->room.left),
                                  FINDING_CONFIDENCE_MEDIUM};
    struct finding *finding;

    if (claim.saved_ns >= least_ns || even_saves_ns(work, allowed) < least_ns)
        return findings_add_waiting(findings, &claim, work->outside_ns);
    claim.saved_ns = even_saves_ns(work, allowed);
    finding = findings_add(findings, &claim);
    finding_weaken(finding, FINDING_POINTS);
    return finding;
}

static void add_imbalance(const struct findings_context *context, struct findings *findings,
                          const struct together_work *work)
{
    struct finding *finding = claim_imbalance(context, findings, work);
    char share[UNITS_SIZE], most[UNITS_SIZE], mean[UNITS_SIZE];

    text_appendf(&finding->title, "threads have unequal work: the mean is %s below the busiest",
                 units_format_percent(share, work->imbalance));
    text_appendf(&finding->evidence,
                 "of %zu threads that call kernels the busiest was in them for %s, all for %s on "
                 "average",
                 work->workers, units_format_time(most, work->most_ns),
                 units_format_time(mean, work->mean_ns));
    text_append(&finding->why, "those with less wait for the one with most");
    text_append(&finding->action,
                "parts of equal work, or smaller ones that threads take when they "
                "are free (schedule(dynamic)); pin threads to processors");
    text_append(&finding->refute, "threads that do other work than kernels, or none together, need "
                                  "not be equal");
    text_append(&finding->see, "tprof threads");
    finding_add_number(findings, finding, "workers", (double)work->workers);
    finding_add_number(findings, finding, "imbalance", work->imbalance);
}

void rule_imbalance(const struct findings_context *context, struct findings *findings)
{
    struct together_work work = together_weigh(context->session);
    char share[UNITS_SIZE];

    if (work.workers == 0)
        findings_skip(findings, "no known kernel was called");
    else if (work.workers == 1)
        findings_pass(findings, "one thread calls kernels");
    else if (work.imbalance >= uneven_share)
        add_imbalance(context, findings, &work);
    else
        findings_pass(findings, "of %zu threads that call kernels the mean is %s below the busiest",
                      work.workers, units_format_percent(share, work.imbalance));
}
