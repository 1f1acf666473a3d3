/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether the heap leaks, with the start-up from the phases of the run.  Phases are sought only
 * where memory grew.
 */
#include "heap/heap_leak.h"

#include <math.h>
#include <string.h>

#include "analysis/runtimes.h"
#include "base/array.h"
#include "heap/leak_growers.h"
#include "heap/leak_start.h"
#include "heap/leaks_options.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_unknown.h"
#include "places/line_sums.h"
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
static const double in_part_share = 0.99; /* of a mapping's length, where a part was unmapped */

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

bool heap_leak_find_unmapped(struct heap_leak_unmapped *unmapped,
                             const struct leak_judgement *judgement, const struct session *session,
                             places_finder find)
{
    const struct session_mapping *keeper =
        judgement->reason == LEAK_MAPPED
            ? find_keeper(judgement, session, places_new(session, find))
            : NULL;

    if (!keeper)
        return false;
    *unmapped = (struct heap_leak_unmapped){
        .mapped_bytes = keeper->bytes,
        .unmapped_bytes =
            keeper->bytes > keeper->live_bytes ? keeper->bytes - keeper->live_bytes : 0,
        .ranges = keeper->live_ranges,
    };
    unmapped->is_in_part = unmapped->unmapped_bytes > 0 &&
                           (double)keeper->live_bytes * (double)keeper->calls <=
                               in_part_share * (double)keeper->bytes * (double)keeper->live_ranges;
    return true;
}

/* ---- Python's objects ------------------------------------------------------------------- */

static bool is_python(const struct session *session)
{
    const char *language = runtimes_find_language(session);

    return language && strcmp(language, "Python") == 0;
}

/* CPython maps 1 MiB for an arena since 3.10, and 256 KiB before.  Libraries map other sizes for
 * themselves, such as the buffers of a BLAS, and may touch little of them. */
static bool is_of_arenas(const struct session_mapping *mapping)
{
    enum { ARENA = 1 << 20, OLD_ARENA = 1 << 18 };
    uint64_t each = mapping->calls > 0 ? mapping->bytes / mapping->calls : 0;

    return mapping->file_bytes == 0 && (each == ARENA || each == OLD_ARENA);
}

/* Returns: the growth of Python's arenas. */
static double sum_arenas(const struct leak_judgement *judgement, const struct session *session)
{
    const struct session_mapping *mapping = session->mappings.items;
    double bytes = 0;

    for (size_t i = 0; i < session->mappings.count; i++)
        if (is_of_arenas(&mapping[i]))
            bytes += leak_marks_growth(&session->heap, &mapping[i].mark, &judgement->window);
    return fmin(bytes, judgement->outside.mapped_bytes);
}

/* CPython serves small objects from arenas that it maps itself.  They are a part of the heap, and
 * most of it in programs without native data. */
static void judge_arenas(struct leak_judgement *judgement, const struct session *session)
{
    double span_ns = (double)(judgement->window.to_ns - judgement->window.from_ns), bytes;

    if (!is_python(session) || !(judgement->outside.mapped_bytes > 0) ||
        (judgement->verdict != LEAK_SEEN && judgement->reason != LEAK_OUTSIDE))
        return;
    bytes = sum_arenas(judgement, session);
    if (bytes < main_share * judgement->outside.mapped_bytes)
        return;
    if (judgement->reason == LEAK_OUTSIDE) {
        judgement->reason = judgement->has_fall ? LEAK_KEPT : LEAK_GROWS;
        judgement->verdict = leak_verdict_of(judgement->reason);
        judgement->growth_bytes = 0;
        judgement->trend = (struct trend){0, 0, NAN, NAN, 1};
    }
    judgement->arenas_bytes = bytes;
    judgement->growth_bytes += bytes;
    judgement->trend.slope += bytes / span_ns;
    judgement->trend.low += bytes / span_ns;
    judgement->trend.high += bytes / span_ns;
}

/* ---- modules that load late -------------------------------------------------------------- */

static const double small_growth = 1 << 20; /* of a run of a few seconds */
static const double mostly_loaded = 0.5;    /* of the growth */

static double sum_loaded_arenas(const struct leak_judgement *judgement,
                                const struct session *session, struct places *places)
{
    const struct session_mapping *mapping = session->mappings.items;
    double bytes = 0;

    for (size_t i = 0; i < session->mappings.count && judgement->arenas_bytes > 0; i++) {
        struct place place;

        if (is_of_arenas(&mapping[i]) &&
            places_find(places, mapping[i].call, place_is_importlib, &place))
            bytes += leak_marks_growth(&session->heap, &mapping[i].mark, &judgement->window);
    }
    return bytes;
}

/* Modules that a program imports while it works grow the heap, too. */
static double sum_loaded(const struct leak_judgement *judgement, const struct session *session,
                         struct places *places)
{
    double bytes = 0;

    for (size_t i = 0; i < session->sites.count; i++) {
        double growth = leak_site_growth(session, i, &judgement->window);
        struct place place;

        if (growth > 0 &&
            places_find(places, session_site_at(session, i)->call, place_is_importlib, &place))
            bytes += growth;
    }
    return bytes + sum_loaded_arenas(judgement, session, places);
}

/* In a few seconds, data that a program builds looks the same. */
static void judge_small(struct leak_judgement *judgement, const struct session *session,
                        const struct analysis_options *options)
{
    uint64_t span_ns = judgement->window.to_ns - judgement->window.from_ns;

    if (options->leaks->warmup_ns != SESSION_UNKNOWN || !is_python(session) ||
        judgement->reason != LEAK_GROWS || judgement->growth_bytes >= small_growth ||
        span_ns >= leak_least_ns(session))
        return;
    judgement->reason = LEAK_IMMATERIAL;
    judgement->verdict = leak_verdict_of(LEAK_IMMATERIAL);
}

static void judge_loading(struct leak_judgement *judgement, const struct session *session,
                          places_finder find)
{
    if (!is_python(session) || judgement->verdict != LEAK_SEEN ||
        judgement->reason == LEAK_MAPPED ||
        sum_loaded(judgement, session, places_new(session, find)) <
            mostly_loaded * judgement->growth_bytes)
        return;
    judgement->reason = LEAK_BY_TURNS;
    judgement->verdict = leak_verdict_of(LEAK_BY_TURNS);
}

/* ---- short runs of an interpreter ------------------------------------------------------ */

static const uint64_t least_known_ns = 1000000000; /* after a start-up that is known */
static const double warmup_share = 0.2;

/* An interpreter needs five seconds where nothing tells when it has loaded all.  Samples tell it of
 * Python: what follows its imports is judged as if the user had named their end. */
static void judge_short(struct leak_judgement *judgement, const struct session *session,
                        const struct analysis_options *options, uint64_t start_ns)
{
    const uint64_t to_ns = judgement->window.to_ns;
    struct leaks_options leaks = *options->leaks;
    struct analysis_options own = *options;

    if (to_ns <= start_ns || session->samples.count == 0)
        return;
    leaks.warmup_ns = start_ns + (uint64_t)(warmup_share * (double)(to_ns - start_ns));
    if (to_ns - leaks.warmup_ns < least_known_ns)
        return;
    own.leaks = &leaks;
    leak_judge(judgement, session, &own);
}

static bool is_short_python(const struct leak_judgement *judgement, const struct session *session,
                            const struct analysis_options *options)
{
    return judgement->reason == LEAK_TOO_SHORT && is_python(session) &&
           options->leaks->warmup_ns == SESSION_UNKNOWN;
}

static void judge_start(struct leak_judgement *judgement, const struct session *session,
                        const struct analysis_options *options)
{
    bool is_short = is_short_python(judgement, session, options), are = false;
    struct phases phases;

    if (!is_short && !leak_may_be_start(judgement, options))
        return;
    phases_find(&phases, session, options->find_frames, &are);
    if (is_short) {
        judge_short(judgement, session, options, are ? phases.border_ns[PHASE_START + 1] : 0);
        return;
    }
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
    judge_arenas(judgement, session);
    judge_loading(judgement, session, options->find_frames);
    judge_small(judgement, session, options);
}

/* A few results that live until the end are the program's data. */
static const double least_kept = 4e6, kept_of_level = 0.25;

/* A large heap hides Python's objects. */
static const double arenas_kept = 32e6;

/* In less time, a program that loads its data looks the same. */
static const double short_ns = 1e9, short_least_kept = 64e6;

bool heap_leak_is_much(const struct leak_judgement *judgement,
                       const struct analysis_options *options)
{
    double window_ns = (double)judgement->window.to_ns - (double)judgement->window.from_ns;
    double least = window_ns < short_ns ? short_least_kept : least_kept;

    return judgement->growth_bytes > (double)options->leaks->threshold_bytes ||
           (judgement->growth_bytes >= least &&
            judgement->growth_bytes >= kept_of_level * judgement->level_bytes) ||
           (judgement->arenas_bytes >= least &&
            judgement->arenas_bytes >= fmin(kept_of_level * judgement->level_bytes, arenas_kept));
}

/* ---- the line that grew most ------------------------------------------------------------ */

static const double least_part = 0.25;      /* of the growth, for a line to be named */
static const double least_site = 1.0 / 256; /* of the growth: names of smaller sites cost more */

/* A line that needs a new arena has made most of the objects before, on average. */
static void add_arenas(struct array *growers, const struct leak_judgement *judgement,
                       const struct session *session, struct places *places)
{
    const struct session_mapping *mapping = session->mappings.items;

    for (size_t i = 0; i < session->mappings.count && judgement->arenas_bytes > 0; i++) {
        double bytes = leak_marks_growth(&session->heap, &mapping[i].mark, &judgement->window);
        struct place owner;

        if (bytes > 0 && is_of_arenas(&mapping[i]) &&
            places_find_owner_of(places, mapping[i].call, &owner))
            line_sums_add(growers, &owner, bytes);
    }
}

static void find_growers(struct array *growers, const struct leak_judgement *judgement,
                         const struct session *session, struct places *places)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        double bytes = leak_site_growth(session, i, &judgement->window);
        struct place owner;

        if (bytes > 0 && bytes >= least_site * judgement->growth_bytes &&
            places_find_owner_of(places, session_site_at(session, i)->call, &owner))
            line_sums_add_estimate(growers, &owner, bytes,
                                   leak_site_growth_error(session, i, &judgement->window));
    }
}

static const double least_of_peak = 0.5; /* of the growth */

/* Blocks of the final fall were live at the peak, even if the marks are too far apart to show the
 * growth. */
static void find_peak_owners(struct array *owners, const struct leak_judgement *judgement,
                             const struct session *session, struct places *places)
{
    for (size_t i = 0; i < session->sites.count; i++) {
        const struct session_site *site = session_site_at(session, i);
        struct place owner;

        if (site->peak_bytes != SESSION_UNKNOWN &&
            (double)site->peak_bytes >= least_site * judgement->growth_bytes &&
            places_find_owner_of(places, site->call, &owner))
            line_sums_add(owners, &owner, (double)site->peak_bytes);
    }
}

static const double certain_errors = 2; /* of a line's estimated growth */

static bool find_in(struct place *owner, const struct array *sums, double least)
{
    const struct line_sum *most = line_sums_most(sums);

    if (!most || most->sum < least || most->sum < certain_errors * sqrt(most->variance))
        return false;
    *owner = most->place;
    return true;
}

bool heap_leak_find_place(struct place *owner, const struct leak_judgement *judgement,
                          const struct session *session, places_finder find)
{
    struct places *places = places_new(session, find);
    const struct session_mapping *keeper;
    struct array growers, at_peak;
    bool is_found;

    keeper = judgement->reason == LEAK_MAPPED ? find_keeper(judgement, session, places) : NULL;
    if (keeper && places_find_owner_of(places, keeper->call, owner))
        return true;
    line_sums_init(&growers);
    find_growers(&growers, judgement, session, places);
    add_arenas(&growers, judgement, session, places);
    is_found = find_in(owner, &growers, least_part * judgement->growth_bytes);
    array_fini(&growers);
    if (is_found || judgement->reason != LEAK_KEPT)
        return is_found;
    line_sums_init(&at_peak);
    find_peak_owners(&at_peak, judgement, session, places);
    is_found = find_in(owner, &at_peak, least_of_peak * judgement->growth_bytes);
    array_fini(&at_peak);
    return is_found;
}

void heap_leak_append_place(struct text *text, const struct leak_judgement *judgement,
                            const struct session *session, places_finder find)
{
    struct place owner;

    if (heap_leak_find_place(&owner, judgement, session, find))
        place_append_short(text, &owner);
}
