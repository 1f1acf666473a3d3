/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A whole report, as an ordered list of sections.
 *
 * Filled by the commands that report on everything; read by the renderers.  Each section and field
 * is a separate block, so its address remains valid while others are added.
 */
#include "document/document.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A table that no analysis has filled yet renders as empty. */
static const struct table_schema empty_schema = {.name = "empty"};

/* Returns: a zeroed block, whose address is added to an array of pointers; the owner of the array
 * frees it. */
static void *add_block(struct array *pointers, size_t size)
{
    void *block = memory_get_zeros(1, size);
    void **place = array_add(pointers);

    *place = block;
    return block;
}

static void init_record(struct record *record)
{
    array_init_owned(&record->fields, sizeof(void *));
}

static void free_fields(struct record *record);

static void free_field(struct field *field)
{
    switch (field->kind) {
    case FIELD_VALUE: value_fini(&field->value); break;
    case FIELD_LIST: text_list_fini(&field->list); break;
    case FIELD_RECORD: free_fields(&field->record); break;
    }
    free(field);
}

static void free_fields(struct record *record)
{
    void **fields = record->fields.items;

    for (size_t i = 0; i < record->fields.count; i++)
        free_field(fields[i]);
    array_fini(&record->fields);
}

static struct field *add_field(struct record *record, const struct column *column,
                               enum field_kind kind)
{
    struct field *field = add_block(&record->fields, sizeof *field);

    field->column = *column;
    field->kind = kind;
    return field;
}

struct value *record_add_value(struct record *record, const struct column *column)
{
    struct field *field = add_field(record, column, FIELD_VALUE);

    return &field->value;
}

void record_add_line(struct record *record, const struct column *column, struct text *line)
{
    struct value *value = line->size > 0 ? record_add_value(record, column) : NULL;

    if (line->size > 0)
        value_set_text(value, line->bytes);
    text_clear(line);
}

void record_add_lines(struct record *record, const struct record_line *lines, size_t count,
                      const void *of)
{
    struct text line;

    text_init(&line);
    for (size_t i = 0; i < count; i++) {
        lines[i].append(&line, of);
        record_add_line(record, &lines[i].column, &line);
    }
    text_fini(&line);
}

void record_add_doubts(struct record *record, const struct text_list *doubts)
{
    static const struct column column = {"doubt", "Doubt", NULL, UNIT_TEXT, 0};
    struct value *value;

    for (size_t i = 0; i < text_list_count(doubts); i++) {
        value = record_add_value(record, &column);
        value_set_text(value, text_list_at(doubts, i));
    }
}

struct text_list *record_add_list(struct record *record, const struct column *column)
{
    struct field *field = add_field(record, column, FIELD_LIST);

    text_list_init_owned(&field->list);
    return &field->list;
}

struct record *record_add_record(struct record *record, const struct column *column)
{
    struct field *field = add_field(record, column, FIELD_RECORD);

    init_record(&field->record);
    return &field->record;
}

size_t record_field_count(const struct record *record)
{
    return record->fields.count;
}

const struct field *record_field(const struct record *record, size_t index)
{
    return *(void **)array_at(&record->fields, index);
}

void document_init(struct document *document)
{
    *document = (struct document){.verdict = STATUS_OK};
    array_init_owned(&document->sections, sizeof(void *));
}

static void free_section(struct section *section)
{
    switch (section->kind) {
    case SECTION_RECORD: free_fields(&section->record); break;
    case SECTION_TABLE: table_fini(&section->table); break;
    case SECTION_LINES: text_list_fini(&section->lines); break;
    case SECTION_PLOT: plot_fini(&section->plot); break;
    }
    free(section->heading);
    free(section->hint);
    free(section);
}

void document_fini(struct document *document)
{
    void **sections = document->sections.items;

    for (size_t i = 0; i < document->sections.count; i++)
        free_section(sections[i]);
    array_fini(&document->sections);
}

/* Returns: a section like one that has nothing in it. */
static struct section *add_section(struct document *document, const struct section *like)
{
    struct section *section = add_block(&document->sections, sizeof *section);

    *section = *like;
    switch (section->kind) {
    case SECTION_RECORD: init_record(&section->record); break;
    case SECTION_TABLE: table_init(&section->table, &empty_schema); break;
    case SECTION_LINES: text_list_init_owned(&section->lines); break;
    case SECTION_PLOT: plot_init(&section->plot); break;
    }
    return section;
}

struct record *document_add_record(struct document *document, const char *key, const char *title,
                                   enum section_place place)
{
    struct section *section = add_section(
        document,
        &(struct section){.kind = SECTION_RECORD, .key = key, .title = title, .place = place});

    return &section->record;
}

struct table *document_add_table(struct document *document, const char *key,
                                 enum section_place place)
{
    struct section *section =
        add_section(document, &(struct section){.kind = SECTION_TABLE, .key = key, .place = place});

    return &section->table;
}

struct table *document_start_table(struct document *document, const char *key,
                                   enum section_place place, const struct table_schema *schema)
{
    struct table *table = document_add_table(document, key, place);

    table_init(table, schema);
    return table;
}

struct text_list *document_add_lines(struct document *document, const char *title)
{
    struct section *section = add_section(
        document,
        &(struct section){.kind = SECTION_LINES, .title = title, .place = SECTION_IN_TEXT});

    return &section->lines;
}

struct plot *document_add_plot(struct document *document, const char *title)
{
    struct section *section = add_section(
        document,
        &(struct section){.kind = SECTION_PLOT, .title = title, .place = SECTION_IN_TEXT});

    return &section->plot;
}

/* Returns: NULL when there is none. */
static struct section *last_section(const struct document *document)
{
    size_t count = document->sections.count;

    return count > 0 ? *(struct section **)array_at(&document->sections, count - 1) : NULL;
}

void document_head(struct document *document, struct text *heading, const char *hint)
{
    struct section *section = last_section(document);

    section->heading = memory_copy(heading->bytes);
    section->hint = hint ? memory_copy(hint) : NULL;
    text_clear(heading);
}

void document_say_head_all(struct document *document, const char *hint, const struct said *said)
{
    struct text heading;

    text_init(&heading);
    say_all(&heading, said);
    document_head(document, &heading, hint);
    text_fini(&heading);
}

void document_take(struct document *document, struct document *other, const char *hint)
{
    size_t kept = 0;

    for (size_t i = 0; i < other->sections.count; i++) {
        struct section **place = array_at(&other->sections, i), **moved;

        if (!section_is_in(*place, SECTION_IN_TEXT)) {
            *(struct section **)array_at(&other->sections, kept++) = *place;
            continue;
        }
        moved = array_add(&document->sections);
        *moved = *place;
        (*moved)->place = SECTION_IN_TEXT;
        if (hint && !(*moved)->hint)
            (*moved)->hint = memory_copy(hint);
        hint = NULL;
    }
    other->sections.count = kept;
}

void document_fold(struct document *document)
{
    struct section *section = last_section(document);

    if (section)
        section->is_folded = true;
}

size_t document_section_count(const struct document *document)
{
    return document->sections.count;
}

const struct section *document_section(const struct document *document, size_t index)
{
    return *(void **)array_at(&document->sections, index);
}

struct table *document_find_table(const struct document *document, const char *key)
{
    for (size_t i = 0; key && i < document_section_count(document); i++) {
        struct section *section = *(struct section **)array_at(&document->sections, i);

        if (section->kind == SECTION_TABLE && strcmp(section->key, key) == 0)
            return &section->table;
    }
    return NULL;
}

struct table *document_main_table(const struct document *document)
{
    return document_find_table(document, document->main);
}

const char *section_heading(const struct section *section)
{
    if (section->heading)
        return section->heading;
    return section->kind == SECTION_TABLE ? table_title(&section->table) : section->title;
}

bool section_is_in(const struct section *section, enum section_place place)
{
    return (section->place & place) == place;
}
