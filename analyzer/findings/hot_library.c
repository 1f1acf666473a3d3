/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * HOT-LIBRARY: a library with much of the processor time below no line of the program, as in
 * threads of its own.  The rule says where to begin, and what the catalog of known costs says of
 * the library's functions.
 */
#include <math.h>
#include <string.h>

#include "cpu/cpu_row.h"
#include "cpu/own_lines.h"
#include "cpu/starting.h"
#include "findings/context.h"
#include "findings/cost_catalog.h"
#include "findings/hot_places.h"
#include "findings/library_path.h"
#include "findings/rows.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_samples.h"
#include "places/places.h"
#include "places/plain_name.h"

static const double least_share = 0.2; /* of the processor time, as in HOT-LINE */
static const uint64_t least_samples = 10;
static const double mostly = 0.5; /* of the time below no line */

/* Time below no line of the program. */
struct unowned {
    double ns;
    uint64_t samples;
    const char *library; /* file with most of it; NULL: unknown */
    double library_ns;
    const struct cost *cost; /* known cost with most of it; NULL: none */
    double cost_ns;
};

/* The time of a known cost in this. */
struct of_cost {
    const struct cost *cost;
    double ns;
};

/* The time of a library in this: its own, and that of the C library for it. */
struct of_library {
    const char *name;
    double ns;
};

static void add_library(struct array *all, const char *name, double ns)
{
    struct of_library *of = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (strcmp(of[i].name, name) == 0) {
            of[i].ns += ns;
            return;
        }
    *(struct of_library *)array_add(all) = (struct of_library){name, ns};
}

static bool is_telling_library(const struct place *place)
{
    const char *module = place->function->module;

    return module && !place->function->is_python && !place->function->is_starter &&
           !places_is_c_library(module) && !plain_name_is_libc(module);
}

static void find_library(struct unowned *unowned, const struct array *all)
{
    const struct of_library *of = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (of[i].ns > unowned->library_ns) {
            unowned->library = of[i].name;
            unowned->library_ns = of[i].ns;
        }
}

/* No line calls, so the function's name is the only proof of a cost. */
static bool needs_no_proof(const struct cost *cost)
{
    return cost && !cost->sign && !cost->is_direct && !(cost->least_self > 0) &&
           !(cost->least_ns > 0) && !(cost->least_block_bytes > 0) && cost->never_line.count == 0;
}

static const struct cost *find_cost_of(const struct findings_context *context,
                                       const struct cost_catalog *catalog,
                                       const struct place *place)
{
    const enum cost_language own = context->has_python ? COST_PYTHON : COST_NATIVE;
    const enum cost_language languages[] = {COST_ANY, own, COST_NATIVE};

    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        const struct cost *cost = cost_catalog_find(catalog, place, languages[i]);

        if (needs_no_proof(cost))
            return cost;
    }
    return NULL;
}

/* Returns: the outermost cost on a chain; NULL. */
static const struct cost *find_cost(const struct findings_context *context,
                                    const struct cost_catalog *catalog, uint32_t call)
{
    struct places *places = context->time.places;
    const struct cost *cost = NULL;

    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++) {
            const struct cost *found = find_cost_of(context, catalog, &of->places[i]);

            cost = found ? found : cost;
        }
    }
    return cost;
}

static void add_cost(struct array *all, const struct cost *cost, double ns)
{
    struct of_cost *of = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (of[i].cost == cost) {
            of[i].ns += ns;
            return;
        }
    *(struct of_cost *)array_add(all) = (struct of_cost){cost, ns};
}

static void find_most_cost(struct unowned *unowned, const struct array *all)
{
    const struct of_cost *of = all->items;

    for (size_t i = 0; i < all->count; i++)
        if (of[i].ns > unowned->cost_ns) {
            unowned->cost = of[i].cost;
            unowned->cost_ns = of[i].ns;
        }
}

static void find_unowned(struct unowned *unowned, const struct findings_context *context,
                         const struct cost_catalog *catalog)
{
    const struct session *session = context->session;
    struct array libraries, costs;
    bool *starts;

    *unowned = (struct unowned){.library = NULL};
    array_init(&libraries, sizeof(struct of_library));
    array_init(&costs, sizeof(struct of_cost));
    starting_find(&starts, session, context->options.find_frames);
    for (size_t i = 0; i < session->samples.count; i++) {
        const struct session_sample *sample = session_sample_at(session, i);
        const struct cost *cost;
        struct place place;

        if (starts[i] || own_lines_find(session, context->time.places, sample->call) ||
            !places_find(context->time.places, sample->call, is_telling_library, &place))
            continue;
        unowned->ns += context->time.sample_ns[i];
        unowned->samples += sample->count;
        add_library(&libraries, place.function->module, context->time.sample_ns[i]);
        cost = find_cost(context, catalog, sample->call);
        if (cost)
            add_cost(&costs, cost, context->time.sample_ns[i]);
    }
    find_library(unowned, &libraries);
    find_most_cost(unowned, &costs);
}

/* "fastapi.encoders jsonable_encoder", or "libavcodec.so.59" */
static double append_what(struct text *what, const struct findings_context *context,
                          const struct unowned *unowned)
{
    struct library_path path;

    library_path_find_unowned(&path, &context->time);
    if (path.inner && path.inner_ns >= mostly * unowned->ns) {
        library_path_append(what, path.inner);
        return path.inner_ns;
    }
    places_append_module(what, unowned->library);
    return unowned->library_ns;
}

static void add(const struct findings_context *context, struct findings *findings,
                const struct unowned *unowned)
{
    double ns = fmin(unowned->ns, context->wall.ns), what_ns;
    struct finding *finding = findings_add_freeing(
        findings, &(struct finding_claim){ns, ns, FINDING_CONFIDENCE_HIGH}, unowned->ns);
    struct text what;

    text_init(&what);
    what_ns = append_what(&what, context, unowned);
    hot_places_append_long_wait(&finding->place, context);
    say(&finding->title, hot_library_title_text, said_words(what.bytes),
        said_share(what_ns / context->time.cpu_ns));
    say(&finding->evidence, hot_library_time_text, said_words(what.bytes),
        said_share(what_ns / context->time.cpu_ns), said_time(what_ns),
        said_time(context->time.cpu_ns));
    if (finding->place.size > 0)
        say(&finding->evidence, hot_library_wait_text,
            said_time(hot_places_wait_ns(context, finding->place.bytes)));
    else
        text_append(&finding->place, what.bytes);
    if (unowned->cost_ns >= mostly * unowned->ns)
        say(&finding->evidence, hot_library_cost_text, said_words(unowned->cost->what.bytes),
            said_words(unowned->cost->repair.bytes));
    finding_add_number(finding, "library_ns", what_ns);
    finding_add_number(finding, "samples", (double)unowned->samples);
    text_fini(&what);
}

/* The rule of lines goes first. */
static bool has_line(const struct findings *findings)
{
    for (size_t i = 0; i < findings->found.count; i++)
        if (findings_at(findings, i)->rule == FINDING_RULE_hot_line)
            return true;
    return false;
}

void rule_hot_library(const struct findings_context *context, struct findings *findings)
{
    struct cost_catalog catalog;
    struct unowned unowned;

    if (context->time.unknown) {
        findings_skip(findings, time_not_sampled_text, said_words(context->time.unknown));
        return;
    }
    if (has_line(findings)) {
        findings_pass(findings, hot_library_line_text);
        return;
    }
    cost_catalog_init(&catalog);
    find_unowned(&unowned, context, &catalog);
    if (unowned.samples >= least_samples && unowned.library &&
        unowned.ns >= least_share * context->time.cpu_ns)
        add(context, findings, &unowned);
    else
        findings_pass(findings, hot_library_passed_text,
                      said_share(context->time.cpu_ns > 0 ? unowned.ns / context->time.cpu_ns : 0));
}
