/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The law, and its document.
 */
#include "time/amdahl.h"

#include <math.h>

#include "base/units.h"
#include "document/fields.h"

static const double steps[] = {1.5, 2, 4, 8, (double)INFINITY};

/* ---- the law ----------------------------------------------------------------------- */

static const struct amdahl_target *target_at(const struct amdahl *amdahl, size_t index)
{
    return array_at(&amdahl->targets, index);
}

double amdahl_fraction(const struct amdahl *amdahl)
{
    double sum = 0;

    for (size_t i = 0; i < amdahl->targets.count; i++)
        sum += target_at(amdahl, i)->fraction;
    return sum;
}

/* 1 / (1 - f + f / k), summed over the parts. */
double amdahl_of(const struct amdahl *amdahl, double speedup)
{
    double left = 1;

    for (size_t i = 0; i < amdahl->targets.count; i++) {
        const struct amdahl_target *target = target_at(amdahl, i);
        double k = isnan(speedup) ? target->speedup : speedup;

        if (!isnan(k))
            left -= target->fraction * (1 - 1 / k);
    }
    return left > 0 ? 1 / left : (double)INFINITY;
}

/* ---- sentences ---------------------------------------------------------------------- */

static const char *kind_name(enum amdahl_kind kind)
{
    static const char *const names[AMDAHL_KINDS] = {
        [AMDAHL_FRACTION] = "fraction",
        [AMDAHL_KERNEL] = "kernel",
        [AMDAHL_REGION] = "region",
        [AMDAHL_OPERATION] = "operation",
    };

    return names[kind];
}

static void append_program(struct text *line, double ratio)
{
    char told[UNITS_SIZE];

    if (isinf(ratio))
        text_append(line, "the program would take no time");
    else if (ratio > UNITS_SPEEDUP_MOST)
        text_appendf(line, "the program would be %s as fast", units_format_speedup(told, ratio));
    else
        text_appendf(line, "the program would be %.3fx as fast", ratio);
}

static void append_whole(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;
    char time[UNITS_SIZE];

    if (isnan(amdahl->whole_ns))
        text_append(line, "1, of which the fractions were stated");
    else
        text_appendf(line, "%s of wall time, without what recording took",
                     units_format_time(time, amdahl->whole_ns));
}

static void append_targets(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;
    char share[UNITS_SIZE];

    for (size_t i = 0; i < amdahl->targets.count; i++) {
        const struct amdahl_target *target = target_at(amdahl, i);

        text_appendf(line, "%s%s", i > 0 ? "; " : "", target->name ? target->name : "a part");
        if (target->name)
            text_appendf(line, " (%s)", kind_name(target->kind));
        text_appendf(line, " takes %s", units_format_percent(share, target->fraction));
        if (isinf(target->speedup))
            text_append(line, ", and is to vanish");
        else if (!isnan(target->speedup))
            text_appendf(line, ", and is to be %gx as fast", target->speedup);
    }
}

static bool is_asked(const struct amdahl *amdahl)
{
    for (size_t i = 0; i < amdahl->targets.count; i++)
        if (!isnan(target_at(amdahl, i)->speedup))
            return true;
    return false;
}

static void append_result(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;

    if (!is_asked(amdahl))
        return;
    append_program(line, amdahl_of(amdahl, (double)NAN));
}

static void append_limit(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;

    text_append(line, "however fast the target gets, ");
    append_program(line, amdahl_of(amdahl, (double)INFINITY));
}

/* The other way round: all but the targets made free. */
static void append_rest(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;
    double fraction = fmin(amdahl_fraction(amdahl), 1);
    char share[UNITS_SIZE];

    text_appendf(line, "%s; were all of it free instead, ",
                 units_format_percent(share, 1 - fraction));
    append_program(line, fraction > 0 ? 1 / fraction : (double)INFINITY);
}

static const struct record_line head_rows[] = {
    {{"whole", "Whole", NULL, UNIT_TEXT, 0}, append_whole},
    {{"targets", "Target", NULL, UNIT_TEXT, 0}, append_targets},
    {{"result", "Result", NULL, UNIT_TEXT, 0}, append_result},
    {{"limit", "Limit", NULL, UNIT_TEXT, 0}, append_limit},
    {{"rest", "The rest", NULL, UNIT_TEXT, 0}, append_rest},
};

static enum status add_head(struct document *document, const struct amdahl *amdahl)
{
    struct record *record = document_add_record(document, "head", "Amdahl's law", SECTION_IN_TEXT);

    return record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, amdahl);
}

/* ---- for programs -------------------------------------------------------------------- */

static const struct column summary_columns[] = {
    FIELD("whole_ns", UNIT_NS),           FIELD("fraction", UNIT_FRACTION),
    FIELD("program_speedup", UNIT_RATIO), FIELD("limit", UNIT_RATIO),
    FIELD("limit_of_rest", UNIT_RATIO),
};

static enum status add_summary(struct document *document, const struct amdahl *amdahl)
{
    struct fields fields = fields_begin(
        document_add_record(document, "summary", NULL, SECTION_IN_JSON), summary_columns);

    fields_add_rounded(&fields, amdahl->whole_ns);
    fields_add_real(&fields, amdahl_fraction(amdahl));
    fields_add_real(&fields, is_asked(amdahl) ? amdahl_of(amdahl, (double)NAN) : (double)NAN);
    fields_add_real(&fields, amdahl_of(amdahl, (double)INFINITY));
    fields_add_real(&fields, 1 / amdahl_fraction(amdahl));
    return fields.status;
}

static const struct column target_columns[] = {
    {"target", "target", "as it was named; null: a stated fraction", UNIT_TEXT, 0},
    {"kind", "kind", "kernel, region, operation or fraction", UNIT_TEXT, 0},
    {"fraction", "fraction", "of the whole", UNIT_FRACTION, 0},
    {"time_ns", "time", "of the whole", UNIT_NS, 0},
    {"speedup", "speed-up", "that was asked about; null: none, or that it vanishes", UNIT_RATIO, 0},
    {"vanishes", "vanishes", "it was asked what if it took no time", UNIT_BOOL, 0},
};
static const struct table_schema target_schema = {"targets", "Targets", target_columns, 6, NULL};

static enum status add_target(struct table *table, const struct amdahl *amdahl,
                              const struct amdahl_target *target)
{
    struct value *row = table_add_row(table);

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&row[2], target->fraction);
    value_set_rounded(&row[3], target->fraction * amdahl->whole_ns);
    value_set_real(&row[4], target->speedup);
    value_set_bool(&row[5], isinf(target->speedup));
    return value_set_text(&row[0], target->name) || value_set_text(&row[1], kind_name(target->kind))
               ? STATUS_OUT_OF_MEMORY
               : STATUS_OK;
}

static enum status add_targets(struct document *document, const struct amdahl *amdahl)
{
    struct table *table = document_add_table(document, "targets", SECTION_IN_JSON);
    enum status status = STATUS_OK;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &target_schema);
    for (size_t i = 0; i < amdahl->targets.count && !status; i++)
        status = add_target(table, amdahl, target_at(amdahl, i));
    return status;
}

/* ---- the table ------------------------------------------------------------------------ */

static const struct column step_columns[] = {
    {"target", "target faster by", "how much faster all targets are", UNIT_TEXT, 0},
    {"target_speedup", NULL, "the same as a number; null: they vanish", UNIT_RATIO, 0},
    {"program_speedup", "program", "how much faster the whole is; null: without limit", UNIT_RATIO,
     0},
    {"saved_fraction", "saved", "of the whole", UNIT_FRACTION, 0},
    {"left_ns", "left", "of the whole", UNIT_NS, 0},
};
static const struct table_schema step_schema = {"amdahl", "If the target were faster", step_columns,
                                                5, NULL};

static enum status add_step(struct table *table, const struct amdahl *amdahl, double speedup)
{
    struct value *row = table_add_row(table);
    double program = amdahl_of(amdahl, speedup);
    char word[UNITS_SIZE];

    if (!row)
        return STATUS_OUT_OF_MEMORY;
    value_set_real(&row[1], speedup);
    value_set_real(&row[2], program);
    value_set_real(&row[3], 1 - 1 / program);
    value_set_rounded(&row[4], amdahl->whole_ns / program);
    return value_set_text(&row[0],
                          isinf(speedup) ? "all of it" : units_format_ratio(word, speedup));
}

static enum status add_table(struct document *document, const struct amdahl *amdahl)
{
    struct table *table = document_add_table(document, "rows", SECTION_IN_BOTH);
    enum status status = STATUS_OK;

    if (!table)
        return STATUS_OUT_OF_MEMORY;
    table_init(table, &step_schema);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !status; i++)
        status = add_step(table, amdahl, steps[i]);
    if (!status && amdahl->targets.count > 1)
        status = table_add_note(table, "All targets are taken to be as much faster together.");
    return status;
}

enum status amdahl_build(const struct amdahl *amdahl, struct document *document)
{
    enum status status;

    document_init(document);
    document->name = "amdahl";
    document->main = "rows";
    status = add_summary(document, amdahl);
    status = status ? status : add_head(document, amdahl);
    status = status ? status : add_targets(document, amdahl);
    return status ? status : add_table(document, amdahl);
}
