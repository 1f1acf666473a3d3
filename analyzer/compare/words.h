/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Comparisons in words: words give the direction of a difference, so nobody has to guess it from a
 * sign or a colour.
 */
#ifndef COMPARE_WORDS_H
#define COMPARE_WORDS_H

#include "base/text.h"
#include "compare/figure.h"
#include "compare/pair.h"

/* "1.11x faster (-10.0 %)", "1.05x more (+5.0 %)", "the same"; the factor is never below
 * 1, the percentage is changed / base - 1. */
void words_append_change(struct text *text, enum run_quantity quantity, double ratio);

/* The change of a figure; without a ratio, "less (-200)". */
void words_append_figure(struct text *text, const struct figure *figure);

/* The change of a figure as "slower by 11.7 %", "more by 200 B". */
void words_append_by(struct text *text, const struct figure *figure);

/* The same without a direction in words: "+5.0 %", "-200". */
void words_append_signed(struct text *text, const struct figure *figure);

/* The verdict: the change, if it is certain between programs.  Otherwise it has no direction:
 * "undecided (+0.4 %)", "differs (+9.0 %)". */
void words_append_verdict(struct text *text, const struct figure *figure);

/* The result of runs too few to decide between programs: neither faster nor slower.  The headline
 * and a note below the table say that the result is about these runs. */
void words_append_differs(struct text *text, const struct figure *figure);

/* "+0.5 %", "+3100 %": the change of a count with this ratio. */
void words_append_count_change(struct text *text, double ratio);

/* "~1.20 GiB -> 1.30 GiB": the medians of both sides, with a mark for estimates. */
void words_append_medians(struct text *text, const struct figure *figure);

/* The same with the smallest and the largest of each side. */
void words_append_ranges(struct text *text, const struct figure *figure);

/* A value in its unit: "1.234 s"; a range whose ends print differently: "3 to 5 calls". */
void words_append_value(struct text *text, enum run_quantity quantity, double value);
void words_append_range(struct text *text, enum run_quantity quantity,
                        const struct statistics_interval *range);

/* Say how many first calls the times of a call leave out, if the runs of both sides say so. */
void words_append_warmup(struct text *text, const struct pair *pair);

/* "large", by |Cliff's delta|: 0.147, 0.33, 0.474 (Romano et al. 2006).
 * Returns: NULL when it is unknown. */
const char *words_effect(double cliffs_delta);

#endif
