/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof imports: the cost of each Python module's import, by samples of processor time.
 */
#include "analysis/analysis.h"
#include "cpu/cpu_time.h"
#include "cpu/import_rows.h"
#include "cpu/texts.h"
#include "document/table.h"
#include "model/session.h"

enum { MODULE, TOTAL, SHARE, SELF, SAMPLES, IMPORTER, FILE_PATH };

static const struct column columns[] = {
    [MODULE] = {"module", "module", "what was imported", UNIT_TEXT, 0},
    [TOTAL] = {"total_ns", "total", "processor time with the modules that it imports", UNIT_NS, 0},
    [SHARE] = {"total_share", "share", "of the processor time of the process", UNIT_FRACTION, 0},
    [SELF] = {"self_ns", "self", "processor time without these", UNIT_NS, 0},
    [SAMPLES] = {"samples", "samples", "that tell of the total", UNIT_COUNT, 2},
    [IMPORTER] = {"importer", "imported by", "the line that imported it first", UNIT_TEXT, 1},
    [FILE_PATH] = {"file", NULL, "of the module; null: an extension module", UNIT_TEXT, 9},
};

static const struct table_schema schema = {"imports", "Imports", columns,
                                           sizeof columns / sizeof *columns, "total_share"};

static void set_row(struct value *cells, const struct import_rows *rows,
                    const struct import_row *row)
{
    const struct place *importer =
        row->importer ? import_rows_find_python(rows, row->importer) : NULL;
    struct text name, line;

    text_init(&name);
    text_init(&line);
    import_rows_append_module(&name, rows, row);
    if (importer)
        import_rows_append_line(&line, rows, importer);
    value_set_rounded(&cells[TOTAL], row->total_ns);
    value_set_real(&cells[SHARE], cpu_time_share(rows->time, row->total_ns));
    value_set_rounded(&cells[SELF], row->self_ns);
    value_set_unsigned(&cells[SAMPLES], row->samples);
    value_take_text(&cells[MODULE], &name);
    value_take_text(&cells[IMPORTER], &line);
    value_set_text(&cells[FILE_PATH], row->file);
}

static void fill(struct table *table, const struct import_rows *rows)
{
    for (size_t i = 0; i < rows->rows.count; i++) {
        const struct import_row *row = array_at(&rows->rows, i);
        struct value *cells = row->samples > 0 ? table_add_row(table) : NULL;

        if (row->samples > 0)
            set_row(cells, rows, row);
    }
}

static void say_notes(struct table *table, const struct import_rows *rows)
{
    const struct cpu_time *time = rows->time;

    if (time->unknown) {
        table_say(table, imports_unsampled_text, said_words(time->unknown));
        return;
    }
    if (rows->all_ns <= 0) {
        table_say(table, imports_none_text);
        return;
    }
    table_say(table, imports_all_text, said_time(rows->all_ns),
              said_share(cpu_time_share(time, rows->all_ns)),
              said_time((double)time->session->sampling.period_ns));
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    const struct cpu_time_options by = {CPU_BY_FUNCTION, options->confidence,
                                        options->find_frames};
    struct import_rows rows = {0};
    struct cpu_time time;

    table_init(table, &schema);
    cpu_time_init(&time, session, &by);
    import_rows_init(&rows, &time);
    fill(table, &rows);
    say_notes(table, &rows);
}

const struct analysis analysis_imports = {
    .name = "imports",
    .help = "What the import of each Python module cost in processor time, by samples.",
    .sort_key = "total_ns",
    .build = build,
    .long_rows = 1 << ANALYSIS_BY_DEFAULT,
};
