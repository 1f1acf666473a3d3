/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as GitHub Flavored Markdown.
 *
 * For issues, pull requests and notebooks.  The reader's page wraps lines, so
 * the width of the terminal has no say.
 *
 * To read: https://github.github.com/gfm (tables: section 4.10).
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "render/cell.h"
#include "render/display.h"
#include "render/plot.h"
#include "render/render.h"

/* The output in progress; `cell` is the next text to escape. */
struct markdown_page {
    const struct render_options *options;
    FILE *out;
    struct text cell;
};

/* Returns: whether the character would be read as markup.  An underscore inside a word, as in
 * cblas_sgemm, would not; escaping it would only look ugly. */
static bool is_markup(const char *start, const char *place)
{
    if (*place != '_')
        return strchr("\\|`*[]<>&~", *place);
    bool follows_word = place > start && isalnum((unsigned char)place[-1]);
    return !follows_word || !isalnum((unsigned char)place[1]);
}

static void print_escaped(const char *string, FILE *out)
{
    for (const char *place = string; *place; place++) {
        if (is_markup(string, place))
            fputc('\\', out);
        fputc(*place, out);
    }
}

static void print_text(struct markdown_page *page, const char *string)
{
    text_clear(&page->cell);
    display_append_safe(&page->cell, string, page->options->unicode);
    print_escaped(page->cell.bytes, page->out);
}

static void print_value(struct markdown_page *page, const struct value *value, enum unit unit)
{
    text_clear(&page->cell);
    cell_append(&page->cell, value, unit, page->options);
    print_escaped(page->cell.bytes, page->out);
}

static void print_heading(struct markdown_page *page, const char *title)
{
    if (!title)
        return;
    fputs("### ", page->out);
    print_text(page, title);
    fputs("\n\n", page->out);
}

static void print_titles(struct markdown_page *page, const struct table_schema *schema)
{
    fputc('|', page->out);
    for (size_t i = 0; i < schema->column_count; i++) {
        if (!cell_is_for_people(&schema->columns[i]))
            continue;
        fputc(' ', page->out);
        print_text(page, cell_title(&schema->columns[i]));
        fputs(" |", page->out);
    }
    fputs("\n|", page->out);
    for (size_t i = 0; i < schema->column_count; i++)
        if (cell_is_for_people(&schema->columns[i]))
            fputs(cell_is_numeric(schema->columns[i].unit) ? " ---: |" : " --- |", page->out);
    fputc('\n', page->out);
}

static void print_row(struct markdown_page *page, const struct table_schema *schema,
                      const struct value *row)
{
    fputc('|', page->out);
    for (size_t i = 0; i < schema->column_count; i++) {
        if (!cell_is_for_people(&schema->columns[i]))
            continue;
        fputc(' ', page->out);
        print_value(page, &row[i], schema->columns[i].unit);
        fputs(" |", page->out);
    }
    fputc('\n', page->out);
}

/* Prints each string as a paragraph. */
static void print_list(struct markdown_page *page, const struct text_list *list)
{
    for (size_t i = 0; i < text_list_count(list); i++) {
        fputs(i ? "\n" : "", page->out);
        print_text(page, text_list_at(list, i));
        fputc('\n', page->out);
    }
}

static void print_table(struct markdown_page *page, const struct table *table)
{
    if (table_row_count(table) == 0 && table->rows_cut == 0)
        fputs("(no rows)\n", page->out);
    else
        print_titles(page, table->schema);
    for (size_t i = 0; i < table_row_count(table); i++)
        print_row(page, table->schema, table_row(table, i));
    if (table->rows_cut > 0)
        fprintf(page->out, "\n(%zu more row%s)\n", table->rows_cut,
                units_choose(table->rows_cut, "", "s"));
    if (text_list_count(&table->notes) > 0)
        fputc('\n', page->out);
    print_list(page, &table->notes);
}

static void print_words(struct markdown_page *page, const struct text_list *list)
{
    for (size_t i = 0; i < text_list_count(list); i++) {
        fputs(i ? " " : "", page->out);
        print_text(page, text_list_at(list, i));
    }
    fputc('\n', page->out);
}

static void print_record(struct markdown_page *page, const struct record *record, int depth);

static void print_field(struct markdown_page *page, const struct field *field, int depth)
{
    fprintf(page->out, "%*s- ", 2 * depth, "");
    print_text(page, field->column.title);
    fputs(field->kind == FIELD_RECORD ? ":\n" : ": ", page->out);
    switch (field->kind) {
    case FIELD_VALUE:
        print_value(page, &field->value, field->column.unit);
        fputc('\n', page->out);
        break;
    case FIELD_LIST: print_words(page, &field->list); break;
    case FIELD_RECORD: print_record(page, &field->record, depth + 1); break;
    }
}

/* Prints the fields for people as a list, nested `depth` levels deep. */
static void print_record(struct markdown_page *page, const struct record *record, int depth)
{
    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct field *field = record_field(record, i);
        if (field->column.title)
            print_field(page, field, depth);
    }
}

/* As code: a plot needs its blanks. */
static void print_plot(struct markdown_page *page, const struct plot *plot)
{
    text_clear(&page->cell);
    plot_append(&page->cell, plot, page->options);
    fprintf(page->out, "```\n%s```\n", page->cell.bytes);
}

static void print_section(struct markdown_page *page, const struct section *section)
{
    print_heading(page, section_heading(section));
    switch (section->kind) {
    case SECTION_RECORD: print_record(page, &section->record, 0); break;
    case SECTION_TABLE: print_table(page, &section->table); break;
    case SECTION_LINES: print_list(page, &section->lines); break;
    case SECTION_PLOT: print_plot(page, &section->plot); break;
    }
}

static const char *title_of(const struct section *section)
{
    const char *title = section_heading(section);

    return title ? title : "Details";
}

static void print_folded(struct markdown_page *page, const struct section *section)
{
    fputs("<details><summary>", page->out);
    print_text(page, title_of(section));
    fputs("</summary>\n\n", page->out);
    print_section(page, section);
    fputs("\n</details>\n", page->out);
}

/* Ends the page.
 * Returns: whether all of it was made, and written. */
static enum status finish(struct markdown_page *page, struct diagnostic *diagnostic)
{
    text_fini(&page->cell);
    return render_finish(page->out, diagnostic);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct markdown_page page = {.options = options, .out = out};

    text_init(&page.cell);
    print_heading(&page, table_title(table));
    print_table(&page, table);
    return finish(&page, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    struct markdown_page page = {.options = options, .out = out};
    size_t shown = 0;

    text_init(&page.cell);
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);
        if (!section_is_in(section, SECTION_IN_TEXT))
            continue;
        fputs(shown++ ? "\n" : "", out);
        if (section->is_folded)
            print_folded(&page, section);
        else
            print_section(&page, section);
    }
    return finish(&page, diagnostic);
}

const struct renderer renderer_markdown = {
    .name = "markdown",
    .help = "GitHub tables, for issues and pull requests.",
    .table = render_table,
    .document = render_document,
};
