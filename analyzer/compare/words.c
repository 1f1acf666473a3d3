/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Wording.  The convention is that of pyperf: "1.11x faster (-10.0 %)".
 */
#include "compare/words.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "compare/texts.h"

/* More time is "slower"; more of anything else is "more". */
static const char *direction(enum run_quantity quantity, bool is_more)
{
    if (run_quantity_at(quantity)->unit == UNIT_NS)
        return is_more ? "slower" : "faster";
    return is_more ? "more" : "less";
}

/* The factor of a change below a thousandth would read 1.00x; the percentage has enough digits. */
static void append_percent(struct text *text, double ratio)
{
    double percent = 100 * (ratio - 1);

    if (percent != 0 && fabs(percent) < 0.001)
        text_append(text, percent > 0 ? "<+0.001 %" : ">-0.001 %");
    else
        text_appendf(text, fabs(percent) < 0.1 && percent != 0 ? "%+.2g %%" : "%+.1f %%", percent);
}

static void append_factor(struct text *text, double factor)
{
    text_appendf(text, factor >= 100 ? "%.0fx" : factor >= 10 ? "%.1fx" : "%.2fx", factor);
}

void words_append_change(struct text *text, enum run_quantity quantity, double ratio)
{
    if (isnan(ratio)) {
        text_append(text, "unknown");
    } else if (ratio == 1) {
        text_append(text, "the same");
    } else if (ratio <= 0) {
        text_append(text, "none left");
    } else {
        append_factor(text, ratio > 1 ? ratio : 1 / ratio);
        text_appendf(text, " %s (", direction(quantity, ratio > 1));
        append_percent(text, ratio);
        text_append(text, ")");
    }
}

void words_append_signed(struct text *text, const struct figure *figure)
{
    if (!isnan(figure->ratio)) {
        append_percent(text, figure->ratio);
        return;
    }
    text_append(text, figure->difference < 0 ? "-" : "+");
    words_append_value(text, figure->quantity, fabs(figure->difference));
}

void words_append_by(struct text *text, const struct figure *figure)
{
    bool is_more = isnan(figure->ratio) ? figure->difference > 0 : figure->ratio > 1;

    text_appendf(text, "%s by ", direction(figure->quantity, is_more));
    if (isnan(figure->ratio))
        words_append_value(text, figure->quantity, fabs(figure->difference));
    else
        text_appendf(text, "%.1f %%", 100 * fabs(figure->ratio - 1));
}

/* Uncertain changes have no direction in words. */
static void append_open(struct text *text, const char *what, const struct figure *figure)
{
    text_append(text, what);
    if (isnan(figure->ratio) && isnan(figure->difference))
        return;
    text_append(text, " (");
    words_append_signed(text, figure);
    text_append(text, ")");
}

/* No number of runs separates measured times that are closer than this. */
static const double hardly = 0.001;

/* Few runs, or the calls of two runs, say nothing about programs. */
void words_append_differs(struct text *text, const struct figure *figure)
{
    if (figure->basis == FIGURE_OF_CALLS)
        append_open(text, "calls differ", figure);
    else if (fabs(figure->ratio - 1) < hardly)
        append_open(text, "the same", figure);
    else
        append_open(text, "differs", figure);
}

/* A change from nothing, or across 0, has no ratio. */
void words_append_figure(struct text *text, const struct figure *figure)
{
    if (!isnan(figure->ratio) || isnan(figure->difference)) {
        words_append_change(text, figure->quantity, figure->ratio);
    } else if (figure->base == 0 && figure->changed > 0) {
        text_append(text, "none before");
    } else {
        text_appendf(text, "%s (", direction(figure->quantity, figure->difference > 0));
        words_append_signed(text, figure);
        text_append(text, ")");
    }
}

void words_append_verdict(struct text *text, const struct figure *figure)
{
    switch (figure->outcome) {
    case FIGURE_UNKNOWN: append_open(text, "unknown", figure); break;
    case FIGURE_SAME: text_append(text, "the same"); break;
    case FIGURE_LESS:
    case FIGURE_MORE:
        if (figure->basis == FIGURE_OF_CALLS)
            words_append_differs(text, figure);
        else
            words_append_figure(text, figure);
        break;
    case FIGURE_UNDECIDED: append_open(text, "undecided", figure); break;
    case FIGURE_DIFFERS: words_append_differs(text, figure); break;
    }
}

void words_append_count_change(struct text *text, double ratio)
{
    double percent = 100 * (ratio - 1);

    text_appendf(text, fabs(percent) < 999.5 ? "%+.3g %%" : "%+.0f %%", percent);
}

void words_append_value(struct text *text, enum run_quantity quantity, double value)
{
    char buffer[UNITS_SIZE];

    switch (run_quantity_at(quantity)->unit) {
    case UNIT_NS: text_append(text, units_format_time(buffer, value)); break;
    case UNIT_BYTES: text_append(text, units_format_bytes(buffer, value)); break;
    case UNIT_FLOPS: text_append(text, units_format_flops(buffer, value)); break;
    case UNIT_PER_SECOND: text_append(text, units_format_rate(buffer, value)); break;
    case UNIT_COUNT:
        text_append(text, fabs(value) < 0x1p53 ? units_format_count(buffer, llround(value))
                                               : units_format_real(buffer, value));
        break;
    case UNIT_TEXT:
    case UNIT_FLOPS_PER_SECOND:
    case UNIT_BYTES_PER_SECOND:
    case UNIT_FRACTION:
    case UNIT_RATIO:
    case UNIT_SPEEDUP:
    case UNIT_REAL:
    case UNIT_BOOL:
    case UNIT_ADDRESS:
    case UNIT_NUMBER:
    case UNIT_PLACE:
    case UNIT_ROWS: text_append(text, units_format_real(buffer, value)); break;
    }
}

void words_append_range(struct text *text, enum run_quantity quantity,
                        const struct statistics_interval *range)
{
    struct text low, high;

    text_init(&low);
    text_init(&high);
    words_append_value(&low, quantity, range->low);
    words_append_value(&high, quantity, isnan(range->low) ? range->low : range->high);
    text_append(text, low.bytes);
    if (strcmp(low.bytes, high.bytes) != 0)
        text_appendf(text, " to %s", high.bytes);
    text_fini(&low);
    text_fini(&high);
}

static void append_mark(struct text *text, double error)
{
    text_append(text, error > 0 ? units_mark_estimate("") : "");
}

void words_append_medians(struct text *text, const struct figure *figure)
{
    append_mark(text, figure->base_error);
    words_append_value(text, figure->quantity, figure->base);
    text_append(text, " -> ");
    append_mark(text, figure->changed_error);
    words_append_value(text, figure->quantity, figure->changed);
}

void words_append_ranges(struct text *text, const struct figure *figure)
{
    append_mark(text, figure->base_error);
    words_append_range(text, figure->quantity, &figure->base_range);
    text_append(text, " -> ");
    append_mark(text, figure->changed_error);
    words_append_range(text, figure->quantity, &figure->changed_range);
}

/* First calls that the runs of a side leave out. */
struct warmup {
    unsigned long least, most;
};

/* Returns: whether every run has a warm-up. */
static bool find_warmup(const struct run_side *side, struct warmup *warmup)
{
    *warmup = (struct warmup){ULONG_MAX, 0};
    for (size_t i = 0; i < side->runs.count; i++) {
        const char *value = run_warmup(array_at(&side->runs, i));
        unsigned long calls = value ? strtoul(value, NULL, 10) : 0;

        if (!value)
            return false;
        warmup->least = calls < warmup->least ? calls : warmup->least;
        warmup->most = calls > warmup->most ? calls : warmup->most;
    }
    return side->runs.count > 0;
}

static void append_warmup(struct text *text, const struct warmup *warmup)
{
    text_appendf(text, "%lu", warmup->least);
    if (warmup->most > warmup->least)
        text_appendf(text, " to %lu", warmup->most);
}

void words_append_warmup(struct text *text, const struct pair *pair)
{
    struct warmup base, changed;
    struct text first, second;

    if (!find_warmup(pair->base, &base) || !find_warmup(pair->changed, &changed))
        return;
    text_init(&first);
    text_init(&second);
    append_warmup(&first, &base);
    append_warmup(&second, &changed);
    if (strcmp(first.bytes, second.bytes) == 0)
        say(text, warmup_calls_text, said_words(first.bytes));
    else
        say(text, warmup_calls_sides_text, said_words(first.bytes), said_words(second.bytes));
    text_fini(&first);
    text_fini(&second);
}

const char *words_effect(double cliffs_delta)
{
    double size = fabs(cliffs_delta);

    if (isnan(size))
        return NULL;
    return size < 0.147 ? "negligible" : size < 0.33 ? "small" : size < 0.474 ? "medium" : "large";
}
