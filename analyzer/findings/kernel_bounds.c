/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels against the roof: MEM-BOUND, COMPUTE-BOUND and LATENCY.
 *
 * A product of matrices is measured by what the best product on this machine reaches,
 * not by the peak of multiply-adds alone: no choice of sizes gets beyond that, another
 * library does (DISPATCH).
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "findings/rates.h"
#include "findings/targets.h"

/* Nsight Compute's: near a roof from 60 % of the bandwidth or 80 % of the peak on. */
static const double near_bandwidth = 0.6, near_peak = 0.8, far = 0.6;

/* Of the wall time: kernels at the roof that take less are not worth a line. */
static const double least_at_roof = 0.01;

/* Numbers of half the size move in half the time. */
static const double fewer_bytes = 0.5;

static bool can_judge(const struct findings_context *context, struct findings *findings)
{
    if (context->groups.rows.count == 0)
        findings_skip(findings, "no known kernel was called");
    else if (!context->judge.machine)
        findings_skip(findings, "what this machine can do is not known: run tprof calibrate once");
    else
        return true;
    return false;
}

/* The share of what it could reach in its processor time: of the roof, for products with
 * the best product's rate for peak. */
static double reached(const struct findings_context *context, size_t index)
{
    return rates_least_ns(context, index) / (double)findings_group(context, index)->owning_ns;
}

static bool is_beyond_ridge(const struct judgement *judgement)
{
    return judgement->intensity >= machine_ridge(&judgement->roof);
}

/* ---- memory ---------------------------------------------------------------------- */

static void add_memory(const struct findings_context *context, struct findings *findings,
                       const struct targets *rows)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_LOW);

    text_append(&finding->title, "kernels run at the speed of memory");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence,
                " in kernels with at least 60 % of the bandwidth of where their bytes are: ");
    targets_append(&finding->evidence, rows, context);
    text_append(&finding->why, "they have too few FLOPs for the bytes that they move: more "
                               "processors or wider vectors would wait as well");
    text_append(&finding->action, "tprof roofline tells how near each is to what memory gives; "
                                  "only fewer bytes make them faster");
    text_append(&finding->refute, "bytes are compulsory traffic; hardware counters may show that "
                                  "more was moved");
    text_append(&finding->see, "tprof roofline");
}

void rule_mem_bound(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};

    if (!can_judge(context, findings))
        return;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct judgement *judgement = findings_judgement(context, i);
        const struct group *group = findings_group(context, i);

        if (!judgement->is_invalid && !is_beyond_ridge(judgement) &&
            judgement->bandwidth_fraction >= near_bandwidth)
            targets_add(&rows, group, fewer_bytes * (double)group->self_ns);
    }
    if (rows.count > 0)
        add_memory(context, findings, &rows);
    else
        findings_pass(findings, "no kernel below the ridge moves 60 %% of the bandwidth");
}

/* ---- compute --------------------------------------------------------------------- */

static void add_compute(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    finding->fraction = findings_fraction(context, rows->thread_ns);
    text_append(&finding->title, "kernels are at the roof: they compute as fast as this machine "
                                 "can");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, " in kernels with at least 80 % of the peak: ");
    targets_append(&finding->evidence, rows, context);
    text_append(&finding->why, "there is nothing left to tune in these");
    text_append(&finding->action, "compute less: another algorithm, a smaller model, a lower "
                                  "precision; or use more processors");
    text_append(&finding->refute, "a peak that was calibrated too low would make it wrong");
    text_append(&finding->see, "tprof roofline, tprof calibrate --show");
}

void rule_compute_bound(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    double best = 0;
    char share[UNITS_SIZE];

    if (!can_judge(context, findings))
        return;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct judgement *judgement = findings_judgement(context, i);

        if (judgement->is_invalid || !is_beyond_ridge(judgement))
            continue;
        best = fmax(best, judgement->peak_fraction);
        if (judgement->peak_fraction >= near_peak)
            targets_add(&rows, findings_group(context, i), 0);
    }
    if (findings_fraction(context, rows.thread_ns) >= least_at_roof)
        add_compute(context, findings, &rows);
    else if (rows.count > 0)
        findings_pass(
            findings,
            "kernels at 80 %% of the peak or more take %s of the wall time, less than 1 %%",
            units_format_percent(share, findings_fraction(context, rows.thread_ns)));
    else
        findings_pass(findings,
                      "no kernel reaches 80 %% of the peak of its precision; the best has "
                      "%s",
                      units_format_percent(share, best));
}

/* ---- neither ---------------------------------------------------------------------- */

/* What helps depends on whose code it is; the first that matches counts, and what matches none is
 * the user's own, of a file for TPROF_KERNELS. */
enum code { CODE_FFTW, CODE_ONEDNN, CODE_BLAS, CODE_OWN, CODES };

static const struct {
    const char *family, *name; /* globs, of the catalog's families and of names, or NULL */
    enum code code;
} code_rows[] = {
    {"fftw*", "fftw*", CODE_FFTW},   {NULL, "dnnl_*", CODE_ONEDNN}, {"*fortran", NULL, CODE_BLAS},
    {"cblas", "cblas_*", CODE_BLAS}, {"lapacke*", NULL, CODE_BLAS},
};

static const char *const code_actions[] = {
    [CODE_FFTW] = "look at lengths and plans of FFTW: lengths with small prime factors, many "
                  "transforms in one plan (fftw_plan_many_dft), FFTW_MEASURE, and "
                  "fftw_plan_with_nthreads for long ones",
    [CODE_ONEDNN] =
        "look at sizes and formats of oneDNN: larger batches, formats of its own choice "
        "(format_tag::any), OMP_NUM_THREADS",
    [CODE_BLAS] = "look at sizes and threads: larger products, OMP_NUM_THREADS or "
                  "OPENBLAS_NUM_THREADS, another library (OpenBLAS, MKL, BLIS)",
    [CODE_OWN] = "look at the code of these functions: compile it for this processor (-O3 "
                 "-march=native), read memory in its order, compute with vectors, with threads "
                 "where sizes are large, and in fewer and larger calls",
};

static bool is_like(const char *glob, const char *text)
{
    return glob && text && fnmatch(glob, text, 0) == 0;
}

static enum code find_code(const struct group *group)
{
    const char *family = group->kernel ? group->kernel->family : NULL;

    for (size_t i = 0; i < sizeof code_rows / sizeof *code_rows; i++)
        if (is_like(code_rows[i].family, family) || is_like(code_rows[i].name, group_name(group)))
            return code_rows[i].code;
    return CODE_OWN;
}

/* Self time of the kernels that are far from the roof, by whose code it is. */
struct slow {
    struct targets rows;
    double code_ns[CODES];
};

static void add_slow(struct slow *of, const struct group *group, double share)
{
    targets_add(&of->rows, group, (double)group->self_ns * (1 - share));
    of->code_ns[find_code(group)] += (double)group->self_ns;
}

static enum code find_most(const double ns[CODES])
{
    enum code most = 0;

    for (int i = 1; i < CODES; i++)
        if (ns[i] > ns[most])
            most = (enum code)i;
    return most;
}

/* What takes most comes first; what takes less than a tenth is not worth a word. */
static void append_actions(struct text *text, const struct slow *of)
{
    const double least_ns = 0.1 * of->rows.thread_ns;
    double left_ns[CODES];
    const char *separator = "";

    memcpy(left_ns, of->code_ns, sizeof left_ns);
    for (enum code most = find_most(left_ns); left_ns[most] > least_ns; most = find_most(left_ns)) {
        text_appendf(text, "%s%s", separator, code_actions[most]);
        left_ns[most] = 0;
        separator = "; ";
    }
}

static void add_latency(const struct findings_context *context, struct findings *findings,
                        const struct slow *of)
{
    const struct targets *rows = &of->rows;
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_LIMIT);

    text_append(&finding->title, "kernels are far from what this machine can do");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, " in kernels below 60 % of both roofs: ");
    targets_append(&finding->evidence, rows, context);
    text_append(&finding->why,
                "neither arithmetic nor memory explains their time: sizes are small, "
                "threads wait, or there is no good code for the shape");
    append_actions(&finding->action, of);
    text_append(&finding->refute, "other processes that ran at the same time would look like this "
                                  "too");
    text_append(&finding->see, "tprof roofline, tprof timing");
}

void rule_latency(const struct findings_context *context, struct findings *findings)
{
    struct slow of = {.code_ns = {0}};
    size_t judged = 0;

    if (!can_judge(context, findings))
        return;
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        double share = reached(context, i);

        judged += isnan(share) ? 0 : 1;
        if (share < far)
            add_slow(&of, findings_group(context, i), share);
    }
    if (of.rows.count > 0)
        add_latency(context, findings, &of);
    else if (judged == 0)
        findings_skip(findings, "the FLOPs and bytes of no kernel are known");
    else
        findings_pass(findings, "none of %zu %s of known FLOPs is below 60 %% of both roofs",
                      judged, units_choose(judged, "kernel and shape", "kernels and shapes"));
}
