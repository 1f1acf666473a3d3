/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a document as JUnit XML, for the page of a build.
 *
 * A document has checks when its main table has the columns "check", "outcome" (passed,
 * failed or skipped) and "message"; each row is a test case.
 *
 * To read: https://github.com/testmoapp/junitxml (there is no standard).
 */
#include <string.h>

#include "base/text.h"
#include "render/display.h"
#include "render/render.h"

struct junit_columns {
    size_t check;
    size_t outcome;
    size_t message;
};

static bool find_columns(struct junit_columns *columns, const struct table *table)
{
    size_t count = table->schema->column_count;

    columns->check = table_find_column(table, "check");
    columns->outcome = table_find_column(table, "outcome");
    columns->message = table_find_column(table, "message");
    return columns->check < count && columns->outcome < count && columns->message < count;
}

/* The value of an attribute: control characters are illegal in XML. */
static void append(struct text *out, const char *string)
{
    struct text safe;

    text_init(&safe);
    display_append_safe(&safe, string, true);
    for (const char *place = safe.bytes; *place; place++) {
        switch (*place) {
        case '&': text_append(out, "&amp;"); break;
        case '<': text_append(out, "&lt;"); break;
        case '>': text_append(out, "&gt;"); break;
        case '"': text_append(out, "&quot;"); break;
        default: text_append_bytes(out, place, 1); break;
        }
    }
    text_fini(&safe);
}

static const char *text_of(const struct value *value)
{
    return value->kind == VALUE_TEXT ? value->text : "";
}

static size_t count_outcomes(const struct table *table, size_t column, const char *outcome)
{
    size_t count = 0;

    for (size_t i = 0; i < table_row_count(table); i++)
        count += strcmp(text_of(&table_row(table, i)[column]), outcome) == 0;
    return count;
}

static void append_case(struct text *out, const struct value *row,
                        const struct junit_columns *columns, const char *suite)
{
    const char *outcome = text_of(&row[columns->outcome]);

    text_appendf(out, "    <testcase classname=\"tprof.%s\" name=\"", suite);
    append(out, text_of(&row[columns->check]));
    text_append(out, "\">\n");
    if (strcmp(outcome, "failed") == 0)
        text_append(out, "      <failure message=\"");
    else if (strcmp(outcome, "skipped") == 0)
        text_append(out, "      <skipped message=\"");
    else
        text_append(out, "      <system-out>");
    append(out, text_of(&row[columns->message]));
    text_append(out, strcmp(outcome, "passed") == 0 ? "</system-out>\n" : "\"/>\n");
    text_append(out, "    </testcase>\n");
}

static void append_suite(struct text *out, const struct table *table, const char *suite)
{
    struct junit_columns columns;

    if (!find_columns(&columns, table))
        return;
    text_appendf(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                 "  <testsuite name=\"tprof %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                 "skipped=\"%zu\">\n",
                 suite, table_row_count(table), count_outcomes(table, columns.outcome, "failed"),
                 count_outcomes(table, columns.outcome, "skipped"));
    for (size_t i = 0; i < table_row_count(table); i++)
        append_case(out, table_row(table, i), &columns, suite);
    text_append(out, "  </testsuite>\n</testsuites>\n");
}

static enum status render_suite(const struct table *table, const char *suite, FILE *out,
                                struct diagnostic *diagnostic)
{
    struct junit_columns columns;
    struct text page;

    if (!table || !find_columns(&columns, table))
        return diagnostic_set(diagnostic, STATUS_USAGE,
                              "--format junit is for checks, such as those of tprof gate");
    text_init(&page);
    append_suite(&page, table, suite);
    fputs(page.bytes, out);
    text_fini(&page);
    return render_finish(out, diagnostic);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    (void)options; /* JUnit has no options */
    return render_suite(table, table->schema->name, out, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    const struct table *main = document_main_table(document);

    (void)options;
    return render_suite(main, document->name ? document->name : "report", out, diagnostic);
}

const struct renderer renderer_junit = {
    .name = "junit",
    .help = "JUnit XML, for the page of a build; of tprof gate.",
    .table = render_table,
    .document = render_document,
};
