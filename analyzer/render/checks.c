/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Checks in a table, by the keys of its columns.
 */
#include "render/checks.h"

#include <string.h>

#include "render/render.h"

static const char *const keys[CHECKS_COLUMNS] = {
    [CHECKS_NAME] = "check",        [CHECKS_OUTCOME] = "outcome", [CHECKS_MESSAGE] = "message",
    [CHECKS_LEVEL] = "level",       [CHECKS_FILE] = "file",       [CHECKS_LINE] = "line",
    [CHECKS_QUANTITY] = "quantity", [CHECKS_VALUE] = "new",       [CHECKS_SUBJECT] = "subject",
    [CHECKS_PART] = "name",         [CHECKS_SHAPE] = "shape",     [CHECKS_RESULT] = "result",
    [CHECKS_SHARE] = "share",
};

static void find_columns(struct checks *checks)
{
    for (int i = 0; i < CHECKS_COLUMNS; i++) {
        size_t column = table_find_column(checks->table, keys[i]);

        checks->columns[i] = column < checks->table->schema->column_count ? column : SIZE_MAX;
    }
}

enum status checks_find(struct checks *checks, const struct table *table, const char *format,
                        struct diagnostic *diagnostic)
{
    checks->table = table;
    if (table)
        find_columns(checks);
    for (int i = 0; i <= CHECKS_MESSAGE; i++)
        if (!table || checks->columns[i] == SIZE_MAX)
            return diagnostic_set(diagnostic, STATUS_USAGE,
                                  "--format %s is for checks, such as those of tprof gate", format);
    return STATUS_OK;
}

enum status checks_write(const struct table *table, const char *format, checks_writer append,
                         const void *of, FILE *out, struct diagnostic *diagnostic)
{
    struct checks checks;
    struct text page;
    enum status status = checks_find(&checks, table, format, diagnostic);

    if (status)
        return status;
    text_init(&page);
    append(&page, &checks, of);
    fputs(page.bytes, out);
    text_fini(&page);
    return render_finish(out, diagnostic);
}

const struct value *checks_cell(const struct checks *checks, size_t row, enum checks_column column)
{
    size_t index = checks->columns[column];

    return index != SIZE_MAX ? &table_row(checks->table, row)[index] : NULL;
}

const char *checks_text(const struct checks *checks, size_t row, enum checks_column column)
{
    const struct value *cell = checks_cell(checks, row, column);

    return cell && cell->kind == VALUE_TEXT ? cell->text : "";
}

size_t checks_count(const struct checks *checks, enum checks_column column, const char *text)
{
    size_t count = 0;

    for (size_t i = 0; i < table_row_count(checks->table); i++)
        count += strcmp(checks_text(checks, i, column), text) == 0;
    return count;
}

const char *checks_file(const struct checks *checks, size_t row, long *line)
{
    const struct value *cell = checks_cell(checks, row, CHECKS_LINE);
    const char *file = checks_text(checks, row, CHECKS_FILE);

    if (!*file || *file == '/' || !cell || cell->kind != VALUE_INTEGER)
        return NULL;
    *line = (long)cell->integer;
    return file;
}
