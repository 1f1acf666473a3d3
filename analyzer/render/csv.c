/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One table as comma-separated values, with all digits.
 *
 * The first line holds the keys.  An unknown value is an empty field, an empty
 * text is "".  Notes have no place in the format and are left out.
 *
 * To read: RFC 4180, which requires lines that end in CR LF.
 */
#include <string.h>

#include "base/text.h"
#include "render/cell.h"
#include "render/render.h"

static void print_quoted(const char *string, FILE *out)
{
    fputc('"', out);
    for (; *string; string++) {
        if (*string == '"')
            fputc('"', out);
        fputc(*string, out);
    }
    fputc('"', out);
}

/* Blanks at the ends are quoted, too: some readers strip them. */
static bool needs_quotes(const char *string)
{
    size_t size = strlen(string);

    return size == 0 || strpbrk(string, ",\"\r\n") || string[0] == ' ' || string[size - 1] == ' ';
}

static void print_field(const char *string, size_t index, FILE *out)
{
    if (index > 0)
        fputc(',', out);
    if (needs_quotes(string))
        print_quoted(string, out);
    else
        fputs(string, out);
}

static void print_value(const struct value *value, size_t index, struct text *cell, FILE *out)
{
    if (value->kind == VALUE_NULL) {
        fputs(index > 0 ? "," : "", out);
        return;
    }
    text_clear(cell);
    cell_append_raw(cell, value);
    print_field(cell->bytes, index, out);
}

static void print_header(const struct table_schema *schema, FILE *out)
{
    for (size_t i = 0; i < schema->column_count; i++)
        print_field(schema->columns[i].key, i, out);
    fputs("\r\n", out);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    (void)options; /* CSV has no options */
    struct text cell;

    text_init(&cell);
    print_header(table->schema, out);
    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct value *row = table_row(table, i);
        for (size_t j = 0; j < table->schema->column_count; j++)
            print_value(&row[j], j, &cell, out);
        fputs("\r\n", out);
    }
    text_fini(&cell);
    return render_finish(out, diagnostic);
}

/* Returns: the first table for people that is also a command, for use in an example. */
static const char *find_example(const struct document *document,
                                const struct render_options *options)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);
        if (section->kind == SECTION_TABLE && section_is_in(section, SECTION_IN_TEXT) &&
            (!options->is_command || options->is_command(section->table.schema->name)))
            return section->table.schema->name;
    }
    return "timing";
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    const struct table *main = document_find_table(document, document->main);

    if (main)
        return render_table(main, options, out, diagnostic);
    if (document->main)
        return diagnostic_set(diagnostic, STATUS_NOT_ENOUGH_DATA,
                              "the table that CSV would hold is not known; as text and as JSON "
                              "this report says why");
    return diagnostic_set(diagnostic, STATUS_USAGE,
                          "a report has several tables and CSV holds one; ask "
                          "for a single table, such as "
                          "\"tprof %s --format=csv\"",
                          find_example(document, options));
}

const struct renderer renderer_csv = {
    .name = "csv",
    .help = "One table as comma-separated values (RFC 4180).",
    .is_for_programs = true,
    .table = render_table,
    .document = render_document,
};
