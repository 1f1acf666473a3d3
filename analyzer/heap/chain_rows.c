/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains as nested tables, one row a place.
 */
#include "heap/chain_rows.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/memory.h"
#include "places/place_rows.h"

enum chain_column { CALL_LOCATION = PLACE_COLUMNS, CALL_INLINED };

static const struct column chain_columns[] = {
    PLACE_ROWS(0, "function and location"),
    [CALL_LOCATION] = {"location", NULL, "file and line, or module", UNIT_TEXT, 0},
    [CALL_INLINED] = {"inlined", NULL, "into its caller", UNIT_BOOL, 0},
};

static const struct table_schema chain_schema = {
    "chain", NULL, chain_columns, sizeof chain_columns / sizeof *chain_columns, NULL};

/* What tells places apart: without padding, so that its bytes are the key. */
struct place_key {
    const struct places_function *function;
    const char *file;
    uint64_t line; /* twice, and 1 where it is inlined */
    uint64_t offset;
};

struct place_row {
    struct place_key key;
    struct value *row;
    UT_hash_handle hh;
};

struct chain_rows {
    struct table made; /* the row of each place */
    struct place_row *by_place;
};

struct chain_rows *chain_rows_new(void)
{
    struct chain_rows *rows = memory_get_zeros(1, sizeof *rows);

    table_init(&rows->made, &chain_schema);
    return rows;
}

void chain_rows_free(struct chain_rows *rows)
{
    struct place_row *next;

    if (!rows)
        return;
    next = rows->by_place;
    HASH_CLEAR(hh, rows->by_place);
    for (struct place_row *at = next; at; at = next) {
        next = at->hh.next;
        free(at);
    }
    table_fini(&rows->made);
    free(rows);
}

static void set_place(struct value *row, const struct place *place)
{
    place_rows_set(row, place);

    value_set_bool(&row[CALL_INLINED], place->is_inlined);
    place_rows_set_words(&row[CALL_LOCATION], place, place_append_location);
}

static struct place_key key_of(const struct place *place)
{
    return (struct place_key){place->function, place->file,
                              (uint64_t)place->line << 1 | place->is_inlined, place->offset};
}

/* Returns: the row. */
static struct value *add_place(struct chain_rows *rows, const struct place *place)
{
    struct place_row *added = memory_get_zeros(1, sizeof *added);
    struct value *row = table_add_row(&rows->made);

    set_place(row, place);
    added->key = key_of(place);
    added->row = row;
    HASH_ADD(hh, rows->by_place, key, sizeof added->key, added);
    return row;
    free(added);
    return NULL;
}

/* Returns: the row. */
static struct value *get_place(struct chain_rows *rows, const struct place *place)
{
    struct place_key key = key_of(place);
    struct place_row *known = NULL;

    HASH_FIND(hh, rows->by_place, &key, sizeof key, known);
    return known ? known->row : add_place(rows, place);
}

static void show(struct table *table, const struct chain_view *chain)
{
    size_t inner = places_count_inner(chain->places);
    size_t callers = inner > chain->owner + 1 ? inner - chain->owner - 1 : 0;

    table->shown_from = chain->owner + 1;
    table->shown_count = callers < chain->callers ? callers : chain->callers;
}

void chain_rows_set(struct chain_rows *rows, struct value *value, const struct chain_view *chain)
{
    struct table *table = value_set_table(value, &chain_schema);

    array_reserve(&table->rows, chain->places->count);
    for (size_t i = 0; i < chain->places->count; i++) {
        struct value *row = get_place(rows, array_at(chain->places, i));

        table_share_row(table, row);
    }
    show(table, chain);
}
