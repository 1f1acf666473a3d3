/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the heap leaks, with the start-up from the phases of the run.  Phases are sought only
 * where memory grew.
 */
#include "heap/heap_leak.h"

#include "base/array.h"
#include "heap/leak_growers.h"
#include "heap/leak_start.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "steps/phases.h"

static bool is_marked(enum phase_by by)
{
    switch (by) {
    case PHASE_BY_REGION:
    case PHASE_BY_STEPS:
    case PHASE_BY_REQUESTS:
    case PHASE_BY_TASKS: return true;
    case PHASE_BY_NOTHING:
    case PHASE_BY_KERNELS:
    case PHASE_BY_SAMPLES: break;
    }
    return false;
}

/* ---- mappings that stay -------------------------------------------------------------- */

enum { LEAST_RANGES = 16 };

static const double stays_share = 0.9; /* of the mappings that a place made */
static const double main_share = 0.5;  /* of the growth of all */

static bool owns(const struct place *place)
{
    return place_owning(place) != PLACES_PASSES_ON;
}

/* Memory that an installed library maps, as the arenas of an interpreter, is an allocator's. */
static bool is_own(struct places *places, uint32_t call)
{
    struct place place;

    return places_find(places, call, owns, &place) && !place_is_python(&place) &&
           place_owning(&place) == PLACES_OWN;
}

/* Returns: the mapping with most bytes at the end, if its place unmaps next to none; NULL. */
static const struct session_mapping *find_keeper(const struct leak_judgement *judgement,
                                                 const struct session *session,
                                                 struct places *places)
{
    const struct session_mapping *mapping = session->mappings.items, *most = NULL;

    for (size_t i = 0; i < session->mappings.count; i++)
        if (!most || mapping[i].live_bytes > most->live_bytes)
            most = &mapping[i];
    return most && most->live_ranges >= LEAST_RANGES &&
                   (double)most->live_ranges >= stays_share * (double)most->calls &&
                   (double)most->live_bytes >= main_share * judgement->outside.mapped_bytes &&
                   leak_marks_are_lasting(&session->heap, &most->mark, &judgement->window) &&
                   is_own(places, most->call)
               ? most
               : NULL;
}

static void judge_mappings(struct leak_judgement *judgement, const struct session *session,
                           places_finder find)
{
    double span_ns = (double)(judgement->window.to_ns - judgement->window.from_ns);

    if (judgement->reason != LEAK_OUTSIDE || !(judgement->outside.mapped_bytes > 0) ||
        !find_keeper(judgement, session, places_new(session, find)))
        return;
    judgement->reason = LEAK_MAPPED;
    judgement->verdict = leak_verdict_of(LEAK_MAPPED);
    judgement->growth_bytes = judgement->outside.mapped_bytes;
    judgement->trend.slope = judgement->growth_bytes / span_ns;
}

static void judge_start(struct leak_judgement *judgement, const struct session *session,
                        const struct analysis_options *options)
{
    struct phases phases;
    bool are = false;

    if (!leak_may_be_start(judgement, options))
        return;
    phases_find(&phases, session, options->find_frames, &are);
    if (!are)
        return;
    leak_judge_after(judgement, session, options,
                     &(struct leak_start){
                         .end_ns = phases.border_ns[PHASE_START + 1],
                         .steady_from_ns = phases.border_ns[PHASE_MAIN],
                         .steady_to_ns = phases.border_ns[PHASE_MAIN + 1],
                         .is_marked = is_marked(phases.ends_by[PHASE_START]),
                     });
}

void heap_leak_judge(struct leak_judgement *judgement, const struct session *session,
                     const struct analysis_options *options)
{
    leak_judge(judgement, session, options);
    judge_start(judgement, session, options);
    judge_mappings(judgement, session, options->find_frames);
}

/* ---- the line that grew most ------------------------------------------------------------ */

struct grower {
    struct place place;
    double bytes;
};

static const double least_part = 0.25;      /* of the growth, for a line to be named */
static const double least_site = 1.0 / 256; /* of the growth: names of smaller sites cost more */

static void add_growth(struct array *growers, const struct place *owner, double bytes)
{
    struct grower *grower = growers->items;

    for (size_t i = 0; i < growers->count; i++)
        if (place_is_same_line(&grower[i].place, owner)) {
            grower[i].bytes += bytes;
            return;
        }
    *(struct grower *)array_add(growers) = (struct grower){*owner, bytes};
}

static void find_growers(struct array *growers, const struct leak_judgement *judgement,
                         const struct session *session, struct places *places)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        double bytes = leak_site_growth(session, i, &judgement->window);
        struct place owner;

        if (bytes > 0 && bytes >= least_site * judgement->growth_bytes &&
            places_find_owner_of(places, session_site_at(session, i)->call, &owner))
            add_growth(growers, &owner, bytes);
    }
}

void heap_leak_append_place(struct text *text, const struct leak_judgement *judgement,
                            const struct session *session, places_finder find)
{
    struct places *places = places_new(session, find);
    const struct session_mapping *keeper;
    const struct grower *grower;
    struct array growers;
    struct place owner;
    size_t most = 0;

    keeper = judgement->reason == LEAK_MAPPED ? find_keeper(judgement, session, places) : NULL;
    if (keeper && places_find_owner_of(places, keeper->call, &owner)) {
        place_append_short(text, &owner);
        return;
    }
    array_init(&growers, sizeof(struct grower));
    find_growers(&growers, judgement, session, places);
    grower = growers.items;
    for (size_t i = 1; i < growers.count; i++)
        most = grower[i].bytes > grower[most].bytes ? i : most;
    if (growers.count > 0 && grower[most].bytes >= least_part * judgement->growth_bytes)
        place_append_short(text, &grower[most].place);
    array_fini(&growers);
}
