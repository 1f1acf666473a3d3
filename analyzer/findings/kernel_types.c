/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Number types of kernels: FP64 and LOWPREC.
 */
#include <math.h>
#include <string.h>

#include "findings/rates.h"
#include "findings/routines.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"

/* From a tenth of the FLOPs on, as in Nsight Compute's rule on FP64 and XProf's rule on 16 bits. */
static const double double_share = 0.1, low_share = 0.1;

/* A type with a smaller share counts as unused: a library such as numpy tries types when it is
 * loaded. */
static const double used_share = 0.01;

struct type_work {
    long double flops[MACHINE_PRECISIONS + 1]; /* the last: of unknown precision */
    long double all;
};

static struct type_work gather(const struct findings_context *context)
{
    struct type_work work = {.all = 0};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (!(group->flops > 0))
            continue;
        work.flops[findings_judgement(context, i)->precision] += group->flops;
        work.all += group->flops;
    }
    return work;
}

static double share_of(const struct type_work *work, enum machine_precision precision)
{
    return (double)(work->flops[precision] / work->all);
}

/* In 16 or 8 bits. */
static double share_of_low(const struct type_work *work)
{
    return share_of(work, MACHINE_BF16) + share_of(work, MACHINE_F16) + share_of(work, MACHINE_I8);
}

/* The time in float.  For products it is the mean of two estimates: the present efficiency, and the
 * rate of products of this size.  For other kernels it is half the time: half the bytes, and twice
 * the elements in a vector. */
static double float_ns(const struct findings_context *context, const struct group *group)
{
    double now_ns = (double)group->self_ns, single_ns, double_ns;
    struct slots_product product;

    if (!slots_find_product(findings_slot(context, group), &product))
        return now_ns / 2;
    single_ns = rates_product_ns(context, MACHINE_F32, &product);
    double_ns = rates_product_ns(context, MACHINE_F64, &product);
    if (isnan(single_ns) || isnan(double_ns))
        return now_ns / 2;
    return (now_ns * single_ns / double_ns + fmin(single_ns * (double)group->calls, now_ns)) / 2;
}

static void add_mixed(const struct findings_context *context, struct findings *findings,
                      const struct targets *rows, const struct type_work *work)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);

    finding_advise(finding, "fp64_mixed");
    say(&finding->evidence, fp64_shares_text, said_share(share_of(work, MACHINE_F64)),
        said_share(share_of(work, MACHINE_F32) + share_of_low(work)));
    finding_add_number(finding, "double_fraction", share_of(work, MACHINE_F64));
}

/* Solving systems often needs more digits than float has, in LAPACK or in a user's library on top
 * of BLAS. */
static bool solves(const struct findings_context *context)
{
    double solving_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        const char *name = group_name(group);

        if (routine_of(name) != ROUTINE_OTHER || strstr(name, "trs") ||
            roles_of(&context->roles, group->slot)->role == ROLE_LAPACK)
            solving_ns += (double)group->self_ns;
    }
    return solving_ns >= used_share * (double)context->groups.self_ns;
}

/* If no system is solved, the repair and its gain are known, provided that 7 digits are enough. */
static double confidence_in_float(const struct findings_context *context, bool is_chosen)
{
    if (!solves(context))
        return FINDING_CONFIDENCE_MEDIUM;
    return is_chosen ? FINDING_CONFIDENCE_LOW : FINDING_CONFIDENCE_LIMIT;
}

static void add_all_double(const struct findings_context *context, struct findings *findings,
                           const struct targets *rows, const struct type_work *work)
{
    bool is_chosen = findings_has_torch(context); /* the program uses torch, whose tensors are float
                                                     by default */
    struct finding *finding =
        targets_claim(findings, rows, context, confidence_in_float(context, is_chosen));
    double unknown = share_of(work, MACHINE_PRECISIONS);

    finding_advise(finding, "fp64_all");
    finding_advise(finding, is_chosen ? "fp64_torch" : "fp64_numpy");
    say(&finding->title, unknown >= used_share ? fp64_known_text : fp64_every_text);
    if (unknown >= used_share)
        say(&finding->evidence, fp64_untyped_text, said_share(unknown));
}

void rule_fp64(const struct findings_context *context, struct findings *findings)
{
    struct type_work work = gather(context);
    struct targets rows = {0};

    if (!(work.all > 0)) {
        findings_skip(findings, flops_unknown_text);
        return;
    }
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (findings_judgement(context, i)->precision == MACHINE_F64 &&
            findings_slot(context, group)->flops_each > 0)
            targets_add(&rows, group, (double)group->self_ns - float_ns(context, group));
    }
    if (share_of(&work, MACHINE_F64) < double_share)
        findings_pass(findings, fp64_passed_text, said_share(share_of(&work, MACHINE_F64)));
    else if (share_of(&work, MACHINE_F32) + share_of_low(&work) >= used_share)
        add_mixed(context, findings, &rows, &work);
    else
        add_all_double(context, findings, &rows, &work);
}

/* One product in float becomes two in 16 bits.  In the tiles of AMX it becomes sixteen (1024
 * operations a cycle against 64, Intel's Optimization Reference Manual); the rule claims half of
 * that. */
static const double vector_gain = 2, tile_gain = 8;

static void add_short(const struct findings_context *context, struct findings *findings,
                      const char *instructions, double share)
{
    double gain = strstr(instructions, "amx") ? tile_gain : vector_gain;
    struct targets rows = {0};
    struct slots_product product;
    struct finding *finding;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (findings_judgement(context, i)->precision == MACHINE_F32 &&
            slots_find_product(findings_slot(context, group), &product))
            targets_add(&rows, group, (double)group->self_ns * (1 - 1 / gain));
    }
    finding = targets_claim(findings, &rows, context, FINDING_CONFIDENCE_LIMIT);
    say(&finding->evidence, lowprec_shares_text, said_share(share), said_words(instructions));
    say(&finding->limit, lowprec_assumes_text, said_count((uint64_t)gain));
}

void rule_lowprec(const struct findings_context *context, struct findings *findings)
{
    const char *instructions = context->session->process.conditions[TRACE_CONDITION_SHORT_TYPES];
    struct type_work work = gather(context);
    double share = share_of_low(&work);

    if (!(work.all > 0))
        findings_skip(findings, flops_unknown_text);
    else if (share >= low_share)
        findings_pass(findings, lowprec_passed_text, said_share(share));
    else if (!instructions)
        findings_skip(findings, lowprec_unknown_text, said_share(share));
    else if (strcmp(instructions, "none") == 0)
        findings_pass(findings, lowprec_impossible_text);
    else
        add_short(context, findings, instructions, share);
}
