/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Call chains as nested tables, one row a place.
 */
#include "heap/chain_rows.h"

#include "base/pool.h"
#include "places/place_rows.h"
#include "rows/fold.h"

enum chain_column { CALL_LOCATION = PLACE_COLUMNS, CALL_INLINED };

static const struct column chain_columns[] = {
    PLACE_ROWS(0, "function and location"),
    [CALL_LOCATION] = {"location", NULL, "file and line, or module", UNIT_TEXT, 0},
    [CALL_INLINED] = {"inlined", NULL, "into its caller", UNIT_BOOL, 0},
};

static const struct table_schema chain_schema = {
    "chain", NULL, chain_columns, sizeof chain_columns / sizeof *chain_columns, NULL};

struct chain_rows {
    struct table made;   /* the row of each place */
    struct array places; /* of struct value *: the same */
    struct fold fold;    /* fold of the nested rows */
};

struct chain_rows *chain_rows_new(void)
{
    struct chain_rows *rows = pool_get_zeros(1, sizeof *rows);

    table_init(&rows->made, &chain_schema);
    array_init(&rows->places, sizeof(struct value *));
    fold_init(&rows->fold, &rows->places);
    return rows;
}

void chain_rows_free(struct chain_rows *rows)
{
    table_fini(&rows->made);
}

static void set_place(struct value *row, const struct place *place)
{
    place_rows_set(row, place);

    value_set_bool(&row[CALL_INLINED], place->is_inlined);
    place_rows_set_words(&row[CALL_LOCATION], place, place_append_location);
}

/* Returns: the row of a place. */
static struct value *get_place(struct chain_rows *rows, const struct place *place)
{
    uint32_t index;

    fold_by_address(&rows->fold, place->function);
    fold_by_address(&rows->fold, place->file);
    fold_by_number(&rows->fold, (uint64_t)place->line << 1 | place->is_inlined);
    fold_by_number(&rows->fold, place->offset);
    bool is_new = fold_find(&rows->fold, &index);
    struct value **row = array_at(&rows->places, index);
    if (is_new) {
        *row = table_add_row(&rows->made);
        set_place(*row, place);
    }
    return *row;
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
