/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding the place in a chain that a reader looks for.
 */
#include "figures/places.h"

enum status places_find_owner_of(struct places *places, uint32_t call, struct place *owner)
{
    enum status status = STATUS_NOT_FOUND;

    for (; call != 0; call = places_parent(places, call)) {
        if (places_look_up(places, call))
            return STATUS_OUT_OF_MEMORY;
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++) {
            if (status == STATUS_OK && of->places[i].function->is_plumbing)
                continue;
            *owner = of->places[i];
            status = STATUS_OK;
            if (!owner->function->is_plumbing)
                return STATUS_OK;
        }
    }
    return status;
}

const struct place *places_find_known(const struct places *places, uint32_t call,
                                      bool (*is_wanted)(const struct place *place))
{
    for (; call != 0; call = places_parent(places, call)) {
        const struct call_places *of = places_known(places, call);

        for (size_t i = 0; of && i < of->count; i++)
            if (is_wanted(&of->places[i]))
                return &of->places[i];
    }
    return NULL;
}

enum status places_find_python(struct places *places, uint32_t call, struct place *python)
{
    for (; call != 0; call = places_parent(places, call)) {
        if (places_look_up(places, call))
            return STATUS_OUT_OF_MEMORY;
        const struct call_places *of = places_known(places, call);
        for (size_t i = 0; i < of->count; i++) {
            if (!of->places[i].function->is_python)
                continue;
            *python = of->places[i];
            return STATUS_OK;
        }
    }
    return STATUS_NOT_FOUND;
}
