/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trend of the live heap at the ends of steps.
 */
#include "heap/growth_note.h"

#include <math.h>

#include "analysis/analysis.h"
#include "base/pool.h"
#include "document/table.h"
#include "heap/texts.h"
#include "statistics/trend.h"

/* A minus comes from the unit. */
static struct said sign_of(double bytes)
{
    return said_words(bytes < 0 ? "" : "+");
}

static void find_trend(struct trend *trend, const double *bytes, size_t count, double confidence)
{
    double *numbers = pool_get_zeros(count + 1, sizeof *numbers);

    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)i;
    trend_find(trend, numbers, bytes, count, confidence);
}

static void say_trend(struct text *line, const struct array *bytes,
                      const struct analysis_options *options)
{
    bool is_epoch = options->by == ANALYSIS_BY_EPOCH;
    size_t count = bytes->count < TREND_MOST_POINTS ? bytes->count : TREND_MOST_POINTS;
    struct trend trend;

    find_trend(&trend, (const double *)bytes->items + (bytes->count - count), count,
               options->confidence);
    if (isnan(trend.slope))
        return;
    say(line, is_epoch ? epoch_trend_text : step_trend_text, sign_of(trend.slope),
        said_bytes(trend.slope));
    if (isfinite(trend.low) && isfinite(trend.high))
        say(line, step_interval_text, said_share(options->confidence), sign_of(trend.low),
            said_bytes(trend.low), sign_of(trend.high), said_bytes(trend.high));
}

void growth_add_note(struct table *table, const char *label, const struct array *bytes,
                     const struct analysis_options *options)
{
    const double *live = bytes->items;
    struct text line;
    double change;

    if (bytes->count < 2)
        return;
    change = live[bytes->count - 1] - live[0];
    text_init(&line);
    say(&line, options->by == ANALYSIS_BY_EPOCH ? epoch_change_text : step_change_text,
        said_words(label), sign_of(change), said_bytes(change), said_count(bytes->count));
    say_trend(&line, bytes, options);
    text_list_take(&table->notes, &line);
}
