/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result of a comparison: two or three sentences, and a record for
 * programs.
 */
#include <math.h>

#include "base/text.h"
#include "compare/report_parts.h"
#include "compare/texts.h"
#include "compare/words.h"
#include "document/fields.h"

static void append_runs(struct text *line, const struct pair *pair)
{
    size_t base = pair->base->runs.count, changed = pair->changed->runs.count;

    if (base == changed)
        say_part(line, compare_runs_each_text, said_count(base));
    else
        say_part(line, compare_runs_text, said_count(base), said_count(changed));
}

static void append_interval(struct text *line, const struct figure *figure,
                            const struct figure_options *options)
{
    const struct statistics_interval *interval = &figure->ratio_interval;

    if (isfinite(interval->low) && isfinite(interval->high))
        say_part(line, compare_interval_text, said_real(100 * options->confidence),
                 said_real(interval->low), said_real(interval->high));
}

static void append_decided(struct text *line, const struct compared *compared,
                           const struct figure *wall)
{
    struct text change;

    text_init(&change);
    words_append_verdict(&change, wall);
    say(line, compare_decided_text, said_words(compared->pair.changed->label),
        said_words(change.bytes), said_words(compared->pair.base->label), said_time(wall->base),
        said_time(wall->changed));
    text_fini(&change);
}

static void append_differs(struct text *line, const struct compared *compared,
                           const struct figure *wall)
{
    struct text change;

    text_init(&change);
    words_append_signed(&change, wall);
    say(line, compare_differs_text, said_words(compared->pair.changed->label),
        said_words(compared->pair.base->label), said_time(wall->base), said_time(wall->changed),
        said_words(change.bytes));
    text_fini(&change);
}

static bool is_decided(const struct figure *figure)
{
    return figure->outcome == FIGURE_LESS || figure->outcome == FIGURE_MORE;
}

static void append_outcome(struct text *line, const struct compared *compared,
                           const struct figure *wall)
{
    const struct said base = said_words(compared->pair.base->label),
                      changed = said_words(compared->pair.changed->label);

    if (!wall)
        say(line, compare_no_wall_text, changed, base);
    else if (is_decided(wall))
        append_decided(line, compared, wall);
    else if (wall->outcome == FIGURE_UNDECIDED)
        say(line, compare_undecided_text, changed, base, said_time(wall->base),
            said_time(wall->changed));
    else if (wall->outcome == FIGURE_SAME)
        say(line, compare_same_text, changed, base, said_time(wall->base),
            said_time(wall->changed));
    else
        append_differs(line, compared, wall);
}

static void add_wall(struct text_list *lines, const struct compared *compared,
                     const struct figure_options *options)
{
    const struct figure *wall = compared_whole(compared, RUN_WALL);
    bool is_undecided = wall && wall->outcome == FIGURE_UNDECIDED;
    struct text line;

    text_init(&line);
    append_outcome(&line, compared, wall);
    if (wall && (is_undecided || is_decided(wall)))
        append_interval(&line, wall, options);
    if (wall && is_decided(wall))
        say_part(&line, compare_p_value_text, said_real(wall->adjusted_p_value),
                 said_words(words_effect(wall->cliffs_delta)));
    append_runs(&line, &compared->pair);
    if (is_undecided && !isnan(wall->least_ratio))
        say(&line, compare_invisible_text, said_share(wall->least_ratio));
    text_list_take(lines, &line);
}

/* If this few runs show no difference, say how many are needed. */
static void add_limits(struct text_list *lines, const struct compared *compared,
                       const struct figure_options *options)
{
    size_t base = compared->pair.base->runs.count, changed = compared->pair.changed->runs.count;
    const struct figure *wall = compared_whole(compared, RUN_WALL);
    double level = 1 - options->confidence;

    if (base > 1 && changed > 1 && !(wall && wall->outcome == FIGURE_DIFFERS))
        return;
    text_list_say(lines, compare_few_text, said_count(figure_runs_needed(options->test, level, 1)));
}

void report_add_headline(struct text_list *lines, const struct compared *compared,
                         const struct figure_options *options)
{
    add_wall(lines, compared, options);

    add_limits(lines, compared, options);
}

static const char *outcome_name(enum figure_outcome outcome)
{
    static const char *const names[] = {
        [FIGURE_UNKNOWN] = "untested",    [FIGURE_SAME] = "same",
        [FIGURE_LESS] = "faster",         [FIGURE_MORE] = "slower",
        [FIGURE_UNDECIDED] = "undecided", [FIGURE_DIFFERS] = "differs",
    };

    return names[outcome];
}

/* Old by new, so that 4 is four times as fast. */
static void add_speedup(struct record *fields, const struct figure *wall)
{
    bool is_known =
        wall && isfinite(wall->ratio_interval.low) && isfinite(wall->ratio_interval.high);

    fields_put_real(fields, "speedup", UNIT_RATIO, wall ? 1 / wall->ratio : (double)NAN);
    if (is_known)
        fields_put_interval(fields, "speedup_interval", UNIT_RATIO, 1 / wall->ratio_interval.high,
                            1 / wall->ratio_interval.low);
    else
        fields_put_null(fields, "speedup_interval");
    fields_put_real(fields, "speedup_p_value", UNIT_REAL,
                    wall ? wall->adjusted_p_value : (double)NAN);
    fields_put_text(fields, "outcome", wall ? outcome_name(wall->outcome) : NULL);
}

static double reduction(const struct figure *figure)
{
    return figure && figure->changed > 0 ? figure->base / figure->changed : (double)NAN;
}

void report_add_whole(struct document *document, const struct compared *compared,
                      const struct report_request *request)
{
    const struct figure *wall = compared_whole(compared, RUN_WALL),
                        *rss = compared_whole(compared, RUN_PEAK_RSS);
    const struct pair *pair = &compared->pair;
    struct record *fields = document_add_record(document, "whole", NULL, SECTION_IN_JSON);

    fields_put_text(fields, "base", pair->base->label);
    fields_put_text(fields, "new", pair->changed->label);
    fields_put_count(fields, "base_runs", UNIT_COUNT, pair->base->runs.count);
    fields_put_count(fields, "new_runs", UNIT_COUNT, pair->changed->runs.count);
    fields_put_text(fields, "test", request->figure.test == FIGURE_BY_MEAN ? "welch" : "rank");
    fields_put_real(fields, "confidence", UNIT_REAL, request->figure.confidence);
    add_speedup(fields, wall);
    fields_put_real(fields, "memory_reduction", UNIT_RATIO, reduction(rss));
    fields_put_large(fields, "memory_saved_bytes", UNIT_BYTES,
                     rss ? rintl((long double)(rss->base - rss->changed)) : (long double)NAN);
    fields_put_real(fields, "peak_heap_reduction", UNIT_RATIO,
                    reduction(compared_whole(compared, RUN_PEAK_HEAP)));
    fields_put_real(fields, "accuracy_delta", UNIT_REAL,
                    side_metric(pair->changed, "accuracy") - side_metric(pair->base, "accuracy"));
    fields_put_real(fields, "cost_delta_per_run", UNIT_REAL,
                    wall ? (wall->changed - wall->base) / 3600e9 * request->price_per_hour
                         : (double)NAN);
}
