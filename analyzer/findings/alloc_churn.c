/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Blocks that are allocated and freed repeatedly: ALLOC-CHURN.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/own_lines.h"
#include "findings/grown_blocks.h"
#include "findings/known_costs.h"
#include "findings/own_place.h"
#include "findings/page_faults.h"
#include "findings/texts.h"
#include "heap/memory_facts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "places/line_sums.h"

enum { SITES_SHOWN = 3 };

static const double least_share = 0.03;   /* share of the wall time */
static const double least_gain = 0.05;    /* share of the wall time: less is lost in the machine's
                                             noise */
static const double least_evidence = 0.5; /* share of the pages that was in large freed blocks */
static const double large_per_call = 1;   /* blocks of 1 MiB and more, a kernel call */
static const double few_per_call = 0.01;  /* fewer are not worth mentioning */
static const double nearly_all = 0.99;    /* nor is this */
static const double large_site_bytes = 128 * 1024; /* from this size on, malloc maps each block
                                                      separately */

static double count_calls(const struct findings_context *context)
{
    return (double)context->groups.calls;
}

/* A place that freed large blocks, with all call chains to it. */
struct giver {
    struct place owner; /* has no function if it is unknown */
    uint64_t bytes, blocks;
    size_t first; /* the first of its sites; orders places with equal sums */
};

static bool gave_large_back(const struct session_site *site)
{
    return site->allocations > 0 && site->freed_bytes > 0 &&
           (double)site->allocated_bytes >= large_site_bytes * (double)site->allocations;
}

static int compare_addresses(const void *a, const void *b)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;

    return (left > right) - (left < right);
}

static int compare_owners(const struct giver *left, const struct giver *right)
{
    const struct place *a = &left->owner, *b = &right->owner;
    int order = compare_addresses(a->function, b->function);

    if (order == 0)
        order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_owner(const void *a, const void *b)
{
    const struct giver *left = a, *right = b;
    int order = compare_owners(left, right);

    return order ? order : (left->first > right->first) - (left->first < right->first);
}

static int by_bytes(const void *a, const void *b)
{
    const struct giver *left = a, *right = b;

    if (left->bytes != right->bytes)
        return left->bytes > right->bytes ? -1 : 1;
    return (left->first > right->first) - (left->first < right->first);
}

static void add_giver(struct array *givers, struct places *places, const struct session *session,
                      size_t index)
{
    const struct session_site *site = session_site_at(session, index);
    struct giver giver = {.bytes = site->freed_bytes, .blocks = site->frees, .first = index};
    struct giver *added;

    if (!places_find_owner_of(places, site->call, &giver.owner))
        giver.owner = (struct place){.function = NULL};
    added = array_add(givers);
    *added = giver;
}

/* Merges the sites of one place. */
static void unite_givers(struct array *givers)
{
    struct giver *giver = givers->items;
    size_t count = 0;

    if (givers->count == 0)
        return;
    qsort(giver, givers->count, sizeof *giver, by_owner);
    for (size_t i = 0; i < givers->count; i++)
        if (count > 0 && compare_owners(&giver[count - 1], &giver[i]) == 0) {
            giver[count - 1].bytes += giver[i].bytes;
            giver[count - 1].blocks += giver[i].blocks;
        } else
            giver[count++] = giver[i];
    array_truncate(givers, count);
    qsort(giver, count, sizeof *giver, by_bytes);
}

static void append_giver(struct text *text, const struct giver *giver)
{
    say(text, churn_giver_text, said_bytes((double)giver->bytes), said_count(giver->blocks));
    if (!giver->owner.function)
        return;
    text_append(text, " by ");
    place_append_short(text, &giver->owner);
}

/* The program's own part of the chain, else the function that allocated. */
static void append_own(struct text *text, const struct findings_context *context,
                       struct places *places, const struct giver *giver)
{
    uint32_t call = session_site_at(context->session, giver->first)->call;

    own_place_append(text, places, context->session, call);
    if (text->size == 0 && giver->owner.function)
        place_append_short(text, &giver->owner);
}

static void append_sites(struct finding *finding, const struct findings_context *context)
{
    struct text *text = &finding->evidence;
    const struct session *session = context->session;
    struct places *places = places_new(session, context->options.find_frames);
    struct array givers;

    array_init(&givers, sizeof(struct giver));
    for (size_t i = 0; i < session->sites.count; i++)
        if (gave_large_back(session_site_at(session, i)))
            add_giver(&givers, places, session, i);
    unite_givers(&givers);
    if (givers.count > 0)
        append_own(&finding->place, context, places, array_at(&givers, 0));
    for (size_t i = 0; i < givers.count && i < SITES_SHOWN; i++) {
        if (i == 0)
            say(text, churn_givers_text);
        else
            text_append(text, ",");
        append_giver(text, array_at(&givers, i));
    }
    if (givers.count > 0)
        text_append(text, ".");
}

/* The share of freed large blocks in the pages that faulted again: the repair keeps only these
 * blocks.  Other pages may belong to arenas that a runtime maps itself, or to files. */
static double explained_share(const struct session *session, const struct page_faults *of)
{
    double page = page_faults_page_bytes(&session->process), bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);

        bytes += gave_large_back(site) ? (double)site->freed_bytes : 0;
    }
    return of->excess > 0 ? fmin(1, bytes / page / of->excess) : 0;
}

/* The confidence is lower if the mechanism or its cost is only assumed. */
static double churn_confidence(const struct page_faults *of, double large)
{
    if (of->is_bounded)
        return large > 0 ? FINDING_CONFIDENCE_MEDIUM : FINDING_CONFIDENCE_LOW;
    return large > 0 ? FINDING_CONFIDENCE_HIGH : FINDING_CONFIDENCE_MEDIUM;
}

static void say_faults(struct text *text, const struct page_faults *of)
{
    say(text, of->is_bounded ? churn_faults_at_most_text : churn_faults_text,
        said_count((uint64_t)of->excess), said_count((uint64_t)of->faults), said_time(of->each_ns));
}

static void say_blocks(struct text *text, double large, double calls)
{
    if (large > few_per_call * calls && calls > 0)
        say(text, churn_blocks_a_call_text, said_count((uint64_t)large), said_real(large / calls));
    else
        say(text, churn_blocks_text, said_count((uint64_t)large));
}

/* If few of the pages are in such blocks, or little is saved, nothing is promised. */
/* Most blocks of a Python program are a library's, so settings of malloc come first. */
static void say_action(struct finding *finding, const struct findings_context *context)
{
    say(&finding->action, context->has_python ? churn_action_python_text : churn_action_text);
}

static struct finding *claim_churn(const struct findings_context *context,
                                   struct findings *findings, const struct page_faults *of,
                                   double explained)
{
    double saved_ns = explained * of->excess_ns;
    bool has_gain = explained >= least_evidence && saved_ns >= least_gain * context->wall.ns;
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){of->excess_ns, has_gain ? saved_ns : of->excess_ns,
                                          churn_confidence(of, findings_large_blocks(context))});

    if (!has_gain) {
        finding_weaken(finding, FINDING_POINTS);
        say(&finding->action, churn_action_other_text);
        return finding;
    }
    if (of->is_bounded)
        finding_weaken(finding, FINDING_BOUNDS);
    say(&finding->limit, churn_limit_text);
    say_action(finding, context);
    return finding;
}

/* Is the repair of that place known already? */
static bool is_told(const struct findings *findings, const struct finding *finding,
                    const struct place *grown)
{
    struct text line;

    if (known_costs_at(findings, finding->place.bytes, "") >= finding->saved_ns)
        return true;
    if (!grown)
        return false;
    text_init(&line);
    place_append_short(&line, grown);
    return strcmp(line.bytes, finding->place.bytes) == 0;
}

/* `grown`: the line whose blocks grow piece by piece, or NULL. */
static void add_churn(const struct findings_context *context, struct findings *findings,
                      const struct page_faults *of, const struct place *grown)
{
    double explained = explained_share(context->session, of);
    struct finding *finding = claim_churn(context, findings, of, explained);
    double large = findings_large_blocks(context);

    say(&finding->title, of->is_bounded ? churn_title_at_most_text : churn_title_text,
        said_share(finding->fraction));
    say_faults(&finding->evidence, of);
    say_blocks(&finding->evidence, large, count_calls(context));
    append_sites(finding, context);
    if (explained > 0 && explained < nearly_all)
        say(&finding->evidence, churn_explained_text, said_share(explained));
    page_faults_say_place(&finding->evidence, context);
    page_faults_say_other(&finding->evidence, context, of);
    if (is_told(findings, finding, grown)) /* the blocks go with the call */
        finding_weaken(finding, FINDING_POINTS);
    if (finding->gain <= FINDING_BOUNDS)
        known_costs_withdraw(findings, finding->place.bytes, "mapping and unmapping");
    finding_add_number(finding, "excess_faults", of->excess);
    finding_add_number(finding, "fault_ns", of->each_ns);
    finding_add_number(finding, "large_blocks", large);
}

/* ---- page faults that samples show ------------------------------------------------------ */

static const double least_sampled = 0.2; /* share of the processor time */
static const double least_turnover = 4;  /* bytes of large freed blocks, by the peak of the heap */
static const uint64_t least_samples = 30;

/* Large blocks that were freed, and whose memory later blocks needed again. */
static double sum_given_back(const struct session *session)
{
    double bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++)
        if (gave_large_back(session_site_at(session, i)))
            bytes += (double)session_site_at(session, i)->freed_bytes;
    return bytes;
}

/* Append the program's own line with most page faults.  Returns: the samples in page faults. */
static uint64_t append_faulting_line(struct text *text, const struct cpu_time *time)
{
    const struct line_sum *most;
    struct array lines;
    uint64_t count = 0;

    line_sums_init(&lines);
    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const struct place *own;

        if (!(sample->flags & TRACE_SAMPLE_FAULT))
            continue;
        count += sample->count;
        own = own_lines_find(time->session, time->places, sample->call);
        if (own)
            line_sums_add(&lines, own, time->sample_ns[i]);
    }
    most = line_sums_most(&lines);
    if (most)
        place_append_short(text, &most->place);
    return count;
}

/* With huge pages a fault brings many pages, so counts of faults and pages show nothing. */
static bool has_sampled_churn(const struct findings_context *context)
{
    const struct session_heap *heap = &context->session->heap;

    return !context->time.unknown && memory_is_known(heap) &&
           context->time.fault_ns >= least_sampled * context->time.cpu_ns &&
           sum_given_back(context->session) >= least_turnover * (double)heap->peak_bytes;
}

/* Returns: false when there are too few samples. */
static bool add_sampled_churn(const struct findings_context *context, struct findings *findings)
{
    double fault_ns = context->time.fault_ns, ns = findings_elapsed_ns(context, fault_ns);
    struct finding *finding;
    struct text place;
    uint64_t samples;

    text_init(&place);
    samples = append_faulting_line(&place, &context->time);
    if (samples < least_samples)
        return false;
    finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, fault_ns);
    finding_weaken(finding, FINDING_BOUNDS);
    text_append(&finding->place, place.bytes);
    text_fini(&place);
    say(&finding->title, churn_sampled_title_text, said_share(fault_ns / context->time.cpu_ns));
    say(&finding->evidence, churn_sampled_text, said_time(fault_ns), said_count(samples),
        said_bytes(sum_given_back(context->session)),
        said_bytes((double)context->session->heap.peak_bytes));
    say_action(finding, context);
    known_costs_withdraw(findings, finding->place.bytes, "mapping and unmapping");
    return true;
}

void rule_alloc_churn(const struct findings_context *context, struct findings *findings)
{
    struct page_faults of = page_faults_find(context);
    double large = findings_large_blocks(context), calls = count_calls(context);
    bool is_large = calls > 0 && large > large_per_call * calls;
    struct place line;
    bool is_grown = grown_blocks_add(findings, context, &line);

    if (of.unknown)
        findings_skip(findings, *of.unknown);
    else if (of.excess_ns >= least_share * context->wall.ns || (is_large && of.excess > 0))
        add_churn(context, findings, &of, is_grown ? &line : NULL);
    else if (is_grown)
        return;
    else if (!has_sampled_churn(context) || !add_sampled_churn(context, findings))
        findings_pass(findings, churn_passed_text, said_count((uint64_t)of.excess),
                      said_share(of.excess_ns / context->wall.ns), said_count((uint64_t)calls),
                      said_count((uint64_t)large));
}
