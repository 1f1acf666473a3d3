/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What libraries do beside computing, and with which code they compute: DISPATCH,
 * REORDER and PRIMCREATE.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/makers.h"
#include "findings/blas_code.h"
#include "findings/rates.h"
#include "findings/reference_blas.h"
#include "findings/row_calls.h"
#include "findings/targets.h"
#include "findings/texts.h"
#include "model/session.h"

/* verbose_converter's sample has 10.5 %; below 5 % a reorder is not worth a change. */
static const double reorder_fraction = 0.05, create_fraction = 0.05;

/* Where code for the processor is there, large products reach this much of the peak
 * (OpenBLAS for SkylakeX on Zen 5: 88 % in f32, 76 % in f64). */
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
    say(&finding->title, dispatch_fallback_title_text, said_words(rows->named[0]->implementation));
    finding_advise(finding, "dispatch_fallback");
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

/* The calibration is doubtful where the machine was not quiet. */
static void say_doubts(struct text *text, const struct machine *machine)
{
    for (size_t i = 0; i < text_list_count(&machine->warnings); i++)
        say(text, dispatch_doubt_text, said_words(text_list_at(&machine->warnings, i)));
}

/* What the code that was chosen says of a poor product. */
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
    if (code != BLAS_CODE_LESSER) /* why it is slow is not known */
        finding_weaken(finding, FINDING_POINTS);
    say(&finding->why, code == BLAS_CODE_FITTING ? dispatch_fitting_text : dispatch_shorter_text);
    finding_advise(finding, find_advice(machine, code));
    say_doubts(&finding->refute, machine);
}

/* Code for this processor and a calibration that was disturbed: the product is as doubtful
 * as the peak.  Returns: whether it is so. */
static bool skip_doubtful(struct findings *findings, const struct machine *machine, double fraction)
{
    char name[BLAS_CODE_NAME_SIZE];
    struct text doubts;

    if (blas_code_find(machine, name) != BLAS_CODE_FITTING ||
        text_list_count(&machine->warnings) == 0)
        return false;
    text_init(&doubts);
    say_doubts(&doubts, machine);
    findings_say_skip(findings, dispatch_skipped_text, said_share(fraction), said_words(name),
                      said_words(doubts.bytes));
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
    if (chosen->named > 0)
        findings_say_pass(findings, dispatch_passed_text, said_count(chosen->named));
    else if (!isnan(chosen->fraction))
        findings_say_pass(findings, dispatch_reaches_text, said_share(chosen->fraction));
    else
        findings_say_skip(findings, dispatch_unknown_text);
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

void rule_reorder(const struct findings_context *context, struct findings *findings)
{
    struct targets rows = {0};
    double fraction;

    if (context->groups.rows.count == 0) {
        findings_say_skip(findings, no_kernel_called_text);
        return;
    }
    for (size_t i = 0; i < context->groups.rows.count; i++) {
        const struct group *group = findings_group(context, i);

        if (group->kernel && group->kernel->class == CATALOG_MOVEMENT)
            targets_add(&rows, group, (double)group->self_ns);
    }
    fraction = findings_fraction(context, rows.thread_ns);
    if (fraction >= reorder_fraction)
        say(&targets_claim(findings, &rows, context, FINDING_CONFIDENCE_HIGH)->title,
            reorder_title_text, said_share(fraction));
    else
        findings_say_pass(findings, reorder_passed_text, said_share(fraction));
}

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

static void say_maker(struct finding *finding, const struct maker *maker)
{
    bool is_repaired = finding->gain == FINDING_PREDICTS;

    text_append(&finding->title, maker->title);
    if (is_repaired)
        say(&finding->limit, primcreate_once_text);
    text_append(&finding->why, maker->why);
    text_append(&finding->action, is_repaired ? maker->action : maker->once);
    text_append(&finding->refute, maker->refute);
    text_appendf(&finding->see, "tprof timing --filter %s", maker->see_names);
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
    say_maker(finding, maker);
}

/* `late`: of the library that takes most. */
static void pass_creation(const struct findings_context *context, struct findings *findings,
                          const struct targets_outermost *late)
{
    double fraction = findings_fraction(context, late->thread_ns);

    if (fraction < create_fraction)
        findings_say_pass(findings, primcreate_passed_text, said_share(fraction));
    else
        findings_say_pass(findings, primcreate_few_text, said_count(late->calls),
                          said_share(fraction));
}

void rule_primcreate(const struct findings_context *context, struct findings *findings)
{
    uint64_t from_ns = context->session->process.wall_ns / 5; /* before, making is warming up */
    struct targets_outermost most = {.calls = 0};
    size_t seen = 0, found = 0;

    for (size_t i = 0; i < maker_count; i++) {
        struct targets_outermost late = {.calls = 0};

        if (targets_gather(&late, context, makes_again, &makers[i], from_ns))
            findings->status = STATUS_OUT_OF_MEMORY;
        late.thread_ns = fmin(late.rows.thread_ns, late.thread_ns);
        seen += count_makers(context, &makers[i]);
        most = late.thread_ns > most.thread_ns ? late : most;
        if (late.calls < makers[i].least ||
            findings_fraction(context, late.thread_ns) < create_fraction)
            continue;
        add_creation(context, findings, &makers[i], &late.rows);
        found++;
    }
    if (seen == 0)
        findings_say_skip(findings, primcreate_skipped_text);
    else if (!context->successions.is_known)
        findings_say_skip(findings, no_order_text);
    else if (found == 0)
        pass_creation(context, findings, &most);
}
