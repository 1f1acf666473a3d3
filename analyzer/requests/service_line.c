/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Requests, their percentiles, and the endpoint with the highest one.
 */
#include "requests/service_line.h"

#include <math.h>

#include "base/text.h"
#include "model/session.h"
#include "requests/request_rows.h"
#include "requests/texts.h"

static double p99(const struct request_row *row)
{
    return request_percentile(row, SUMMARY_P99);
}

static const struct request_row *find_worst(const struct request_rows *rows)
{
    const struct request_row *row = rows->rows.items, *worst = NULL;

    for (size_t i = 0; i < rows->rows.count; i++)
        if (!worst || p99(&row[i]) > p99(worst))
            worst = &row[i];
    return worst;
}

static void append_counted(struct text *line, const struct request_rows *rows)
{
    const struct request_row *all = &rows->all;

    say(line, service_requests_text, said_count(request_calls(all)));
    if (!all->tally && isfinite(request_rate(all)))
        say_part(line, service_rate_text, said_rate(request_rate(all)));
    say_part(line, service_times_text, said_time(request_percentile(all, SUMMARY_P50)),
             said_time(p99(all)));
    if (rows->rows.count > 1) {
        const struct request_row *worst = find_worst(rows);

        say_part(line, service_worst_text, said_words(worst->name), said_time(p99(worst)));
    }
}

void service_line_append(struct text *line, const struct session *session, double confidence)
{
    struct request_rows rows;
    size_t untold = 0;

    if (session->served.count == 0)
        return;
    request_rows_init(&rows, session, confidence);
    for (unsigned i = 0; i < TRACE_PROTOCOLS; i++)
        untold += rows.costs.untold[i];
    if (rows.costs.counted > 0)
        append_counted(line, &rows);
    else if (untold > 0)
        say(line, service_untold_text, said_count(untold));
}
