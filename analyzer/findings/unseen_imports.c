/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Modules that were imported and not seen afterwards: UNSEEN-IMPORT.
 */
#include "base/memory.h"
#include "base/pool.h"
#include "cpu/unseen_imports.h"

#include <math.h>
#include <stdlib.h>

#include "cpu/import_rows.h"
#include "cpu/own_lines.h"
#include "findings/context.h"
#include "findings/texts.h"
#include "model/session.h"
#include "model/session_heap.h"
#include "model/session_memo.h"
#include "places/places.h"

static const double least_ns = 2e8; /* shorter ones are not noticed; as in IMPORTS */

/* Modules that others use, too, may be needed for this import alone: its line bounds the gain. */
static double find_line_ns(const struct findings_context *context, const struct place *importer)
{
    struct own_lines lines;

    own_lines_init(&lines, &context->time);
    for (size_t i = 0; importer && i < lines.rows.count; i++) {
        const struct own_line *line = array_at(&lines.rows, i);

        if (place_is_same_line(line->place, importer))
            return line->ns;
    }
    return 0;
}

static void add_import(const struct findings_context *context, struct findings *findings,
                       const struct import_rows *rows, const struct unseen_import *unseen)
{
    const struct import_row *row = array_at(&rows->rows, unseen->row);
    bool has_blocks = context->session->heap.has_chains;
    const struct place *importer = import_rows_find_python(rows, row->importer);
    double cpu_ns = fmax(unseen->ns, find_line_ns(context, importer));
    double ns = findings_elapsed_ns(context, cpu_ns);
    struct finding *finding = findings_add(
        findings, &(struct finding_claim){ns, ns,
                                          has_blocks ? FINDING_CONFIDENCE_MEDIUM
                                                     : FINDING_CONFIDENCE_LOW});
    struct text name;

    text_init(&name);
    import_rows_append_module(&name, rows, row);
    place_append_short(&finding->place, importer);
    say(&finding->title, unseen_imports_title_text, said_words(name.bytes));
    say(&finding->evidence, unseen_imports_time_text, said_time(unseen->ns),
        said_time(context->time.cpu_ns), said_count(unseen->samples));
    say(&finding->evidence, unseen_imports_left_out_text);
    say(&finding->evidence, unseen_imports_after_text);
    finding_add_number(finding, "import_ns", unseen->ns);
    finding_add_number(finding, "samples", (double)unseen->samples);
    text_fini(&name);
}

static void tell(const struct findings_context *context, struct findings *findings,
                 const struct import_rows *rows, const struct unseen_imports *unseen)
{
    for (size_t i = 0; i < unseen->found.count; i++)
        add_import(context, findings, rows, array_at(&unseen->found, i));
    if (unseen->found.count == 0 && unseen->seen > 0)
        findings_pass(findings, unseen_imports_passed_text, said_count(unseen->seen));
    else if (unseen->found.count == 0)
        findings_pass(findings, unseen_imports_none_text);
}

static void free_kept(void *of)
{
    unseen_imports_fini(of);
    free(of);
}

/* This visits all calls of a session, so a page with two lists of findings does it once.  The rows
 * are the same each time. */
static void judge_once(const struct findings_context *context, struct findings *findings,
                       const struct import_rows *rows, struct session_memo_item *item)
{
    struct unseen_imports *unseen = item->of;

    if (!unseen) {
        struct pool *pool = pool_use(NULL); /* they live as long as the session */

        unseen = memory_get_zeros(1, sizeof *unseen);
        unseen_imports_init(unseen, rows, least_ns);
        pool_use(pool);
        *item = (struct session_memo_item){unseen, free_kept};
    }
    tell(context, findings, rows, unseen);
}

static void judge(const struct findings_context *context, struct findings *findings,
                  const struct import_rows *rows)
{
    struct unseen_imports unseen;

    unseen_imports_init(&unseen, rows, least_ns);
    tell(context, findings, rows, &unseen);
    unseen_imports_fini(&unseen);
}

void rule_unseen_imports(const struct findings_context *context, struct findings *findings)
{
    struct session_memo_item *item = session_memo_item(context->session, SESSION_MEMO_UNSEEN);
    struct import_rows rows;

    if (!findings_has_python_time(context, findings))
        return;
    import_rows_init(&rows, &context->time);
    if (item)
        judge_once(context, findings, &rows, item);
    else
        judge(context, findings, &rows);
}
