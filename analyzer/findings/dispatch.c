/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The code that libraries choose for this processor: DISPATCH.
 */
#include <math.h>
#include <string.h>

#include "findings/blas_code.h"
#include "findings/rates.h"
#include "findings/reference_blas.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"

/* With code for the right processor, large products reach this share of the peak (OpenBLAS for
 * SkylakeX on Zen 5: 88 % in f32, 76 % in f64). */
static const double good_product = 0.8, poor_product = 0.6;

/* Names of oneDNN: "ref:any", "gemm:jit", "jit:avx2", "brgemm:avx512_core". */
static bool is_reference(const char *implementation)
{
    return strncmp(implementation, "ref", 3) == 0 || strstr(implementation, "ref:") ||
           strncmp(implementation, "simple", 6) == 0;
}

static bool is_lower(const char *implementation, const struct machine *machine)
{
    return machine && strstr(machine->instruction_set, "avx512") &&
           !strstr(implementation, "avx512") &&
           (strstr(implementation, "avx2") || strstr(implementation, "sse") ||
            strstr(implementation, ":avx"));
}

/* Other kernels have another text besides their shape, such as the file of a model. */
static bool names_its_code(const struct group *group)
{
    const char *adapter = group->kernel ? group->kernel->adapter : NULL;

    return group->implementation && adapter && strcmp(adapter, "onednn") == 0;
}

/* An upper bound.  Reference code is a loop of scalars: it lacks vectors of at least eight floats,
 * and the roof bounds the rest.  AVX-512 is twice as wide as AVX2, and four times as wide as
 * SSE. */
static double dispatch_saved_ns(const struct findings_context *context, size_t index)
{
    const struct group *group = findings_group(context, index);
    double now_ns = (double)group->self_ns, least_ns = rates_least_ns(context, index);

    if (is_reference(group->implementation))
        return now_ns - fmin(now_ns / 8, isnan(least_ns) ? now_ns : least_ns);
    if (!is_lower(group->implementation, context->judge.machine))
        return 0;
    return now_ns * (strstr(group->implementation, "sse") ? 1 - 1 / 4.0 : 1 - 1 / 2.0);
}

static void add_fallback(const struct findings_context *context, struct findings *findings,
                         const struct targets *rows)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_MEDIUM);

    finding_weaken(finding, FINDING_BOUNDS); /* the code that it would choose instead is unknown */
    say(&finding->title, dispatch_fallback_title_text, said_words(rows->named[0]->implementation));
    finding_advise(finding, "dispatch_fallback");
}

/* Better code speeds up the arithmetic of a product, not its copies. */
static double better_code_saves_ns(const struct findings_context *context,
                                   const struct group *group, double best, double peak)
{
    double flops = (double)group->flops / context->wall.processor;

    return fmin(1e9 * flops * (1 / best - 1 / (good_product * peak)),
                (double)group->self_ns * (1 - best / (good_product * peak)));
}

/* Returns: the share of the peak that the best product reaches; NAN when unknown. */
static double add_if_poor(struct targets *rows, const struct findings_context *context,
                          size_t index)
{
    const struct machine *machine = context->judge.machine;
    enum machine_precision precision = findings_judgement(context, index)->precision;
    const struct group *group = findings_group(context, index);
    double best = machine_gemm(machine, precision, context->judge.threads);
    double peak = machine_peak(machine, precision, context->judge.threads);
    struct slots_product product;

    if (precision >= MACHINE_PRECISIONS || group->implementation ||
        !slots_find_product(findings_slot(context, group), &product) || product.m == 1 ||
        product.n == 1)
        return (double)NAN;
    if (best < poor_product * peak)
        targets_add(rows, group, better_code_saves_ns(context, group, best, peak));
    return best / peak;
}

/* The calibration is doubtful where the machine was not quiet. */
static void say_doubts(struct text *text, const struct machine *machine)
{
    for (size_t i = 0; i < text_list_count(&machine->warnings); i++)
        say(text, dispatch_doubt_text, said_words(text_list_at(&machine->warnings, i)));
}

/* The advice for a poor product by the code that the BLAS chose. */
static const char *find_advice(const struct machine *machine, enum blas_code code)
{
    bool has_core_type = strstr(machine->blas, "OpenBLAS") != NULL &&
                         strstr(machine->instruction_set, "avx512") != NULL;

    if (code == BLAS_CODE_LESSER && has_core_type)
        return "dispatch_core_type";
    return "dispatch_other_blas";
}

static void add_poor_blas(const struct findings_context *context, struct findings *findings,
                          const struct targets *rows, double fraction)
{
    const struct machine *machine = context->judge.machine;
    char name[BLAS_CODE_NAME_SIZE];
    enum blas_code code = blas_code_find(machine, name);
    bool is_certain = code == BLAS_CODE_LESSER && text_list_count(&machine->warnings) == 0;
    struct finding *finding = targets_claim(
        findings, rows, context, is_certain ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW);

    say(&finding->title, code == BLAS_CODE_LESSER ? dispatch_lesser_text : dispatch_poor_text,
        said_share(fraction));
    say(&finding->evidence, dispatch_calibrated_text, said_words(machine->blas),
        said_words(machine->instruction_set));
    finding_advise(finding, "dispatch_poor");
    if (code != BLAS_CODE_LESSER) /* the reason for its speed is unknown */
        finding_weaken(finding, FINDING_POINTS);
    say(&finding->why, code == BLAS_CODE_FITTING ? dispatch_fitting_text : dispatch_shorter_text);
    finding_advise(finding, find_advice(machine, code));
    say_doubts(&finding->refute, machine);
}

/* With code for this processor and a disturbed calibration, the product is as doubtful as the peak.
 * Returns: whether that is so. */
static bool skip_doubtful(struct findings *findings, const struct machine *machine, double fraction)
{
    char name[BLAS_CODE_NAME_SIZE];
    struct text doubts;

    if (blas_code_find(machine, name) != BLAS_CODE_FITTING ||
        text_list_count(&machine->warnings) == 0)
        return false;
    text_init(&doubts);
    say_doubts(&doubts, machine);
    findings_skip(findings, dispatch_skipped_text, said_share(fraction), said_words(name),
                  said_words(doubts.bytes));
    return true;
}

/* The code that libraries chose, by the rows of the context. */
struct chosen {
    struct targets fallback; /* by the names of oneDNN */
    struct targets poor;     /* by the BLAS calibration */
    struct reference_blas reference;
    double fraction; /* share of the peak in the BLAS's best product; NAN when unknown */
    size_t named;    /* rows whose code oneDNN named */
};

static struct chosen find_chosen(const struct findings_context *context)
{
    struct chosen chosen = {.reference = reference_blas_find(context), .fraction = (double)NAN};

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);
        double saved_ns = names_its_code(group) ? dispatch_saved_ns(context, i) : 0;

        chosen.named += names_its_code(group);
        if (saved_ns > 0)
            targets_add(&chosen.fallback, group, saved_ns);
        if (context->judge.machine && !reference_blas_has(&chosen.reference, group))
            chosen.fraction = fmin(chosen.fraction, add_if_poor(&chosen.poor, context, i));
    }
    return chosen;
}

static void pass_dispatch(struct findings *findings, const struct chosen *chosen)
{
    if (chosen->named > 0)
        findings_pass(findings, dispatch_passed_text, said_count(chosen->named));
    else if (!isnan(chosen->fraction))
        findings_pass(findings, dispatch_reaches_text, said_share(chosen->fraction));
    else
        findings_skip(findings, dispatch_unknown_text);
}

void rule_dispatch(const struct findings_context *context, struct findings *findings)
{
    struct chosen chosen = find_chosen(context);
    bool is_poor = chosen.poor.count > 0;

    if (chosen.fallback.count > 0)
        add_fallback(context, findings, &chosen.fallback);
    if (chosen.reference.rows.count > 0)
        reference_blas_add(context, findings, &chosen.reference);
    if (is_poor && skip_doubtful(findings, context->judge.machine, chosen.fraction))
        return;
    if (is_poor)
        add_poor_blas(context, findings, &chosen.poor, chosen.fraction);
    else if (chosen.fallback.count + chosen.reference.rows.count == 0)
        pass_dispatch(findings, &chosen);
}
