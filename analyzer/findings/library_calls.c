/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What libraries do beside computing, and with which code they compute: DISPATCH,
 * REORDER and PRIMCREATE.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "figures/makers.h"
#include "findings/blas_code.h"
#include "findings/rates.h"
#include "findings/reference_blas.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "model/session.h"

/* verbose_converter's sample has 10.5 %; below 5 % a reorder is not worth a change. */
static const double reorder_fraction = 0.05, create_fraction = 0.05;

/* Where code for the processor is there, large products reach this much of the peak
 * (OpenBLAS for SkylakeX on Zen 5: 88 % in f32, 76 % in f64). */
static const double good_product = 0.8, poor_product = 0.6;

/* ---- the code that was chosen ------------------------------------------------------- */

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

/* What else has a text beside its shape, such as the file of a model, is not of this sort. */
static bool names_its_code(const struct group *group)
{
    const char *adapter = group->kernel ? group->kernel->adapter : NULL;

    return group->implementation && adapter && strcmp(adapter, "onednn") == 0;
}

/* At most.  Reference code is a loop of scalars, with no end but the roof: vectors of eight floats
 * are the least that it misses.  AVX-512 is twice as wide as AVX2, and four times as SSE. */
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

    finding_weaken(finding, FINDING_BOUNDS); /* what it would choose instead is not known */
    text_appendf(&finding->title, "oneDNN falls back to %s", rows->named[0]->implementation);
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, ": ");
    targets_append(&finding->evidence, rows, context);
    text_append(&finding->limit,
                "; at the roof, or eight times as fast, for reference code, and with vectors as "
                "wide as this processor's for lesser instructions");
    text_append(&finding->why, "the shape, layout or type has no code for this processor in this "
                               "version of the library");
    text_append(&finding->action,
                "let the library choose layouts (format any), use types and "
                "attributes that it has code for, or a newer version; see what it "
                "says with ONEDNN_VERBOSE=dispatch, and that ONEDNN_MAX_CPU_ISA is "
                "not set");
    text_append(&finding->refute, "small shapes may be as fast without vectors");
    text_append(&finding->see, "tprof timing --format json (implementation)");
}

/* The arithmetic of a product goes faster with better code, its copies do not. */
static double better_code_saves_ns(const struct findings_context *context,
                                   const struct group *group, double best, double peak)
{
    double flops = (double)group->flops / context->wall.processor;

    return fmin(1e9 * flops * (1 / best - 1 / (good_product * peak)),
                (double)group->self_ns * (1 - best / (good_product * peak)));
}

/* Returns: what the best product has of the peak; NAN when it is not known. */
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

static void append_doubts(struct text *text, const struct machine *machine)
{
    for (size_t i = 0; i < text_list_count(&machine->warnings); i++)
        text_appendf(text, "%s%s", i == 0 ? "the calibration is doubtful: " : ", ",
                     text_list_at(&machine->warnings, i));
}

/* What the code that was chosen says of a poor product. */
static void append_poor_reason(struct finding *finding, const struct machine *machine,
                               enum blas_code code)
{
    bool is_openblas = strstr(machine->blas, "OpenBLAS") != NULL;

    text_append(&finding->why,
                code == BLAS_CODE_FITTING
                    ? "its code is for this processor, so its blocks, its threads or "
                      "what else ran at the calibration keep it from the peak"
                    : "a library that does not know the processor falls back to "
                      "code with shorter vectors");
    if (code == BLAS_CODE_LESSER && is_openblas && strstr(machine->instruction_set, "avx512"))
        text_append(&finding->action, "run with OPENBLAS_CORETYPE=SkylakeX, then tprof calibrate "
                                      "again; or use a newer OpenBLAS, BLIS or MKL");
    else
        text_append(&finding->action, "tprof calibrate again while nothing else runs; then use a "
                                      "newer version of the library, or another: OpenBLAS, BLIS, "
                                      "MKL");
}

static void add_poor_blas(const struct findings_context *context, struct findings *findings,
                          const struct targets *rows, double fraction)
{
    const struct machine *machine = context->judge.machine;
    char name[BLAS_CODE_NAME_SIZE], share[UNITS_SIZE];
    enum blas_code code = blas_code_find(machine, name);
    bool is_certain = code == BLAS_CODE_LESSER && text_list_count(&machine->warnings) == 0;
    struct finding *finding = targets_claim(
        findings, rows, context, is_certain ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW);

    text_appendf(&finding->title, "the BLAS reaches %s of the peak at best%s",
                 units_format_percent(share, fraction),
                 code == BLAS_CODE_LESSER ? ": it has chosen code for a lesser processor" : "");
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, " in products of matrices: ");
    targets_append(&finding->evidence, rows, context);
    text_appendf(&finding->evidence, "; calibrated with %s, %s", machine->blas,
                 machine->instruction_set);
    text_append(&finding->limit, "; with code that reaches 80 % of the peak");
    if (code != BLAS_CODE_LESSER) /* why it is slow is not known */
        finding_weaken(finding, FINDING_POINTS);
    append_poor_reason(finding, machine, code);
    text_append(&finding->refute, "wrong if the program used another BLAS than the calibration");
    if (text_list_count(&machine->warnings) > 0)
        text_append(&finding->refute, "; ");
    append_doubts(&finding->refute, machine);
    text_append(&finding->see, "tprof calibrate --show, tprof roofline");
}

/* Code for this processor and a calibration that was disturbed: the product is as doubtful
 * as the peak.  Returns: whether it is so. */
static bool skip_doubtful(struct findings *findings, const struct machine *machine, double fraction)
{
    char name[BLAS_CODE_NAME_SIZE], share[UNITS_SIZE];
    struct text doubts;

    if (blas_code_find(machine, name) != BLAS_CODE_FITTING ||
        text_list_count(&machine->warnings) == 0)
        return false;
    text_init(&doubts);
    append_doubts(&doubts, machine);
    findings_skip(findings,
                  "the best product of the BLAS was calibrated at %s of the peak, with code for "
                  "%s, which is for this processor, but %s",
                  units_format_percent(share, fraction), name, doubts.bytes);
    text_fini(&doubts);
    return true;
}

/* What the rows say of the code that was chosen. */
struct chosen {
    struct targets fallback; /* by oneDNN's own word */
    struct targets poor;     /* by the calibration of the BLAS */
    struct reference_blas reference;
    double fraction; /* of the peak, that the best product of the BLAS has; NAN when unknown */
    size_t named;    /* rows whose code oneDNN told */
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
    char share[UNITS_SIZE];

    if (chosen->named > 0)
        findings_pass(
            findings,
            "none of %zu implementation%s that oneDNN named is code of reference or for a "
            "lesser processor",
            chosen->named, units_choose(chosen->named, "", "s"));
    else if (!isnan(chosen->fraction))
        findings_pass(findings, "the best product of the BLAS was calibrated at %s of the peak",
                      units_format_percent(share, chosen->fraction));
    else
        findings_skip(findings, "no library told its implementations, and the best product of the "
                                "BLAS was not calibrated");
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

/* ---- moving data ---------------------------------------------------------------------- */

static void add_reorder(const struct findings_context *context, struct findings *findings,
                        const struct targets *rows)
{
    struct finding *finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);
    char share[UNITS_SIZE];

    text_appendf(&finding->title, "%s of the wall time moves data into another order",
                 units_format_percent(share, finding->fraction));
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, " without a FLOP: ");
    targets_append(&finding->evidence, rows, context);
    text_append(&finding->limit, "; when all of them go");
    text_append(&finding->why, "copies and transpositions compute nothing; most are there because "
                               "two steps disagree on a layout");
    text_append(&finding->action, "keep one layout: pass transposition as a flag (CblasTrans, "
                                  "transb) instead of transposing, pack weights once before the "
                                  "loop, use a blocked layout throughout (format any, "
                                  "channels_last)");
    text_append(&finding->refute, "those of inputs and results must stay");
    text_append(&finding->see, "tprof flops --by site");
}

void rule_reorder(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    char share[UNITS_SIZE];

    if (context->groups.rows.count == 0) {
        findings_skip(findings, "no known kernel was called");
        return;
    }
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (group->kernel && group->kernel->class == CATALOG_MOVEMENT)
            targets_add(&rows, group, (double)group->self_ns);
    }
    if (findings_fraction(context, rows.thread_ns) >= reorder_fraction)
        add_reorder(context, findings, &rows);
    else
        findings_pass(findings,
                      "known kernels that only move data take %s of the wall time, less "
                      "than 5 %%; loops of the program's own are not seen",
                      units_format_percent(share, findings_fraction(context, rows.thread_ns)));
}

/* ---- making primitives and plans ---------------------------------------------------------- */

static bool makes_again(const struct findings_context *context, size_t row, const void *maker)
{
    const struct group *group = findings_group(context, row);

    return maker_repeats(maker, group->name, group->calls);
}

/* What was made in all, and what of it was made before: of each shape, which is a row, the first
 * must be made. */
enum making_state { NOT_MADE_AGAIN, NOT_YET_MADE, MADE };
struct made {
    enum making_state *rows;
    uint64_t calls, again;
    double again_ns; /* thread time */
};

static void follow_making(void *what, const struct row_call *at)
{
    struct made *made = what;

    if (made->rows[at->row] == NOT_MADE_AGAIN)
        return;
    made->calls++;
    if (made->rows[at->row] == MADE) {
        made->again++;
        made->again_ns += (double)course_length_ns(at->call);
    }
    made->rows[at->row] = MADE;
}

/* Errors: STATUS_OUT_OF_MEMORY. */
static enum status find_made(struct made *made, const struct findings_context *context,
                             const struct maker *maker)
{
    *made = (struct made){calloc(context->groups.rows.count + 1, sizeof *made->rows), 0, 0, 0};
    if (!made->rows)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < context->groups.rows.count; i++)
        made->rows[i] = makes_again(context, i, maker) ? NOT_YET_MADE : NOT_MADE_AGAIN;
    row_calls_follow(context, follow_making, made);
    free(made->rows);
    return STATUS_OK;
}

/* What is not made again is not freed again. */
static double freeing_ns(const struct findings_context *context, const struct maker *maker,
                         const struct made *made)
{
    double sum_ns = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (maker_frees(maker, group->name))
            sum_ns += (double)group->self_ns;
    }
    return made->calls > 0 ? sum_ns * (double)made->again / (double)made->calls : 0;
}

static size_t count_makers(const struct findings_context *context, const struct maker *maker)
{
    size_t count = 0;

    for (size_t i = 0; i < context->groups.rows.count; i++)
        count += maker_is(maker, findings_group(context, i)->name);
    return count;
}

static void add_creation(const struct findings_context *context, struct findings *findings,
                         const struct maker *maker, struct targets *rows)
{
    struct finding *finding;
    struct made made;

    if (find_made(&made, context, maker))
        findings->status = STATUS_OUT_OF_MEMORY;
    rows->saved_ns = fmin(rows->thread_ns, made.again_ns) + freeing_ns(context, maker, &made);
    finding = targets_claim(findings, rows, context, FINDING_CONFIDENCE_HIGH);
    /* What only makes them, as fftw-wisdom does, has nothing to execute in their place. */
    if (makers_count(&context->groups, maker).executions == 0)
        finding_weaken(finding, FINDING_POINTS);
    text_append(&finding->title, maker->title);
    targets_append_sums(&finding->evidence, rows, context);
    text_append(&finding->evidence, ": ");
    targets_append(&finding->evidence, rows, context);
    if (finding->gain == FINDING_PREDICTS)
        text_append(&finding->limit, "; each shape is still made and freed once");
    text_append(&finding->why, maker->why);
    text_append(&finding->action, finding->gain == FINDING_PREDICTS ? maker->action : maker->once);
    text_append(&finding->refute, maker->refute);
    text_appendf(&finding->see, "tprof timing --filter %s", maker->see_names);
}

/* `late`: of the library that takes most. */
static void pass_creation(const struct findings_context *context, struct findings *findings,
                          const struct targets_outermost *late)
{
    double fraction = findings_fraction(context, late->thread_ns);
    char share[UNITS_SIZE];

    units_format_percent(share, fraction);
    if (fraction < create_fraction)
        findings_pass(findings,
                      "making primitives of oneDNN, plans of FFTW or sessions of ONNX Runtime "
                      "takes %s of the wall time after its first fifth, less than 5 %%",
                      share);
    else
        findings_pass(findings,
                      "making %llu primitive%s of oneDNN or plan%s of FFTW takes %s of the wall "
                      "time after its first fifth: %s made again and again",
                      (unsigned long long)late->calls, units_choose(late->calls, "", "s"),
                      units_choose(late->calls, "", "s"), share,
                      units_choose(late->calls, "it is not", "so few are not"));
}

void rule_primcreate(const struct findings_context *context, struct findings *findings)
{
    uint64_t from_ns = context->session->process.wall_ns / 5; /* before, making is warming up */
    struct targets_outermost most = {0};
    size_t seen = 0, found = 0;

    for (size_t i = 0; i < maker_count; i++) {
        struct targets rows = {0};
        struct targets_outermost late;

        if (targets_gather(&rows, &late, context, makes_again, &makers[i], from_ns))
            findings->status = STATUS_OUT_OF_MEMORY;
        late.thread_ns = fmin(rows.thread_ns, late.thread_ns);
        seen += count_makers(context, &makers[i]);
        most = late.thread_ns > most.thread_ns ? late : most;
        if (late.calls < makers[i].least ||
            findings_fraction(context, late.thread_ns) < create_fraction)
            continue;
        add_creation(context, findings, &makers[i], &rows);
        found++;
    }
    if (seen == 0)
        findings_skip(findings, "no primitive of oneDNN, no plan of FFTW and no session of ONNX "
                                "Runtime was made where it could be seen");
    else if (!context->successions.is_known)
        findings_skip(findings, "no event of a kernel is in the trace, so when primitives, plans "
                                "and sessions were made is not known");
    else if (found == 0)
        pass_creation(context, findings, &most);
}
