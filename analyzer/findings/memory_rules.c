/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Excessive, leaked or retained memory: RAM-16G, MEM-LEAK, FRAG and ACT-MEM.  None of them costs
 * time by itself, so none has a ceiling.
 */
#include <string.h>

#include "base/text.h"
#include "findings/context.h"
#include "findings/keepers.h"
#include "findings/ops_meant.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "findings/unjoined.h"
#include "heap/heap_leak.h"
#include "heap/leak_verdict.h"
#include "heap/leaks_options.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_chains.h"
#include "model/session_heap.h"
#include "model/session_ops.h"
#include "model/session_process.h"
#include "model/session_unknown.h"
#include "ops/op_stages.h"
#include "ops/ops_rows.h"

/* Source: T. Chen and others, "Training deep nets with sublinear memory cost", 2016: a second
 * forward pass, about a third of a step, replaces the activations that are not kept. */
static const double activation_share = 0.5; /* share of the peak that comes and goes */
static const double kept_share = 0.5;       /* share of the peak that is known to wait for
                                               gradients */
static const double least_peak = 256e6;     /* below, memory is no question */
static const unsigned least_teeth = 3;
static const double slow_rise = 3; /* moments of rising a tooth: a sudden rise
                                      is no forward pass */

static void say_peak(struct text *text, const struct session_process *process)
{
    memory_say_peak(text, process);
    if (process->memory_limit_bytes == SESSION_UNKNOWN)
        say(text, ram_16g_unlimited_text);
}

void rule_ram_16g(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    struct finding *finding;

    if (process->last.peak_rss_bytes == SESSION_UNKNOWN) {
        findings_skip(findings, ram_16g_unread_text);
        return;
    }
    if (!memory_is_high(process)) {
        say_peak(findings_add_note(findings, FINDING_PASSED), process);
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    memory_say_advice(&finding->title);
    say_peak(&finding->evidence, process);
}

static void skip_frag(struct findings *findings, const struct session *session)
{
    if (memory_is_inherited(session))
        memory_append_inherited(findings_add_note(findings, FINDING_NOT_EVALUATED), session);
    else
        findings_skip(findings, frag_unread_text);
}

void rule_frag(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    struct finding *finding;
    struct memory_gap gap;
    uint64_t bytes;

    if (!memory_find_gap(&gap, session)) {
        skip_frag(findings, session);
        return;
    }
    bytes = memory_find_fragments(&gap, session);
    if (bytes == 0) {
        memory_say_gap(findings_add_note(findings, FINDING_PASSED), &gap,
                       memory_gap_when(&gap, session));
        return;
    }
    finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
    if (memory_knows_kept(&gap, session))
        say(&finding->title, frag_kept_title_text, said_bytes((double)bytes),
            said_share((double)bytes / (double)gap.resident_bytes));
    else
        say(&finding->title, frag_title_text,
            said_share((double)bytes / (double)gap.resident_bytes));
    memory_say_gap(&finding->evidence, &gap, memory_gap_when(&gap, session));
    say(&finding->evidence, frag_rest_text, said_bytes((double)bytes));
    memory_say_shared(&finding->evidence, &gap);
}

static bool is_large(const struct leak_judgement *judgement, const struct findings_context *context)
{
    return judgement->growth_bytes > (double)context->options.leaks->threshold_bytes;
}

static void say_verdict(struct text *text, const struct leak_judgement *judgement,
                        const struct findings_context *context)
{
    leak_judgement_say(text, judgement, context->session, context->options.confidence);
}

/* Memory of mmap needs another repair than blocks of malloc. */
static void say_mapped(const struct findings_context *context, struct finding *finding,
                       const struct leak_judgement *judgement)
{
    struct heap_leak_unmapped unmapped;

    if (!heap_leak_find_unmapped(&unmapped, judgement, context->session,
                                 context->options.find_frames))
        return;
    if (unmapped.is_in_part)
        say(&finding->action, leak_mapped_part_text, said_bytes((double)unmapped.unmapped_bytes),
            said_bytes((double)unmapped.mapped_bytes));
    say(&finding->evidence, leak_mapped_ranges_text, said_count(unmapped.ranges),
        said_bytes((double)unmapped.mapped_bytes));
}

/* The line, and what its file has that may keep the blocks. */
static void say_place(const struct findings_context *context, struct finding *finding,
                      const struct leak_judgement *judgement)
{
    struct place owner;

    if (!heap_leak_find_place(&owner, judgement, context->session, context->options.find_frames))
        return;
    place_append_short(&finding->place, &owner);
    if (judgement->reason != LEAK_MAPPED)
        keepers_append(&finding->action, context, judgement, &owner);
}

static void add_growth(const struct findings_context *context,
                       struct finding *finding, const struct leak_judgement *judgement)
{
    double rate = 1e9 * judgement->trend.slope;

    say_verdict(&finding->evidence, judgement, context);
    finding_add_number(finding, "bytes_per_second", rate);
    finding_add_number(finding, "growth_bytes", judgement->growth_bytes);
}

static const double least_leak = 1 << 20; /* results that a program collects are mostly smaller */
static const double tiny_leak = 1 << 14;  /* not worth a line beside other findings */

/* A short run may fill caches of its own as long as it lasts: a twentieth of its memory. */
static bool is_of_short_run(const struct leak_judgement *judgement, const struct session *session)
{
    static const double short_ns = 5e9, least_part = 0.05, much = 16 << 20;
    double window_ns = (double)judgement->window.to_ns - (double)judgement->window.from_ns;
    uint64_t resident = session->process.last.peak_rss_bytes;

    return window_ns < short_ns && judgement->growth_bytes < much && resident != SESSION_UNKNOWN &&
           judgement->growth_bytes < least_part * (double)resident;
}

/* Is the growth tiny, or small, and no site the owner of most of it? */
static bool is_minor(const struct leak_judgement *judgement, const struct session *session)
{
    return judgement->growth_bytes < tiny_leak || is_of_short_run(judgement, session) ||
           (judgement->growth_bytes < least_leak &&
            !(judgement->suspect_bytes >= judgement->growth_bytes / 2));
}

static void add_leak(const struct findings_context *context, struct findings *findings,
                     const struct leak_judgement *judgement)
{
    struct finding *finding =
        findings_add_doubt(findings, is_large(judgement, context), FINDING_CONFIDENCE_HIGH);

    say(&finding->title,
        judgement->reason == LEAK_MAPPED ? leak_mapped_title_text
        : judgement->arenas_bytes > 0    ? leak_endless_arenas_title_text
                                         : leak_endless_title_text,
        said_bytes(judgement->growth_bytes), said_bytes(1e9 * judgement->trend.slope));
    say_place(context, finding, judgement);
    say_mapped(context, finding, judgement);
    finding_advise(finding, judgement->reason == LEAK_MAPPED ? "leak_mapped" : "leak_endless");
    add_growth(context, finding, judgement);
    if (is_minor(judgement, context->session))
        finding_weaken(finding, FINDING_POINTS);
}

/* Outputs keep the records for gradients that nobody computes. */
static void say_gradients(struct finding *finding, const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *other = findings_at(findings, i);

        if (other->rule == FINDING_RULE_op_gradients && other->place.size > 0)
            say(&finding->action, leak_held_gradients_text, said_words(other->place.bytes));
    }
}

/* Python frees all blocks at its end, leaked ones, too. */
static void add_kept(const struct findings_context *context, struct findings *findings,
                     const struct leak_judgement *judgement)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_LOW);

    say(&finding->title,
        judgement->arenas_bytes > 0 ? leak_held_arenas_title_text : leak_held_title_text,
        said_bytes(judgement->growth_bytes), said_bytes(1e9 * judgement->trend.slope));
    say_gradients(finding, findings);
    say_place(context, finding, judgement);
    finding_advise(finding, "leak_held");
    if (findings_has_torch(context))
        say(&finding->action, leak_held_torch_text);
    add_growth(context, finding, judgement);
}

/* A few blocks that live until the end are the program's data. */
static void note_leak(const struct findings_context *context, struct findings *findings,
                      const struct leak_judgement *judgement)
{
    bool has_passed = judgement->verdict == LEAK_NOT_SEEN;
    struct text *note =
        findings_add_note(findings, has_passed ? FINDING_PASSED : FINDING_NOT_EVALUATED);

    say_verdict(note, judgement, context);
    if (judgement->reason == LEAK_KEPT || judgement->reason == LEAK_OUTSIDE)
        say(note, leak_sites_next_text);
}

void rule_mem_leak(const struct findings_context *context, struct findings *findings)
{
    struct leak_judgement judgement;

    heap_leak_judge(&judgement, context->session, &context->options);
    if (unjoined_explains(&judgement, context->session, &context->options))
        findings_pass(findings, leak_of_threads_text);
    else if (judgement.verdict == LEAK_SEEN && judgement.reason != LEAK_KEPT)
        add_leak(context, findings, &judgement);
    else if (judgement.verdict == LEAK_SEEN && heap_leak_is_much(&judgement, &context->options))
        add_kept(context, findings, &judgement);
    else
        note_leak(context, findings, &judgement);
}

/* Count the moments with a rise of the heap, in a window of time. */
static double count_rising(const struct session_heap *heap, const struct memory_window *window)
{
    const struct session_moment *moment = heap->moments.items;
    double count = 0;

    for (size_t i = 1; i < heap->moments.count; i++)
        if (moment[i].time_ns >= window->from_ns && moment[i].time_ns < window->to_ns &&
            moment[i].max_bytes > moment[i - 1].max_bytes)
            count++;
    return count;
}

static double moving_share(const struct heap_shape *shape)
{
    return shape->highest > 0 ? (shape->highest - shape->lowest) / shape->highest : 0;
}

static void add_activations(struct findings *findings, const struct heap_shape *shape)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);

    say(&finding->title, act_mem_title_text, said_share(moving_share(shape)));
    say(&finding->evidence, act_mem_course_text, said_bytes(shape->lowest),
        said_bytes(shape->highest), said_count(shape->teeth));
    finding_add_number(finding, "share_of_peak", moving_share(shape));
}

/* ---- by the ops of PyTorch ---- */

struct kept {
    uint64_t bytes; /* bytes at the peak */
    uint32_t most;  /* the op with the most bytes; 0: none has any */
};

static struct kept sum_kept(const struct session *session)
{
    struct kept kept = {0};

    for (uint32_t i = 1; i < session->ops.count; i++) {
        const struct session_op *op = session_op_at(session, i);

        kept.bytes += op->kept_peak_bytes;
        if (op->kept_peak_bytes > 0 &&
            op->kept_peak_bytes >= session_op_at(session, kept.most)->kept_peak_bytes)
            kept.most = i;
    }
    return kept;
}

static bool knows_kept(const struct session *session)
{
    return session->framework.gradient_ops > 0 &&
           session_op_at(session, 0)->kept_peak_bytes != SESSION_UNKNOWN;
}

/* If an op allocates for another op, the program called the other one. */
static void say_most(struct finding *finding, const struct session *session, uint32_t most)
{
    const struct session_op *op = session_op_at(session, most);

    ops_append_line(&finding->place, session, most);
    while (op->parent != 0 && strstr(session_op_at(session, op->parent)->name, "::"))
        op = session_op_at(session, op->parent);
    say(&finding->evidence, act_kept_most_text, said_words(op->name));
    if (finding->place.size > 0)
        say(&finding->evidence, act_kept_at_text, said_words(finding->place.bytes));
}

/* A whole forward pass once more is the most that checkpoints cost. */
static void say_cost(struct finding *finding, const struct session *session)
{
    const struct op_stages stages = op_stages_sum(session);
    struct ops_rows rows;

    ops_rows_init(&rows, session, ANALYSIS_BY_NAME);
    say(&finding->evidence, act_kept_time_text,
        said_share((double)stages.ns[OP_STAGE_FORWARD] / (double)stages.all_ns));
    if (rows.forward_flops > 0)
        say(&finding->evidence, act_kept_flops_text, said_flops((double)rows.forward_flops),
            said_share((double)(rows.forward_flops / rows.flops)));
}

static void claim_kept(const struct session *session, struct findings *findings,
                       const struct kept *kept)
{
    double peak = (double)session->heap.peak_bytes, share = (double)kept->bytes / peak;
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);

    say(&finding->title, act_kept_title_text, said_share(share));
    say(&finding->evidence, act_kept_bytes_text, said_bytes(peak),
        said_bytes((double)kept->bytes));
    say_most(finding, session, kept->most);
    say_cost(finding, session);
    say(&finding->limit, act_kept_limit_text);
    finding_add_number(finding, "share_of_peak", share);
    finding_add_number(finding, "kept_bytes", (double)kept->bytes);
}

static void find_kept(const struct session *session, struct findings *findings)
{
    const struct kept kept = sum_kept(session);
    double peak = (double)session->heap.peak_bytes;

    if (peak >= least_peak && (double)kept.bytes >= kept_share * peak)
        claim_kept(session, findings, &kept);
    else
        findings_pass(findings, act_kept_passed_text, said_bytes((double)kept.bytes),
                      said_bytes(peak));
}

/* ---- by the course of the heap ---- */

static void find_teeth(const struct findings_context *context, struct findings *findings)
{
    const struct session_heap *heap = &context->session->heap;
    struct memory_window window = memory_find_window(context->session, &context->options);
    struct heap_shape shape;

    if (!memory_is_known(heap)) {
        findings_skip(findings, memory_unknown_sentence(), said_words(memory_why_unknown(heap)));
        return;
    }
    shape = heap_course_classify(heap, window.from_ns, window.to_ns);
    if (shape.pattern == HEAP_UNKNOWN)
        findings_skip(findings, act_mem_short_text);
    else if (shape.pattern == HEAP_SAW_TOOTH && shape.highest >= least_peak &&
             shape.teeth >= least_teeth && moving_share(&shape) >= activation_share &&
             count_rising(heap, &window) >= slow_rise * shape.teeth)
        add_activations(findings, &shape);
    else if (shape.pattern == HEAP_LINEAR || shape.pattern == HEAP_STAIRS)
        findings_pass(findings, act_mem_kept_text, said_words(heap_pattern_name(shape.pattern)),
                      said_bytes(shape.lowest), said_bytes(shape.highest));
    else
        findings_pass(findings, act_mem_passed_text, said_words(heap_pattern_name(shape.pattern)),
                      said_share(moving_share(&shape)), said_bytes(shape.highest));
}

void rule_act_mem(const struct findings_context *context, struct findings *findings)
{
    if (knows_kept(context->session))
        find_kept(context->session, findings);
    else
        find_teeth(context, findings);
}
