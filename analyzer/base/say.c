/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Sentences for people, from the tables of texts.
 *
 * Rows are the program's own, never input.  A row whose places do not match its values is a mistake
 * of the caller, so it is asserted.
 */
#include "base/say.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "base/units.h"

struct said said_words(const char *words)
{
    return (struct said){.as = SAID_WORDS, .words = words};
}

struct said said_count(uint64_t count)
{
    return (struct said){.as = SAID_COUNT, .count = count};
}

/* The values that are numbers with a unit. */
#define SAID_NUMBER(unit, as_unit)                                                                 \
    struct said said_##unit(double number)                                                         \
    {                                                                                              \
        return (struct said){.as = (as_unit), .number = number};                                   \
    }
SAID_NUMBER(time, SAID_TIME)
SAID_NUMBER(bytes, SAID_BYTES)
SAID_NUMBER(flops, SAID_FLOPS)
SAID_NUMBER(flop_rate, SAID_FLOP_RATE)
SAID_NUMBER(byte_rate, SAID_BYTE_RATE)
SAID_NUMBER(rate, SAID_RATE)
SAID_NUMBER(share, SAID_SHARE)
SAID_NUMBER(ratio, SAID_RATIO)
SAID_NUMBER(speedup, SAID_SPEEDUP)
SAID_NUMBER(real, SAID_REAL)
#undef SAID_NUMBER

struct said said_about(struct said number, bool is_estimate)
{
    number.is_estimate = is_estimate;
    return number;
}

static const char *format(char buffer[UNITS_SIZE], const struct said *value)
{
    switch (value->as) {
    case SAID_COUNT: return units_format_count(buffer, (int64_t)value->count);
    case SAID_TIME: return units_format_time(buffer, value->number);
    case SAID_BYTES: return units_format_bytes(buffer, value->number);
    case SAID_FLOPS: return units_format_flops(buffer, value->number);
    case SAID_FLOP_RATE: return units_format_flop_rate(buffer, value->number);
    case SAID_BYTE_RATE: return units_format_byte_rate(buffer, value->number);
    case SAID_RATE: return units_format_rate(buffer, value->number);
    case SAID_SHARE: return units_format_percent(buffer, value->number);
    case SAID_RATIO: return units_format_ratio(buffer, value->number);
    case SAID_SPEEDUP: return units_format_speedup(buffer, value->number);
    case SAID_REAL: return units_format_real(buffer, value->number);
    case SAID_WORDS: return value->words;
    case SAID_END: break;
    }
    assert(false && "a place of the row has no value");
    return "";
}

static void append_value(struct text *text, const struct said *value)
{
    char buffer[UNITS_SIZE];
    const char *words = format(buffer, value);

    text_append(text, value->is_estimate ? units_mark_estimate(words) : "");
    text_append(text, words);
}

/* "gap{|s}": the words before the bar for a count of 1, the words behind it for other counts. */
static void append_form(struct text *text, const char *place, size_t size, const char *bar,
                        const struct said *count)
{
    assert(count && "a place with two forms stands behind a count");
    if (count && count->count == 1)
        text_append_bytes(text, place, (size_t)(bar - place));
    else
        text_append_bytes(text, bar + 1, (size_t)(place + size - bar - 1));
}

/* The state of a sentence: the next value, and the last count. */
struct saying {
    const struct said *next;
    const struct said *count;
};

static void append_place(struct text *text, struct saying *saying, const char *place, size_t size)
{
    const char *bar = memchr(place, '|', size);

    if (bar) {
        append_form(text, place, size, bar, saying->count);
        return;
    }
    append_value(text, saying->next);
    if (saying->next->as == SAID_COUNT)
        saying->count = saying->next;
    if (saying->next->as != SAID_END)
        saying->next++;
}

void say_part_all(struct text *text, const struct said *said)
{
    struct saying saying = {said + 1, NULL};
    const char *row = said->words, *open;

    while ((open = strchr(row, '{'))) {
        const char *close = strchr(open, '}');

        assert(close && "a place of the row is closed");
        text_append_bytes(text, row, (size_t)(open - row));
        append_place(text, &saying, open + 1, (size_t)(close - open - 1));
        row = close + 1;
    }
    text_append(text, row);
    assert(saying.next->as == SAID_END && "each value has its place in the row");
}

void say_all(struct text *text, const struct said *said)
{
    if (text->size > 0 && text->bytes[text->size - 1] != ' ')
        text_append(text, " ");
    say_part_all(text, said);
}
