/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks as annotations of GitHub Actions: commands to its runner on standard output.
 *
 * GitHub shows ten annotations of a kind for a step, and silently drops the rest, so the tenth
 * tells how many more there are.
 *
 * To read: "Workflow commands for GitHub Actions" in GitHub's documentation; the escapes are those
 * of packages/core/src/command.ts of https://github.com/actions/toolkit.
 */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "render/checks.h"
#include "render/display.h"
#include "render/render.h"

enum { ANNOTATIONS_MOST = 10 };

static const char *const levels[] = {"error", "warning", "notice"};

/* Append the message, or a property, where commas and colons end it.  Line breaks are none of
 * ours: display_append_safe has made them harmless. */
static void append(struct text *out, const char *string, bool is_property)
{
    struct text safe;

    text_init(&safe);
    display_append_safe(&safe, string, true);
    for (const char *place = safe.bytes; *place; place++)
        if (*place == '%' || (is_property && strchr(":,", *place)))
            text_appendf(out, "%%%02X", (unsigned)*place);
        else
            text_append_bytes(out, place, 1);
    text_fini(&safe);
}

static void append_annotation(struct text *out, const struct checks *checks, size_t row)
{
    long line = 0;
    const char *file = checks_file(checks, row, &line);

    text_appendf(out, "::%s ", checks_text(checks, row, CHECKS_LEVEL));
    if (file) {
        text_append(out, "file=");
        append(out, file, true);
        text_appendf(out, ",line=%ld,", line);
    }
    text_append(out, "title=");
    append(out, checks_text(checks, row, CHECKS_NAME), true);
    text_append(out, "::");
    append(out, checks_text(checks, row, CHECKS_MESSAGE), false);
    text_append(out, "\n");
}

static void append_more(struct text *out, const char *level, size_t count)
{
    text_appendf(out,
                 "::%s title=%zu more %s%s::GitHub shows ten of a kind for a step. The summary of "
                 "the job has all.\n",
                 level, count, level, units_choose(count, "", "s"));
}

static void append_level(struct text *out, const struct checks *checks, const char *level)
{
    const size_t count = checks_count(checks, CHECKS_LEVEL, level);
    const size_t shown = count > ANNOTATIONS_MOST ? ANNOTATIONS_MOST - 1 : count;
    size_t told = 0;

    for (size_t i = 0; i < table_row_count(checks->table) && told < shown; i++)
        if (strcmp(checks_text(checks, i, CHECKS_LEVEL), level) == 0) {
            append_annotation(out, checks, i);
            told++;
        }
    if (count > shown)
        append_more(out, level, count - shown);
}

static void append_all(struct text *out, const struct checks *checks)
{
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        append_level(out, checks, levels[i]);
}

static void append_first_lines(struct text *line, const struct document *document)
{
    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);

        if (section->kind != SECTION_LINES)
            continue;
        for (size_t j = 0; j < text_list_count(&section->lines); j++)
            text_appendf(line, "%s%s", j > 0 ? " " : "", text_list_at(&section->lines, j));
        return;
    }
}

/* Append the first lines of a document, the verdict: plain, as the log of the step shows them; or
 * as an error, if the step fails without a failed check. */
static void append_headline(struct text *out, const struct document *document,
                            const struct checks *checks)
{
    const bool is_error = document->verdict && checks_count(checks, CHECKS_LEVEL, "error") == 0;

    struct text line;

    text_init(&line);
    append_first_lines(&line, document);
    text_append(out, is_error ? "::error title=tprof::" : "");
    is_error ? append(out, line.bytes, false) : display_append_safe(out, line.bytes, true);
    text_append(out, "\n");
    text_fini(&line);
}

/* `of`: the document, or NULL for a table alone. */
static void append_page(struct text *page, const struct checks *checks, const void *of)
{
    if (of)
        append_headline(page, of, checks);
    append_all(page, checks);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    (void)options; /* the runner has none */
    return checks_write(table, "github", append_page, NULL, out, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    (void)options;
    return checks_write(document_main_table(document), "github", append_page, document, out,
                        diagnostic);
}

const struct renderer renderer_github = {
    .name = "github",
    .help = "annotations of GitHub Actions, with file and line, and a summary of the job; of "
            "tprof gate.",
    .is_for_checks = true,
    .table = render_table,
    .document = render_document,
};
