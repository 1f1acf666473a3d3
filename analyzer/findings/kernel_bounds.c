/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Kernels against the roof: MEM-BOUND, COMPUTE-BOUND and LATENCY.
 *
 * A product of matrices is compared with the best product on this machine, not with the peak of
 * multiply-adds: no choice of sizes gets beyond the best product, but another library may
 * (DISPATCH).
 */
#include <fnmatch.h>
#include <math.h>
#include <string.h>

#include "findings/rates.h"
#include "findings/targets.h"
#include "findings/texts.h"

/* As in Nsight Compute: near a roof means from 60 % of the bandwidth or 80 % of the peak on. */
static const double near_bandwidth = 0.6, near_peak = 0.8, far = 0.6;

/* A share of the wall time: smaller kernels at the roof are not shown. */
static const double least_at_roof = 0.01;

/* Numbers of half the size move in half the time. */
static const double fewer_bytes = 0.5;

static bool can_judge(const struct findings_context *context, struct findings *findings)
{
    if (context->groups.rows.count == 0)
        findings_skip(findings, no_kernel_called_text);
    else if (!context->judge.machine)
        findings_skip(findings, bounds_uncalibrated_text);
    else
        return true;
    return false;
}

/* The share of its roof that a row reaches in its processor time.  The peak of products is the rate
 * of the best product. */
static double reached(const struct findings_context *context, size_t index)
{
    return rates_least_ns(context, index) / (double)findings_group(context, index)->owning_ns;
}

static bool is_beyond_ridge(const struct judgement *judgement)
{
    return judgement->intensity >= machine_ridge(&judgement->roof);
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
        say(&targets_claim(findings, &rows, context, FINDING_CONFIDENCE_LOW)->evidence,
            mem_bound_near_text);
    else
        findings_pass(findings, mem_bound_passed_text);
}

static void add_compute(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    finding->fraction = findings_fraction(context, rows->thread_ns);
    targets_say(&finding->evidence, rows, context);
    say(&finding->evidence, compute_bound_near_text);
}

void rule_compute_bound(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    double best = 0, fraction;

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
    fraction = findings_fraction(context, rows.thread_ns);
    if (fraction >= least_at_roof)
        add_compute(context, findings, &rows);
    else if (rows.count > 0)
        findings_pass(findings, compute_bound_little_text, said_share(fraction));
    else
        findings_pass(findings, compute_bound_passed_text, said_share(best));
}

/* The advice depends on the owner of the code.  The first matching row counts; without a match, the
 * code is the user's own, from a file of TPROF_KERNELS. */
enum code { CODE_FFTW, CODE_ONEDNN, CODE_BLAS, CODE_OWN, CODES };

static const struct {
    const char *family, *name; /* globs, of the catalog's families and of names, or NULL */
    enum code code;
} code_rows[] = {
    {"fftw*", "fftw*", CODE_FFTW},   {NULL, "dnnl_*", CODE_ONEDNN}, {"*fortran", NULL, CODE_BLAS},
    {"cblas", "cblas_*", CODE_BLAS}, {"lapacke*", NULL, CODE_BLAS},
};

static const struct said *const code_actions[] = {
    [CODE_FFTW] = &latency_fftw_text,
    [CODE_ONEDNN] = &latency_onednn_text,
    [CODE_BLAS] = &latency_blas_text,
    [CODE_OWN] = &latency_own_text,
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

/* Self time of kernels far from the roof, by the owner of their code. */
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

/* The code with the most time comes first; code with less than a tenth is not mentioned. */
static void say_actions(struct text *text, const struct slow *of)
{
    const double least_ns = 0.1 * of->rows.thread_ns;
    double left_ns[CODES];

    memcpy(left_ns, of->code_ns, sizeof left_ns);
    for (enum code most = find_most(left_ns); left_ns[most] > least_ns; most = find_most(left_ns)) {
        say(text, *code_actions[most]);
        left_ns[most] = 0;
    }
}

static void add_latency(const struct findings_context *context, struct findings *findings,
                        const struct slow *of)
{
    struct finding *finding = targets_claim(findings, &of->rows, context, FINDING_CONFIDENCE_LIMIT);

    say(&finding->evidence, latency_far_text);
    say_actions(&finding->action, of);
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
        findings_skip(findings, latency_unknown_text);
    else
        findings_pass(findings, latency_passed_text, said_count(judged));
}
