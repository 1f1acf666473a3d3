/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences for people, from the tables of texts.
 *
 * Each sentence that a report can print is a row of its folder's texts.def, and
 * `tprof list texts` prints all rows.  Braces are places for values:
 *
 *     TEXT(small_gaps, "{time} passed in {gaps} gap{|s} between them, {share} of the wall time.")
 *
 *     say(&finding->evidence, small_gaps_text, said_time(gap_ns), said_count(gaps),
 *         said_share(gap_ns / wall_ns));
 *
 * {word}       the next value; the word tells the reader of the table what it is
 * {one|many}   no value: "one" where the last count before it is 1, else "many"
 *
 * A value knows its unit, so no row can print nanoseconds as bytes.  A row may be a value
 * itself: a part that is said only sometimes.
 */
#ifndef BASE_SAY_H
#define BASE_SAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum said_as {
    SAID_END,
    SAID_WORDS,
    SAID_COUNT,
    SAID_TIME,
    SAID_BYTES,
    SAID_FLOPS,
    SAID_FLOP_RATE,
    SAID_BYTE_RATE,
    SAID_RATE,
    SAID_SHARE,
    SAID_RATIO,
    SAID_SPEEDUP,
    SAID_REAL
};

/* A row of a table, or a value for one of its places. */
struct said {
    enum said_as as;
    bool is_estimate; /* a number: written with the mark of estimates */
    union {
        const char *words; /* the words are not copied */
        uint64_t count;
        double number;
    };
};

/* How texts.h declares a row, and texts.c defines it. */
#define SAID_DECLARE(name) extern const struct said name##_text;
#define SAID_DEFINE(name, row) const struct said name##_text = {.as = SAID_WORDS, .words = (row)};

/* Make a value, written as the function of base/units.h for its unit writes it. */
struct said said_words(const char *words);
struct said said_count(uint64_t count);
struct said said_time(double time_ns);
struct said said_bytes(double size_bytes);
struct said said_flops(double flops);
struct said said_flop_rate(double flops_per_second);
struct said said_byte_rate(double bytes_per_second);
struct said said_rate(double per_second);
struct said said_share(double fraction);
struct said said_ratio(double ratio);
struct said said_speedup(double ratio);
struct said said_real(double real);

/* Mark a number as an estimate, "~1.2 GiB", if it is one. */
struct said said_about(struct said number, bool is_estimate);

/* Append a sentence: a row, and a value for each of its places in their order.  A space comes
 * before it unless the text is empty or ends with one. */
#define say(text, ...) say_all(text, SAID_LIST(__VA_ARGS__))

/* Append a part of a sentence, without a space before it. */
#define say_part(text, ...) say_part_all(text, SAID_LIST(__VA_ARGS__))

#define SAID_LIST(...) ((const struct said[]){__VA_ARGS__, {.as = SAID_END}})

/* Shape: a row, its values, SAID_END. */
void say_all(struct text *text, const struct said *said);
void say_part_all(struct text *text, const struct said *said);

#endif
