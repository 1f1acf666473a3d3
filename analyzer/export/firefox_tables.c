/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The shared tables of a profile of Firefox, as text that grows.
 */
#include "export/firefox_tables.h"

#include "export/json_string.h"
#include "figures/places.h"

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

/* Returns: the number of the key in a table; `is_new` where it was not in there. */
static long find_key(struct firefox_tables *tables, struct firefox_table *table, bool *is_new)
{
    long number = text_index_add(&table->index, &tables->key);

    *is_new = number == table->count;
    table->count += *is_new;
    tables->has_no_memory = tables->has_no_memory || number < 0;
    return number;
}

/* Returns: the number of a row of numbers, which is added when it is new. */
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

/* Returns: the number of the row of a table that has a name alone; -1 of none. */
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
    tables->has_no_memory = tables->has_no_memory || name.failed;
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

static void write_column(FILE *out, const char *name, const struct text *column)
{
    fprintf(out, "\"%s\":[", name);
    fwrite(column->bytes, 1, column->size, out);
    fputs("],", out);
}

/* A column that has one value in all rows. */
static void write_constant(FILE *out, const char *name, long count, const char *value)
{
    fprintf(out, "\"%s\":[", name);
    for (long i = 0; i < count; i++)
        fprintf(out, "%s%s", i > 0 ? "," : "", value);
    fputs("],", out);
}

static void write_end(FILE *out, long count)
{
    fprintf(out, "\"length\":%ld}", count);
}

static void write_functions(FILE *out, const struct firefox_table *functions)
{
    fputs(",\n\"funcTable\":{", out);
    write_column(out, "name", &functions->columns[FUNCTION_NAME]);
    write_column(out, "resource", &functions->columns[FUNCTION_RESOURCE]);
    write_column(out, "source", &functions->columns[FUNCTION_SOURCE]);
    write_constant(out, "isJS", functions->count, "false");
    write_constant(out, "relevantForJS", functions->count, "false");
    write_constant(out, "lineNumber", functions->count, "null");
    write_constant(out, "columnNumber", functions->count, "null");
    write_end(out, functions->count);
}

static void write_frames(FILE *out, const struct firefox_table *frames)
{
    fputs(",\n\"frameTable\":{", out);
    write_column(out, "func", &frames->columns[FRAME_FUNCTION]);
    write_column(out, "line", &frames->columns[FRAME_LINE]);
    write_column(out, "inlineDepth", &frames->columns[FRAME_INLINED]);
    write_constant(out, "address", frames->count, "-1");
    write_constant(out, "category", frames->count, "null");
    write_constant(out, "subcategory", frames->count, "null");
    write_constant(out, "nativeSymbol", frames->count, "null");
    write_constant(out, "innerWindowID", frames->count, "0");
    write_constant(out, "column", frames->count, "null");
    write_end(out, frames->count);
}

static void write_names(FILE *out, const struct firefox_tables *tables)
{
    fputs(",\n\"resourceTable\":{", out);
    write_column(out, "name", &tables->resources.columns[RESOURCE_NAME]);
    write_constant(out, "type", tables->resources.count, "1");
    write_constant(out, "lib", tables->resources.count, "null");
    write_constant(out, "host", tables->resources.count, "null");
    write_end(out, tables->resources.count);
    fputs(",\n\"sources\":{", out);
    write_column(out, "filename", &tables->sources.columns[SOURCE_NAME]);
    write_constant(out, "uuid", tables->sources.count, "null");
    write_end(out, tables->sources.count);
}

void firefox_tables_write(const struct firefox_tables *tables, FILE *out)
{
    fputs("{\"stackTable\":{", out);
    write_column(out, "frame", &tables->stacks.columns[STACK_FRAME]);
    write_column(out, "prefix", &tables->stacks.columns[STACK_AROUND]);
    write_end(out, tables->stacks.count);
    write_frames(out, &tables->frames);
    write_functions(out, &tables->functions);
    write_names(out, tables);
    fputs(",\n\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
          "\"length\":0},\n\"stringArray\":[",
          out);
    fwrite(tables->strings.columns[STRING_TEXT].bytes, 1, tables->strings.columns[STRING_TEXT].size,
           out);
    fputs("]}", out);
}
