/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Feed-forward by the counts of depthwise convolutions.
 */
#include "figures/role_convolved.h"

#include <string.h>

#include "figures/slots.h"
#include "model/session.h"
#include "model/session_kernels.h"

/* One block may be chance. */
static const double least_calls = 2;

static int64_t places_of(const struct session_slot *slot)
{
    static const char *const terms[] = {"mb", "od", "oh", "ow"};
    int64_t places = 1;

    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        int64_t size = slots_find_term(slot, terms[i]);

        if (size > 1 && places > INT64_MAX / size)
            return 0;
        places *= size > 1 ? size : 1;
    }
    return places;
}

/* A group a channel; its gradients are kernels of other names. */
static bool read_depthwise(struct role_convolved *read, const struct session_slot *slot)
{
    int64_t groups = slots_find_term(slot, "g");

    if (!slot->kernel || slot->nested || strcmp(slot->kernel->name, "dnnl_convolution") != 0)
        return false;
    *read = (struct role_convolved){groups, places_of(slot), (double)slot->calls, 0};
    return groups > 1 && slots_find_term(slot, "ic") == groups &&
           slots_find_term(slot, "oc") == groups && read->places > 0;
}

static enum status add(struct array *found, const struct role_convolved *read)
{
    struct role_convolved *added;

    for (size_t i = 0; i < found->count; i++) {
        struct role_convolved *known = array_at(found, i);

        if (known->channels == read->channels && known->places == read->places) {
            known->calls += read->calls;
            return STATUS_OK;
        }
    }
    added = array_add(found);
    if (!added)
        return STATUS_OUT_OF_MEMORY;
    *added = *read;
    return STATUS_OK;
}

/* The other width of a family that goes to it and back at the places of convolutions, as
 * often as these are called; 0 when it does not. */
static int64_t find_inner(const struct role_family *family, const struct role_convolved *of)
{
    int64_t inner = role_family_third(family, of->places, of->channels);
    double weights = role_family_over(family, of->places);
    double each = weights > 0 ? 2 * of->calls : of->calls;

    if (inner <= of->channels || inner == of->places || of->places == of->channels)
        return 0;
    if (weights > 0 && weights != each)
        return 0;
    return role_family_over(family, of->channels) == each && role_family_over(family, inner) == each
               ? inner
               : 0;
}

static void assign(struct role_convolved *of, struct role_families *families)
{
    for (size_t i = 0; i < families->items.count; i++) {
        struct role_family *family = role_families_at(families, i);
        int64_t inner = find_inner(family, of);

        if (inner == 0 || family->role != SHAPE_ROLE_NONE)
            continue;
        family->role = SHAPE_ROLE_FEED;
        of->inner = inner;
    }
}

enum status role_convolved_find(struct array *found, const struct session *session,
                                struct role_families *families)
{
    for (size_t i = 0; i < session->slots.count; i++) {
        struct role_convolved read;

        if (read_depthwise(&read, session_slot_at(session, i)) && add(found, &read))
            return STATUS_OUT_OF_MEMORY;
    }
    for (size_t i = 0; i < found->count; i++) {
        struct role_convolved *of = array_at(found, i);

        if (of->calls >= least_calls)
            assign(of, families);
    }
    return STATUS_OK;
}
