/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a place.
 *
 * Decision: doc/decisions/rows-one-by-one.
 */
#include "places/place_rows.h"

void place_rows_set_words(struct value *cell, const struct place *place, place_appender append)
{
    struct text words;

    text_init(&words);
    append(&words, place);
    value_take_text(cell, &words);
}

void place_rows_set(struct value *cells, const struct place *place)
{
    value_set_text(&cells[PLACE_FILE], place->file);

    if (place->line > 0)
        value_set_unsigned(&cells[PLACE_LINE], place->line);
    if (place->offset > 0)
        value_set_unsigned(&cells[PLACE_OFFSET], place->offset);
    value_set_text(&cells[PLACE_MODULE], place->function->module);
    value_set_text(&cells[PLACE_FUNCTION], place->function->name);
    place_rows_set_words(&cells[PLACE_TEXT], place, place_append);
}
