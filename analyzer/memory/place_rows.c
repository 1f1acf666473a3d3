/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The columns of a call chain, at the end of a row.
 *
 * Decision: doc/decisions/rows-one-by-one.
 */
#include "memory/place_rows.h"

#include "memory/memory_options.h"

enum status place_rows_set_parts(struct value *cells, const struct place *place)
{
    enum status status = value_set_text(&cells[PLACE_FILE], place->file);

    if (place->line > 0)
        value_set_unsigned(&cells[PLACE_LINE], place->line);
    if (place->offset > 0)
        value_set_unsigned(&cells[PLACE_OFFSET], place->offset);
    if (!status)
        status = value_set_text(&cells[PLACE_MODULE], place->function->module);
    return status ? status : value_set_text(&cells[PLACE_FUNCTION], place->function->name);
}

static enum status set_owner(struct value *cells, const struct place *owner)
{
    struct text name;
    enum status status;

    text_init(&name);
    place_append(&name, owner);
    status = value_take_text(&cells[PLACE_TEXT], &name);
    return status ? status : place_rows_set_parts(cells, owner);
}

enum status place_rows_set(struct value *cells, struct memory_work *work, uint32_t call)
{
    struct array chain;
    size_t owner;
    enum status status;

    array_init(&chain, sizeof(struct place));
    status = places_fill_chain(work->places, call, &chain);
    owner = places_find_owner(&chain);
    if (!status && chain.count > 0)
        status = set_owner(cells, array_at(&chain, owner));
    else if (!status)
        status = value_set_text(&cells[PLACE_TEXT], "(no call chain)");
    if (!status)
        status = chain_rows_set(
            work->chains, &cells[PLACE_CHAIN],
            &(struct chain_view){&chain, owner, memory_callers(work->options->memory)});
    array_fini(&chain);
    return status;
}
