/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks as GitLab's Code Quality report (artifacts:reports:codequality), a part of Code Climate's
 * format: each has a line in a file of the project, and those without one are left out.
 *
 * To read: "Code Quality report format" in GitLab's documentation.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "render/checks.h"
#include "render/json_values.h"
#include "render/render.h"

/* FNV-1a of 64 bits: the fingerprint is the same in each run. */
static uint64_t hash(uint64_t hash, const char *string)
{
    for (; *string; string++)
        hash = (hash ^ (unsigned char)*string) * UINT64_C(0x100000001b3);
    return hash;
}

static json_t *fingerprint(const struct checks *checks, size_t row)
{
    const uint64_t start = UINT64_C(0xcbf29ce484222325);
    char text[2 * sizeof(uint64_t) + 1];

    snprintf(text, sizeof text, "%016" PRIx64, hash(start, checks_text(checks, row, CHECKS_NAME)));
    return json_string(text);
}

static const char *severity(const char *level)
{
    return strcmp(level, "error") == 0 ? "major" : strcmp(level, "warning") == 0 ? "minor" : "info";
}

static json_t *make_issue(const struct checks *checks, size_t row, const char *file, long line)
{
    struct text description;
    json_t *made;

    text_init(&description);
    text_appendf(&description, "%s: %s", checks_text(checks, row, CHECKS_NAME),
                 checks_text(checks, row, CHECKS_MESSAGE));
    made = json_pack(
        "{s:o, s:s+, s:o, s:s, s:{s:o, s:{s:I}}}", "description", json_from_text(description.bytes),
        "check_name", "tprof-", checks_text(checks, row, CHECKS_QUANTITY), "fingerprint",
        fingerprint(checks, row), "severity", severity(checks_text(checks, row, CHECKS_LEVEL)),
        "location", "path", json_from_text(file), "lines", "begin", (json_int_t)line);
    text_fini(&description);
    return memory_have(made);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct checks checks;
    json_t *issues;
    enum status status = checks_find(&checks, table, "codequality", diagnostic);

    if (status)
        return status;
    issues = memory_have(json_array());
    for (size_t i = 0; i < table_row_count(table); i++) {
        long line = 0;
        const char *file = checks_file(&checks, i, &line);

        if (file && *checks_text(&checks, i, CHECKS_LEVEL))
            json_array_append_new(issues, make_issue(&checks, i, file, line));
    }
    json_dumpf(issues, out, json_flags(options) | JSON_INDENT(2));
    fputc('\n', out);
    json_decref(issues);
    return render_finish(out, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    return render_table(document_main_table(document), options, out, diagnostic);
}

const struct renderer renderer_codequality = {
    .name = "codequality",
    .help = "GitLab's Code Quality report: checks with a line of the project; of tprof gate.",
    .is_for_checks = true,
    .table = render_table,
    .document = render_document,
};
