/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The law, and its document.
 */
#include "steps/amdahl.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/fields.h"
#include "steps/texts.h"

static const double steps[] = {1.5, 2, 4, 8, (double)INFINITY};

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
    char exact[UNITS_SIZE];

    snprintf(exact, sizeof exact, "%.3fx", ratio);
    if (isinf(ratio))
        say(line, amdahl_nothing_left_text);
    else
        say(line, amdahl_program_text,
            ratio > UNITS_SPEEDUP_MOST ? said_speedup(ratio) : said_words(exact));
}

static void append_whole(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;

    if (isnan(amdahl->whole_ns))
        say(line, amdahl_stated_text);
    else
        say(line, amdahl_whole_text, said_time(amdahl->whole_ns));
}

static void append_target(struct text *line, const struct amdahl_target *target)
{
    char speedup[UNITS_SIZE];

    if (target->name)
        say(line, amdahl_target_text, said_words(target->name), said_words(kind_name(target->kind)),
            said_share(target->fraction));
    else
        say(line, amdahl_target_stated_text, said_share(target->fraction));
    snprintf(speedup, sizeof speedup, "%gx", target->speedup);
    if (isinf(target->speedup))
        say_part(line, amdahl_target_vanishes_text);
    else if (!isnan(target->speedup))
        say_part(line, amdahl_target_faster_text, said_words(speedup));
    text_append(line, ".");
}

static void append_targets(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;

    for (size_t i = 0; i < amdahl->targets.count; i++)
        append_target(line, target_at(amdahl, i));
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
    say(line, amdahl_result_text);
    append_program(line, amdahl_of(amdahl, (double)NAN));
}

static void append_limit(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;

    say(line, amdahl_limit_text);
    append_program(line, amdahl_of(amdahl, (double)INFINITY));
}

/* The opposite question: everything but the targets made free. */
static void append_rest(struct text *line, const void *of)
{
    const struct amdahl *amdahl = of;
    double fraction = fmin(amdahl_fraction(amdahl), 1);

    say(line, amdahl_rest_text, said_share(1 - fraction));
    append_program(line, fraction > 0 ? 1 / fraction : (double)INFINITY);
}

static const struct record_line head_rows[] = {
    {{"whole", "Whole", NULL, UNIT_TEXT, 0}, append_whole},
    {{"targets", "Target", NULL, UNIT_TEXT, 0}, append_targets},
    {{"result", "Result", NULL, UNIT_TEXT, 0}, append_result},
    {{"limit", "Limit", NULL, UNIT_TEXT, 0}, append_limit},
    {{"rest", "The rest", NULL, UNIT_TEXT, 0}, append_rest},
};

static void add_head(struct document *document, const struct amdahl *amdahl)
{
    struct record *record = document_add_record(document, "head", "Amdahl's law", SECTION_IN_TEXT);

    record_add_lines(record, head_rows, sizeof head_rows / sizeof *head_rows, amdahl);
}

static void add_summary(struct document *document, const struct amdahl *amdahl)
{
    struct record *fields = document_add_record(document, "summary", NULL, SECTION_IN_JSON);

    fields_put_rounded(fields, "whole_ns", UNIT_NS, amdahl->whole_ns);
    fields_put_real(fields, "fraction", UNIT_FRACTION, amdahl_fraction(amdahl));
    fields_put_real(fields, "program_speedup", UNIT_RATIO,
                    is_asked(amdahl) ? amdahl_of(amdahl, (double)NAN) : (double)NAN);
    fields_put_real(fields, "limit", UNIT_RATIO, amdahl_of(amdahl, (double)INFINITY));
    fields_put_real(fields, "limit_of_rest", UNIT_RATIO, 1 / amdahl_fraction(amdahl));
}

static const struct column target_columns[] = {
    {"target", "target", "its name; null: a stated fraction", UNIT_TEXT, 0},
    {"kind", "kind", "kernel, region, operation or fraction", UNIT_TEXT, 0},
    {"fraction", "fraction", "of the whole", UNIT_FRACTION, 0},
    {"time_ns", "time", "of the whole", UNIT_NS, 0},
    {"speedup", "speed-up", "the speed-up to try; null: none, or it vanishes", UNIT_RATIO, 0},
    {"vanishes", "vanishes", "whether it is to take no time", UNIT_BOOL, 0},
};
static const struct table_schema target_schema = {"targets", "Targets", target_columns, 6, NULL};

static void add_target(struct table *table, const struct amdahl *amdahl,
                       const struct amdahl_target *target)
{
    struct value *row = table_add_row(table);

    value_set_real(&row[2], target->fraction);
    value_set_rounded(&row[3], target->fraction * amdahl->whole_ns);
    value_set_real(&row[4], target->speedup);
    value_set_bool(&row[5], isinf(target->speedup));
    value_set_text(&row[0], target->name);
    value_set_text(&row[1], kind_name(target->kind));
}

static void add_targets(struct document *document, const struct amdahl *amdahl)
{
    struct table *table =
        document_start_table(document, "targets", SECTION_IN_JSON, &target_schema);

    for (size_t i = 0; i < amdahl->targets.count; i++)
        add_target(table, amdahl, target_at(amdahl, i));
}

static const struct column step_columns[] = {
    {"target", "target faster by", "the factor for all targets", UNIT_TEXT, 0},
    {"target_speedup", NULL, "the same as a number; null: they vanish", UNIT_RATIO, 0},
    {"program_speedup", "program", "speed-up of the whole; null: without limit", UNIT_RATIO, 0},
    {"saved_fraction", "saved", "saved share of the whole", UNIT_FRACTION, 0},
    {"left_ns", "left", "time left of the whole", UNIT_NS, 0},
};
static const struct table_schema step_schema = {"amdahl", "With faster targets", step_columns, 5,
                                                NULL};

static void add_step(struct table *table, const struct amdahl *amdahl, double speedup)
{
    struct value *row = table_add_row(table);
    double program = amdahl_of(amdahl, speedup);
    char word[UNITS_SIZE];

    value_set_real(&row[1], speedup);
    value_set_real(&row[2], program);
    value_set_real(&row[3], 1 - 1 / program);
    value_set_rounded(&row[4], amdahl->whole_ns / program);
    value_set_text(&row[0], isinf(speedup) ? "all of it" : units_format_ratio(word, speedup));
}

static void add_table(struct document *document, const struct amdahl *amdahl)
{
    struct table *table = document_start_table(document, "rows", SECTION_IN_BOTH, &step_schema);

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        add_step(table, amdahl, steps[i]);
    if (amdahl->targets.count > 1)
        table_say(table, amdahl_together_text);
}

void amdahl_build(const struct amdahl *amdahl, struct document *document)
{
    document_init(document);
    document->name = "amdahl";
    document->main = "rows";
    add_summary(document, amdahl);
    add_head(document, amdahl);
    add_targets(document, amdahl);
    add_table(document, amdahl);
}
