/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The calculator's report: totals for people and for programs, groups, parts,
 * and the growth of the operation.
 */
#include "calc/calc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "calc/texts.h"
#include "document/fields.h"
#include "document/table.h"
#include "kernels/compute.h"

/* A report being composed. */
struct calc_report {
    const struct calc_operation *operation;
    const struct calc_value *values;
    const struct calc_result *result;
    struct calc_part sum;
    struct document *document;
};

static long double quotient(long double dividend, long double divisor)
{
    return divisor > 0 ? dividend / divisor : (long double)NAN;
}

static void append_head(struct text *line, const struct calc_report *report)
{
    const struct calc_operation *operation = report->operation;
    const char *separator = ": ";

    text_append(line, operation->name);
    for (size_t i = 0; i < operation->option_count; i++) {
        if (!report->values[i].is_set)
            continue;
        text_appendf(line, "%s%s", separator, operation->options[i].column.title);
        if (report->values[i].text)
            text_appendf(line, " %s", report->values[i].text);
        separator = ", ";
    }
}

/* A count with separators, or with four digits if it exceeds the integers. */
static struct said said_large(long double count)
{
    if (count == floorl(count) && fabsl(count) < 0x1p63L)
        return said_count((uint64_t)count);
    return said_real((double)count);
}

static void append_flops(struct text *line, const void *of)
{
    const struct calc_report *report = of;

    say(line, calc_flops_text, said_large(report->sum.flops), said_flops((double)report->sum.flops),
        said_large(report->sum.elementwise_flops));
}

static void append_macs(struct text *line, const void *of)
{
    const struct calc_report *report = of;

    say(line, calc_macs_text, said_large(report->sum.flops / 2));
}

static void append_needed(struct text *line, const void *of)
{
    const struct calc_report *report = of;
    long double needed = report->result->needed_flops;

    if (!isnan(needed) && needed != report->sum.flops)
        say(line, *report->result->needed_words, said_large(needed),
            said_share((double)(1 - needed / report->sum.flops)));
}

static void append_parameters(struct text *line, const void *of)
{
    const struct calc_report *report = of;
    const struct calc_part *sum = &report->sum;
    double each = (double)(sum->flops / sum->parameters);

    if (sum->parameters <= 0)
        return;
    say(line, calc_parameters_text, said_large(sum->parameters), said_real(each));
    if (report->result->items > 1)
        say_part(line, calc_parameter_items_text, said_real(each / (double)report->result->items));
}

static void append_items(struct text *line, const void *of)
{
    const struct calc_report *report = of;
    const struct calc_result *result = report->result;

    if (result->items > 1)
        say(line, calc_items_text, said_large(report->sum.flops / result->items),
            said_large(result->items));
    if (result->tokens > 1)
        say_part(line, result->items > 1 ? calc_items_tokens_text : calc_tokens_text,
                 said_large(report->sum.flops / result->tokens), said_large(result->tokens));
}

static void append_bytes(struct text *line, const void *of)
{
    const struct calc_report *report = of;

    say(line, calc_bytes_text, said_bytes((double)report->sum.bytes),
        said_real((double)quotient(report->sum.flops, report->sum.bytes)));
}

/* The growth of FLOPs with the sequence length: one part is quadratic, the other linear.  Doubling
 * the sequence means four times the FLOPs only far above the length at which both parts are
 * equal. */
struct growth {
    long double quadratic; /* fraction */
    long double doubling;  /* FLOPs of twice the sequence, divided by those of the sequence */
    long double crossover; /* tokens */
};

static struct growth find_growth(const struct calc_report *report)
{
    long double quadratic = calc_quadratic_flops(report->result);
    long double linear = report->sum.flops - quadratic;
    long double sequence =
        report->result->sequence > 0 && quadratic > 0 ? report->result->sequence : (long double)NAN;

    return (struct growth){
        .quadratic = sequence / sequence * quadratic / report->sum.flops,
        .doubling = sequence / sequence * (2 * linear + 4 * quadratic) / report->sum.flops,
        .crossover = sequence * linear / quadratic,
    };
}

static void append_growth(struct text *line, const void *of)
{
    const struct calc_report *report = of;
    struct growth growth = find_growth(report);

    if (!isnan(growth.crossover))
        say(line, calc_growth_text, said_real((double)growth.doubling),
            said_share((double)growth.quadratic), said_large(roundl(growth.crossover)));
}

static void append_rounding(struct text *line, const void *of)
{
    const struct calc_report *report = of;

    if (report->sum.flops >= 0x1p64L || report->sum.bytes >= 0x1p64L)
        say(line, calc_rounding_text);
}

static const struct record_line summary_rows[] = {
    {{"flops", "FLOPs", NULL, UNIT_TEXT, 0}, append_flops},
    {{"macs", "MACs", NULL, UNIT_TEXT, 0}, append_macs},
    {{"needed", "Needed", NULL, UNIT_TEXT, 0}, append_needed},
    {{"parameters", "Parameters", NULL, UNIT_TEXT, 0}, append_parameters},
    {{"items", "Items", NULL, UNIT_TEXT, 0}, append_items},
    {{"bytes", "Bytes", NULL, UNIT_TEXT, 0}, append_bytes},
    {{"growth", "Growth", NULL, UNIT_TEXT, 0}, append_growth},
    {{"rounding", "Rounding", NULL, UNIT_TEXT, 0}, append_rounding},
};

static const struct column note_column = {"note", "Note", NULL, UNIT_TEXT, 0};

static void add_summary(const struct calc_report *report)
{
    struct record *record =
        document_add_record(report->document, "summary", "Counts", SECTION_IN_TEXT);
    struct text line;

    record_add_lines(record, summary_rows, sizeof summary_rows / sizeof *summary_rows, report);
    text_init(&line);
    for (size_t i = 0; i < text_list_count(&report->result->notes); i++) {
        text_append(&line, text_list_at(&report->result->notes, i));
        record_add_line(record, &note_column, &line);
    }
    text_fini(&line);
}

static void add_head(const struct calc_report *report)
{
    struct text_list *lines = document_add_lines(report->document, NULL);
    struct text line;

    text_init(&line);
    append_head(&line, report);
    text_list_take(lines, &line);
}

static const struct column name_column = FIELD("name", UNIT_TEXT);

static void set_option(struct value *value, const struct calc_option *option,
                       const struct calc_value *of)
{
    if (option->kind == CALC_FLAG)
        value_set_bool(value, of->is_set);
    else if (of->is_set && option->kind == CALC_WHOLE)
        value_set_count(value, of->numbers[0]);
    else if (of->is_set) {
        value_set_text(value, of->text);
        return;
    }
}

static void add_operation(const struct calc_report *report)
{
    const struct calc_operation *operation = report->operation;
    struct record *record =
        document_add_record(report->document, "operation", NULL, SECTION_IN_JSON);
    struct value *value = record_add_value(record, &name_column);

    value_set_text(value, operation->name);
    for (size_t i = 0; i < operation->option_count; i++) {
        value = record_add_value(record, &operation->options[i].column);
        set_option(value, &operation->options[i], &report->values[i]);
    }
}

static long double known(long double count)
{
    return count > 0 ? count : (long double)NAN;
}

static void add_total(const struct calc_report *report)
{
    const struct calc_result *result = report->result;
    const struct calc_part *sum = &report->sum;
    struct record *fields = document_add_record(report->document, "total", NULL, SECTION_IN_JSON);

    fields_put_large(fields, "flops", UNIT_FLOPS, sum->flops);
    fields_put_large(fields, "macs", UNIT_COUNT, sum->flops / 2);
    fields_put_large(fields, "elementwise_flops", UNIT_FLOPS, sum->elementwise_flops);
    fields_put_large(fields, "needed_flops", UNIT_FLOPS, result->needed_flops);
    fields_put_large(fields, "parameters", UNIT_COUNT, sum->parameters);
    fields_put_large(fields, "bytes", UNIT_BYTES, sum->bytes);
    fields_put_real(fields, "flops_per_byte", UNIT_REAL, (double)quotient(sum->flops, sum->bytes));
    fields_put_real(fields, "flops_per_param", UNIT_REAL,
                    (double)quotient(sum->flops, sum->parameters));
    fields_put_real(fields, "flops_per_param_per_item", UNIT_REAL,
                    (double)quotient(sum->flops, sum->parameters * result->items));
    fields_put_large(fields, "items", UNIT_COUNT, known(result->items));
    fields_put_real(fields, "flops_per_item", UNIT_REAL,
                    (double)quotient(sum->flops, result->items));
    fields_put_large(fields, "tokens", UNIT_COUNT, known(result->tokens));
    fields_put_real(fields, "flops_per_token", UNIT_REAL,
                    (double)quotient(sum->flops, result->tokens));
}

static void add_growth(const struct calc_report *report)
{
    struct growth growth = find_growth(report);
    struct record *fields = document_add_record(report->document, "growth", NULL, SECTION_IN_JSON);

    fields_put_real(fields, "quadratic_fraction", UNIT_FRACTION, (double)growth.quadratic);
    fields_put_real(fields, "doubling_ratio", UNIT_RATIO, (double)growth.doubling);
    fields_put_real(fields, "crossover_tokens", UNIT_REAL, (double)growth.crossover);
}

enum part_column { GROUP, NAME, FLOPS, SHARE, MACS, ELEMENTWISE, PARAMETERS, BYTES, INTENSITY };

static const struct column part_columns[] = {
    [GROUP] = {"group", "group", "what the part belongs to", UNIT_TEXT, 0},
    [NAME] = {"part", "part", "what is counted", UNIT_TEXT, 0},
    [FLOPS] = {"flops", "FLOPs", "of products, one multiply-add is two", UNIT_COUNT, 0},
    [SHARE] = {"share", "share", "of all FLOPs of products", UNIT_FRACTION, 0},
    [MACS] = {"macs", "MACs", "multiply-adds", UNIT_COUNT, 5},
    [ELEMENTWISE] = {"elementwise_flops", "elementwise", "nominal, beside the products", UNIT_COUNT,
                     3},
    [PARAMETERS] = {"parameters", "parameters", "that belong to it", UNIT_COUNT, 2},
    [BYTES] = {"bytes", "bytes", "compulsory traffic: every operand once", UNIT_BYTES, 1},
    [INTENSITY] = {"flops_per_byte", "FLOP/B", "arithmetic intensity", UNIT_REAL, 4},
};

static const struct table_schema part_schema = {
    "flops calc", "Parts", part_columns, sizeof part_columns / sizeof *part_columns, "share"};

static void set_part(struct value *row, const struct calc_part *part, const struct calc_part *sum)
{
    value_set_count(&row[FLOPS], part->flops);
    value_set_ratio(&row[SHARE], part->flops, sum->flops);
    value_set_count(&row[MACS], part->flops / 2);
    value_set_count(&row[ELEMENTWISE], part->elementwise_flops);
    value_set_count(&row[PARAMETERS], part->parameters);
    value_set_count(&row[BYTES], part->bytes);
    value_set_ratio(&row[INTENSITY], part->flops, part->bytes);
    value_set_text(&row[GROUP], part->group);
}

static void add_parts(const struct calc_report *report)
{
    struct table *table = document_add_table(report->document, "parts", SECTION_IN_BOTH);

    table_init(table, &part_schema);
    for (size_t i = 0; i < report->result->parts.count; i++) {
        const struct calc_part *part = array_at(&report->result->parts, i);
        struct value *row = table_add_row(table);

        set_part(row, part, &report->sum);
        value_set_text(&row[NAME], part->name);
    }
    table_say(table, calc_whole_text);
}

/* The sum of a group, whose first part is at `first`. */
static struct calc_part sum_group(const struct calc_result *result, size_t first)
{
    struct calc_part sum = {.group = ((struct calc_part *)array_at(&result->parts, first))->group};

    for (size_t i = first; i < result->parts.count; i++) {
        const struct calc_part *part = array_at(&result->parts, i);

        if (strcmp(part->group, sum.group) != 0)
            continue;
        sum.flops += part->flops;
        sum.elementwise_flops += part->elementwise_flops;
        sum.parameters += part->parameters;
        sum.bytes += part->bytes;
    }
    return sum;
}

static bool is_first(const struct calc_result *result, size_t index)
{
    const struct calc_part *of = array_at(&result->parts, index);

    for (size_t i = 0; i < index; i++)
        if (strcmp(((struct calc_part *)array_at(&result->parts, i))->group, of->group) == 0)
            return false;
    return true;
}

static const struct column group_columns[] = {
    {"group", "group", "parts that belong together", UNIT_TEXT, 0},
    {"flops", "FLOPs", "of products", UNIT_COUNT, 0},
    {"share", "share", "of all FLOPs of products", UNIT_FRACTION, 0},
    {"elementwise_flops", "elementwise", "nominal, beside the products", UNIT_COUNT, 2},
    {"parameters", "parameters", "that belong to it", UNIT_COUNT, 1},
};

static const struct table_schema group_schema = {
    "groups", "Groups", group_columns, sizeof group_columns / sizeof *group_columns, "share"};

static void add_group(struct table *table, const struct calc_part *group,
                      const struct calc_part *sum)
{
    struct value *row = table_add_row(table);

    value_set_count(&row[1], group->flops);
    value_set_ratio(&row[2], group->flops, sum->flops);
    value_set_count(&row[3], group->elementwise_flops);
    value_set_count(&row[4], group->parameters);
    value_set_text(&row[0], group->group);
}

/* People need no sums of a single group. */
static enum section_place groups_place(const struct calc_result *result)
{
    for (size_t i = 1; i < result->parts.count; i++)
        if (is_first(result, i))
            return SECTION_IN_BOTH;
    return SECTION_IN_JSON;
}

static void add_groups(const struct calc_report *report)
{
    struct table *table =
        document_add_table(report->document, "groups", groups_place(report->result));

    table_init(table, &group_schema);
    for (size_t i = 0; i < report->result->parts.count; i++) {
        struct calc_part group;

        if (!is_first(report->result, i))
            continue;
        group = sum_group(report->result, i);
        add_group(table, &group, &report->sum);
    }
}

void calc_build(const struct calc_operation *operation, const struct calc_value *values,
                const struct calc_result *result, struct document *document)
{
    struct calc_report report = {operation, values, result, calc_sum(result), document};

    document_init(document);
    document->name = "flops calc";
    document->main = "parts";
    add_head(&report);
    add_operation(&report);
    add_total(&report);
    add_growth(&report);
    add_summary(&report);
    add_groups(&report);
    add_parts(&report);
}
