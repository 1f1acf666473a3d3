/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Documents as elements of HTML: they need no script, and no style to be read.
 *
 * Numbers have their raw value in an attribute, for sorting by a script.
 *
 * Decision: doc/decisions/page-read-by-a-new-user.
 */
#include "page/tables.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "page/distribution.h"
#include "page/plots.h"
#include "page/texts.h"
#include "render/cell.h"

enum { LABEL_SIZE = 16, LINES_MOST = 12 };

/* The first title of a page is its own; titles of its overview are one level below. */
static int take_level(struct html *html)
{
    bool is_own = html->is_overview && !html->has_title;

    html->has_title = html->has_title || is_own;
    return is_own ? 1 : html->is_overview ? 2 : 3;
}

static void put_heading(struct html *html, const char *title, const char *hint)
{
    int level;

    if (!title)
        return;
    level = take_level(html);
    html_putf(html, "<h%d%s>", level, level < 3 ? " class=\"s\"" : "");
    html_text(html, title);
    if (hint) {
        html_put(html, " <small>");
        html_prose(html, hint);
        html_put(html, "</small>");
    }
    html_putf(html, "</h%d>\n", level);
}

/* "Evidence: ", as in findings: one word with a capital.  Returns: its size; 0: none. */
static size_t find_label(const char *line)
{
    size_t size = isupper((unsigned char)line[0]) ? 1 : 0;

    while (size > 0 && size < LABEL_SIZE && islower((unsigned char)line[size]))
        size++;
    return size > 1 && line[size] == ':' && line[size + 1] == ' ' ? size + 1 : 0;
}

/* A finding starts with "[HIGH] NAME: ". */
static void put_line(struct html *html, const char *line, const char *of, size_t indent)
{
    bool is_finding = line[0] == '[' && strstr(line, "] ");
    char label[LABEL_SIZE + 2] = "";
    size_t size = find_label(line);

    memcpy(label, line, size);
    html_putf(html, "<p class=\"%s in%zu%s\">", of, indent, is_finding ? " finding" : "");
    if (size > 0)
        html_putf(html, "<b>%s</b>", label);
    html_prose(html, line + size);
    html_put(html, "</p>\n");
}

/* Blanks before prose show that it belongs to the line above. */
static void put_list(struct html *html, const struct text_list *list, const char *of)
{
    for (size_t i = 0; i < text_list_count(list); i++) {
        const char *line = text_list_at(list, i);
        size_t blanks = strspn(line, " ");

        put_line(html, line + blanks, of, blanks / 2 < 4 ? blanks / 2 : 4);
    }
}

static bool is_empty(const struct html *html, size_t column)
{
    return column < 64 && (html->empty_columns >> column & 1);
}

static bool is_shown(const struct html *html, const struct table_schema *schema, size_t column)
{
    return cell_is_for_people(&schema->columns[column]) && !is_empty(html, column);
}

static bool has_values(const struct table *table, size_t column)
{
    for (size_t i = 0; i < table_row_count(table); i++)
        if (table_row(table, i)[column].kind != VALUE_NULL)
            return true;
    return false;
}

static void find_empty(struct html *html, const struct table *table)
{
    html->empty_columns = 0;
    for (size_t i = 0; i < table->schema->column_count && i < 64; i++)
        if (!has_values(table, i))
            html->empty_columns |= UINT64_C(1) << i;
}

/* "bound, of roof". */
static void put_empty_note(struct html *html, const struct table_schema *schema)
{
    struct text titles, note;

    text_init(&titles);
    text_init(&note);
    for (size_t i = 0; i < schema->column_count; i++)
        if (cell_is_for_people(&schema->columns[i]) && is_empty(html, i))
            text_appendf(&titles, "%s%s", titles.size > 0 ? ", " : "",
                         cell_title(&schema->columns[i]));
    if (titles.size > 0) {
        say(&note, page_empty_text, said_words(titles.bytes));
        html_put(html, "<p class=\"note\">");
        html_text(html, note.bytes);
        html_put(html, "</p>\n");
    }
}

static bool has_titles(const struct table_schema *schema)
{
    for (size_t i = 0; i < schema->column_count; i++)
        if (cell_is_for_people(&schema->columns[i]) && cell_title(&schema->columns[i])[0])
            return true;
    return false;
}

static void put_title(struct html *html, const struct column *column)
{
    html_putf(html, "<th scope=\"col\"%s", cell_is_numeric(column->unit) ? " class=\"n\"" : "");
    if (column->help) {
        html_put(html, " title=\"");
        html_text(html, column->help);
        html_put(html, "\"");
    }
    html_put(html, ">");
    html_text(html, cell_title(column));
    html_put(html, "</th>");
}

static void put_titles(struct html *html, const struct table_schema *schema)
{
    if (!has_titles(schema))
        return;
    html_put(html, "<thead><tr>");
    for (size_t i = 0; i < schema->column_count; i++)
        if (is_shown(html, schema, i))
            put_title(html, &schema->columns[i]);
    html_put(html, "</tr></thead>\n");
}

/* Put the number that a cell is sorted by, and the filled part of its bar. */
static void put_number(struct html *html, const struct value *value, bool has_bar)
{
    double number = value_number(value);
    double part = number / html->bar_whole;

    if (isnan(number))
        return;
    html_put(html, " data-v=\"");
    html_number(html, number);
    html_put(html, "\"");
    if (has_bar)
        html_putf(html, " style=\"--b:%.1f%%\"", part < 0 ? 0 : part > 1 ? 100 : part * 100);
}

/* Such a text would push all other columns out of view. */
static bool is_long_text(const struct value *value)
{
    enum { LONG = 100 };

    return value->kind == VALUE_TEXT && strlen(value->text) > LONG;
}

static void put_cell(struct html *html, const struct value *value, enum unit unit, bool has_bar)
{
    bool is_numeric = cell_is_numeric(unit);

    html_put(html, has_bar      ? "<td class=\"n b\""
                   : is_numeric ? "<td class=\"n\""
                   : is_long_text(value) ? "<td class=\"l\""
                                    : "<td");
    if (is_numeric)
        put_number(html, value, has_bar);
    html_put(html, ">");
    html_value(html, value, unit);
    html_put(html, "</td>");
}

static bool is_bar(const struct table_schema *schema, size_t column)
{
    return schema->bar_key && strcmp(schema->bar_key, schema->columns[column].key) == 0;
}

static void put_row(struct html *html, const struct table_schema *schema, const struct value *row)
{
    html_put(html, "<tr>");
    for (size_t i = 0; i < schema->column_count; i++)
        if (is_shown(html, schema, i))
            put_cell(html, &row[i], schema->columns[i].unit, is_bar(schema, i));
    html_put(html, "</tr>\n");
}

static void put_nested_row(struct html *html, const struct table_schema *schema,
                           const struct value *row)
{
    html_put(html, "<div>");
    for (size_t i = 0; i < schema->column_count; i++) {
        if (!schema->columns[i].title || row[i].kind == VALUE_NULL)
            continue;
        html_value(html, &row[i], schema->columns[i].unit);
        html_put(html, "  ");
    }
    html_put(html, "</div>");
}

/* The shown part of a nested table is below its row. */
static void put_nested(struct html *html, const struct table *table, size_t columns)
{
    size_t count = table_row_count(table);

    if (table->shown_count == 0 || table->shown_from >= count)
        return;
    html_putf(html, "<tr class=\"sub\"><td colspan=\"%zu\">", columns);
    for (size_t i = 0; i < table->shown_count && table->shown_from + i < count; i++)
        put_nested_row(html, table->schema, table_row(table, table->shown_from + i));
    html_put(html, "</td></tr>\n");
}

static size_t count_columns(const struct html *html, const struct table_schema *schema)
{
    size_t columns = 0;

    for (size_t i = 0; i < schema->column_count; i++)
        columns += is_shown(html, schema, i);
    return columns;
}

static void put_rows_below(struct html *html, const struct table_schema *schema,
                           const struct value *row)
{
    size_t columns = count_columns(html, schema);

    for (size_t i = 0; i < schema->column_count; i++)
        if (row[i].kind == VALUE_TABLE)
            put_nested(html, row[i].table, columns);
}

static void put_distributions_note(struct html *html, size_t rows)
{
    struct text text;

    text_init(&text);
    say(&text, page_distributions_text, said_count(rows));
    html_put(html, "<p class=\"note\">");
    html_text(html, text.bytes);
    html_put(html, "</p>\n");
}

/* Find the times of a row without its own.  Returns: NULL for none. */
static const struct value *find_times(const struct html *html, const struct value *row)
{
    for (size_t i = 0; html->times && i < table_row_count(html->times); i++) {
        const struct value *times = table_row(html->times, i);

        if (row->kind == VALUE_TEXT && strcmp(row->text, times->text) == 0)
            return times;
    }
    return NULL;
}

/* Returns: 1 where the row opens, else 0. */
static size_t put_distribution_of(struct html *html, const struct table *table, size_t row)
{
    const struct table_schema *schema = table->schema;
    const struct value *values = table_row(table, row);

    if (row >= DISTRIBUTION_ROWS)
        return 0;
    if (!distribution_is_there(schema, values)) {
        values = find_times(html, values);
        schema = values ? html->times->schema : NULL;
    }
    if (!values)
        return 0;
    distribution_put(html, schema, values, count_columns(html, table->schema));
    return 1;
}

static void put_rows(struct html *html, const struct table *table)
{
    size_t opened = 0;

    html->bar_whole = table->bar_whole > 0 ? table->bar_whole : 1;
    find_empty(html, table);
    html_put(html, "<div class=\"wide\"><table>\n");
    put_titles(html, table->schema);
    html_put(html, "<tbody>\n");
    for (size_t i = 0; i < table_row_count(table); i++) {
        put_row(html, table->schema, table_row(table, i));
        put_rows_below(html, table->schema, table_row(table, i));
        opened += put_distribution_of(html, table, i);
    }
    html_put(html, "</tbody></table></div>\n");
    put_empty_note(html, table->schema);
    if (opened > 0)
        put_distributions_note(html, opened);
}

static void put_table(struct html *html, const struct table *table)
{
    if (table_row_count(table) > 0)
        put_rows(html, table);
    else if (table->rows_cut == 0)
        html_put(html, "<p class=\"note\">(no rows)</p>\n");
    if (table->rows_cut > 0)
        html_putf(html, "<p class=\"note\">(%zu more row%s)</p>\n", table->rows_cut,
                  units_choose(table->rows_cut, "", "s"));
    put_list(html, &table->notes, "note");
}

static void put_record(struct html *html, const struct record *record);

static void put_field(struct html *html, const struct field *field)
{
    html_put(html, "<dt>");
    html_text(html, field->column.title);
    html_put(html, "</dt><dd>");
    switch (field->kind) {
    case FIELD_VALUE:
        if (field->value.kind == VALUE_TEXT)
            html_prose(html, field->value.text);
        else
            html_value(html, &field->value, field->column.unit);
        break;
    case FIELD_LIST:
        for (size_t i = 0; i < text_list_count(&field->list); i++) {
            html_text(html, text_list_at(&field->list, i));
            html_put(html, " ");
        }
        break;
    case FIELD_RECORD: put_record(html, &field->record); break;
    }
    html_put(html, "</dd>\n");
}

static void put_record(struct html *html, const struct record *record)
{
    html_put(html, "<dl>\n");
    for (size_t i = 0; i < record_field_count(record); i++)
        if (record_field(record, i)->column.title)
            put_field(html, record_field(record, i));
    html_put(html, "</dl>\n");
}

static void put_body(struct html *html, const struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: put_record(html, &section->record); break;
    case SECTION_TABLE: put_table(html, &section->table); break;
    case SECTION_LINES: put_list(html, &section->lines, "line"); break;
    case SECTION_PLOT: plots_put(html, &section->plot); break;
    }
}

static void put_folded(struct html *html, const struct section *section)
{
    const char *heading = section_heading(section);

    html_put(html, "<details><summary>");
    html_text(html, heading ? heading : "Details");
    html_put(html, "</summary>\n");
    put_body(html, section);
    html_put(html, "</details>\n");
}

/* Long lists behind the subject of a document, as of rules that found nothing. */
static bool is_long(const struct section *section)
{
    return section->kind == SECTION_LINES && text_list_count(&section->lines) > LINES_MOST;
}

void tables_put_document(struct html *html, const struct document *document)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (!section_is_in(section, SECTION_IN_TEXT))
            continue;
        if ((section->is_folded && section->kind != SECTION_PLOT) || (i > 0 && is_long(section))) {
            put_folded(html, section);
            continue;
        }
        put_heading(html, section_heading(section), section->hint);
        put_body(html, section);
    }
}
