/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Time in ops on the first screen, by their own starts and ends, for a trace without samples: a log
 * of ops was imported.
 */
#include "screen/first_ops.h"

#include <stdlib.h>

#include "base/text.h"
#include "document/document.h"
#include "model/session.h"
#include "ops/ops_rows.h"
#include "screen/texts.h"

enum { OP_ROWS = 5 };

enum { ROW_SHARE, ROW_TIME, ROW_WHAT };

static const struct column columns[] = {
    [ROW_SHARE] = {"share", "", "of the time in ops", UNIT_FRACTION, 0},
    [ROW_TIME] = {"self_ns", "", "of it alone", UNIT_NS, 0},
    [ROW_WHAT] = {"what", "", "what took it", UNIT_TEXT, 0},
};

static const struct table_schema schema = {"op_time", "Time in ops", columns,
                                           sizeof columns / sizeof *columns, "share"};

static int compare_rows(const void *left, const void *right)
{
    const struct ops_row *a = left, *b = right;

    return (a->self_ns < b->self_ns) - (a->self_ns > b->self_ns);
}

static void add_row(struct table *table, uint64_t ns, uint64_t all_ns, const struct text *what)
{
    struct value *row = table_add_row(table);

    value_set_ratio(&row[ROW_SHARE], (long double)ns, (long double)all_ns);
    value_set_unsigned(&row[ROW_TIME], ns);
    value_set_text(&row[ROW_WHAT], what->bytes);
}

/* "onnx::Conv  15 calls, 3.70 GFLOP/s" */
static void add_op(struct table *table, const struct ops_row *op, uint64_t all_ns)
{
    struct text what;

    text_init(&what);
    text_append(&what, op->name);
    text_append(&what, "  ");
    say_part(&what, first_kernel_calls_text, said_count(op->calls));
    if (op->flops > 0 && op->total_ns > 0)
        say_part(&what, first_kernel_rate_text,
                 said_flop_rate((double)op->flops * 1e9 / (double)op->total_ns));
    add_row(table, op->self_ns, all_ns, &what);
}

static void add_smaller(struct table *table, const struct ops_rows *ops)
{
    uint64_t ns = 0;
    struct text what;

    if (ops->rows.count <= OP_ROWS)
        return;
    for (size_t i = OP_ROWS; i < ops->rows.count; i++)
        ns += ((const struct ops_row *)array_at(&ops->rows, i))->self_ns;
    text_init(&what);
    say(&what, first_smaller_text, said_count(ops->rows.count - OP_ROWS));
    add_row(table, ns, ops->all_ns, &what);
}

static void add_rows(struct table *table, struct ops_rows *ops)
{
    qsort(ops->rows.items, ops->rows.count, sizeof(struct ops_row), compare_rows);
    for (size_t i = 0; i < ops->rows.count && i < OP_ROWS; i++)
        add_op(table, array_at(&ops->rows, i), ops->all_ns);
    add_smaller(table, ops);
}

void first_add_op_time(struct document *document, const struct session *session)
{
    struct table *table =
        document_start_table(document, "op_time", SECTION_IN_TEXT, &schema);
    struct ops_rows ops;

    ops_rows_init(&ops, session, ANALYSIS_BY_NAME);
    document_say_head(document, "tprof ops", first_op_time_text, said_time((double)ops.all_ns),
                      said_share((double)ops.all_ns / (double)session->thread_ns),
                      said_time((double)session->thread_ns));
    add_rows(table, &ops);
}
