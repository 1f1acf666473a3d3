/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of the catalog costs.spec that samples show below a line of the program: KNOWN-COST.
 */
#include "findings/known_costs.h"

#include <math.h>
#include <string.h>

#include "findings/context.h"
#include "findings/cost_catalog.h"
#include "findings/known_costs_parts.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "model/session.h"
#include "waits/wait_split.h"

static const double least_share = 0.1; /* of the processor time */
static const uint64_t least_samples = 10;
static const uint64_t least_calls = 20; /* that wait: one transaction alone has a dozen */
static const uint64_t least_locked = 5; /* for a lock, which one who is alone never waits for */
static const char faults_number[] = "with_faults_ns"; /* of costs whose repair saves page faults */
static const double mostly = 0.5; /* of a line's time */
static const double nearly = 0.75; /* of a function's time */

/* A cost at all lines. */
struct sum {
    const struct cost *cost;
    const struct met *most; /* the line with most of it */
    double ns;
    double bound_ns; /* what a repair saves at most */
    double bound_main_ns; /* the part of it in the main thread */
    uint64_t samples;
    double wait_ns; /* of the main thread, or of others while it waits for them */
    double others_ns;
    uint64_t calls;
    size_t lines;
    bool has_functions; /* bound_ns has all lines of a function */
};

/* New pages empty the caches, so the lines beside are slower, too: making a data frame took 4.7
 * times as long beside a growing one.  Returns: whether the line does this most of the time. */
static bool empties_caches(const struct meeting *meeting, const struct line_time *line,
                           const struct line_time *function)
{
    return line->all_fault_ns >= mostly * line->ns && line->ns >= nearly * function->ns &&
           line->ns >= mostly * meeting->time->cpu_ns;
}

/* If a cost is most of a line, the repair may do without the rest of the line, too.  Memory that
 * stays mapped brings no page faults, wherever the line touches it. */
static struct line_time find_bound(const struct meeting *meeting, const struct met *met)
{
    const struct array *all = &meeting->met;
    struct line_time line = known_costs_line(all, met);

    if (met->ns >= mostly * line.ns) {
        struct line_time function = known_costs_function(all, met);

        return empties_caches(meeting, &line, &function) ? function : line;
    }
    if (!met->cost->brings_faults)
        return (struct line_time){.ns = met->ns, .main_ns = met->main_ns};
    return (struct line_time){.ns = met->ns + line.fault_ns,
                              .main_ns = met->main_ns + line.fault_main_ns};
}

static struct sum *find_sum(struct array *sums, const struct cost *cost)
{
    struct sum *sum = sums->items;

    for (size_t i = 0; i < sums->count; i++)
        if (sum[i].cost == cost)
            return &sum[i];
    sum = array_add(sums);
    *sum = (struct sum){.cost = cost};
    return sum;
}

/* Samples without a chain are shared by all lines. */
static double with_lost(const struct meeting *meeting, double ns)
{
    double known_ns = meeting->time->cpu_ns - meeting->lost_ns;

    return known_ns > 0 ? ns + meeting->lost_ns * ns / known_ns : ns;
}

static double all_of(const struct met *met)
{
    return met->ns + met->wait_ns + met->others_ns;
}

static void sum_up(struct array *sums, const struct meeting *meeting)
{
    const struct array *all = &meeting->met;
    const struct met *met = all->items;

    array_init(sums, sizeof(struct sum));
    for (size_t i = 0; i < all->count; i++) {
        struct line_time bound;
        struct sum *sum;

        if (!met[i].cost)
            continue;
        sum = find_sum(sums, met[i].cost);
        bound = find_bound(meeting, &met[i]);
        sum->ns += met[i].ns;
        sum->bound_ns += with_lost(meeting, bound.ns);
        sum->bound_main_ns += with_lost(meeting, bound.main_ns);
        sum->samples += met[i].samples;
        sum->wait_ns += met[i].wait_ns;
        sum->others_ns += met[i].others_ns;
        sum->calls += met[i].calls;
        sum->lines++;
        sum->has_functions |= bound.is_function;
        if (!sum->most || all_of(&met[i]) > all_of(sum->most))
            sum->most = &met[i];
    }
}

static bool is_large(const struct findings_context *context, const struct sum *sum)
{
    return sum->samples >= least_samples && sum->ns >= least_share * context->time.cpu_ns;
}

static bool is_waited_for(const struct findings_context *context, const struct sum *sum)
{
    return sum->calls >= (sum->cost->waits_for_locks ? least_locked : least_calls) &&
           sum->wait_ns >= least_share * context->wall.ns;
}

/* system() waits for its shell by a call of the C library's own, so this waiting has no place. */
static double find_unseen_ns(const struct findings_context *context, const struct sum *sum)
{
    const struct session *session = context->session;
    uint32_t thread = wait_main_thread(session);
    double ns =
        thread < session->threads.count ? wait_split_of(session, thread).unhooked_ns : (double)NAN;

    return sum->cost->waits_unseen && !isnan(ns) ? ns : 0;
}

/* What the main thread computes elsewhere remains. */
static double find_most_ns(const struct findings_context *context, const struct meeting *meeting,
                           const struct sum *sum)
{
    double rest_ns = fmax(0, meeting->main_ns - sum->bound_main_ns);

    return fmin(findings_elapsed_ns(context, sum->bound_ns) + sum->wait_ns +
                    find_unseen_ns(context, sum),
                fmax(0, context->wall.ns - rest_ns));
}

static bool is_of_c(const struct place *place)
{
    size_t size = place->file ? strlen(place->file) : 0;

    return size > 2 && strcmp(place->file + size - 2, ".c") == 0;
}

static const char *repair_for(const struct cost *cost, const struct place *place)
{
    return cost->repair_in_c.size > 0 && is_of_c(place) ? cost->repair_in_c.bytes
                                                        : cost->repair.bytes;
}

static struct said bound_words(const struct sum *sum)
{
    if (sum->has_functions)
        return known_cost_caches_text;
    return sum->cost->brings_faults ? known_cost_faults_text : known_cost_bound_text;
}

/* "sorting takes", "exceptions take": by the first word of what the cost is. */
static const char *verb_of(const struct cost *cost)
{
    const char *what = cost->what.bytes;
    size_t size = strcspn(what, " ");
    bool is_plural = size > 2 && what[size - 1] == 's' && !strchr("suis", what[size - 2]);

    return is_plural ? "take" : "takes";
}

static void add_finding(const struct findings_context *context, struct findings *findings,
                        const struct meeting *meeting, const struct sum *sum)
{
    double ns = find_most_ns(context, meeting, sum);
    const struct cost *cost = sum->cost;
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM}, sum->bound_ns);

    if (is_large(context, sum))
        say(&finding->title, known_cost_title_text, said_words(cost->what.bytes),
            said_words(verb_of(cost)), said_share(sum->ns / context->time.cpu_ns));
    else
        say(&finding->title, known_cost_wait_title_text, said_words(cost->what.bytes),
            said_words(verb_of(cost)), said_share(fmin(1, sum->wait_ns / context->wall.ns)));
    say(&finding->evidence, known_cost_time_text, said_time(sum->ns),
        said_time(context->time.cpu_ns), said_count(sum->samples));
    if (sum->wait_ns > 0)
        say(&finding->evidence, known_cost_wait_text, said_time(sum->wait_ns),
            said_count(sum->calls));
    if (sum->lines > 1)
        say(&finding->evidence, known_cost_lines_text, said_count(sum->lines),
            said_time(all_of(sum->most)));
    if (sum->bound_ns > sum->ns)
        say(&finding->evidence, bound_words(sum), said_time(sum->bound_ns));
    if (cost->least_resident_bytes > 0)
        say(&finding->evidence, known_cost_resident_text,
            said_bytes((double)context->session->process.last.peak_rss_bytes));
    text_append(&finding->why, cost->why.bytes);
    text_append(&finding->action, repair_for(cost, &sum->most->place));
    if (cost->unless.size > 0)
        text_append(&finding->refute, cost->unless.bytes);
    place_append_short(&finding->place, &sum->most->place);
    finding_add_number(finding, "cost_ns", sum->ns);
    finding_add_number(finding, "samples", (double)sum->samples);
    if (cost->brings_faults)
        finding_add_number(finding, faults_number, sum->bound_ns);
}

static void tell(const struct findings_context *context, struct findings *findings,
                 const struct meeting *meeting, const struct array *sums)
{
    const struct sum *sum = sums->items;
    size_t told = 0;

    for (size_t i = 0; i < sums->count; i++)
        if (is_large(context, &sum[i]) || is_waited_for(context, &sum[i])) {
            add_finding(context, findings, meeting, &sum[i]);
            told++;
        }
    if (told == 0)
        findings_pass(findings, known_cost_passed_text);
}

/* Other threads' waiting takes wall time while the main thread waits for them. */
static void add_others(const struct findings_context *context, struct array *sums)
{
    double most_ns = findings_waiting_for_others_ns(context);
    struct sum *sum = sums->items;

    for (size_t i = 0; i < sums->count; i++)
        sum[i].wait_ns += fmin(sum[i].others_ns, most_ns);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct cost_catalog *catalog)
{
    struct meeting meeting = {
        .catalog = catalog, .time = &context->time, .program = places_own_module(context->session)};
    struct array sums;

    known_costs_meet(&meeting, &context->time);
    sum_up(&sums, &meeting);
    add_others(context, &sums);
    tell(context, findings, &meeting, &sums);
}

/* Its repair is that of ALLOC-CHURN. */
static bool is_mapping(const struct finding *finding)
{
    const struct finding_number *number = finding->numbers.items;

    for (size_t i = 0; i < finding->numbers.count; i++)
        if (strcmp(number[i].name, faults_number) == 0)
            return true;
    return false;
}

double known_costs_at(const struct findings *findings, const char *place, const char *word)
{
    for (size_t i = 0; *place && i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding->rule == FINDING_RULE_known_cost && !is_mapping(finding) &&
            strstr(finding->title.bytes, word) && strcmp(finding->place.bytes, place) == 0)
            return finding->saved_ns;
    }
    return 0;
}

void known_costs_withdraw(struct findings *findings, const char *place, const char *word)
{
    for (size_t i = 0; i < findings->found.count; i++) {
        struct finding *finding = *(struct finding **)array_at(&findings->found, i);

        if (finding->rule == FINDING_RULE_known_cost && strstr(finding->title.bytes, word) &&
            strcmp(finding->place.bytes, place) == 0)
            finding_weaken(finding, FINDING_POINTS);
    }
}

void rule_known_cost(const struct findings_context *context, struct findings *findings)
{
    struct cost_catalog catalog;

    if (context->time.unknown) {
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
        return;
    }
    cost_catalog_init(&catalog);
    judge(context, findings, &catalog);
    if (catalog.mistake.size > 0)
        findings_skip(findings, known_cost_mistake_text, said_words(catalog.mistake.bytes));
}
