/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tables and documents as lines of JSON: each row, and each record of a document, is an object that
 * starts with the name of its table, "table".  Notes have no place in the format and are left out.
 *
 * To read: jsonlines.org, and read_json of DuckDB and pandas.
 */
#include <jansson.h>
#include <stdlib.h>

#include "base/memory.h"
#include "render/json_values.h"
#include "render/render.h"

/* The output. */
struct lines {
    FILE *out;
    size_t flags; /* flags of jansson */
};

/* Write an object with the name of its table before its members; takes over the members. */
static void put(struct lines *lines, const char *table, json_t *members)
{
    json_t *object = json_add_member(json_object(), "table", json_from_text(table));
    char *text;

    json_object_update_missing(object, members);
    text = memory_have(json_dumps(object, lines->flags));
    fprintf(lines->out, "%s\n", text);
    free(text);
    json_decref(object);
    json_decref(members);
}

/* Rows that are not read need not be made. */
static void put_rows(struct lines *lines, const char *name, const struct table *table)
{
    for (size_t i = 0; i < table_row_count(table) && !ferror(lines->out); i++)
        put(lines, name, json_from_row(table->schema, table_row(table, i)));
}

/* `name`: that of the document where its main table is at hand. */
static void put_section(struct lines *lines, const char *name, const struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: put(lines, name, json_from_record(&section->record)); return;
    case SECTION_TABLE: put_rows(lines, name, &section->table); return;
    case SECTION_PLOT:
    case SECTION_LINES: return;
    }
}

static struct lines begin(const struct render_options *options, FILE *out)
{
    return (struct lines){.out = out, .flags = JSON_COMPACT | json_flags(options)};
}

static enum status end(const struct lines *lines, struct diagnostic *diagnostic)
{
    return render_finish(lines->out, diagnostic);
}

static enum status render_table(const struct table *table, const struct render_options *options,
                                FILE *out, struct diagnostic *diagnostic)
{
    struct lines lines = begin(options, out);

    put_rows(&lines, table->schema->name, table);
    return end(&lines, diagnostic);
}

static enum status render_document(const struct document *document,
                                   const struct render_options *options, FILE *out,
                                   struct diagnostic *diagnostic)
{
    const struct table *main = document_main_table(document);
    struct lines lines = begin(options, out);

    for (size_t i = 0; i < document_section_count(document); i++) {
        const struct section *section = document_section(document, i);
        bool is_main = document->name && section->kind == SECTION_TABLE && &section->table == main;

        if (section_is_in(section, SECTION_IN_JSON))
            put_section(&lines, is_main ? document->name : section->key, section);
    }
    return end(&lines, diagnostic);
}

const struct renderer renderer_jsonl = {
    .name = "jsonl",
    .help = "A line of JSON for each row, with the name of its table, for DuckDB and pandas.",
    .is_for_programs = true,
    .table = render_table,
    .document = render_document,
};
