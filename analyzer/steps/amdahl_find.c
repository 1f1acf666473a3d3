/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finds the meaning of a name: kernels, else regions, else an operation or class.  Kernels have
 * their self times, which do not overlap; the sum over all threads is converted to wall time as in
 * the findings.  A region's time is the wall time with any thread in it.
 */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "kernels/groups.h"
#include "kernels/roles.h"
#include "model/session.h"
#include "model/session_kernels.h"
#include "model/session_threads.h"
#include "model/slots.h"
#include "steps/amdahl.h"
#include "steps/texts.h"
#include "waits/wall.h"

/* The slots and regions that a target means. */
struct claim {
    bool *slots;
    bool *regions;
};

struct search {
    const struct session *session;
    struct roles roles;
    struct wall wall;
    struct claim all; /* claim of all earlier targets */
    struct claim own; /* claim of this target */
};

/* Say why there is no answer. */
static enum status refuse(struct diagnostic *diagnostic, enum status status,
                          const struct said *said)
{
    struct text text;

    text_init(&text);
    say_all(&text, said);
    diagnostic_set(diagnostic, status, "%s", text.bytes);
    return status;
}

static bool name_matches(const char *pattern, const char *name)
{
    return name && fnmatch(pattern, name, 0) == 0;
}

static const struct session_region *region_at(const struct session *session, uint32_t index)
{
    return session_region_at(session, index);
}

static size_t claim_kernels(struct search *search, const char *name)
{
    const struct session *session = search->session;
    size_t count = 0;

    for (size_t i = 0; i < session->slots.count; i++) {
        const struct session_slot *slot = session_slot_at(session, i);
        const struct catalog_kernel *kernel = slot->kernel;

        search->own.slots[i] = name_matches(name, session_name_slot(session, slot)) ||
                               (kernel && strcmp(name, kernel->name) == 0);
        count += search->own.slots[i];
    }
    return count;
}

/* A region inside one that was claimed is claimed by it. */
static size_t claim_regions(struct search *search, const char *name)
{
    const struct session *session = search->session;
    size_t count = 0;

    for (uint32_t i = 1; i < session->regions.count; i++) {
        const struct session_region *region = region_at(session, i);
        bool is_named = name_matches(name, region->label) || name_matches(name, region->path);

        search->own.regions[i] = is_named || search->own.regions[region->parent];
        count += is_named;
    }
    for (size_t i = 0; i < session->slots.count && count > 0; i++) {
        const struct session_slot *slot = session_slot_at(session, i);

        search->own.slots[i] = search->own.regions[slot->region];
    }
    return count;
}

static bool is_operation(const struct search *search, size_t slot, const char *name)
{
    const struct catalog_kernel *kernel = session_slot_at(search->session, slot)->kernel;
    const struct role_entry *entry = roles_of(&search->roles, slot);
    enum role asked = role_of_name(name);

    if (asked != ROLES &&
        (entry->role == asked || (asked == ROLE_ATTENTION && entry->block == ROLE_BLOCK_ATTENTION)))
        return true;
    return strcmp(name, role_name(entry->role)) == 0 ||
           (kernel && strcmp(name, group_class_name(kernel->class)) == 0);
}

static size_t claim_operation(struct search *search, const char *name)
{
    size_t count = 0;

    for (size_t i = 0; i < search->session->slots.count; i++) {
        search->own.slots[i] = is_operation(search, i, name);
        count += search->own.slots[i];
    }
    return count;
}

static enum status claim(struct search *search, struct amdahl_target *target,
                         struct diagnostic *diagnostic)
{
    static size_t (*const claims[AMDAHL_KINDS])(struct search *, const char *) = {
        [AMDAHL_KERNEL] = claim_kernels,
        [AMDAHL_REGION] = claim_regions,
        [AMDAHL_OPERATION] = claim_operation,
    };

    memset(search->own.slots, 0, search->session->slots.count + 1);
    memset(search->own.regions, 0, search->session->regions.count + 1);
    for (int kind = AMDAHL_KERNEL; kind < AMDAHL_KINDS && target->matches == 0; kind++) {
        target->kind = (enum amdahl_kind)kind;
        target->matches = claims[kind](search, target->name);
    }
    if (target->matches > 0)
        return STATUS_OK;
    return refuse(diagnostic, STATUS_USAGE,
                  SAID_LIST(amdahl_no_target_text, said_words(search->session->path),
                            said_words(target->name)));
}

static enum status check_overlap(struct search *search, const struct amdahl_target *target,
                                 struct diagnostic *diagnostic)
{
    const struct session *session = search->session;
    bool overlaps = false;

    for (size_t i = 0; i < session->slots.count; i++) {
        overlaps |= search->own.slots[i] && search->all.slots[i];
        search->all.slots[i] |= search->own.slots[i];
    }
    for (size_t i = 0; i < session->regions.count; i++) {
        overlaps |= search->own.regions[i] && search->all.regions[i];
        search->all.regions[i] |= search->own.regions[i];
    }
    if (!overlaps)
        return STATUS_OK;
    return refuse(diagnostic, STATUS_USAGE,
                  SAID_LIST(amdahl_overlap_text, said_words(target->name)));
}

static double kernels_ns(const struct search *search)
{
    double sum_ns = 0;

    for (size_t i = 0; i < search->session->slots.count; i++)
        if (search->own.slots[i])
            sum_ns +=
                (double)slots_times(search->session, session_slot_at(search->session, i)).self_ns;
    return wall_of_threads(&search->wall, sum_ns);
}

static int compare_laps(const void *left, const void *right)
{
    const struct session_lap *one = left, *other = right;

    return one->start_ns < other->start_ns ? -1 : one->start_ns > other->start_ns;
}

static void gather_laps(struct array *laps, const struct search *search)
{
    const struct session_lap *lap = search->session->laps.items;

    for (size_t i = 0; i < search->session->laps.count; i++) {
        struct session_lap *one;

        if (!search->own.regions[lap[i].region])
            continue;
        one = array_add(laps);
        *one = lap[i];
    }
    if (laps->count > 0)
        qsort(laps->items, laps->count, sizeof(struct session_lap), compare_laps);
}

static double union_ns(const struct array *laps)
{
    const struct session_lap *lap = laps->items;
    uint64_t until_ns = 0;
    double sum_ns = 0;

    for (size_t i = 0; i < laps->count; i++) {
        uint64_t from_ns = lap[i].start_ns > until_ns ? lap[i].start_ns : until_ns;

        if (lap[i].end_ns <= from_ns)
            continue;
        sum_ns += (double)(lap[i].end_ns - from_ns);
        until_ns = lap[i].end_ns;
    }
    return sum_ns;
}

/* Calls that were overwritten are not in the laps. */
static bool has_all_laps(const struct search *search, const struct array *laps)
{
    uint64_t calls = 0;

    for (uint32_t i = 1; i < search->session->regions.count; i++)
        if (search->own.regions[i])
            calls += region_at(search->session, i)->calls;
    return calls == laps->count;
}

static void find_regions_ns(const struct search *search, double *ns)
{
    struct array laps;

    array_init(&laps, sizeof(struct session_lap));
    gather_laps(&laps, search);
    *ns = has_all_laps(search, &laps) ? union_ns(&laps) : (double)NAN;
}

static enum status find_fraction(struct search *search, struct amdahl_target *target,
                                 struct diagnostic *diagnostic)
{
    double ns = 0;

    if (target->kind != AMDAHL_REGION)
        ns = kernels_ns(search);
    else
        find_regions_ns(search, &ns);
    if (!isnan(ns)) {
        target->fraction = fmin(ns / search->wall.ns, 1);
        return STATUS_OK;
    }
    return refuse(diagnostic, STATUS_NOT_ENOUGH_DATA,
                  SAID_LIST(amdahl_no_time_text, said_words(target->name),
                            said_words(search->session->path)));
}

static enum status find_targets(struct search *search, struct amdahl *amdahl,
                                struct diagnostic *diagnostic)
{
    enum status status = STATUS_OK;

    amdahl->whole_ns = search->wall.ns;
    for (size_t i = 0; i < amdahl->targets.count && !status; i++) {
        struct amdahl_target *target = array_at(&amdahl->targets, i);

        if (!target->name)
            continue;
        status = claim(search, target, diagnostic);
        status = status ? status : check_overlap(search, target, diagnostic);
        status = status ? status : find_fraction(search, target, diagnostic);
    }
    return status;
}

static void search_init(struct search *search, const struct session *session)
{
    *search = (struct search){.session = session};
    search->all.slots = pool_get_zeros(session->slots.count + 1, sizeof(bool));
    search->all.regions = pool_get_zeros(session->regions.count + 1, sizeof(bool));
    search->own.slots = pool_get_zeros(session->slots.count + 1, sizeof(bool));
    search->own.regions = pool_get_zeros(session->regions.count + 1, sizeof(bool));
    roles_init(&search->roles, session);
    wall_init(&search->wall, session);
}

enum status amdahl_find(struct amdahl *amdahl, const struct session *session,
                        struct diagnostic *diagnostic)
{
    struct search search;
    enum status status;

    search_init(&search, session);
    status = find_targets(&search, amdahl, diagnostic);
    return status;
}
