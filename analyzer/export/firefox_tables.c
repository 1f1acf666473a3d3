/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shared tables of a profile of Firefox, as text that grows.
 */
#include "export/firefox_tables.h"

#include <stddef.h>

#include "export/json_string.h"
#include "places/places.h"

enum { TABLES = 6 };

/* The order of a table's columns. */
enum { STRING_TEXT };
enum { SOURCE_NAME };
enum { RESOURCE_NAME };
enum { FUNCTION_NAME, FUNCTION_RESOURCE, FUNCTION_SOURCE };
enum { FRAME_FUNCTION, FRAME_LINE, FRAME_INLINED };
enum { STACK_FRAME, STACK_AROUND };

static struct firefox_table *table_at(struct firefox_tables *tables, int index)
{
    struct firefox_table *const all[TABLES] = {&tables->strings,   &tables->sources,
                                               &tables->resources, &tables->functions,
                                               &tables->frames,    &tables->stacks};

    return all[index];
}

void firefox_tables_init(struct firefox_tables *tables)
{
    *tables = (struct firefox_tables){0};
    text_init(&tables->key);
    for (int i = 0; i < TABLES; i++)
        for (int j = 0; j < FIREFOX_COLUMNS; j++)
            text_init(&table_at(tables, i)->columns[j]);
    tables->functions.none[FUNCTION_RESOURCE] = "-1";
}

void firefox_tables_fini(struct firefox_tables *tables)
{
    for (int i = 0; i < TABLES; i++) {
        text_index_fini(&table_at(tables, i)->index);
        for (int j = 0; j < FIREFOX_COLUMNS; j++)
            text_fini(&table_at(tables, i)->columns[j]);
    }
    text_fini(&tables->key);
}

void firefox_append(struct text *column, long number, const char *none)
{
    text_append(column, column->size > 0 ? "," : "");
    if (number < 0)
        text_append(column, none ? none : "null");
    else
        text_appendf(column, "%ld", number);
}

/* Returns: the number of the key in a table; `is_new`: the key was not in the table. */
static long find_key(struct firefox_tables *tables, struct firefox_table *table, bool *is_new)
{
    long number = text_index_add(&table->index, &tables->key);

    *is_new = number == table->count;
    table->count += *is_new;
    return number;
}

/* Returns: the number of a row of numbers; a new row is added. */
static long find_row(struct firefox_tables *tables, struct firefox_table *table,
                     const long numbers[FIREFOX_COLUMNS], int count)
{
    long number;
    bool is_new;

    text_clear(&tables->key);
    for (int i = 0; i < count; i++)
        text_appendf(&tables->key, "%ld,", numbers[i]);
    number = find_key(tables, table, &is_new);
    for (int i = 0; i < count && is_new; i++)
        firefox_append(&table->columns[i], numbers[i], table->none[i]);
    return number;
}

long firefox_find_string(struct firefox_tables *tables, const char *string)
{
    struct text *column = &tables->strings.columns[STRING_TEXT];
    long number;
    bool is_new;

    text_clear(&tables->key);
    text_append(&tables->key, string);
    number = find_key(tables, &tables->strings, &is_new);
    if (is_new) {
        text_append(column, column->size > 0 ? ",\n" : "");
        json_append_string(column, string);
    }
    return number;
}

/* Returns: the number of the row that has only a name; -1 for NULL. */
static long find_name(struct firefox_tables *tables, struct firefox_table *table, const char *name)
{
    const long row[FIREFOX_COLUMNS] = {name ? firefox_find_string(tables, name) : -1};

    return name ? find_row(tables, table, row, 1) : -1;
}

static long find_function(struct firefox_tables *tables, const struct place *place)
{
    long row[FIREFOX_COLUMNS];
    struct text name;

    text_init(&name);
    places_append_function(&name, place->function, false);
    row[FUNCTION_NAME] = firefox_find_string(tables, name.bytes);
    row[FUNCTION_RESOURCE] = find_name(tables, &tables->resources, place->function->module);
    row[FUNCTION_SOURCE] = find_name(tables, &tables->sources, place->file);
    text_fini(&name);
    return find_row(tables, &tables->functions, row, FUNCTION_SOURCE + 1);
}

long firefox_find_stack(struct firefox_tables *tables, long around, const struct place *place)
{
    const long frame[FIREFOX_COLUMNS] = {[FRAME_FUNCTION] = find_function(tables, place),
                                         [FRAME_LINE] = place->line > 0 ? (long)place->line : -1,
                                         [FRAME_INLINED] = place->is_inlined};
    const long stack[FIREFOX_COLUMNS] = {
        [STACK_FRAME] = find_row(tables, &tables->frames, frame, FRAME_INLINED + 1),
        [STACK_AROUND] = around};

    return find_row(tables, &tables->stacks, stack, STACK_AROUND + 1);
}

/* ---- writing ------------------------------------------------------------------------------ */

/* A column of a written table: it grew with the rows, or has the same value in all rows. */
struct written_column {
    const char *name;     /* NULL: behind the last one */
    int index;            /* the index of the column that grew */
    const char *constant; /* NULL: it grew */
};

enum { WRITTEN_COLUMNS = 10, WRITTEN_TABLES = 5 };

static const struct written_table {
    const char *name;
    size_t offset; /* the offset of the table in struct firefox_tables */
    struct written_column columns[WRITTEN_COLUMNS];
} written[WRITTEN_TABLES] = {
    {"stackTable",
     offsetof(struct firefox_tables, stacks),
     {{"frame", STACK_FRAME, NULL}, {"prefix", STACK_AROUND, NULL}}},
    {"frameTable",
     offsetof(struct firefox_tables, frames),
     {{"func", FRAME_FUNCTION, NULL},
      {"line", FRAME_LINE, NULL},
      {"inlineDepth", FRAME_INLINED, NULL},
      {"address", 0, "-1"},
      {"category", 0, "null"},
      {"subcategory", 0, "null"},
      {"nativeSymbol", 0, "null"},
      {"innerWindowID", 0, "0"},
      {"column", 0, "null"}}},
    {"funcTable",
     offsetof(struct firefox_tables, functions),
     {{"name", FUNCTION_NAME, NULL},
      {"resource", FUNCTION_RESOURCE, NULL},
      {"source", FUNCTION_SOURCE, NULL},
      {"isJS", 0, "false"},
      {"relevantForJS", 0, "false"},
      {"lineNumber", 0, "null"},
      {"columnNumber", 0, "null"}}},
    {"resourceTable",
     offsetof(struct firefox_tables, resources),
     {{"name", RESOURCE_NAME, NULL},
      {"type", 0, "1"},
      {"lib", 0, "null"},
      {"host", 0, "null"}}},
    {"sources",
     offsetof(struct firefox_tables, sources),
     {{"filename", SOURCE_NAME, NULL}, {"uuid", 0, "null"}}},
};

static void write_column(FILE *out, const struct written_column *column,
                         const struct firefox_table *table)
{
    const struct text *grown = &table->columns[column->index];

    fprintf(out, "\"%s\":[", column->name);
    if (!column->constant)
        fwrite(grown->bytes, 1, grown->size, out);
    for (long i = 0; column->constant && i < table->count; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", column->constant);
    fputs("],", out);
}

static void write_table(FILE *out, const struct written_table *of,
                        const struct firefox_tables *tables)
{
    const struct firefox_table *table =
        (const struct firefox_table *)((const char *)tables + of->offset);

    fprintf(out, "\"%s\":{", of->name);
    for (int i = 0; i < WRITTEN_COLUMNS && of->columns[i].name; i++)
        write_column(out, &of->columns[i], table);
    fprintf(out, "\"length\":%ld},\n", table->count);
}

void firefox_tables_write(const struct firefox_tables *tables, FILE *out)
{
    const struct text *strings = &tables->strings.columns[STRING_TEXT];

    fputs("{", out);
    for (int i = 0; i < WRITTEN_TABLES; i++)
        write_table(out, &written[i], tables);
    fputs("\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
          "\"length\":0},\n\"stringArray\":[",
          out);
    fwrite(strings->bytes, 1, strings->size, out);
    fputs("]}", out);
}
