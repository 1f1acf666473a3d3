/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * tprof bottlenecks: the findings, the few kernels with most of the time, the
 * order of work, and the checks without a finding.
 */
#include <math.h>

#include "base/pool.h"
#include "document/fields.h"
#include "findings/context.h"
#include "findings/overlap.h"
#include "findings/rows.h"
#include "findings/texts.h"

static size_t count_gains(const struct findings *findings)
{
    size_t count = 0;

    for (size_t i = 0; i < findings->found.count; i++)
        count += isnan(findings_at(findings, i)->ceiling) ? 0 : 1;
    return count;
}

static void say_overlaps(struct text_list *lines, const struct findings *findings, size_t count)
{
    struct overlap_row *rows = pool_get_zeros(count + 1, sizeof *rows);

    for (size_t i = 0; i < count; i++) {
        const struct finding *finding = findings_at(findings, i);

        rows[i] = (struct overlap_row){finding, finding_id(finding->rule)};
    }
    overlaps_say(lines, &(struct overlap_rows){rows, count, ""});
}

static void add_findings(struct document *document, const struct findings *findings, size_t limit)
{
    struct text_list *lines = document_add_lines(document, "Bottlenecks");
    size_t count = findings->found.count;

    findings_add_verdict(lines, findings, "");
    for (size_t i = 0; i < count && (limit == 0 || i < limit); i++)
        finding_add_sentences(lines, findings_at(findings, i));
    if (limit > 0 && count > limit)
        text_list_say(lines, findings_more_text, said_count(count - limit));
    if (count_gains(findings) > 1)
        text_list_say(lines, findings_alone_text);
    say_overlaps(lines, findings, limit > 0 && limit < count ? limit : count);
}

static void add_whole(struct document *document, const struct findings_context *context)
{
    struct record *fields = document_add_record(document, "whole", NULL, SECTION_IN_JSON);

    fields_put_count(fields, "wall_ns", UNIT_NS, (uint64_t)llround(context->wall.ns));
    fields_put_count(fields, "kernel_ns", UNIT_NS, (uint64_t)llround(context->kernel_ns));
    fields_put_count(fields, "kernel_threads", UNIT_COUNT, context->wall.kernel_threads);
    fields_put_real(fields, "threads_together", UNIT_REAL, context->wall.at_once);
}

/* The share that the smallest set must cover: Pareto's. */
static const double pareto_share = 0.8;

enum pareto_column {
    PARETO_SHARE,
    PARETO_SUM,
    PARETO_SELF,
    PARETO_CALLS,
    PARETO_NAME,
    PARETO_SHAPE
};

static const struct column pareto_columns[] = {
    [PARETO_SHARE] = {"share", "share", "of kernel time", UNIT_FRACTION, 0},
    [PARETO_SUM] = {"cumulative_share", "together", "with the rows above", UNIT_FRACTION, 0},
    [PARETO_SELF] = {"self_ns", "time", "without the kernels inside, over threads", UNIT_NS, 2},
    [PARETO_CALLS] = {"calls", "calls", "completed calls", UNIT_COUNT, 1},
    [PARETO_NAME] = {"name", "kernel", "the symbol, or the kernel that its object stands for",
                     UNIT_TEXT, 0},
    [PARETO_SHAPE] = {"shape", "shape", "the sizes that the call was made with", UNIT_TEXT, 0},
};

static const struct table_schema pareto_schema = {"pareto", "80 % of kernel time", pareto_columns,
                                                  sizeof pareto_columns / sizeof *pareto_columns,
                                                  "share"};

static void add_pareto_row(struct table *table, const struct group *group, double whole_ns,
                           double sum_ns)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[PARETO_NAME], group_name(group));
    value_set_text(&row[PARETO_SHAPE], group->shape);
    value_set_real(&row[PARETO_SHARE], (double)group->self_ns / whole_ns);
    value_set_real(&row[PARETO_SUM], sum_ns / whole_ns);
    value_set_unsigned(&row[PARETO_SELF], group->self_ns);
    value_set_unsigned(&row[PARETO_CALLS], group->calls);
}

static void add_pareto_note(struct table *table, const struct findings_context *context)
{
    size_t count = context->groups.rows.count;

    if (count != 0)
        table_say(table, pareto_shares_text, said_count(table_row_count(table)), said_count(count),
                  said_time((double)context->groups.self_ns),
                  said_share(context->kernel_ns / context->wall.ns));
}

/* Groups are sorted by self time: the first ones are the smallest set. */
static void add_pareto(struct document *document, const struct findings_context *context)
{
    double whole_ns = (double)context->groups.self_ns, sum_ns = 0;
    size_t count = context->groups.rows.count;
    struct table *table =
        document_add_table(document, "pareto", count > 0 ? SECTION_IN_BOTH : SECTION_IN_JSON);

    table_init(table, &pareto_schema);
    for (size_t i = 0; i < count && sum_ns < pareto_share * whole_ns; i++) {
        sum_ns += (double)findings_group(context, i)->self_ns;
        add_pareto_row(table, findings_group(context, i), whole_ns, sum_ns);
    }
    add_pareto_note(table, context);
}

enum roadmap_column {
    ROADMAP_RANK,
    ROADMAP_ID,
    ROADMAP_CEILING,
    ROADMAP_CONFIDENCE,
    ROADMAP_PROMISE,
    ROADMAP_WHAT
};

static const struct column roadmap_columns[] = {
    [ROADMAP_RANK] = {"rank", "", "the order of work", UNIT_COUNT, 0},
    [ROADMAP_ID] = {"id", "finding", "its rule", UNIT_TEXT, 0},
    [ROADMAP_CEILING] = {"ceiling", "ceiling", "times as fast", UNIT_SPEEDUP, 0},
    [ROADMAP_CONFIDENCE] = {"confidence", "confidence", "0 to 1", UNIT_REAL, 0},
    [ROADMAP_PROMISE] = {"promise", "promise",
                         "(ceiling - 1) x confidence, of a ceiling of 100 at most; 0.05 at most "
                         "where only a limit is known",
                         UNIT_REAL, 1},
    [ROADMAP_WHAT] = {"what", "what", "was found", UNIT_TEXT, 0},
};

static const struct table_schema roadmap_schema = {
    "roadmap", "Roadmap", roadmap_columns, sizeof roadmap_columns / sizeof *roadmap_columns, NULL};

static void add_roadmap_row(struct table *table, const struct finding *finding, size_t rank)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[ROADMAP_ID], finding_id(finding->rule));
    value_set_text(&row[ROADMAP_WHAT], finding->title.bytes);
    value_set_unsigned(&row[ROADMAP_RANK], rank);
    value_set_real(&row[ROADMAP_CEILING], finding->ceiling);
    value_set_real(&row[ROADMAP_CONFIDENCE], finding->confidence);
    value_set_real(&row[ROADMAP_PROMISE], finding_promise(finding));
}

static void add_roadmap(struct document *document, const struct findings *findings)
{
    struct table *table = document_add_table(document, "roadmap", SECTION_IN_JSON);

    table_init(table, &roadmap_schema);
    for (size_t i = 0; i < findings->found.count; i++) {
        const struct finding *finding = findings_at(findings, i);

        if (!isnan(finding->ceiling))
            add_roadmap_row(table, finding, i + 1);
    }
    table_say(table, findings_alone_text);
}

static const struct column note_columns[] = {
    {"id", NULL, "the rule", UNIT_TEXT, 0},
    {"text", NULL, "what it saw, or why it could not look", UNIT_TEXT, 0},
    {"help", NULL, "what it looks for", UNIT_TEXT, 0},
};

static const struct table_schema note_schemas[] = {
    [FINDING_PASSED] = {"passed", NULL, note_columns, 3, NULL},
    [FINDING_NOT_EVALUATED] = {"not_evaluated", NULL, note_columns, 3, NULL},
};

static void add_note(struct text_list *lines, struct table *table, const struct finding_note *note)
{
    struct value *row = table_add_row(table);

    value_set_text(&row[0], finding_id(note->rule));
    value_set_text(&row[1], note->text.bytes);
    value_set_text(&row[2], finding_help(note->rule));
    text_list_addf(lines, "  %-12s  %s", finding_id(note->rule), note->text.bytes);
}

/* People see no section of no notes. */
static void add_notes(struct document *document, const struct findings *findings,
                      enum finding_outcome outcome, const char *title)
{
    const struct table_schema *schema = &note_schemas[outcome];
    struct table *table = document_add_table(document, schema->name, SECTION_IN_JSON);
    struct text_list *lines = NULL;

    table_init(table, schema);
    for (size_t i = 0; i < findings->notes.count; i++) {
        const struct finding_note *note = findings_note_at(findings, i);

        if (note->outcome != outcome)
            continue;
        lines = lines ? lines : document_add_lines(document, title);
        add_note(lines, table, note);
    }
}

static void fill_document(void *made, const struct findings_context *context,
                          const struct findings *findings)
{
    struct document *document = made;

    add_findings(document, findings, context->options.limit);
    add_whole(document, context);
    finding_rows_add(document, findings);
    add_pareto(document, context);
    add_roadmap(document, findings);
    add_notes(document, findings, FINDING_PASSED, "Checked, not found");
    add_notes(document, findings, FINDING_NOT_EVALUATED, "Not evaluated");
}

static void fill_table(void *made, const struct findings_context *context,
                       const struct findings *findings)
{
    (void)context;
    finding_rows_fill(made, findings);
}

/* Makes something of findings. */
typedef void (*findings_use)(void *made, const struct findings_context *context,
                             const struct findings *findings);

static void evaluate(const struct session *session, const struct analysis_options *options,
                     findings_use use, void *made)
{
    struct findings_context context;
    struct findings findings;

    findings_context_init(&context, session, options);
    findings_evaluate(&findings, &context);
    use(made, &context, &findings);
}

static void compose(const struct session *session, const struct analysis_options *options,
                    struct document *document)
{
    document_init(document);
    document->name = "bottlenecks";
    document->main = "findings";
    evaluate(session, options, fill_document, document);
}

static void build(const struct session *session, const struct analysis_options *options,
                  struct table *table)
{
    table_init(table, &finding_rows_schema);
    evaluate(session, options, fill_table, table);
}

const struct analysis analysis_bottlenecks = {
    .name = "bottlenecks",
    .help = "What slows the program down, with evidence, gain, reason, repair and confidence.",
    .sort_key = NULL,
    .build = build,
    .compose = compose,
    .composed = 1 << ANALYSIS_BY_DEFAULT,
};
