/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The checks of a document as JUnit XML, for the page of a build: each is a test case.
 *
 * To read: https://github.com/testmoapp/junitxml (there is no standard).
 */
#include <string.h>

#include "base/text.h"
#include "render/checks.h"
#include "render/display.h"
#include "render/render.h"

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

static void append_case(struct text *out, const struct checks *checks, size_t row,
                        const char *suite)
{
    const char *outcome = checks_text(checks, row, CHECKS_OUTCOME);

    text_appendf(out, "    <testcase classname=\"tprof.%s\" name=\"", suite);
    append(out, checks_text(checks, row, CHECKS_NAME));
    text_append(out, "\">\n");
    if (strcmp(outcome, "failed") == 0)
        text_append(out, "      <failure message=\"");
    else if (strcmp(outcome, "skipped") == 0)
        text_append(out, "      <skipped message=\"");
    else
        text_append(out, "      <system-out>");
    append(out, checks_text(checks, row, CHECKS_MESSAGE));
    text_append(out, strcmp(outcome, "passed") == 0 ? "</system-out>\n" : "\"/>\n");
    text_append(out, "    </testcase>\n");
}

/* `of`: the name of the suite. */
static void append_suite(struct text *out, const struct checks *checks, const void *of)
{
    const char *suite = of;

    text_appendf(out,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                 "  <testsuite name=\"tprof %s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
                 "skipped=\"%zu\">\n",
                 suite, table_row_count(checks->table),
                 checks_count(checks, CHECKS_OUTCOME, "failed"),
                 checks_count(checks, CHECKS_OUTCOME, "skipped"));
    for (size_t i = 0; i < table_row_count(checks->table); i++)
        append_case(out, checks, i, suite);
    text_append(out, "  </testsuite>\n</testsuites>\n");
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    (void)options; /* JUnit has no options */
    return checks_write(table, "junit", append_suite, table->schema->name, out, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    (void)options;
    return checks_write(document_main_table(document), "junit", append_suite,
                        document->name ? document->name : "report", out, diagnostic);
}

const struct renderer renderer_junit = {
    .name = "junit",
    .help = "JUnit XML, for the page of a build; of tprof gate.",
    .is_for_checks = true,
    .table = render_table,
    .document = render_document,
};
