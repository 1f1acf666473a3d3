/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The cells of a range's domain, category, colour and interface.
 */
#include "steps/look.h"

#include "document/table.h"
#include "model/session_spans.h"

void look_set(struct value *cells, const struct session_look *look)
{
    char colour[SESSION_COLOUR_SIZE];

    session_write_colour(look, colour);
    if (look->domain)
        value_set_text(&cells[LOOK_DOMAIN], look->domain);
    if (look->category)
        value_set_text(&cells[LOOK_CATEGORY], look->category);
    if (look->has_colour)
        value_set_text(&cells[LOOK_COLOUR], colour);
    if (look->interface)
        value_set_text(&cells[LOOK_INTERFACE], look->interface);
}
