/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The trend of the live heap at the ends of steps.
 */
#include "memory/growth_note.h"

#include <math.h>
#include <stdlib.h>

#include "document/table.h"
#include "figures/analysis.h"
#include "memory/texts.h"
#include "statistics/trend.h"

/* What falls has its sign from its unit. */
static struct said sign_of(double bytes)
{
    return said_words(bytes < 0 ? "" : "+");
}

static enum status find_trend(struct trend *trend, const double *bytes, size_t count,
                              double confidence)
{
    double *numbers = calloc(count + 1, sizeof *numbers);
    enum status status;

    if (!numbers)
        return STATUS_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++)
        numbers[i] = (double)i;
    status = trend_find(trend, numbers, bytes, count, confidence);
    free(numbers);
    return status;
}

static enum status say_trend(struct text *line, const struct array *bytes,
                             const struct analysis_options *options)
{
    bool is_epoch = options->by == ANALYSIS_BY_EPOCH;
    size_t count = bytes->count < TREND_MOST_POINTS ? bytes->count : TREND_MOST_POINTS;
    struct trend trend;
    enum status status = find_trend(&trend, (const double *)bytes->items + (bytes->count - count),
                                    count, options->confidence);

    if (status || isnan(trend.slope))
        return status;
    say(line, is_epoch ? epoch_trend_text : step_trend_text, sign_of(trend.slope),
        said_bytes(trend.slope));
    if (isfinite(trend.low) && isfinite(trend.high))
        say(line, step_interval_text, said_share(options->confidence), sign_of(trend.low),
            said_bytes(trend.low), sign_of(trend.high), said_bytes(trend.high));
    return STATUS_OK;
}

enum status growth_add_note(struct table *table, const char *label, const struct array *bytes,
                            const struct analysis_options *options)
{
    const double *live = bytes->items;
    struct text line;
    double change;
    enum status status;

    if (bytes->count < 2)
        return STATUS_OK;
    change = live[bytes->count - 1] - live[0];
    text_init(&line);
    say(&line, options->by == ANALYSIS_BY_EPOCH ? epoch_change_text : step_change_text,
        said_words(label), sign_of(change), said_bytes(change), said_count(bytes->count));
    status = say_trend(&line, bytes, options);
    if (status)
        text_fini(&line);
    return status ? status : text_list_take(&table->notes, &line);
}
