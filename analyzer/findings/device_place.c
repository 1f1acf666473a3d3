/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Places for the rules of devices.
 */
#include "findings/device_place.h"

#include "findings/context.h"
#include "findings/own_place.h"
#include "findings/texts.h"
#include "model/session_unknown.h"
#include "places/places.h"

void device_place_say(struct text *text, const struct findings_context *context, uint32_t chain)
{
    struct text place;

    if (chain == SESSION_NONE)
        return;
    text_init(&place);
    own_place_append(&place, places_new(context->session, context->options.find_frames),
                     context->session, chain);
    if (place.size > 0)
        say(text, device_place_text, said_words(place.bytes));
    text_fini(&place);
}
