/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Costs of the catalog costs.spec that samples show below a line of the program: KNOWN-COST.
 */
#include "findings/known_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "findings/context.h"
#include "findings/cost_catalog.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"

static const double least_share = 0.1; /* of the processor time */
static const uint64_t least_samples = 10;

/* Samples of a cost at a place, with all that it calls. */
struct met {
    const struct cost *cost;
    struct place place;
    double ns;
    uint64_t samples;
};

/* The cost of a function: all patterns are compared once, and not for each sample. */
struct asked {
    bool is_known;
    const struct cost *cost;
};

struct meeting {
    const struct cost_catalog *catalog;
    const struct cpu_time *time;
    const char *program; /* places_own_module */
    struct array asked;  /* of struct asked, by the id of a function */
    struct array met;
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

static const struct cost *find_cost(struct meeting *meeting, const struct place *place)
{
    struct asked *asked;

    while (meeting->asked.count <= place->function->id)
        *(struct asked *)array_add(&meeting->asked) = (struct asked){.is_known = false};
    asked = array_at(&meeting->asked, place->function->id);
    if (!asked->is_known)
        *asked = (struct asked){true, cost_catalog_find(meeting->catalog, place)};
    return asked->cost;
}

/* The walk goes outwards: the last cost before the program's own line is what that line calls. */
static void meet(struct meeting *meeting, struct met *met, uint32_t call)
{
    const struct places *places = meeting->time->places;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            const struct cost *cost;

            if (is_own(meeting, &of->places[i])) {
                met->place = of->places[i];
                return;
            }
            cost = find_cost(meeting, &of->places[i]);
            met->cost = cost ? cost : met->cost;
        }
    }
}

static bool is_same_place(const struct place *left, const struct place *right)
{
    return left->function == right->function && left->line == right->line;
}

static void add(struct meeting *meeting, const struct met *found)
{
    struct met *met = meeting->met.items;

    for (size_t i = 0; i < meeting->met.count; i++)
        if (met[i].cost == found->cost && is_same_place(&met[i].place, &found->place)) {
            met[i].ns += found->ns;
            met[i].samples += found->samples;
            return;
        }
    *(struct met *)array_add(&meeting->met) = *found;
}

static void find_all(struct meeting *meeting, const struct cpu_time *time)
{
    for (size_t i = 0; i < time->session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(time->session, i);
        struct met met = {.ns = time->sample_ns[i], .samples = sample->count};

        meet(meeting, &met, sample->call);
        if (met.cost && met.place.function)
            add(meeting, &met);
    }
}

static int compare_met(const void *a, const void *b)
{
    const struct met *left = a, *right = b;

    return (left->ns < right->ns) - (left->ns > right->ns);
}

static void add_finding(const struct findings_context *context, struct findings *findings,
                        const struct met *met)
{
    double ns = fmin(met->ns, context->wall.ns);
    struct finding *finding =
        findings_add(findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_MEDIUM});

    say(&finding->title, known_cost_title_text, said_words(met->cost->what.bytes),
        said_share(met->ns / context->time.cpu_ns));
    say(&finding->evidence, known_cost_time_text, said_time(met->ns),
        said_time(context->time.cpu_ns), said_count(met->samples));
    text_append(&finding->why, met->cost->why.bytes);
    text_append(&finding->action, met->cost->repair.bytes);
    if (met->cost->unless.size > 0)
        text_append(&finding->refute, met->cost->unless.bytes);
    place_append_short(&finding->place, &met->place);
    finding_add_number(finding, "cost_ns", met->ns);
    finding_add_number(finding, "samples", (double)met->samples);
}

static bool is_large(const struct met *met, const struct findings_context *context)
{
    return met->samples >= least_samples && met->ns >= least_share * context->time.cpu_ns;
}

static void tell(const struct findings_context *context, struct findings *findings,
                 const struct array *all)
{
    const struct met *met = all->items;
    size_t told = 0;

    while (told < all->count && is_large(&met[told], context))
        add_finding(context, findings, &met[told++]);
    if (told == 0)
        findings_pass(findings, known_cost_passed_text);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct cost_catalog *catalog)
{
    struct meeting meeting = {
        .catalog = catalog, .time = &context->time, .program = places_own_module(context->session)};

    array_init(&meeting.asked, sizeof(struct asked));
    array_init(&meeting.met, sizeof(struct met));
    find_all(&meeting, &context->time);
    if (meeting.met.count > 1)
        qsort(meeting.met.items, meeting.met.count, sizeof(struct met), compare_met);
    tell(context, findings, &meeting.met);
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
