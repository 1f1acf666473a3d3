/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of the catalog costs.spec that samples show below a line of the program: KNOWN-COST.
 */
#include "findings/known_costs.h"

#include <math.h>
#include <string.h>

#include "cpu/python_split.h"
#include "findings/context.h"
#include "findings/cost_catalog.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "model/session_unknown.h"
#include "model/session_waits.h"
#include "waits/wait_split.h"

static const double least_share = 0.1; /* of the processor time */
static const uint64_t least_samples = 10;
static const double mostly = 0.5; /* of a line's time */

/* Samples of a cost at a line of the program, with all that it calls. */
struct met {
    const struct cost *cost; /* NULL: the line's other samples */
    struct place place;
    double ns;
    double main_ns; /* the part of it in the main thread */
    uint64_t samples;
    double wait_ns;   /* of the main thread, at calls that the cost makes */
    double others_ns; /* of other threads */
    uint64_t calls;
};

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
};

/* The costs of a function, by language: all patterns are compared once, and not for each sample. */
struct asked {
    bool is_known;
    const struct cost *costs[COST_LANGUAGES];
};

struct meeting {
    const struct cost_catalog *catalog;
    const struct cpu_time *time;
    const char *program; /* places_own_module */
    struct array asked;  /* of struct asked, by the id of a function */
    struct array met;
    double lost_ns; /* samples without a chain, which may be of any line */
    double main_ns; /* all samples of the main thread */
};

/* A function of the C++ library, also where the program has a copy of the template: its name begins
 * so, or the type that it returns stands before. */
static bool is_of_library(const char *name)
{
    const char *found = strstr(name, "std::");
    size_t before = found ? (size_t)(found - name) : 0;

    if (found && before > 0 && (name[before - 1] != ' ' || strcspn(name, "(<") < before))
        found = NULL;
    return found || strncmp(name, "__gnu_cxx::", strlen("__gnu_cxx::")) == 0;
}

static bool is_own(const struct meeting *meeting, const struct place *place)
{
    const struct places_function *function = place->function;

    if (function->is_python)
        return place_is_own_python(place);
    return meeting->program && place_is_telling(place) && function->module &&
           strcmp(function->module, meeting->program) == 0 &&
           !(place->file && symbols_is_system_header(place->file)) &&
           !is_of_library(function->name);
}

static const struct asked *ask(struct meeting *meeting, const struct place *place)
{
    struct asked *asked;

    while (meeting->asked.count <= place->function->id)
        *(struct asked *)array_add(&meeting->asked) = (struct asked){.is_known = false};
    asked = array_at(&meeting->asked, place->function->id);
    for (int i = 0; !asked->is_known && i < COST_LANGUAGES; i++)
        asked->costs[i] = cost_catalog_find(meeting->catalog, place, (enum cost_language)i);
    asked->is_known = true;
    return asked;
}

/* The user's own costs come first, then those of the line's language. */
static const struct cost *choose(const struct cost *const *costs, bool is_python)
{
    if (costs[COST_ANY])
        return costs[COST_ANY];
    return is_python && costs[COST_PYTHON] ? costs[COST_PYTHON] : costs[COST_NATIVE];
}

/* Libraries run code of their own by exec() while they are imported.  Its file is "<string>", like
 * that of python -c. */
static bool is_made_by_import(const struct meeting *meeting, const struct place *place,
                              uint32_t call)
{
    return place->function->is_python && place->file && place->file[0] == '<' &&
           python_split_is_import(meeting->time, call);
}

/* A function of a library: also the C library, whose malloc() calls mprotect(). */
static bool is_of_another(const struct place *place)
{
    return !place->function->is_python && place->function->module &&
           !is_of_library(place->function->name);
}

/* Costs that only count where the program makes the calls, and no library. */
static void drop_direct(const struct cost **costs)
{
    for (int i = 0; i < COST_LANGUAGES; i++)
        if (costs[i] && costs[i]->is_direct)
            costs[i] = NULL;
}

/* The walk goes outwards: the last costs before the program's own line are what that line calls. */
static void meet(struct meeting *meeting, struct met *met, uint32_t call)
{
    const struct places *places = meeting->time->places;
    const struct cost *costs[COST_LANGUAGES] = {NULL};

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            const struct place *place = &of->places[i];
            const struct asked *asked;

            /* What an import does once is no fault of the functions that it calls. */
            if (place_is_importlib(place))
                return;
            if (is_own(meeting, place)) {
                if (is_made_by_import(meeting, place, call))
                    return;
                met->place = *place;
                met->cost = choose(costs, place->function->is_python);
                return;
            }
            if (is_of_another(place))
                drop_direct(costs);
            asked = ask(meeting, place);
            for (int j = 0; j < COST_LANGUAGES; j++)
                costs[j] = asked->costs[j] ? asked->costs[j] : costs[j];
        }
    }
}

static void add(struct meeting *meeting, const struct met *found)
{
    struct met *met = meeting->met.items;

    for (size_t i = 0; i < meeting->met.count; i++)
        if (met[i].cost == found->cost && place_is_same_line(&met[i].place, &found->place)) {
            met[i].ns += found->ns;
            met[i].main_ns += found->main_ns;
            met[i].samples += found->samples;
            met[i].wait_ns += found->wait_ns;
            met[i].others_ns += found->others_ns;
            met[i].calls += found->calls;
            return;
        }
    *(struct met *)array_add(&meeting->met) = *found;
}

static void find_all(struct meeting *meeting, const struct cpu_time *time)
{
    const uint32_t main_thread = wait_main_thread(time->session);

    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        const bool is_main = sample->thread == main_thread;
        struct met met = {.ns = time->sample_ns[i],
                          .main_ns = is_main ? time->sample_ns[i] : 0,
                          .samples = sample->count};

        meeting->main_ns += met.main_ns;
        meet(meeting, &met, sample->call);
        if (sample->call == 0)
            meeting->lost_ns += met.ns;
        else if (met.place.function)
            add(meeting, &met);
    }
}

/* ---- waiting ----------------------------------------------------------------------------- */

static const uint64_t least_ends = 20; /* of processes or threads: fewer are the work itself */
static const double longest_end_ns = 50e6;

/* Waiting that a call causes by itself: for a file, for a connection, for a process that does next
 * to nothing.  Other waits are for the work of others. */
static bool is_own_wait(const struct session_wait *wait)
{
    if (wait->class == TRACE_WAIT_CLASS_JOIN)
        return wait->calls >= least_ends &&
               (double)wait->waiting_ns < longest_end_ns * (double)wait->calls;
    return (wait->class == TRACE_WAIT_CLASS_IO && wait->kind == TRACE_WAITED_FILE) ||
           (wait->function && strcmp(wait->function, "connect") == 0);
}

static void look_up(struct places *places, uint32_t call)
{
    for (; call != 0; call = places_parent(places, call))
        places_look_up(places, call);
}

/* The chain of a wait begins with the caller of the function that waits. */
static void meet_wait(struct meeting *meeting, const struct session_wait *wait, bool is_main)
{
    const double ns = (double)wait->waiting_ns;
    struct met met = {
        .wait_ns = is_main ? ns : 0, .others_ns = is_main ? 0 : ns, .calls = wait->calls};

    look_up(meeting->time->places, wait->chain);
    meet(meeting, &met, wait->chain);
    if (!met.place.function)
        return;
    if (!met.cost && wait->function && met.place.function->is_python)
        met.cost = cost_catalog_find_native(meeting->catalog, wait->function, COST_PYTHON);
    if (!met.cost && wait->function)
        met.cost = cost_catalog_find_native(meeting->catalog, wait->function, COST_NATIVE);
    if (met.cost)
        add(meeting, &met);
}

static void find_waits(struct meeting *meeting, const struct session *session)
{
    uint32_t thread = wait_main_thread(session);

    for (size_t i = 0; i < session->waits.count; i++) {
        const struct session_wait *wait = session_wait_at(session, i);

        if (wait->chain != SESSION_NONE && is_own_wait(wait))
            meet_wait(meeting, wait, wait->thread == thread);
    }
}

/* The time of a line with all its costs and the rest of it. */
struct line_time {
    double ns;
    double main_ns; /* the part of it in the main thread */
};

static struct line_time find_line(const struct array *all, const struct met *of)
{
    const struct met *met = all->items;
    struct line_time line = {0, 0};

    for (size_t i = 0; i < all->count; i++)
        if (place_is_same_line(&met[i].place, &of->place)) {
            line.ns += met[i].ns;
            line.main_ns += met[i].main_ns;
        }
    return line;
}

/* If a cost is most of a line, the repair may do without the rest of the line, too. */
static struct line_time find_bound(const struct array *all, const struct met *met)
{
    struct line_time line = find_line(all, met);

    return met->ns >= mostly * line.ns ? line : (struct line_time){met->ns, met->main_ns};
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

        if (!met[i].cost || met[i].ns < met[i].cost->least_part * find_line(all, &met[i]).ns)
            continue;
        sum = find_sum(sums, met[i].cost);
        bound = find_bound(all, &met[i]);
        sum->ns += met[i].ns;
        sum->bound_ns += with_lost(meeting, bound.ns);
        sum->bound_main_ns += with_lost(meeting, bound.main_ns);
        sum->samples += met[i].samples;
        sum->wait_ns += met[i].wait_ns;
        sum->others_ns += met[i].others_ns;
        sum->calls += met[i].calls;
        sum->lines++;
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
    return sum->calls >= least_samples && sum->wait_ns >= least_share * context->wall.ns;
}

/* What the main thread computes elsewhere remains. */
static double find_most_ns(const struct findings_context *context, const struct meeting *meeting,
                           const struct sum *sum)
{
    double rest_ns = fmax(0, meeting->main_ns - sum->bound_main_ns);

    return fmin(findings_elapsed_ns(context, sum->bound_ns) + sum->wait_ns,
                fmax(0, context->wall.ns - rest_ns));
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
            said_share(sum->ns / context->time.cpu_ns));
    else
        say(&finding->title, known_cost_wait_title_text, said_words(cost->what.bytes),
            said_share(fmin(1, sum->wait_ns / context->wall.ns)));
    say(&finding->evidence, known_cost_time_text, said_time(sum->ns),
        said_time(context->time.cpu_ns), said_count(sum->samples));
    if (sum->wait_ns > 0)
        say(&finding->evidence, known_cost_wait_text, said_time(sum->wait_ns),
            said_count(sum->calls));
    if (sum->lines > 1)
        say(&finding->evidence, known_cost_lines_text, said_count(sum->lines),
            said_time(sum->most->ns));
    if (sum->bound_ns > sum->ns)
        say(&finding->evidence, known_cost_bound_text, said_time(sum->bound_ns));
    text_append(&finding->why, cost->why.bytes);
    text_append(&finding->action, cost->repair.bytes);
    if (cost->unless.size > 0)
        text_append(&finding->refute, cost->unless.bytes);
    place_append_short(&finding->place, &sum->most->place);
    finding_add_number(finding, "cost_ns", sum->ns);
    finding_add_number(finding, "samples", (double)sum->samples);
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

    array_init(&meeting.asked, sizeof(struct asked));
    array_init(&meeting.met, sizeof(struct met));
    find_all(&meeting, &context->time);
    find_waits(&meeting, context->session);
    sum_up(&sums, &meeting);
    add_others(context, &sums);
    tell(context, findings, &meeting, &sums);
}

double known_costs_at(const struct findings *findings, const char *place, const char *word)
{
    for (size_t i = 0; *place && i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (finding->rule == FINDING_RULE_known_cost && strstr(finding->title.bytes, word) &&
            strcmp(finding->place.bytes, place) == 0)
            return finding->saved_ns;
    }
    return 0;
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
