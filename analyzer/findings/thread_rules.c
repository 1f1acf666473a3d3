/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Too many or too few threads: THREADS-OVER and SERIAL, from the courses of all threads.
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "findings/context.h"
#include "findings/rates.h"
#include "findings/reference_blas.h"
#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "waits/concurrency.h"

static const double over_factor = 1.25, over_share = 0.10; /* scikit-learn's issue 34070 */
static const double least_lost = 0.01;                     /* share of the wall time */
static const double few_factor = 0.5, few_share = 0.20;

/* Waking threads and waiting for them takes 5 to 20 us: shorter calls gain nothing from threads. */
static const double least_split_ns = 50000;

/* Time by how many processors kernels could use at once. */
struct use {
    const struct said *unknown; /* why, or NULL */
    double allowed;
    double threads; /* threads that one call uses */
    double over_ns; /* runnable threads beyond over_factor times the allowed */
    double few_ns;  /* time on at most few_factor of the allowed processors, in calls worth
                       splitting */
    double idle_ns; /* part of that, by the share of unused processors */
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

/* FFTW takes its number of threads from the plan.  A user's kernel takes it from its code, unless
 * it is a product. */
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

/* The share of kernel time in calls worth splitting: 0 to 1. */
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

/* Threads that wait for a processor use no processor time, so a library's waiting threads are
 * invisible. */
static bool hides_threads(const struct findings_context *context)
{
    return context->judge.threads_from == JUDGE_FROM_TIME && findings_is_disturbed(context) &&
           context->judge.workers == 0 &&
           context->session->threads.count > context->wall.kernel_threads;
}

/* An estimate from processor time counts the threads of the process: if several threads call
 * kernels, it does not hold for one call.  A library may use more threads than there are
 * processors, or fewer than were set. */
static double threads_of_call(const struct findings_context *context)
{
    double set = (double)context->judge.threads;

    if (context->wall.kernel_threads > 1)
        return context->judge.threads_from == JUDGE_FROM_TIME ? 1 : set;
    return fmax(fmax(set, 1 + context->judge.workers),
                capacity_threads_of_call(context->session, &context->judge));
}

/* Why the use of processors is unknown, or NULL. */
static const struct said *find_unknown(const struct findings_context *context)
{
    uint64_t allowed = context->session->process.cpu_count;

    if (context->groups.rows.count == 0)
        return &no_kernel_called_text;
    if (allowed == SESSION_UNKNOWN || allowed == 0)
        return &processors_unknown_text;
    return hides_threads(context) ? &threads_unset_text : NULL;
}

static void add_together(struct use *use, const struct findings_context *context)
{
    double long_share = find_long_share(context);
    struct concurrency concurrency;

    if (context->wall.kernel_threads == 1) {
        add_time(use, 1, context->kernel_ns, long_share * context->kernel_ns);
        return;
    }
    concurrency_init(&concurrency, context->session);
    if (!concurrency.is_whole)
        use->unknown = &threads_untimed_text;
    for (size_t i = 1; i < concurrency.inside_ns.count; i++) {
        double ns = *(const double *)array_at(&concurrency.inside_ns, i);

        add_time(use, i, ns, long_share * ns);
    }
}

static struct use find_use(const struct findings_context *context)
{
    struct use use = {.unknown = find_unknown(context),
                      .allowed = (double)context->session->process.cpu_count,
                      .threads = threads_of_call(context)};

    if (!use.unknown)
        add_together(&use, context);
    return use;
}

static uint64_t whole(double count)
{
    return (uint64_t)llround(count);
}

static void describe_use(struct finding *finding,
                         const struct findings_context *context, const struct use *use)
{
    say(&finding->evidence, threads_use_text, said_count(context->wall.kernel_threads),
        said_count(whole(use->allowed)), said_count(whole(use->threads)));
    finding_add_number(finding, "threads_of_call", use->threads);
    finding_add_number(finding, "allowed", use->allowed);
}

/* The wall time of a row if its threads did not wait for each other.  Products take the calibrated
 * time on the program's processors; other kernels take the present time. */
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
                            context->capacity.left);
}

static bool has_calibrated_products(const struct findings_context *context)
{
    for (int i = 0; i < MACHINE_PRECISIONS; i++)
        if (rates_of_products(context, (enum machine_precision)i).is_calibrated)
            return true;
    return false;
}

/* Threads that take turns on full processors lose only the time of their spinning.
 * Returns: the loss, as part of the time with too many threads; NAN without a calibrated rate. */
static double find_lost_ns(const struct findings_context *context, const struct use *use)
{
    double then_ns = 0, now_ns = findings_wall_ns(context, (double)context->groups.self_ns);

    if (!has_calibrated_products(context) || isnan(context->capacity.left))
        return (double)NAN;
    for (size_t i = 0; i < context->groups.rows.count; i++)
        then_ns += apart_ns(context, i);
    return now_ns > 0 ? use->over_ns * fmax(0, 1 - then_ns / now_ns) : 0;
}

/* The program's own threads, each with its own calls, lose next to nothing by taking turns: four
 * threads with OpenBLAS's products on one processor took 0.95 to 1.1 times the processor time of
 * one.  BLIS's threads spin: two of them on one processor took 4 to 30 times the time of one. */
static const struct said *find_doubt(const struct findings_context *context, const struct use *use,
                                     double lost_ns)
{
    if (isnan(lost_ns) && use->threads > 1)
        return &over_uncalibrated_text;
    return isnan(lost_ns) || lost_ns < least_lost * context->wall.ns ? &over_cheap_text : NULL;
}

static void add_over(const struct findings_context *context, struct findings *findings,
                     const struct use *use)
{
    double lost_ns = find_lost_ns(context, use);
    const struct said *doubt = find_doubt(context, use, lost_ns);
    struct finding_claim claim = {use->over_ns, doubt ? use->over_ns : lost_ns,
                                  FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);

    describe_use(finding, context, use);
    if (doubt) {
        say(&finding->evidence, *doubt);
        finding_weaken(finding, FINDING_POINTS);
    } else
        say(&finding->limit, over_supposes_text);
    say(&finding->title, over_title_text, said_share(finding->fraction));
    say(&finding->action, over_action_text,
        said_count(whole(fmax(1, floor(use->allowed / use->threads)))));
}

/* A forked process is mostly one of several workers. */
static bool is_worker(const struct session *session)
{
    return memory_is_inherited(session) || session->heap.inherited_bytes > 0;
}

/* Other processes have the processors, as workers beside this one do. */
static bool is_crowded(const struct findings_context *context, const struct use *use)
{
    return use->threads > 1 && findings_is_disturbed(context) &&
           context->kernel_ns >= over_share * context->wall.ns;
}

/* The threads of a call wait for one of them that has no processor.  Each has one for the same part
 * of the time, and so the others are there for that part of its own: it spins for the rest. */
static void add_crowded(const struct findings_context *context, struct findings *findings,
                        const struct use *use)
{
    double had = context->wall.processor;
    double lost_ns = context->kernel_ns * (1 - had * had);
    struct finding_claim claim = {context->kernel_ns, lost_ns, FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add(findings, &claim);

    if (!is_worker(context->session))
        finding_weaken(finding, FINDING_POINTS); /* the machine is shared */
    describe_use(finding, context, use);
    say(&finding->evidence, over_crowded_evidence_text, said_share(context->wall.processor));
    say(&finding->title, over_crowded_title_text, said_count(whole(use->threads)),
        said_share(finding->fraction));
    say(&finding->action, over_crowded_action_text);
}

void rule_threads_over(const struct findings_context *context, struct findings *findings)
{
    struct use use = find_use(context);
    double share = use.over_ns / context->wall.ns;

    if (use.unknown)
        findings_skip(findings, *use.unknown);
    else if (share >= over_share)
        add_over(context, findings, &use);
    else if (is_crowded(context, &use))
        add_crowded(context, findings, &use);
    else
        findings_pass(findings, over_passed_text, said_share(share),
                      said_count(whole(use.allowed)));
}

static void say_serial_action(struct text *text, const struct findings_context *context,
                              const struct use *use)
{
    struct reference_blas blas = reference_blas_find(context);

    if (blas.library)
        say(text, serial_reference_text, said_words(blas.library));
    else
        say(text, serial_variable_text, said_count(whole(use->allowed)));
    say(text, serial_batch_text);
}

static void add_serial(const struct findings_context *context, struct findings *findings,
                       const struct use *use)
{
    bool is_disturbed = findings_is_disturbed(context);
    const struct finding_claim claim = {use->few_ns, use->idle_ns,
                                        is_disturbed ? FINDING_CONFIDENCE_LIMIT
                                                     : FINDING_CONFIDENCE_LOW};
    struct finding *finding = findings_add_waiting(findings, &claim, 0);

    say(&finding->title, serial_title_text, said_count(whole(use->allowed)),
        said_share(finding->fraction));
    describe_use(finding, context, use);
    say_serial_action(&finding->action, context, use);
    if (is_worker(context->session)) {
        say(&finding->evidence, serial_worker_text);
        finding_weaken(finding, FINDING_POINTS);
    }
    if (is_disturbed)
        say(&finding->refute, others_had_processors_text);
}

void rule_serial(const struct findings_context *context, struct findings *findings)
{
    struct use use = find_use(context);
    double share = use.few_ns / context->wall.ns;

    if (use.unknown)
        findings_skip(findings, *use.unknown);
    else if (share >= few_share)
        add_serial(context, findings, &use);
    else
        findings_pass(findings, serial_passed_text, said_share(share),
                      said_count(whole(use.allowed)));
}
