/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Words for the gate's checks.
 */
#include "compare/gate_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain_path.h"
#include "base/text.h"
#include "compare/cells.h"
#include "compare/doubts.h"
#include "compare/texts.h"
#include "compare/words.h"
#include "document/fields.h"

static void append_name(struct text *line, const struct gate_check *check)
{
    pair_part_append(line, check->figure.part);
    if (check->aspect != GATE_OF_PRESENCE)
        text_appendf(line, ": %s",
                     check->aspect == GATE_OF_ENDING
                         ? run_ending
                         : run_quantity_at(check->figure.quantity)->title);
}

static void append_presence(struct text *line, const struct gate *gate,
                            const struct gate_check *check)
{
    const struct pair_part *part = check->figure.part;
    struct said with = said_count(part->changed.count),
                of = said_count(gate->pair->changed->runs.count);

    if (part->base.count == 0)
        say_part(line, gate_new_text, with, of);
    else
        say_part(line, gate_missing_text, with, of);
}

static void append_count(struct text *line, const struct gate_check *check)
{
    const struct figure *figure = &check->figure;

    words_append_ranges(line, figure);
    if (figure->base > 0 && figure->base != figure->changed) {
        text_append(line, " (");
        words_append_count_change(line, figure->changed / figure->base);
        text_append(line, ")");
    }
    if (check->result == GATE_VARIES)
        say_part(line, gate_varies_text, said_count(check->deviating),
                 said_count(figure->part->changed.count));
}

static void append_interval(struct text *line, const struct figure *figure)
{
    if (isfinite(figure->ratio_interval.low) && isfinite(figure->ratio_interval.high))
        say_part(line, gate_interval_text, said_real(figure->ratio_interval.low),
                 said_real(figure->ratio_interval.high));
}

static void append_values(struct text *line, const struct figure *figure)
{
    words_append_medians(line, figure);
    text_append(line, ", ");
}

/* A quantity that was tested to differ, not to be slower. */
static bool is_work(const struct gate_check *check)
{
    return run_quantity_at(check->figure.quantity)->better == RUN_NEITHER;
}

static void append_percent(struct text *line, const struct figure *figure)
{
    if (figure->base > 0)
        words_append_count_change(line, figure->changed / figure->base);
    else
        text_append(line, "none before");
}

/* To a tenth of a percent: more digits of an uncertain value mean nothing. */
static void append_uncertain(struct text *line, const struct figure *figure)
{
    if (isnan(figure->ratio))
        words_append_signed(line, figure);
    else
        text_appendf(line, "%+.1f %%", 100 * (figure->ratio - 1));
}

static bool is_certain(const struct gate *gate, const struct gate_check *check)
{
    return check->result == GATE_BETTER || check->result == GATE_WORSE ||
           check->adjusted_p_value <= 1 - gate->policy.figure.confidence;
}

/* Uncertain differences have no direction in words. */
static void append_difference(struct text *line, const struct gate *gate,
                              const struct gate_check *check)
{
    const struct figure *figure = &check->figure;

    if (check->result == GATE_UNTESTED)
        words_append_differs(line, figure);
    else if (check->result == GATE_WITHIN)
        words_append_by(line, figure);
    else if (is_certain(gate, check))
        words_append_figure(line, figure);
    else
        append_uncertain(line, figure);
}

static void append_change(struct text *line, const struct gate *gate,
                          const struct gate_check *check)
{
    append_values(line, &check->figure);
    append_difference(line, gate, check);
    append_interval(line, &check->figure);
}

/* The certainty of a check, or why it is undecided. */
static void append_certainty(struct text *line, const struct gate *gate,
                             const struct gate_check *check)
{
    struct said threshold = said_real(100 * gate->policy.threshold);

    if (check->result == GATE_WORSE)
        say_part(line, gate_beyond_text, said_real(check->beyond_p_value),
                 said_real(100 * gate->policy.noise));
    else if (check->result == GATE_STRUCTURE || check->result == GATE_ACCEPTED)
        say_part(line, gate_changed_text, said_real(check->adjusted_p_value));
    else if (check->result == GATE_UNDECIDED && is_work(check))
        say_part(line, gate_change_open_text, threshold);
    else if (check->result == GATE_UNDECIDED)
        say_part(line, gate_slowdown_open_text, threshold);
    else if (check->result == GATE_UNTESTED)
        say_part(line, gate_untested_text);
    else if (check->result == GATE_SMALL)
        say_part(line, gate_small_text, said_share(check->share));
}

static void append_measured(struct text *line, const struct gate *gate,
                            const struct gate_check *check)
{
    append_change(line, gate, check);
    if (check->result == GATE_WITHIN)
        say_part(line, gate_within_text, said_real(100 * gate->policy.threshold));
    if (!gate->policy.is_minimal || check->figure.basis != FIGURE_OF_ONE)
        append_certainty(line, gate, check);
}

static bool is_counted(const struct gate_check *check)
{
    return run_quantity_at(check->figure.quantity)->kind == RUN_EXACT &&
           isnan(check->beyond_p_value) && check->result != GATE_UNTESTED;
}

/* The bare change, for a column. */
static void append_short(struct text *line, const struct gate *gate, const struct gate_check *check)
{
    const struct figure *figure = &check->figure;

    if (check->aspect == GATE_OF_ENDING)
        text_append(line, check->ending);
    else if (check->aspect == GATE_OF_PRESENCE)
        text_append(line, figure->part->base.count == 0 ? "new" : "missing");
    else if (is_counted(check) && figure->base == figure->changed)
        text_append(line, check->result == GATE_VARIES ? "varies" : "the same");
    else if (is_counted(check))
        append_percent(line, figure);
    else
        append_difference(line, gate, check);
}

static void append_both(struct text *line, const struct gate_check *check)
{
    if (check->aspect == GATE_OF_QUANTITY)
        words_append_medians(line, &check->figure);
}

static void append_message(struct text *line, const struct gate *gate,
                           const struct gate_check *check)
{
    if (check->aspect == GATE_OF_ENDING)
        say_part(line, gate_ending_text, said_words(check->ending), said_count(check->deviating),
                 said_count(gate->pair->changed->runs.count));
    else if (check->aspect == GATE_OF_PRESENCE)
        append_presence(line, gate, check);
    else if (is_counted(check))
        append_count(line, check);
    else
        append_measured(line, gate, check);
}

enum check_column {
    NAME,
    RESULT,
    CHANGE,
    VALUES,
    CHANGE_INTERVAL,
    MESSAGE,
    OUTCOME,
    LEVEL,
    FILE_NAME,
    LINE,
    SUBJECT,
    PART,
    SHAPE,
    QUANTITY,
    BASE,
    CHANGED,
    RATIO,
    INTERVAL,
    P,
    BEYOND,
    SHARE,
    COLUMNS
};

static const struct column columns[] = {
    [NAME] = {"check", "check", "what was checked", UNIT_PLACE, 0},
    [RESULT] = {"result", "result", "unchanged, within threshold, better, worse, structure ...",
                UNIT_TEXT, 1},
    [CHANGE] = {"change", "change", "in words", UNIT_TEXT, 0},
    [VALUES] = {"values", "medians", "of the baseline and the new runs", UNIT_TEXT, 2},
    [CHANGE_INTERVAL] = {"change_interval", "interval of change", "of the ratio, less 1",
                         UNIT_FRACTION, 3},
    [MESSAGE] = {"message", NULL, "all of it in one line", UNIT_TEXT, 9},
    [OUTCOME] = {"outcome", NULL, "passed, failed or skipped", UNIT_TEXT, 9},
    [LEVEL] = {"level", NULL,
               "error, warning or notice; none for unchanged, small and undecided checks",
               UNIT_TEXT, 9},
    [FILE_NAME] = {"file", NULL,
                   "of the program's own line that calls it or takes most of its time", UNIT_TEXT,
                   9},
    [LINE] = {"line", NULL, "the line", UNIT_NUMBER, 9},
    [SUBJECT] = {"subject", NULL, "whole, kernel, region, metric or operation", UNIT_TEXT, 9},
    [PART] = {"name", NULL, "of the kernel or region", UNIT_TEXT, 9},
    [SHAPE] = {"shape", NULL, "of the kernel", UNIT_TEXT, 9},
    [QUANTITY] = {"quantity", NULL, "the key of what was checked", UNIT_TEXT, 9},
    [BASE] = {"base", NULL, "median, in the unit of the quantity", UNIT_REAL, 9},
    [CHANGED] = {"new", NULL, "the same", UNIT_REAL, 9},
    [RATIO] = {"ratio", NULL, "new by base", UNIT_RATIO, 9},
    [INTERVAL] = {"ratio_interval", NULL, "of the ratio", UNIT_RATIO, 9},
    [P] = {"adjusted_p_value", NULL, "of any difference, after Holm", UNIT_REAL, 9},
    [BEYOND] = {"beyond_p_value", NULL, "of a slowdown beyond the noise, after Holm", UNIT_REAL, 9},
    [SHARE] = {"share", NULL, "of wall time", UNIT_FRACTION, 9},
};

static const struct table_schema failures_schema = {"failures", "Failures", columns, COLUMNS, NULL},
                                 checks_schema = {"checks", "All checks", columns, COLUMNS, NULL};

static bool is_failure(const struct gate *gate, enum gate_result result)
{
    if (result == GATE_UNDECIDED || result == GATE_UNTESTED)
        return gate->policy.inconclusive == GATE_FAIL;
    return result == GATE_WORSE || result == GATE_STRUCTURE;
}

static const char *outcome(const struct gate *gate, enum gate_result result)
{
    bool is_open = result == GATE_UNDECIDED || result == GATE_UNTESTED || result == GATE_SMALL;

    if (is_failure(gate, result))
        return "failed";
    return is_open ? "skipped" : "passed";
}

/* How a build tells of a check; NULL: not at all.  The headline tells how many are undecided. */
static const char *level(const struct gate *gate, enum gate_result result)
{
    if (is_failure(gate, result))
        return "error";
    if (result == GATE_WITHIN || result == GATE_VARIES)
        return "warning";
    return result == GATE_BETTER || result == GATE_ACCEPTED ? "notice" : NULL;
}

/* Returns: a path below a folder, or the whole path of a file elsewhere. */
static const char *path_below(const char *file, const char *root)
{
    size_t length = root ? strlen(root) : 0;

    while (length > 0 && root[length - 1] == '/')
        length--;
    if (length > 0 && strncmp(file, root, length) == 0 && file[length] == '/')
        return file + length + 1;
    return file;
}

/* The place of a part in the new runs. */
static void set_place(struct value *row, const struct gate *gate, const struct pair_part *part)
{
    for (size_t i = 0; i < part->changed.count; i++) {
        const struct run_row *of = *(const struct run_row **)array_at(&part->changed, i);

        if (!of->file)
            continue;
        struct text plain;

        text_init(&plain);
        plain_path_append(&plain, of->file);
        value_set_text(&row[FILE_NAME], path_below(plain.bytes, gate->policy.source_root));
        value_set_integer(&row[LINE], of->line);
        text_fini(&plain);
        return;
    }
}

static const char *key_of(const struct gate_check *check)
{
    return check->aspect == GATE_OF_ENDING ? run_ending
                                           : run_quantity_at(check->figure.quantity)->key;
}

static void set_texts(struct value *row, const struct gate *gate, const struct gate_check *check)
{
    const struct pair_part *part = check->figure.part;
    struct text line;

    text_init(&line);
    append_name(&line, check);
    cells_set_line(&row[NAME], &line);
    append_short(&line, gate, check);
    cells_set_line(&row[CHANGE], &line);
    append_both(&line, check);
    cells_set_line(&row[VALUES], &line);
    append_message(&line, gate, check);
    cells_set_line(&row[MESSAGE], &line);
    text_fini(&line);
    value_set_text(&row[RESULT], gate_result_name(check->result));
    value_set_text(&row[OUTCOME], outcome(gate, check->result));
    value_set_text(&row[LEVEL], level(gate, check->result));
    value_set_text(&row[SUBJECT], run_subject_name(part->subject));
    value_set_text(&row[PART], part->name);
    value_set_text(&row[SHAPE], part->shape);
    value_set_text(&row[QUANTITY], key_of(check));
    set_place(row, gate, part);
}

static void add_check(struct table *table, const struct gate *gate, const struct gate_check *check)
{
    const struct figure *figure = &check->figure;
    struct value *row = table_add_row(table);

    set_texts(row, gate, check);
    if (check->aspect == GATE_OF_ENDING)
        return;
    cells_set_number(&row[BASE], figure->quantity, figure->base);
    cells_set_number(&row[CHANGED], figure->quantity, figure->changed);
    value_set_real(&row[RATIO], figure->ratio);
    if (!is_counted(check)) {
        value_set_interval(&row[INTERVAL], figure->ratio_interval.low, figure->ratio_interval.high);
        value_set_interval(&row[CHANGE_INTERVAL], figure->ratio_interval.low - 1,
                           figure->ratio_interval.high - 1);
    }
    value_set_real(&row[P], check->adjusted_p_value);
    value_set_real(&row[BEYOND], check->beyond_p_value);
    value_set_real(&row[SHARE], check->share);
}

static void add_checks(struct table *table, const struct gate *gate,
                       bool (*is_wanted)(const struct gate *, enum gate_result))
{
    for (size_t i = 0; i < gate->checks.count; i++) {
        const struct gate_check *check = array_at(&gate->checks, i);

        if (is_wanted(gate, check->result))
            add_check(table, gate, check);
    }
}

static bool is_any(const struct gate *gate, enum gate_result result)
{
    (void)gate;
    return result < GATE_RESULTS;
}

static bool is_told(const struct gate *gate, enum gate_result result)
{
    return !is_failure(gate, result) && result != GATE_UNCHANGED && result != GATE_SMALL &&
           result != GATE_SAMPLED;
}

static void append_tally(struct text *line, const struct gate *gate)
{
    const char *separator = " ";

    for (int i = 0; i < GATE_RESULTS; i++) {
        if (gate->counts[i] == 0)
            continue;
        text_appendf(line, "%s%zu %s", separator, gate->counts[i],
                     gate_result_name((enum gate_result)i));
        separator = ", ";
    }
    text_append(line, *separator == ',' ? "." : " nothing.");
}

static const char *verdict_name(enum status verdict)
{
    return verdict == STATUS_OK              ? "passed"
           : verdict == STATUS_POLICY_FAILED ? "FAILED"
                                             : "not enough data";
}

static void add_verdict(struct text_list *lines, const struct gate *gate)
{
    struct text line;

    text_init(&line);
    say(&line, gate_verdict_text, said_words(verdict_name(gate->verdict)),
        said_words(gate->pair->changed->label), said_words(gate->pair->base->label),
        said_count(gate->pair->changed->runs.count), said_count(gate->pair->base->runs.count));
    append_tally(&line, gate);
    text_list_take(lines, &line);
}

static void add_advice(struct text_list *lines, const struct gate *gate)
{
    struct said needed = said_count(gate->runs_needed);

    if (gate->policy.is_minimal) {
        text_list_say(lines, gate_minimal_text);
        return;
    }
    if (gate->runs_needed > 0) {
        text_list_say(lines, gate_few_text, needed, needed);
        return;
    }
    if (gate->counts[GATE_UNDECIDED] > 0) {
        text_list_say(lines, gate_hidden_text, said_count(gate->counts[GATE_UNDECIDED]),
                      said_real(100 * gate->policy.threshold));
        return;
    }
}

/* A change often intends another structure. */
static void add_remedy(struct text_list *lines, const struct gate *gate)
{
    if (gate->counts[GATE_STRUCTURE] == 0)
        return;
    text_list_say(lines, gate_structure_text);
}

static void add_doubts(struct document *document, const struct gate *gate)
{
    struct text_list doubts, *lines;

    text_list_init(&doubts);
    doubts_add(&doubts, gate->pair);
    if (text_list_count(&doubts) > 0) {
        lines = document_add_lines(document, doubts_title_text.words);
        doubts_add(lines, gate->pair);
    }
    text_list_fini(&doubts);
}

static void add_warmup(struct text_list *lines, const struct gate *gate)
{
    struct text line;

    text_init(&line);
    words_append_warmup(&line, gate->pair);
    text_list_take(lines, &line);
}

static void add_headline(struct document *document, const struct gate *gate)
{
    struct text_list *lines = document_add_lines(document, NULL);

    add_verdict(lines, gate);
    add_advice(lines, gate);
    add_remedy(lines, gate);
    add_warmup(lines, gate);
}

static const char *verdict_key(enum status verdict)
{
    return verdict == STATUS_OK              ? "passed"
           : verdict == STATUS_POLICY_FAILED ? "failed"
                                             : "not_enough_data";
}

static void add_record(struct document *document, const struct gate *gate)
{
    struct record *fields = document_add_record(document, "gate", NULL, SECTION_IN_JSON);
    struct text_list doubts;

    text_list_init(&doubts);
    doubts_add(&doubts, gate->pair);
    fields_put_text(fields, "verdict", verdict_key(gate->verdict));
    fields_put_text(fields, "base", gate->pair->base->label);
    fields_put_text(fields, "new", gate->pair->changed->label);
    fields_put_count(fields, "base_runs", UNIT_COUNT, gate->pair->base->runs.count);
    fields_put_count(fields, "new_runs", UNIT_COUNT, gate->pair->changed->runs.count);
    fields_put_real(fields, "threshold", UNIT_FRACTION, gate->policy.threshold);
    fields_put_real(fields, "noise", UNIT_FRACTION, gate->policy.noise);
    fields_put_real(fields, "confidence", UNIT_REAL, gate->policy.figure.confidence);
    fields_put_count(fields, "tests", UNIT_COUNT, gate->tests);
    gate->runs_needed > 0 ? fields_put_count(fields, "runs_needed", UNIT_COUNT, gate->runs_needed)
                          : fields_put_null(fields, "runs_needed");
    fields_put_bool(fields, "minimal", gate->policy.is_minimal);
    fields_put_list(fields, "doubts", &doubts);
    text_list_fini(&doubts);
}

static struct table *add_table(struct document *document, const char *key,
                               const struct table_schema *schema, enum section_place place)
{
    struct table *table = document_add_table(document, key, place);

    table_init(table, schema);
    return table;
}

static void add_failures(struct document *document, const struct gate *gate)
{
    struct table *table;

    if (gate->verdict != STATUS_POLICY_FAILED)
        return;
    table = add_table(document, "failures", &failures_schema, SECTION_IN_TEXT);
    add_checks(table, gate, is_failure);
}

static void add_told(struct document *document, const struct gate *gate)
{
    struct table *table;
    size_t count = 0;

    for (int i = 0; i < GATE_RESULTS; i++)
        count += is_told(gate, (enum gate_result)i) ? gate->counts[i] : 0;
    if (count == 0)
        return;
    table = add_table(document, "told", &checks_schema, SECTION_IN_TEXT);
    table->title = gate_told_title_text.words;
    add_checks(table, gate, is_told);
}

static void add_all(struct document *document, const struct gate *gate)
{
    struct table *table = add_table(document, "checks", &checks_schema, SECTION_IN_BOTH);

    document_fold(document);
    add_checks(table, gate, is_any);
}

void gate_report_build(const struct gate *gate, struct document *document)
{
    document_init(document);
    document->name = "gate";
    document->main = "checks";
    document->verdict = gate->verdict;
    add_record(document, gate);
    add_headline(document, gate);
    add_doubts(document, gate);
    add_failures(document, gate);
    add_told(document, gate);
    add_all(document, gate);
}
