/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What kernels compute in: FP64 and LOWPREC.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "findings/rates.h"
#include "findings/routines.h"
#include "findings/targets.h"
#include "model/session.h"

/* From a tenth of the FLOPs on (Nsight Compute's rule on FP64, XProf's on 16 bits). */
static const double double_share = 0.1, low_share = 0.1;

/* A program that computes in a type does so for more than what a library tries when it is
 * loaded, as numpy does. */
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

/* ---- double where float would do ---------------------------------------------------- */

/* The time in float: half way between the same efficiency as now and what products of
 * this size reach; elsewhere half the bytes and twice the numbers a vector. */
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

static void add_double(const struct findings_context *context, struct findings *findings,
                       const struct targets *rows, const struct type_work *work)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);
    char share[UNITS_SIZE], rest[UNITS_SIZE];

    text_append(&finding->title, "double precision in a program that else computes in float");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, ": ");
    targets_append(&finding->evidence, rows, context);
    text_appendf(&finding->evidence, "; %s of the FLOPs are in double, %s in float%s",
                 units_format_percent(share, share_of(work, MACHINE_F64)),
                 units_format_percent(rest, share_of(work, MACHINE_F32) + share_of_low(work)),
                 share_of_low(work) > 0 ? " or shorter types" : "");
    text_append(&finding->limit, "; in float");
    text_append(&finding->why, "float has half the bytes, and twice the numbers in a vector");
    text_append(&finding->action, "compute these in float: call the s-variant (sgemm for dgemm), "
                                  "numpy's astype(float32), torch's .float(); look for constants "
                                  "and inputs that are double by default");
    text_append(&finding->refute, "wrong where the result needs more than 7 digits");
    text_append(&finding->see, "tprof flops --by site");
    finding_add_number(findings, finding, "double_fraction", share_of(work, MACHINE_F64));
}

/* Where double is the default a program may need it or not. */
static void append_double_reason(struct finding *finding, bool is_chosen)
{
    text_append(&finding->why, "float has half the bytes, and twice the numbers in a vector; ");
    text_append(&finding->why, is_chosen
                                   ? "torch takes float where nothing else is said, so the doubles "
                                     "came in by a dtype, or with arrays of numpy"
                                   : "numpy and C take double where nothing else is said");
    text_append(&finding->action,
                "if 7 digits are enough, as in most networks, compute in float: ");
    text_append(&finding->action, is_chosen
                                      ? ".float() where data come in, and a model of the same type"
                                      : "dtype=float32 where arrays are made, sgemm for dgemm");
}

/* Systems that are solved often need more digits than float has, in LAPACK or by the library of a
 * user that calls BLAS alone. */
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

/* Where nothing is solved the repair and what it saves are known, and 7 digits are supposed. */
static double confidence_in_float(const struct findings_context *context, bool is_chosen)
{
    if (!solves(context))
        return FINDING_CONFIDENCE_MEDIUM;
    return is_chosen ? FINDING_CONFIDENCE_LOW : FINDING_CONFIDENCE_LIMIT;
}

static void add_all_double(const struct findings_context *context, struct findings *findings,
                           const struct targets *rows, const struct type_work *work)
{
    bool is_chosen = findings_has_torch(context); /* whose tensors are float by default */
    struct finding *finding =
        targets_claim(findings, rows, context, confidence_in_float(context, is_chosen));
    double unknown = share_of(work, MACHINE_PRECISIONS);
    char share[UNITS_SIZE];

    text_appendf(&finding->title, "all that computes%s is in double precision",
                 unknown >= used_share ? " in a known type" : "");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, ": ");
    targets_append(&finding->evidence, rows, context);
    if (unknown >= used_share)
        text_appendf(&finding->evidence, "; of %s of the FLOPs the type is not known",
                     units_format_percent(share, unknown));
    text_append(&finding->limit, "; in float, were that enough");
    append_double_reason(finding, is_chosen);
    text_append(&finding->refute, "the trace does not tell how many digits are needed; systems "
                                  "that are solved often need more");
    text_append(&finding->see, "tprof flops --by site");
}

void rule_fp64(const struct findings_context *context, struct findings *findings)
{
    struct type_work work = gather(context);
    struct targets rows = {0};
    char share[UNITS_SIZE];

    if (!(work.all > 0)) {
        findings_skip(findings, "the FLOPs of no kernel are known");
        return;
    }
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (findings_judgement(context, i)->precision == MACHINE_F64 &&
            findings_slot(context, group)->flops_each > 0)
            targets_add(&rows, group, (double)group->self_ns - float_ns(context, group));
    }
    if (share_of(&work, MACHINE_F64) < double_share)
        findings_pass(findings, "%s of the FLOPs are in double, less than 10 %%",
                      units_format_percent(share, share_of(&work, MACHINE_F64)));
    else if (share_of(&work, MACHINE_F32) + share_of_low(&work) >= used_share)
        add_double(context, findings, &rows, &work);
    else
        add_all_double(context, findings, &rows, &work);
}

/* ---- 16 bits -------------------------------------------------------------------------- */

/* Two products of 16-bit numbers stand where one of float was; in the tiles of AMX they
 * are sixteen times as many (1024 operations a cycle against 64, says Intel's Optimization
 * Reference Manual), of which half is claimed. */
static const double vector_gain = 2, tile_gain = 8;

static void add_short(const struct findings_context *context, struct findings *findings,
                      const char *instructions, double share)
{
    double gain = strstr(instructions, "amx") ? tile_gain : vector_gain;
    struct targets rows = {0};
    struct slots_product product;
    struct finding *finding;
    char text[UNITS_SIZE];

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (findings_judgement(context, i)->precision == MACHINE_F32 &&
            slots_find_product(findings_slot(context, group), &product))
            targets_add(&rows, group, (double)group->self_ns * (1 - 1 / gain));
    }
    finding = targets_claim(findings, &rows, context, FINDING_CONFIDENCE_LIMIT);
    text_append(&finding->title, "products in float on a processor that has instructions for 16 "
                                 "bits");
    targets_append_sums(&finding->evidence, &rows, context);
    text_append(&finding->evidence, " in products of float: ");
    targets_append(&finding->evidence, &rows, context);
    text_appendf(&finding->evidence, "; %s of the FLOPs are in 16 or 8 bits; the processor has %s",
                 units_format_percent(text, share), instructions);
    text_appendf(&finding->limit, "; at %.0f times the rate", gain);
    text_append(&finding->why, "half the bytes, and twice the products an instruction or more");
    text_append(&finding->action, "try bf16 where accuracy allows it: torch.autocast(\"cpu\", "
                                  "dtype=torch.bfloat16), oneDNN's bf16 types, sbgemm of OpenBLAS; "
                                  "int8 for inference");
    text_append(&finding->refute,
                "wrong where 8 bits of mantissa are too few, or the library has no "
                "code for these instructions");
    text_append(&finding->see, "tprof info, tprof roofline");
}

void rule_lowprec(const struct findings_context *context, struct findings *findings)
{
    const char *instructions = context->session->process.conditions[TRACE_CONDITION_SHORT_TYPES];
    struct type_work work = gather(context);
    double share = share_of_low(&work);
    char text[UNITS_SIZE];

    if (!(work.all > 0))
        findings_skip(findings, "the FLOPs of no kernel are known");
    else if (share >= low_share)
        findings_pass(findings, "%s of the FLOPs are in 16 or 8 bits",
                      units_format_percent(text, share));
    else if (!instructions)
        findings_skip(
            findings,
            "%s of the FLOPs are in 16 or 8 bits, but the trace does not tell whether the "
            "processor has instructions for these; tprof run notes it",
            units_format_percent(text, share));
    else if (strcmp(instructions, "none") == 0)
        findings_pass(findings, "the processor has no instructions for 16-bit numbers");
    else
        add_short(context, findings, instructions, share);
}
