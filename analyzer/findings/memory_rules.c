/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Memory that is too much, lost, or kept: RAM-16G, MEM-LEAK, FRAG and ACT-MEM.
 * None of them costs time by itself, so none has a ceiling.
 */
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "figures/leak_verdict.h"
#include "figures/leaks_options.h"
#include "findings/context.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_process.h"
#include "model/session_unknown.h"

/* Source: T. Chen and others, "Training deep nets with sublinear memory cost", 2016: a second
 * forward, about a third of a step, for activations that are not kept. */
static const double activation_share = 0.5; /* of the peak, that comes and goes */
static const double least_peak = 256e6;     /* below, memory is no question */
static const unsigned least_teeth = 3;
static const double slow_rise = 3; /* moments of rising a tooth: what comes at once is no
                                      forward */

/* ---- what the memory reports find too ------------------------------------------------ */

/* Add what the memory reports say under an id.  Returns: whether they said something. */
static bool add_problem(const struct findings_context *context, struct findings *findings,
                        const char *id, struct finding **finding)
{
    struct array problems;
    const struct memory_finding *problem;

    *finding = NULL;
    array_init(&problems, sizeof(struct memory_finding));
    if (memory_find_problems(&problems, context->session))
        findings->status = STATUS_OUT_OF_MEMORY;
    problem = problems.items;
    for (size_t i = 0; i < problems.count && !*finding; i++)
        if (strcmp(problem[i].id, id) == 0) {
            *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_HIGH);
            text_append(&(*finding)->title, problem[i].text);
        }
    memory_free_problems(&problems);
    return *finding != NULL;
}

static void append_limit(struct text *text, const struct session_process *process)
{
    char peak[UNITS_SIZE], limit[UNITS_SIZE];

    text_appendf(text, "resident memory reached %s",
                 units_format_bytes(peak, (double)process->last.peak_rss_bytes));
    if (process->memory_limit_bytes == SESSION_UNKNOWN)
        text_append(text, "; no limit of a control group is known");
    else
        text_appendf(text, " of the %s that the control group allows",
                     units_format_bytes(limit, (double)process->memory_limit_bytes));
}

void rule_ram_16g(const struct findings_context *context, struct findings *findings)
{
    const struct session_process *process = &context->session->process;
    struct finding *finding;
    struct text text;

    if (process->last.peak_rss_bytes == SESSION_UNKNOWN) {
        findings_skip(findings, "no reading of the process tells its resident memory");
        return;
    }
    text_init(&text);
    append_limit(&text, process);
    if (add_problem(context, findings, "RAM-16G", &finding)) {
        text_append(&finding->evidence, text.bytes);
        text_append(&finding->why, "what does not fit is swapped out, or the process is ended");
        text_append(&finding->action, "a smaller batch or model, gradient checkpointing, or types "
                                      "of half the size");
        text_append(&finding->refute, "memory that is shared with others counts for each");
        text_append(&finding->see, "tprof memory");
    } else
        findings_pass(findings, "%s", text.bytes);
    if (text_status(&text))
        findings->status = STATUS_OUT_OF_MEMORY;
    text_fini(&text);
}

void rule_frag(const struct findings_context *context, struct findings *findings)
{
    struct finding *finding;
    struct memory_gap gap;
    const char *when;
    char bytes[UNITS_SIZE], resident[UNITS_SIZE];

    if (!memory_find_gap(&gap, context->session)) {
        findings_skip(findings, memory_is_inherited(context->session)
                                    ? "memory from before the recording may be heap or not"
                                    : "no reading tells resident memory together with the live "
                                      "heap, before it was freed at the end");
        return;
    }
    when = memory_gap_when(&gap, context->session);
    units_format_bytes(bytes, (double)gap.gap_bytes);
    units_format_bytes(resident, (double)gap.resident_bytes);
    if (!add_problem(context, findings, "FRAG", &finding)) {
        findings_pass(findings, "%s of %s resident %s were not live heap", bytes, resident, when);
        return;
    }
    text_appendf(&finding->evidence, "%s of %s resident %s were not live heap", bytes, resident,
                 when);
    text_append(&finding->why, "free blocks between live ones cannot be given back");
    text_append(&finding->action, "malloc_trim(0) at quiet moments, MALLOC_ARENA_MAX=2 with many "
                                  "threads, or LD_PRELOAD of jemalloc");
    text_append(&finding->refute, "code, stacks and memory that a library mapped are in it too");
    text_append(&finding->see, "tprof memory --timeline");
}

/* ---- MEM-LEAK --------------------------------------------------------------------------- */

static const char *undecided_reason(const struct leak_judgement *judgement,
                                    const struct session *session)
{
    switch (judgement->reason) {
    case LEAK_AT_START: return "the heap grew at first, and no more in the last third; run longer";
    case LEAK_BY_TURNS:
        return "the heap grew at one place after another, and at none all the time; run longer";
    case LEAK_AT_END: return "the heap grows in the last third of the time alone; run longer";
    case LEAK_UNSTEADY: return "the heap grew and stayed up, but not steadily; run twice as long";
    case LEAK_SCATTERED: return "the heap grew, and no sites explain most of it; run longer";
    case LEAK_OUTSIDE:
        return "the live heap does not grow, but memory outside of malloc does: tprof leaks";
    case LEAK_TOO_SHORT: return "too little was recorded after the warm-up; run longer";
    case LEAK_TOO_FEW_TEETH: return "the heap goes up and down, and too seldom for a trend";
    case LEAK_HEAP_UNKNOWN:
    case LEAK_GROWS:
    case LEAK_JUMPS:
    case LEAK_KEPT:
    case LEAK_STOPPED:
    case LEAK_NO_TREND:
    case LEAK_IMMATERIAL:
    case LEAK_ONE_STEP:
    case LEAK_GIVEN_BACK:
    case LEAK_SUPPRESSED:
    case LEAK_OUTSIDE_SUPPRESSED: break;
    }
    return session->heap.reason ? session->heap.reason : "the live heap is not known";
}

static bool is_large(const struct leak_judgement *judgement, const struct findings_context *context)
{
    return judgement->growth_bytes > (double)context->options.leaks->threshold_bytes;
}

static void append_growth(struct findings *findings, struct finding *finding,
                          const struct leak_judgement *judgement,
                          const struct findings_context *context)
{
    double span_ns = (double)(judgement->window.to_ns - judgement->window.from_ns);
    char growth[UNITS_SIZE], span[UNITS_SIZE], low[UNITS_SIZE];

    text_appendf(
        &finding->evidence, "%s in the %s after the warm-up; with %g %% confidence at least %s/s",
        units_format_bytes(growth, judgement->growth_bytes), units_format_time(span, span_ns),
        100 * context->options.confidence, units_format_bytes(low, 1e9 * judgement->trend.low));
    finding_add_number(findings, finding, "bytes_per_second", 1e9 * judgement->trend.slope);
    finding_add_number(findings, finding, "growth_bytes", judgement->growth_bytes);
}

static void add_leak(const struct findings_context *context, struct findings *findings,
                     const struct leak_judgement *judgement)
{
    struct finding *finding =
        findings_add_doubt(findings, is_large(judgement, context), FINDING_CONFIDENCE_HIGH);
    char rate[UNITS_SIZE];

    text_appendf(&finding->title, "the heap grows without end, by %s/s",
                 units_format_bytes(rate, 1e9 * judgement->trend.slope));
    append_growth(findings, finding, judgement, context);
    text_append(&finding->why, "blocks are obtained and never freed");
    text_append(&finding->action, "free what the sites of tprof leaks keep, or keep it bounded");
    text_append(&finding->refute, "a cache that is still filling looks the same; run longer");
    text_append(&finding->see, "tprof leaks");
}

/* Python frees all at its end, what leaked too. */
static void add_kept(const struct findings_context *context, struct findings *findings,
                     const struct leak_judgement *judgement)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_LOW);
    char rate[UNITS_SIZE];

    text_appendf(&finding->title,
                 "the heap grows as long as the program runs, by %s/s, and is freed only at its "
                 "end",
                 units_format_bytes(rate, 1e9 * judgement->trend.slope));
    append_growth(findings, finding, judgement, context);
    text_append(&finding->why, "what is kept until the end needs the more memory the longer the "
                               "program runs");
    text_append(&finding->action, "look at what is live at the peak, and keep results alone");
    if (findings_has_torch(context))
        text_append(&finding->action, ": a loss that is summed without .item(), or scores that are "
                                      "kept without torch.no_grad(), keep the graph of each step");
    text_append(&finding->refute, "programs that collect what they need at the end look the same");
    text_append(&finding->see, "tprof memory, tprof leaks");
}

/* A little that is kept until the end is what a program works on. */
static void add_grown(const struct findings_context *context, struct findings *findings,
                      const struct leak_judgement *judgement)
{
    if (judgement->reason != LEAK_KEPT)
        add_leak(context, findings, judgement);
    else if (is_large(judgement, context))
        add_kept(context, findings, judgement);
    else
        findings_skip(findings, "the heap grew as long as the program ran, and was freed only at "
                                "its end: tprof leaks");
}

static void pass_leak(struct findings *findings, const struct leak_judgement *judgement)
{
    double slope = judgement->trend.slope;
    char bytes[UNITS_SIZE], rate[UNITS_SIZE];

    units_format_bytes(rate, fabs(1e9 * slope));
    if (judgement->reason == LEAK_GIVEN_BACK)
        findings_pass(findings, "the heap grew by %s after the warm-up, and it was given back",
                      units_format_bytes(bytes, judgement->growth_bytes));
    else if (judgement->reason == LEAK_STOPPED)
        findings_pass(findings, "the heap grew by %s after the warm-up, and then no more",
                      units_format_bytes(bytes, judgement->growth_bytes));
    else if (judgement->reason == LEAK_ONE_STEP)
        findings_pass(findings, "the heap grew by %s after the warm-up, all in one step",
                      units_format_bytes(bytes, judgement->growth_bytes));
    else
        findings_pass(findings, "no growth that %s after the warm-up: %s%s/s",
                      judgement->reason == LEAK_NO_TREND && slope > 0 ? "is more than chance"
                                                                      : "matters",
                      slope < 0 ? "-" : "", rate);
}

void rule_mem_leak(const struct findings_context *context, struct findings *findings)
{
    struct leak_judgement judgement;

    if (leak_judge(&judgement, context->session, &context->options)) {
        findings->status = STATUS_OUT_OF_MEMORY;
        return;
    }
    switch (judgement.verdict) {
    case LEAK_SEEN: add_grown(context, findings, &judgement); return;
    case LEAK_UNDECIDED:
        findings_skip(findings, "%s", undecided_reason(&judgement, context->session));
        return;
    case LEAK_NOT_SEEN: break;
    }
    pass_leak(findings, &judgement);
}

/* ---- ACT-MEM ---------------------------------------------------------------------------- */

/* Moments in which the heap rose, in a window of time. */
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

static void add_activations(struct findings *findings, const struct heap_shape *shape)
{
    struct finding *finding = findings_add_doubt(findings, false, FINDING_CONFIDENCE_MEDIUM);
    double share = (shape->highest - shape->lowest) / shape->highest;
    char part[UNITS_SIZE], low[UNITS_SIZE], high[UNITS_SIZE];

    text_appendf(&finding->title, "%s of the peak comes and goes with each step, as activations do",
                 units_format_percent(part, share));
    text_appendf(&finding->evidence,
                 "the live heap rises slowly from %s to %s and falls again, %u times",
                 units_format_bytes(low, shape->lowest), units_format_bytes(high, shape->highest),
                 shape->teeth);
    text_append(&finding->why, "forward keeps what backward needs");
    text_append(&finding->action,
                "gradient checkpointing keeps some and computes the rest again: "
                "torch.utils.checkpoint; it needs less memory, and about a third more time a step");
    text_append(&finding->refute, "buffers of data that are filled and emptied look the same");
    text_append(&finding->see, "tprof memory --timeline");
    finding_add_number(findings, finding, "share_of_peak", share);
}

void rule_act_mem(const struct findings_context *context, struct findings *findings)
{
    const struct session *session = context->session;
    struct memory_window window = memory_find_window(session, &context->options);
    struct heap_shape shape;
    char share[UNITS_SIZE], highest[UNITS_SIZE];
    double part;

    if (!memory_is_known(&session->heap)) {
        findings_skip(findings, "%s",
                      session->heap.reason ? session->heap.reason : "the live heap is not known");
        return;
    }
    shape = heap_course_classify(&session->heap, window.from_ns, window.to_ns);
    if (shape.pattern == HEAP_UNKNOWN) {
        findings_skip(findings, "too little of the heap was recorded after the warm-up");
        return;
    }
    part = shape.highest > 0 ? (shape.highest - shape.lowest) / shape.highest : 0;
    if (shape.pattern == HEAP_SAW_TOOTH && shape.highest >= least_peak &&
        shape.teeth >= least_teeth && part >= activation_share &&
        count_rising(&session->heap, &window) >= slow_rise * shape.teeth)
        add_activations(findings, &shape);
    else
        findings_pass(findings, "the live heap is %s; %s of its %s comes and goes",
                      heap_pattern_name(shape.pattern), units_format_percent(share, part),
                      units_format_bytes(highest, shape.highest));
}
