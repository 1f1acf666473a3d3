/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as aligned text, for people at a terminal.
 *
 * Each line is composed in a buffer and written as a whole.  Only headings are coloured: colour has
 * no meaning.  Everything from a trace passes display_append_safe before it is printed.  Users call
 * it "text".
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "render/cell.h"
#include "render/display.h"
#include "render/fit.h"
#include "render/layout.h"
#include "render/plot.h"
#include "render/render.h"

enum {
    PLAIN_INDENT = 2, /* indent of lines below a heading */
    PLAIN_NESTED = 6  /* indent of a row below a row */
};

/* An output being written. */
struct plain_page {
    const struct render_options *options;
    FILE *out;
    struct text line;
    struct text cell;
    double bar_whole; /* whole of the current table's bar */
    size_t lines;     /* written */
    struct fit *fit;  /* the items with a rank; NULL: all is shown */
    bool is_measured; /* nothing is written, but lines of items with a rank are counted */
};

static void page_init(struct plain_page *page, const struct render_options *options, FILE *out)
{
    *page = (struct plain_page){.options = options, .out = out};
    text_init(&page->line);
    text_init(&page->cell);
}

static void page_fini(struct plain_page *page)
{
    text_fini(&page->line);
    text_fini(&page->cell);
}

/* Ends the page.
 * Returns: whether all of it was made, and written. */
static enum status page_finish(struct plain_page *page, struct diagnostic *diagnostic)
{
    page_fini(page);
    return render_finish(page->out, diagnostic);
}

static void page_write(struct plain_page *page, const char *bytes, size_t size)
{
    if (!page->is_measured)
        fwrite(bytes, 1, size, page->out);
    for (size_t i = 0; i < size; i++)
        page->lines += bytes[i] == '\n';
}

/* Writes the line and empties it. */
static void page_flush(struct plain_page *page)
{
    page_write(page, page->line.bytes, page->line.size);
    text_clear(&page->line);
}

/* Marks the kind of the next line. */
static void page_mark(struct plain_page *page, enum render_mark_kind kind,
                      const struct table *table, size_t row)
{
    struct array *marks = page->is_measured ? NULL : page->options->marks;
    struct render_mark *mark = marks ? array_add(marks) : NULL;

    if (mark)
        *mark = (struct render_mark){page->lines, kind, table, row};
}

/* Starts and ends one of the terminal's styles: "1" bold, "2" dim. */
static void set_style(struct plain_page *page, const char *style)
{
    if (page->options->colour)
        text_appendf(&page->line, "\033[%sm", style);
}

/* Prints prose; its leading blanks indent all of it. */
static void print_wrapped(struct plain_page *page, const char *string)
{
    size_t start = strspn(string, " ");
    struct display_margins margins = {start, start + PLAIN_INDENT, page->options->width};

    display_append_spaces(&page->line, start);
    text_clear(&page->cell);
    display_append_safe(&page->cell, string, page->options->unicode);
    display_append_wrapped(&page->line, page->cell.bytes, margins);
    page_flush(page);
}

/* Puts the next command at the right of a heading, or on the next line if there is no space. */
static void append_hint(struct plain_page *page, size_t used, const char *hint)
{
    size_t width = display_width(hint);
    size_t room = page->options->width ? page->options->width : used + width + LAYOUT_GAP;

    if (used + LAYOUT_GAP + width > room) {
        text_append(&page->line, "\n");
        page_flush(page);
        used = 0;
    }
    display_append_spaces(&page->line, room > used + width ? room - used - width : 0);
    set_style(page, "2");
    display_append_safe(&page->line, hint, page->options->unicode);
    set_style(page, "0");
}

/* A heading that is wider than the page has lines of its own. */
static void print_heading(struct plain_page *page, const char *title, const char *hint)
{
    struct display_margins margins = {0, PLAIN_INDENT, page->options->width};
    size_t used;
    bool is_wide;

    if (!title)
        return;
    text_clear(&page->cell);
    display_append_safe(&page->cell, title, page->options->unicode);
    used = display_width(page->cell.bytes);
    is_wide = page->options->width && used > page->options->width;
    page_mark(page, RENDER_HEADING, NULL, 0);
    set_style(page, "1");
    if (is_wide)
        display_append_wrapped(&page->line, page->cell.bytes, margins);
    else
        text_append(&page->line, page->cell.bytes);
    set_style(page, "0");
    if (is_wide)
        page_flush(page);
    if (hint)
        append_hint(page, is_wide ? 0 : used, hint);
    if (hint || !is_wide)
        text_append(&page->line, "\n");
    page_flush(page);
}

/* Ask whether there is no room for a line or a row. */
static bool leaves_out(const struct plain_page *page, const void *of, size_t index)
{
    return page->fit && fit_leaves_out(page->fit, of, index);
}

/* Note the lines since `start`, which are those of a line or a row. */
static void note_lines(struct plain_page *page, const struct fit_item *item, size_t start)
{
    struct fit_item noted = *item;

    noted.lines = page->lines - start;
    if (page->is_measured)
        fit_note(page->fit, &noted);
}

static void print_list(struct plain_page *page, const struct text_list *list)
{
    for (size_t i = 0; i < text_list_count(list); i++) {
        const struct fit_item item = {.of = list, .index = i, .rank = text_list_rank_at(list, i)};
        size_t start = page->lines;

        if (leaves_out(page, list, i))
            continue;
        print_wrapped(page, text_list_at(list, i));
        note_lines(page, &item, start);
    }
}

/* Puts a cell into the line, at the side where its kind belongs. */
static void append_cell(struct plain_page *page, const struct layout *layout, size_t index,
                        const char *string)
{
    size_t width = layout->columns[index].width;
    size_t string_width = display_width(string);
    size_t padding = width > string_width ? width - string_width : 0;
    enum unit unit = layout->schema->columns[index].unit;
    bool is_numeric = cell_is_numeric(unit);

    display_append_spaces(&page->line, is_numeric ? padding : 0);
    (unit == UNIT_PLACE ? display_append_place : display_append_shortened)(
        &page->line, string, width, page->options->unicode);
    display_append_spaces(&page->line, is_numeric ? 0 : padding);
}

/* Draws a fraction in eighths of a character where Unicode has such blocks. */
static void append_bar(struct plain_page *page, double fraction, size_t width)
{
    static const char *const blocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
    enum { EIGHTHS = 8 };

    if (!(fraction > 0)) /* neither is an unknown one */
        fraction = 0;
    long eighths = lround((double)(width * EIGHTHS) * (fraction > 1 ? 1 : fraction));
    for (size_t i = 0; i < width; i++, eighths -= EIGHTHS) {
        long part = eighths < 0 ? 0 : eighths > EIGHTHS ? EIGHTHS : eighths;
        if (page->options->unicode)
            text_append(&page->line, blocks[part]);
        else
            text_append(&page->line, part >= EIGHTHS / 2 ? "#" : " ");
    }
}

/* Ends a line without the blanks that padding left at its end. */
static void end_line(struct plain_page *page)
{
    size_t size = page->line.size;

    while (size > 0 && page->line.bytes[size - 1] == ' ')
        size--;
    page_write(page, page->line.bytes, size);
    page_write(page, "\n", 1);
    text_clear(&page->line);
}

/* Columns without titles explain themselves. */
static bool has_titles(const struct layout *layout)
{
    for (size_t i = 0; i < layout->schema->column_count; i++)
        if (layout->columns[i].is_shown && cell_title(&layout->schema->columns[i])[0])
            return true;
    return false;
}

static void print_titles(struct plain_page *page, const struct table *table,
                         const struct layout *layout)
{
    size_t count = layout->schema->column_count;
    size_t shown = 0;

    if (!has_titles(layout))
        return;
    page_mark(page, RENDER_TITLES, table, 0);
    set_style(page, "2");
    for (size_t i = 0; i < count; i++) {
        if (!layout->columns[i].is_shown)
            continue;
        display_append_spaces(&page->line, shown++ ? LAYOUT_GAP : 0);
        text_clear(&page->cell);
        cell_append_title(&page->cell, &layout->schema->columns[i], page->options);
        append_cell(page, layout, i, page->cell.bytes);
        if (i == layout->bar)
            display_append_spaces(&page->line, LAYOUT_GAP + layout->bar_width);
    }
    set_style(page, "0");
    end_line(page);
}

static void print_row(struct plain_page *page, const struct layout *layout, const struct value *row)
{
    size_t shown = 0;

    for (size_t i = 0; i < layout->schema->column_count; i++) {
        if (!layout->columns[i].is_shown)
            continue;
        text_clear(&page->cell);
        cell_append(&page->cell, &row[i], layout->schema->columns[i].unit, page->options);
        display_append_spaces(&page->line, shown++ ? LAYOUT_GAP : 0);
        append_cell(page, layout, i, page->cell.bytes);
        if (i == layout->bar) {
            display_append_spaces(&page->line, LAYOUT_GAP);
            append_bar(page, value_number(&row[i]) / page->bar_whole, layout->bar_width);
        }
    }
    end_line(page);
}

/* Puts the visible part of a nested row on a line of its own. */
static void print_nested_row(struct plain_page *page, const struct table_schema *schema,
                             const struct value *row)
{
    size_t shown = 0;
    size_t room =
        page->options->width > PLAIN_NESTED ? page->options->width - PLAIN_NESTED : PLAIN_NESTED;

    text_clear(&page->cell);
    for (size_t i = 0; i < schema->column_count; i++) {
        if (!schema->columns[i].title || row[i].kind == VALUE_NULL)
            continue;
        text_append(&page->cell, shown++ ? "  " : "");
        cell_append(&page->cell, &row[i], schema->columns[i].unit, page->options);
    }
    display_append_spaces(&page->line, PLAIN_NESTED);
    set_style(page, "2");
    display_append_place(&page->line, page->cell.bytes,
                         page->options->width ? room : page->cell.size, page->options->unicode);
    set_style(page, "0");
    end_line(page);
}

static void print_nested(struct plain_page *page, const struct table *table, size_t index)
{
    const struct value *row = table_row(table, index);

    for (size_t i = 0; i < table->schema->column_count; i++) {
        const struct table *nested = row[i].kind == VALUE_TABLE ? row[i].table : NULL;
        size_t count = nested ? table_row_count(nested) : 0;

        for (size_t j = 0; nested && j < nested->shown_count && nested->shown_from + j < count;
             j++) {
            page_mark(page, RENDER_ROW, table, index);
            print_nested_row(page, nested->schema, table_row(nested, nested->shown_from + j));
        }
    }
}

/* A note names each dropped column.  A column without a title has no name for it. */
static void print_dropped(struct plain_page *page, const struct layout *layout)
{
    struct text names;
    size_t count = 0;

    text_init(&names);
    for (size_t i = 0; i < layout->schema->column_count; i++) {
        const char *title = cell_title(&layout->schema->columns[i]);

        if (!layout->columns[i].is_shown && cell_is_for_people(&layout->schema->columns[i]) &&
            title[0])
            text_appendf(&names, "%s%s", count++ ? ", " : "", title);
    }
    text_append(&names, " (left out: the page is too narrow)");
    if (count > 0)
        print_wrapped(page, names.bytes);
    text_fini(&names);
}

static void print_rows(struct plain_page *page, const struct table *table,
                       const struct layout *layout)
{
    if (table_row_count(table) == 0 && table->rows_cut == 0) {
        print_wrapped(page, "(no rows)");
        return;
    }
    page->bar_whole = table->bar_whole > 0 ? table->bar_whole : 1;
    print_titles(page, table, layout);
    for (size_t i = 0; i < table_row_count(table); i++) {
        const struct fit_item item = {.of = table, .index = i, .rank = table_rank_at(table, i)};
        size_t start = page->lines;

        if (leaves_out(page, table, i))
            continue;
        page_mark(page, RENDER_ROW, table, i);
        print_row(page, layout, table_row(table, i));
        print_nested(page, table, i);
        note_lines(page, &item, start);
    }
    if (table->rows_cut > 0) {
        text_appendf(&page->line, "(%zu more row%s)\n", table->rows_cut,
                     units_choose(table->rows_cut, "", "s"));
        page_flush(page);
    }
    print_dropped(page, layout);
}

static void print_table(struct plain_page *page, const struct table *table)
{
    struct layout layout;

    layout_init(&layout, table, page->options);
    print_rows(page, table, &layout);
    print_list(page, &table->notes);
    layout_fini(&layout);
}

/* Returns: the width of the widest title among fields for people. */
static size_t measure_titles(struct plain_page *page, const struct record *record)
{
    size_t widest = 0;

    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct column *column = &record_field(record, i)->column;
        if (!column->title)
            continue;
        text_clear(&page->cell);
        cell_append_title(&page->cell, column, page->options);
        size_t width = display_width(page->cell.bytes);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Puts a value, or the words of a list, into the cell. */
static void fill_cell(struct plain_page *page, const struct field *field)
{
    text_clear(&page->cell);
    if (field->kind == FIELD_VALUE) {
        cell_append(&page->cell, &field->value, field->column.unit, page->options);
        return;
    }
    for (size_t i = 0; i < text_list_count(&field->list); i++) {
        text_append(&page->cell, i ? " " : "");
        display_append_safe(&page->cell, text_list_at(&field->list, i), page->options->unicode);
    }
}

static void print_record(struct plain_page *page, const struct record *record, size_t indent);

/* Prints "title  value", the values in the column `start`. */
static void print_field(struct plain_page *page, const struct field *field, size_t indent,
                        size_t start)
{
    struct display_margins margins = {start, start, page->options->width};

    text_clear(&page->cell);
    cell_append_title(&page->cell, &field->column, page->options);
    display_append_spaces(&page->line, indent);
    text_append(&page->line, page->cell.bytes);
    if (field->kind == FIELD_RECORD) {
        text_append(&page->line, "\n");
        page_flush(page);
        print_record(page, &field->record, indent + PLAIN_INDENT);
        return;
    }
    display_append_spaces(&page->line, start - indent - display_width(page->cell.bytes));
    fill_cell(page, field);
    display_append_wrapped(&page->line, page->cell.bytes, margins);
    page_flush(page);
}

static void print_record(struct plain_page *page, const struct record *record, size_t indent)
{
    size_t start = indent + measure_titles(page, record) + LAYOUT_GAP;

    for (size_t i = 0; i < record_field_count(record); i++) {
        const struct field *field = record_field(record, i);
        if (field->column.title)
            print_field(page, field, indent, start);
    }
}

static void print_section(struct plain_page *page, const struct section *section)
{
    print_heading(page, section_heading(section), section->hint);
    switch (section->kind) {
    case SECTION_RECORD: print_record(page, &section->record, PLAIN_INDENT); break;
    case SECTION_TABLE: print_table(page, &section->table); return;
    case SECTION_LINES: print_list(page, &section->lines); break;
    case SECTION_PLOT:
        plot_append(&page->line, &section->plot, page->options);
        page_flush(page);
        break;
    }
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct plain_page page;

    page_init(&page, options, out);
    print_heading(&page, table_title(table), NULL);
    print_table(&page, table);
    return page_finish(&page, diagnostic);
}

static void print_sections(struct plain_page *page, const struct document *document)
{
    size_t shown = 0;

    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);
        const struct fit_item blank = {.of = document, .index = i, .rank = FIT_BLANK};
        size_t start = page->lines;

        if (!section_is_in(section, SECTION_IN_TEXT) || section->is_folded)
            continue;
        if (shown++ > 0 && !leaves_out(page, document, i)) {
            page_write(page, "\n", 1);
            note_lines(page, &blank, start);
        }
        print_section(page, section);
    }
}

/* Find the items that the page has no room for.  One line more says how many lines they have.
 * Returns: the lines that are left out. */
static size_t fit_document(struct plain_page *page, const struct document *document)
{
    size_t lines;

    page->is_measured = true;
    print_sections(page, document);
    page->is_measured = false;
    lines = page->lines;
    page->lines = 0;
    return lines > document->most_lines ? fit_choose(page->fit, lines, document->most_lines - 1)
                                        : 0;
}

static void print_left_out(struct plain_page *page, const struct document *document, size_t lines)
{
    if (lines == 0)
        return;
    text_appendf(&page->line, "(%zu more line%s%s%s)\n", lines, units_choose(lines, "", "s"),
                 document->whole ? ": " : "", document->whole ? document->whole : "");
    page_flush(page);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    struct plain_page page;
    struct fit fit;
    size_t left_out = 0;

    page_init(&page, options, out);
    fit_init(&fit);
    if (document->most_lines > 0) {
        page.fit = &fit;
        left_out = fit_document(&page, document);
    }
    print_sections(&page, document);
    print_left_out(&page, document, left_out);
    fit_fini(&fit);
    return page_finish(&page, diagnostic);
}

const struct renderer renderer_plain = {
    .name = "text",
    .help = "Aligned columns for people; the default.",
    .table = render_table,
    .document = render_document,
};
