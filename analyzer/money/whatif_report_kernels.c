/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A row of tprof whatif for each kernel on another machine.
 */
#include "kernels/kernel_rows.h"
#include "money/whatif_report_parts.h"

enum { STANDARD_ROWS = 10 };

enum kernel_column {
#define COLUMN(name, key, title, help, unit, priority) name,
#include "money/kernel_columns.def"
#undef COLUMN
};

static const struct column columns[] = {
#define COLUMN(name, key, title, help, unit, priority) {key, title, help, unit, priority},
#include "money/kernel_columns.def"
#undef COLUMN
};

static const struct table_schema schema = {"kernels", "Kernels there", columns,
                                           sizeof columns / sizeof *columns, NULL};

static void set_kernel(struct value *cells, const struct whatif *whatif,
                       const struct whatif_row *row)
{
    kernel_rows_set_names(&cells[KERNEL], &cells[SHAPE], &cells[LIBRARY], row->group);

    value_set_rounded(&cells[HERE], row->here_ns);
    value_set_rounded(&cells[THERE], row->there_ns);
    value_set_rounded(&cells[BEST], row->best_ns);
    value_set_rounded(&cells[MOVED], row->transfer_ns);
    value_set_real(&cells[FASTER], row->here_ns / row->there_ns);
    if (!row->here.is_invalid)
        value_set_real(&cells[ROOF_SHARE], row->here.roof_fraction);
    value_set_unsigned(&cells[CALLS], row->group->owning_calls);
    value_set_text(&cells[BOUND_HERE], judge_bound_name(row->here.bound));
    value_set_text(&cells[BOUND_THERE], whatif_bound_name(row->bound));
    value_set_text(&cells[MACHINE], whatif->place->name);
}

void whatif_add_kernels(struct table *table, const struct whatif *whatif)
{
    for (size_t i = 0; i < whatif->rows.count; i++) {
        struct value *cells = table_add_row(table);

        set_kernel(cells, whatif, array_at(&whatif->rows, i));
    }
}

/* For people, a table of kernels is useful only for a single machine. */
struct table *whatif_start_kernels(struct document *document,
                                   const struct whatif_question *question)
{
    enum section_place place = question->place_count == 1 ? SECTION_IN_BOTH : SECTION_IN_JSON;

    return document_start_table(document, "kernels", place, &schema);
}

void whatif_end_kernels(struct table *table, const struct whatif_question *question)
{
    size_t limit = question->options->limit;

    if (question->place_count == 1)
        table_truncate(table, limit > 0 ? limit : STANDARD_ROWS);
}
