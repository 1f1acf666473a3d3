/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rules on ops of PyTorch: SMALL-OPS, LAYOUT, CONVERT, EVAL, NO-GRAD and LOADER.
 *
 * Times are elapsed times between the starts and ends of the ops.
 */
#include <math.h>
#include <string.h>

#include "cpu/own_lines.h"
#include "cpu/python_split.h"
#include "findings/ops_meant.h"
#include "findings/texts.h"
#include "model/op_texts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_ops.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"

static bool is_named(const struct session_op *op, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(op->name, *names) == 0)
            return true;
    return false;
}

static bool is_inside_of(const struct session *session, uint32_t op, const char *const *names)
{
    for (; op != 0; op = session_op_at(session, op)->parent)
        if (is_named(session_op_at(session, op), names))
            return true;
    return false;
}

/* Where the budget ended the recording of ops, their part of the time is not known. */
static void pass(const struct findings_context *context, struct findings *findings,
                 const struct said *passed, double share)
{
    uint64_t off_ns = context->session->framework.off_ns;

    if (off_ns != SESSION_UNKNOWN)
        findings_skip(findings, op_ended_text, said_time((double)off_ns));
    else
        findings_pass(findings, *passed, said_share(share));
}

/* ---- small ops ----------------------------------------------------------------------- */

/* As of SMALL: a call of less has hardly anything to compute. */
static const double small_ns = 10000;
static const double least_small = 0.1; /* share of the wall time */
static const uint64_t least_small_calls = 1000;

/* A name that the program or an optimizer gave to several ops. */
static bool is_scope(const struct session_op *op)
{
    return !op->is_backward && !strstr(op->name, "::");
}

/* Work on so few elements takes less than a microsecond, however long the call takes. */
static const double few_elements = 4096;
static const double few_ns = 100000;

/* The index of an op is above that of the op around it. */
static bool is_inside(const struct session *session, uint32_t op, uint32_t around)
{
    while (op > around)
        op = session_op_at(session, op)->parent;
    return op == around;
}

/* Returns: the elements of the largest tensor of an op and those inside; 0: unknown. */
static double find_elements(const struct session *session, uint32_t index)
{
    double most = 0;

    for (uint32_t i = index; i < session->ops.count; i++)
        if (is_inside(session, i, index))
            most = fmax(most, session_op_at(session, i)->most_elements);
    return most;
}

static bool is_short(const struct session *session, uint32_t index)
{
    const struct session_op *op = session_op_at(session, index);
    double each_ns = op->calls > 0 ? (double)op->inclusive_ns / (double)op->calls : INFINITY;
    double elements;

    if (op->device || each_ns > few_ns)
        return false;
    if (each_ns <= small_ns)
        return true;
    elements = find_elements(session, index);
    return elements > 0 && elements <= few_elements;
}

/* An op inside of another one is part of the outer op. */
static bool is_outermost(const struct session *session, uint32_t index)
{
    const struct session_op *op = session_op_at(session, index);
    uint32_t around = op->parent;

    while (around != 0 && is_scope(session_op_at(session, around)))
        around = session_op_at(session, around)->parent;
    return !is_scope(op) && around == 0;
}

static bool is_small(const struct session *session, uint32_t index)
{
    return is_outermost(session, index) && is_short(session, index);
}

static double sum_gaps(const struct session *session)
{
    double ns = 0;

    for (uint32_t i = 1; i < session->ops.count; i++)
        if (is_small(session, i))
            ns += session_op_at(session, i)->gap_ns;
    return ns;
}

static void add_small(const struct ops_meant *meant, struct findings *findings, double gaps_ns)
{
    double all_ns = fmin(meant->ns + gaps_ns, meant->context->wall.ns);
    struct finding *finding =
        ops_meant_claim(findings, meant, all_ns, FINDING_CONFIDENCE_LOW);

    say(&finding->title, op_small_title_text, said_share(all_ns / meant->context->wall.ns));
    say(&finding->evidence, op_small_each_text, said_time(meant->ns / (double)meant->calls),
        said_time(gaps_ns));
    say(&finding->limit, op_small_limit_text);
    finding_add_number(finding, "gaps_ns", gaps_ns);
}

/* ---- small ops whose recording ended early ---- */

static const double dense_ns = 30000; /* between the starts of outermost ops, on average */
static const uint64_t least_dense_calls = 200;
static const uint64_t least_repeats = 10; /* calls by a name: the first ones are slow */

/* The outermost ops that repeat, and the short gaps before them.  `small_ns`: of small ones. */
struct outermost {
    uint64_t calls;
    double ns;
    double small_ns;
};

struct named_calls {
    const char *name;
    uint64_t calls;
};

static struct named_calls *find_named(struct array *names, const char *name)
{
    struct named_calls *named;

    for (size_t i = 0; i < names->count; i++) {
        named = array_at(names, i);
        if (strcmp(named->name, name) == 0)
            return named;
    }
    named = array_add(names);
    named->name = name;
    return named;
}

/* Calls by name: an op may get other sizes with each call. */
static void count_outermost(const struct session *session, struct array *names)
{
    for (uint32_t i = 1; i < session->ops.count; i++)
        if (is_outermost(session, i))
            find_named(names, session_op_at(session, i)->name)->calls +=
                session_op_at(session, i)->calls;
}

static struct outermost sum_repeated(const struct session *session, struct array *names)
{
    struct outermost sum = {0};

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);
        double ns = (double)op->inclusive_ns + op->gap_ns;

        if (op->device || !is_outermost(session, i) ||
            find_named(names, op->name)->calls < least_repeats)
            continue;
        sum.calls += op->calls;
        sum.ns += ns;
        if (is_short(session, i))
            sum.small_ns += ns;
    }
    return sum;
}

static struct outermost sum_outermost(const struct session *session)
{
    struct outermost sum;
    struct array names;

    array_init(&names, sizeof(struct named_calls));
    count_outermost(session, &names);
    sum = sum_repeated(session, &names);
    array_fini(&names);
    return sum;
}

static bool calls_ops(const struct session *session, const struct place *line)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        uint64_t site = session_op_at(session, i)->line;
        const struct symbols_frame *frame = NULL;

        if (site != 0)
            session_find_site_python(session, site, &frame);
        if (frame && place_is_at(line, frame->file, frame->line))
            return true;
    }
    return false;
}

static bool is_no_import(const struct cpu_time *time, size_t sample, const void *of)
{
    (void)of;
    return !python_split_is_import(time, session_sample_at(time->session, sample)->call);
}

/* The processor time of the lines that call ops, and the line with most of it. */
static double sum_lines(const struct findings_context *context, struct text *most)
{
    struct own_lines lines;
    double ns = 0;

    own_lines_init_of(&lines, &context->time, is_no_import, NULL);
    for (size_t i = 0; i < lines.rows.count; i++) {
        const struct own_line *line = array_at(&lines.rows, i);

        if (!calls_ops(context->session, line->place))
            continue;
        if (most->size == 0) /* the first line has most */
            place_append_short(most, line->place);
        ns += line->ns;
    }
    return ns;
}

static bool are_dense(const struct outermost *sum)
{
    return sum->calls >= least_dense_calls && sum->ns <= dense_ns * (double)sum->calls;
}

/* Recording ends because ops come too densely.  What their lines do afterwards is known by samples,
 * and small ops have the same part of it as before: many small ops between a few large products
 * come as densely.
 * Returns: whether there is such a finding. */
static bool add_dense(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    const struct outermost sum = sum_outermost(session);
    struct finding *finding;
    struct text place;
    double small, cpu_ns, ns;

    text_init(&place);
    small = are_dense(&sum) ? sum.small_ns / sum.ns : 0;
    cpu_ns = small > 0 ? small * sum_lines(context, &place) : 0;
    ns = findings_elapsed_ns(context, cpu_ns);
    if (!(ns >= least_small * context->wall.ns)) {
        text_fini(&place);
        return false;
    }
    finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, cpu_ns);
    say(&finding->title, op_small_title_text, said_share(ns / context->wall.ns));
    say(&finding->evidence, op_small_dense_text, said_time(sum.ns / (double)sum.calls),
        said_time((double)session->framework.off_ns), said_share(small));
    say(&finding->limit, op_small_limit_text);
    text_append(&finding->place, place.bytes);
    text_fini(&place);
    return true;
}

static bool has_ended(const struct findings_context *context)
{
    return context->session->framework.off_ns != SESSION_UNKNOWN && !context->time.unknown;
}

void rule_op_small(const struct findings_context *context, struct findings *findings)
{
    struct ops_meant meant;
    double all_ns;

    if (!ops_are_known(context, findings) || (has_ended(context) && add_dense(context, findings)))
        return;
    ops_meant_init(&meant, context, is_small);
    all_ns = meant.ns + sum_gaps(context->session);
    if (meant.calls >= least_small_calls && all_ns >= least_small * context->wall.ns)
        add_small(&meant, findings, all_ns - meant.ns);
    else
        pass(context, findings, &op_small_passed_text, all_ns / context->wall.ns);
}

/* ---- copies ---------------------------------------------------------------------------- */

static const double least_copies = 0.05; /* share of the wall time, as in REORDER and COPIES */

/* Fills the tensors that an op copies to and from.  Returns: false when it copies none. */
static bool find_copied(const struct session_op *op, struct op_tensor *to, struct op_tensor *from)
{
    const char *inputs = op->inputs;

    return strcmp(op->name, "aten::copy_") == 0 && op_tensor_next(&inputs, to) &&
           op_tensor_next(&inputs, from);
}

static bool changes_layout(const struct session *session, uint32_t index)
{
    static const char *const makers[] = {"aten::contiguous", "aten::reshape", "aten::to",
                                         "aten::flatten", NULL};
    struct op_tensor to, from;

    return find_copied(session_op_at(session, index), &to, &from) &&
           op_tensor_types_agree(&to, &from) && is_inside_of(session, index, makers);
}

static bool changes_type(const struct session *session, uint32_t index)
{
    struct op_tensor to, from;

    return find_copied(session_op_at(session, index), &to, &from) &&
           !op_tensor_types_agree(&to, &from);
}

/* The texts of a rule on copies. */
struct copies_words {
    const struct said *title, *passed;
};

static void add_copies(struct findings *findings, const struct ops_meant *meant,
                       const struct copies_words *words)
{
    say(&ops_meant_claim(findings, meant, meant->ns, FINDING_CONFIDENCE_MEDIUM)->title,
        *words->title, said_share(ops_meant_fraction(meant)));
}

static void evaluate_copies(const struct findings_context *context, struct findings *findings,
                            op_is_meant is_meant, const struct copies_words *words)
{
    struct ops_meant meant;

    if (!ops_are_known(context, findings))
        return;
    ops_meant_init(&meant, context, is_meant);
    if (meant.ns >= least_copies * context->wall.ns)
        add_copies(findings, &meant, words);
    else
        pass(context, findings, words->passed, ops_meant_fraction(&meant));
}

/* A product copies an operand that it repeats for a batch, and multiplies each pair alone. */
static const char *const products[] = {"aten::matmul", "aten::linear", "aten::einsum",
                                       "aten::bilinear", NULL};
static const double mostly_copies = 0.5; /* of a product's time */

static double sum_inside(const struct session *session, uint32_t around)
{
    double ns = 0;

    for (uint32_t i = around + 1; i < session->ops.count; i++) {
        if (changes_layout(session, i) && is_inside(session, i, around))
            ns += (double)session_op_at(session, i)->inclusive_ns;
    }
    return ns;
}

static bool is_copying_product(const struct session *session, uint32_t index)
{
    const struct session_op *op = session_op_at(session, index);

    return is_named(op, products) &&
           sum_inside(session, index) >= mostly_copies * (double)op->inclusive_ns;
}

static bool changes_layout_apart(const struct session *session, uint32_t index)
{
    if (!changes_layout(session, index))
        return false;
    for (uint32_t op = index; op != 0; op = session_op_at(session, op)->parent)
        if (is_copying_product(session, op))
            return false;
    return true;
}

/* Without the copy, one product of large matrices does the work of the many small ones. */
static bool add_products(const struct findings_context *context, struct findings *findings)
{
    struct ops_meant meant;
    struct finding *finding;

    ops_meant_init(&meant, context, is_copying_product);
    if (meant.ns < least_copies * context->wall.ns)
        return false;
    finding = ops_meant_claim(findings, &meant, meant.ns, FINDING_CONFIDENCE_MEDIUM);
    say(&finding->title, op_layout_product_title_text, said_share(ops_meant_fraction(&meant)));
    text_clear(&finding->action);
    text_clear(&finding->refute);
    finding_advise(finding, "op_layout_product");
    return true;
}

void rule_op_layout(const struct findings_context *context, struct findings *findings)
{
    static const struct copies_words words = {&op_layout_title_text, &op_layout_passed_text};

    struct ops_meant apart;

    if (context->session->ops.count <= 1 || !add_products(context, findings)) {
        evaluate_copies(context, findings, changes_layout, &words);
        return;
    }
    ops_meant_init(&apart, context, changes_layout_apart);
    if (apart.ns >= least_copies * context->wall.ns)
        add_copies(findings, &apart, &words);
}

void rule_op_types(const struct findings_context *context, struct findings *findings)
{
    static const struct copies_words words = {&op_types_title_text, &op_types_passed_text};

    evaluate_copies(context, findings, changes_type, &words);
}

/* ---- training without gradients ---------------------------------------------------------- */

static const double least_training = 0.01; /* share of the wall time */

/* Without training, dropout calls no other op. */
static bool is_active_dropout(const struct session *session, uint32_t index)
{
    static const char *const dropouts[] = {"aten::dropout", "aten::dropout_",
                                           "aten::feature_dropout", "aten::alpha_dropout", NULL};

    return index != 0 && is_named(session_op_at(session, index), dropouts);
}

static bool is_inside_dropout(const struct session *session, uint32_t index)
{
    return is_active_dropout(session, session_op_at(session, index)->parent);
}

void rule_op_training(const struct findings_context *context, struct findings *findings)
{
    struct ops_meant meant;

    if (!ops_are_known(context, findings))
        return;
    if (context->session->framework.gradient_ops > 0) {
        findings_pass(findings, op_training_gradients_text);
        return;
    }
    ops_meant_init(&meant, context, is_inside_dropout);
    struct said share = said_share(ops_meant_fraction(&meant));

    if (meant.ns >= least_training * context->wall.ns)
        say(&ops_meant_claim(findings, &meant, meant.ns, FINDING_CONFIDENCE_MEDIUM)->title,
            op_training_title_text, share);
    else
        findings_pass(findings, op_training_passed_text, share);
}

static const uint64_t least_records = 100; /* fewer are not worth a change */
static const uint64_t most_unused = 4; /* by the used ones: a few are of outputs beside the loss */

/* A call of the program that leaves records, and whose gradients nobody computes. */
static bool leaves_unused(const struct session_op *op)
{
    return !op->is_backward && op->backward_calls == 0 && op->no_grad_calls < op->calls;
}

/* Ask about the ops of this name, or all of this line. */
static bool has_gradients(const struct session *session, const char *name, uint64_t line)
{
    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        if (op->backward_calls > 0 && (name ? strcmp(op->name, name) == 0 : op->line == line))
            return true;
    }
    return false;
}

/* Such an op has gradients elsewhere, but none of its line's ops has: it validates or predicts.
 * Returns: the op with most such calls; 0: none. */
static uint32_t find_unused(const struct session *session)
{
    uint32_t most = 0;

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        if (leaves_unused(op) && (most == 0 || op->calls > session_op_at(session, most)->calls) &&
            has_gradients(session, op->name, 0) && !has_gradients(session, NULL, op->line))
            most = i;
    }
    return most;
}

static void add_gradients(const struct session *session, struct findings *findings)
{
    const struct session_framework *framework = &session->framework;
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    struct said records = said_count(framework->gradient_records);
    uint32_t unused = find_unused(session);

    if (framework->gradient_ops > 0)
        say(&finding->evidence, op_gradients_most_text, records,
            said_count(framework->gradient_ops));
    else
        say(&finding->evidence, op_gradients_count_text, records);
    if (unused != 0)
        ops_append_line(&finding->place, session, unused);
    finding_add_number(finding, "records", (double)framework->gradient_records);
}

void rule_op_gradients(const struct findings_context *context, struct findings *findings)
{
    const struct session_framework *framework = &context->session->framework;
    uint64_t records = framework->gradient_records, used = framework->gradient_ops;

    if (!ops_are_known(context, findings))
        return;
    if (has_ended(context)) /* perhaps before the first gradient */
        findings_skip(findings, op_ended_text,
                      said_time((double)context->session->framework.off_ns));
    else if (records >= least_records && records >= most_unused * used)
        add_gradients(context->session, findings);
    else
        findings_pass(findings, op_gradients_passed_text, said_count(records), said_count(used));
}

/* ---- data ---------------------------------------------------------------------------------- */

static const double least_loading = 0.05; /* share of the wall time, as in INPUT */

static bool is_loading(const struct session *session, uint32_t index)
{
    return op_stage_of(session, index) == OP_STAGE_DATA;
}

/* To hand a batch over takes about a millisecond, whatever made it. */
static const double handed_over_ns = 3e6;

static const char *name_loader(const struct ops_meant *meant)
{
    const struct session_op *most = session_op_at(meant->context->session, meant->most);

    if (strstr(most->name, "SingleProcess"))
        return "op_data_single";
    return meant->ns < handed_over_ns * (double)meant->calls ? "op_data_small" : "op_data_workers";
}

static void add_loading(const struct ops_meant *meant, struct findings *findings)
{
    struct finding *finding =
        ops_meant_claim(findings, meant, meant->ns, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->title, op_data_title_text, said_share(ops_meant_fraction(meant)));
    finding_advise(finding, name_loader(meant));
}

void rule_op_data(const struct findings_context *context, struct findings *findings)
{
    struct ops_meant meant;

    if (!ops_are_known(context, findings))
        return;
    ops_meant_init(&meant, context, is_loading);
    if (meant.ns >= least_loading * context->wall.ns)
        add_loading(&meant, findings);
    else
        pass(context, findings, &op_data_passed_text, ops_meant_fraction(&meant));
}

/* ---- which ops the rules are about ----------------------------------------------------------- */

op_is_meant op_rules_meaning(enum finding_rule rule)
{
    static const op_is_meant meant[FINDING_RULES] = {
        [FINDING_RULE_op_small] = is_small,
        [FINDING_RULE_op_layout] = changes_layout,
        [FINDING_RULE_op_types] = changes_type,
        [FINDING_RULE_op_training] = is_inside_dropout,
        [FINDING_RULE_op_data] = is_loading,
    };

    return meant[rule];
}
